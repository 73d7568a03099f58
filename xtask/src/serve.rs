//! A server for the playground: the files of one folder, on 127.0.0.1, until nobody asks any more.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rouille::{Request, Response, Server};

use crate::step::{Failure, Outcome};

/// The port that is taken when it is free and no other is asked for.
const PORT: u16 = 8417;

/// How long the page may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sent with every answer. The page may ask any judge that its user names, hence `connect-src *`. What runs a model
/// file starts its worker from a script that it puts together, hence `blob:` there: only a script that is allowed
/// already can make one.
const HEADERS: [(&str, &str); 4] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; \
         img-src 'self' data:; connect-src *; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-cache"),
];

/// A site that is being served, as long as the process lives.
pub(crate) struct Site {
    /// Where the page is, with the slash at the end.
    pub(crate) address: String,
    last_request: Arc<Mutex<Instant>>,
}

/// Serves a folder and returns when its page has answered.
pub(crate) fn start(folder: &Path, port: Option<u16>) -> Outcome<Site> {
    let last_request = Arc::new(Mutex::new(Instant::now()));
    let listen = |port| {
        let (folder, last_request) = (folder.to_owned(), Arc::clone(&last_request));
        Server::new(("127.0.0.1", port), move |request| {
            *last_request.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            answer(request, &folder)
        })
    };
    let server = match port {
        Some(port) => listen(port),
        None => listen(PORT).or_else(|_| listen(0)),
    };
    let server = server.map_err(|error| {
        let port = port.unwrap_or(PORT);
        Failure::new(
            format!("cannot listen on 127.0.0.1:{port}: {error}"),
            "name a free port with `--port`, or leave it out",
        )
    })?;
    let address = format!("http://{}/", server.server_addr());
    thread::spawn(move || server.run());

    // A proxy for the network outside has no say here.
    let client = ureq::Agent::config_builder()
        .proxy(None)
        .timeout_global(Some(PATIENCE))
        .build();
    client.new_agent().get(&address).call().map_err(|error| {
        Failure::new(
            format!("the page at {address} does not answer: {error}"),
            "look whether index.html is in target/site",
        )
    })?;
    Ok(Site {
        address,
        last_request,
    })
}

impl Site {
    /// Returns when nobody has asked for anything for that long.
    pub(crate) fn wait_until_idle(&self, idle: Duration) {
        loop {
            let last = *self
                .last_request
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let Some(rest) = idle.checked_sub(last.elapsed()) else {
                break;
            };
            thread::sleep(rest + Duration::from_millis(1));
        }
    }
}

/// `match_assets` resolves links and `..` before it looks whether the file lies in the folder.
fn answer(request: &Request, folder: &Path) -> Response {
    let response = match (request.method(), request.url().as_str()) {
        ("GET" | "HEAD", "/") => {
            let page = Request::fake_http("GET", "/index.html", Vec::new(), Vec::new());
            rouille::match_assets(&page, folder)
        }
        ("GET" | "HEAD", _) => rouille::match_assets(request, folder),
        _ => Response::text("only GET and HEAD").with_status_code(405),
    };
    HEADERS.iter().fold(response, |response, (name, value)| {
        response.with_unique_header(*name, *value)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with a page, a module, and a link to a file outside; the server in front of it.
    fn site(name: &str) -> Site {
        let base = std::env::temp_dir().join(format!("claimgauge-{}-{name}", std::process::id()));
        let folder = base.join("site");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), "<!doctype html>").unwrap();
        fs::write(folder.join("a.wasm"), b"\0asm").unwrap();
        fs::write(folder.join("a.js"), "export {}").unwrap();
        fs::write(base.join("outside.txt"), "private").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(base.join("outside.txt"), folder.join("link.txt")).unwrap();
        start(&folder, Some(0)).unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn status(site: &Site, path: &str) -> u16 {
        match ureq::get(format!("{}{path}", site.address)).call() {
            Ok(response) => response.status().as_u16(),
            Err(ureq::Error::StatusCode(code)) => code,
            Err(error) => panic!("{path}: {error}"),
        }
    }

    #[test]
    fn types_and_headers() {
        let site = site("types");
        for (path, kind) in [
            ("", "text/html; charset=utf8"),
            ("a.wasm", "application/wasm"),
            ("a.js", "application/javascript"),
        ] {
            let response = ureq::get(format!("{}{path}", site.address)).call().unwrap();
            assert_eq!(response.headers()["content-type"], kind, "{path}");
            for (name, value) in HEADERS {
                assert_eq!(response.headers()[name], value, "{path}: {name}");
            }
        }
    }

    #[test]
    fn nothing_outside_the_folder() {
        let site = site("outside");
        assert_eq!(status(&site, "a.js?x=1"), 200);
        for path in [
            "link.txt",
            "%2e%2e/outside.txt",
            "..%2foutside.txt",
            "none",
            "a.js%00",
        ] {
            assert_eq!(status(&site, path), 404, "{path}");
        }
    }

    #[test]
    fn a_request_puts_off_the_end() {
        let site = site("idle");
        let start = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(200));
                status(&site, "a.js");
            });
            site.wait_until_idle(Duration::from_millis(400));
        });
        assert!(start.elapsed() >= Duration::from_millis(600));
    }

    #[test]
    fn a_taken_port_is_a_failure_only_when_asked_for() {
        let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let failure = start(Path::new("."), Some(port)).err().unwrap();
        assert!(failure.what.contains(&port.to_string()), "{failure}");
    }
}
