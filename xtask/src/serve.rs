//! A server for the playground: the files of one folder, on 127.0.0.1, until nobody asks any more.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rouille::{Request, Response};

use crate::step::{Failure, Outcome};

/// Which port is listened on.
#[derive(Clone, Copy)]
pub(crate) enum Port {
    /// This one, and no other.
    Asked(u16),
    /// This one, or any where it is taken.
    Usual(u16),
}

/// How long the page may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// So much of a request's body, which nobody reads, is waited for.
const MOST_UNREAD: u64 = 1 << 20;

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
pub(crate) fn start(folder: &Path, port: Port) -> Outcome<Site> {
    let listen = |port| TcpListener::bind(("127.0.0.1", port));
    let (number, listener) = match port {
        Port::Asked(port) => (port, listen(port)),
        Port::Usual(port) => (port, listen(port).or_else(|_| listen(0))),
    };
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = bound.map_err(|error| {
        Failure::new(
            format!("cannot listen on 127.0.0.1:{number}: {error}"),
            "name a free port with `--port`, or leave it out",
        )
    })?;
    let address = format!("http://{address}/");
    let last_request = Arc::new(Mutex::new(Instant::now()));
    let (folder, asked) = (folder.to_owned(), Arc::clone(&last_request));
    thread::spawn(move || {
        // A thread for each: with a pool, what the browser keeps open would keep others waiting.
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Too many are open: some will end.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let (folder, asked) = (folder.clone(), Arc::clone(&asked));
            // Whoever went away needs no answer, and whom no thread is left for asks again.
            let answering = move || drop(converse(&stream, &folder, &asked));
            drop(thread::Builder::new().spawn(answering));
        }
    });

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

/// Answers the one request of a connection.
fn converse(mut stream: &TcpStream, folder: &Path, asked: &Mutex<Instant>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let request = request(&mut stream)?;
    *asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    let (response, whole) = match request {
        Some(request) => (answer(&request, folder), request.method() != "HEAD"),
        None => (Response::empty_400(), true),
    };
    let Response {
        status_code,
        headers,
        data,
        ..
    } = response;
    let (mut body, length) = data.into_reader_and_size();
    let mut head = format!("HTTP/1.1 {status_code} \r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if let Some(length) = length {
        head += &format!("Content-Length: {length}\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    if whole {
        io::copy(&mut body, &mut stream)?;
    }
    // Closed over what was not read, a connection loses the answer.
    stream.shutdown(Shutdown::Write)?;
    io::copy(&mut stream.take(MOST_UNREAD), &mut io::sink())?;
    Ok(())
}

/// Reads the head of a request; `None` where it is none.
fn request(stream: &mut impl Read) -> io::Result<Option<Request>> {
    const LONGEST: usize = 64 * 1024;
    const MOST_HEADERS: usize = 100;
    let mut head = Vec::new();
    let mut chunk = [0; 4096];
    while head.len() < LONGEST {
        let length = stream.read(&mut chunk)?;
        if length == 0 {
            break;
        }
        head.extend_from_slice(&chunk[..length]);
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(&head) {
            Ok(httparse::Status::Partial) => continue,
            Ok(httparse::Status::Complete(_)) => {
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                let headers = parsed.headers.iter();
                let headers = headers.map(|header| (header.name.to_owned(), text(header.value)));
                return Ok(parsed.method.zip(parsed.path).map(|(method, path)| {
                    Request::fake_http(method, path, headers.collect(), Vec::new())
                }));
            }
            Err(_) => break,
        }
    }
    Ok(None)
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
    let response = match response.status_code {
        404 => Response::text("there is no such file").with_status_code(404),
        _ => response,
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
        start(&folder, Port::Asked(0)).unwrap_or_else(|failure| panic!("{failure}"))
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
    fn nobody_waits_for_others() {
        let site = site("others");
        let address = site.address["http://".len()..].trim_end_matches('/');
        let connect = || TcpStream::connect(address).unwrap();
        let idle: Vec<TcpStream> = (0..20).map(|_| connect()).collect();
        assert_eq!(status(&site, "a.js"), 200);
        drop(idle);
        for (asked, answered) in [
            ("HEAD /a.wasm HTTP/1.1\r\n\r\n", "HTTP/1.1 200 "),
            ("DELETE /a.js HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "),
            ("no request\r\n\r\n", "HTTP/1.1 400 "),
        ] {
            let mut stream = connect();
            stream.write_all(asked.as_bytes()).unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).unwrap();
            let answer = String::from_utf8_lossy(&answer);
            assert!(answer.starts_with(answered), "{asked}: {answer}");
            assert!(!asked.starts_with("HEAD") || answer.ends_with("\r\n\r\n"));
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
        let failure = start(Path::new("."), Port::Asked(port)).err().unwrap();
        assert!(failure.what.contains(&port.to_string()), "{failure}");
    }
}
