//! A real folder and a host that looks at it.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Component, Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use claimgauge_core::output::{
    Base, Content, Digest, FileSeen, FormsDigest, Look, Observation, Want,
};
use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Setup {
    pub(crate) files: Vec<Entry>,
    pub(crate) outside: Vec<Entry>,
    pub(crate) base_link: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Entry {
    path: String,
    text: Option<String>,
    base64: Option<String>,
    fill: Option<Fill>,
    link_to: Option<String>,
    fifo: bool,
    dir: bool,
    mode: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Fill {
    text: String,
    times: usize,
}

/// A folder of its own with a base in it, gone afterwards.
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "claimgauge-output-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let root = std::env::temp_dir().canonicalize().unwrap().join(name);
        fs::create_dir_all(root.join("base")).unwrap();
        Self { root }
    }

    pub(crate) fn base(&self) -> PathBuf {
        self.root.join("base")
    }

    pub(crate) fn fill(&self, setup: &Setup) {
        for (folder, entries) in [
            (self.base(), &setup.files),
            (self.root.clone(), &setup.outside),
        ] {
            for entry in entries {
                entry.make(&folder);
            }
        }
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.base().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn host(&self, by_link: bool) -> Host {
        let real = self.base();
        let given = if by_link {
            let link = self.root.join("base-link");
            symlink("base", &link).unwrap();
            link
        } else {
            real.clone()
        };
        Host { given, real }
    }

    /// Root may read what has no permission at all.
    pub(crate) fn reads_everything(&self) -> bool {
        let probe = self.root.join("probe");
        fs::write(&probe, "").unwrap();
        fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).unwrap();
        File::open(probe).is_ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.root).unwrap();
    }
}

impl Entry {
    fn make(&self, folder: &Path) {
        let path = folder.join(&self.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if let Some(target) = &self.link_to {
            symlink(target, &path).unwrap();
        } else if self.fifo {
            assert!(
                Command::new("mkfifo")
                    .arg(&path)
                    .status()
                    .unwrap()
                    .success()
            );
        } else if self.dir {
            fs::create_dir_all(&path).unwrap();
        } else if let Some(fill) = &self.fill {
            fs::write(&path, fill.text.repeat(fill.times)).unwrap();
        } else if let Some(base64) = &self.base64 {
            fs::write(&path, from_base64(base64)).unwrap();
        } else {
            fs::write(&path, self.text.as_deref().unwrap_or_default()).unwrap();
        }
        if let Some(mode) = &self.mode {
            let mode = u32::from_str_radix(mode, 8).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.trim_end_matches('=').chars() {
        bits = bits << 6 | u32::try_from(LETTERS.find(letter).unwrap()).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Looks at a real folder, link by link.
pub(crate) struct Host {
    given: PathBuf,
    real: PathBuf,
}

impl Host {
    pub(crate) fn base(&self) -> Base {
        Base {
            paths: [&self.given, &self.real]
                .map(|path| path.to_string_lossy().into_owned())
                .to_vec(),
            windows: false,
        }
    }

    pub(crate) fn observe(&self, look: &Look) -> Observation {
        let seen = if look.want == Want::Entry {
            self.entry(&look.path)
        } else {
            self.resolve(Path::new(&look.path))
                .and_then(|real| file(&real, look))
        };
        seen.unwrap_or_else(|observation| observation)
    }

    fn entry(&self, path: &str) -> Result<Observation, Observation> {
        if path.is_empty() {
            return Ok(Observation::Directory);
        }
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.resolve(Path::new(parent)).map_err(|seen| match seen {
            Observation::Link => Observation::Unreadable {
                why: "too many links".into(),
            },
            seen => seen,
        })?;
        let path = parent.join(name);
        let kind = path.symlink_metadata().map_err(cause)?.file_type();
        Ok(if kind.is_symlink() {
            Observation::Link
        } else if kind.is_dir() {
            Observation::Directory
        } else if kind.is_file() {
            Observation::File(FileSeen::default())
        } else {
            Observation::Special
        })
    }

    /// The real path. A link that leads out is told as that, also where nothing is behind it.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Observation> {
        let mut real = self.real.clone();
        let mut rest: Vec<PathBuf> = parts(path);
        let mut own = rest.len();
        let mut links = 0;
        while let Some(part) = rest.pop() {
            // Each part of the path must lead inside, and no link goes on from elsewhere.
            let is_inside = real.starts_with(&self.real);
            if rest.len() < own {
                own = rest.len();
                if !is_inside {
                    return Err(Observation::Escapes);
                }
            }
            if part == Path::new("..") {
                if !is_inside && !self.real.starts_with(&real) {
                    return Err(Observation::Escapes);
                }
                real.pop();
                continue;
            }
            let next = real.join(&part);
            let kind = match next.symlink_metadata() {
                Ok(found) => found.file_type(),
                Err(_) if !real.starts_with(&self.real) => return Err(Observation::Escapes),
                Err(error) => return Err(cause(error)),
            };
            if !kind.is_symlink() {
                real = next;
                continue;
            }
            links += 1;
            if links > 40 {
                return Err(Observation::Link);
            }
            let target = fs::read_link(&next).map_err(cause)?;
            if target.is_absolute() {
                real = PathBuf::from("/");
            }
            rest.extend(parts(&target));
        }
        if real.starts_with(&self.real) {
            Ok(real)
        } else {
            Err(Observation::Escapes)
        }
    }
}

/// The parts of a path, last first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(_) | Component::ParentDir => Some(PathBuf::from(part.as_os_str())),
        _ => None,
    });
    parts.rev().collect()
}

fn cause(error: io::Error) -> Observation {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Observation::Missing,
        _ => Observation::Unreadable {
            why: error.to_string(),
        },
    }
}

fn file(real: &Path, look: &Look) -> Result<Observation, Observation> {
    let kind = real.symlink_metadata().map_err(cause)?.file_type();
    if kind.is_dir() {
        return Ok(Observation::Directory);
    }
    if !kind.is_file() {
        return Ok(Observation::Special);
    }
    let mut file = File::open(real).map_err(cause)?;
    let size = file.metadata().map_err(cause)?.len();
    if look.want == Want::Text && size > look.text_limit {
        return Ok(Observation::File(FileSeen {
            size,
            ..FileSeen::default()
        }));
    }
    let mut digest = Digest::default();
    let mut forms = FormsDigest::default();
    let mut text = Vec::new();
    let mut chunk = [0; 7_000];
    loop {
        let read = file.read(&mut chunk).map_err(cause)?;
        if read == 0 {
            break;
        }
        digest.update(&chunk[..read]);
        match look.want {
            Want::Forms => forms.update(&chunk[..read]),
            Want::Text => text.extend_from_slice(&chunk[..read]),
            Want::Entry | Want::Hash => {}
        }
    }
    Ok(Observation::File(FileSeen {
        size,
        sha256: Some(digest.finish()),
        text: (look.want == Want::Text).then_some(Content(text)),
        forms: (look.want == Want::Forms).then(|| forms.finish()),
    }))
}
