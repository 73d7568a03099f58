//! Where the path of a claim leads, as far as its text says. The links on the way are the host's
//! to follow: it alone sees them.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::input::null_as_default;

/// The folder that claims are about.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Base {
    /// The absolute paths that name it, such as the one that was given and the one behind its
    /// links. Empty where it has none, as in a browser: every absolute path leads out of it then.
    #[serde(deserialize_with = "null_as_default")]
    pub paths: Vec<String>,
    /// Whether paths are read as Windows does: a backslash separates, case does not count.
    #[serde(deserialize_with = "null_as_default")]
    pub windows: bool,
}

/// A path below the base.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Inside {
    /// Its parts joined by "/", without "." and ".."; empty for the base itself.
    pub(super) path: String,
    /// The same for all spellings of one path.
    pub(super) key: String,
    /// Its parts as they are written, with "..", where it goes through a folder that may be a link: the
    /// system goes on from where that leads.
    pub(super) written: Option<String>,
}

/// Why a path is refused for its text alone, on every system alike.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    Climbs,
    Device,
    DriveRelative,
    Nul,
    Outside,
    Stream,
    Unc,
}

impl Refusal {
    /// What form the path has.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Climbs => "The path climbs out by its ..",
            Self::Device => "The path names a device",
            Self::DriveRelative => "The path is relative to a drive",
            Self::Nul => "The path holds a NUL character",
            Self::Outside => "The path is absolute and not below the base",
            Self::Stream => "The path names an alternate stream, or ends in dots or spaces",
            Self::Unc => "The path is in UNC form",
        }
    }
}

/// Names that Windows gives to devices in every folder, with any extension.
const DEVICES: [&str; 7] = ["aux", "clock$", "con", "conin$", "conout$", "nul", "prn"];

/// The same with a digit behind.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// What Windows takes for such a digit.
const DEVICE_DIGITS: &str = "123456789¹²³";

/// Reads the text of a path.
pub(super) fn locate(text: &str, base: &Base) -> Result<Inside, Refusal> {
    if text.contains('\0') {
        return Err(Refusal::Nul);
    }
    let (below, written) = match root(text, base.windows)? {
        Root::None => {
            let written: Vec<_> = named(text, base.windows).collect();
            let below = climb(written.iter().copied()).ok_or(Refusal::Climbs)?;
            (below, written)
        }
        Root::Absolute => below(text, base).ok_or(Refusal::Outside)?,
    };
    for part in below.iter().flat_map(|part| part.split('\\')) {
        if is_device(part) {
            return Err(Refusal::Device);
        }
        // Windows drops dots and spaces at the end, and finds ".." in ".. ".
        if base.windows && (part.contains(':') || part.trim_end_matches(['.', ' ']).is_empty()) {
            return Err(Refusal::Stream);
        }
    }
    // Where a backslash is a letter, a path that climbs by it is refused all the same.
    if climb(below.iter().flat_map(|part| part.split('\\'))).is_none() {
        return Err(Refusal::Climbs);
    }
    let path = below.join("/");
    let key = if base.windows {
        let key: Vec<String> = below.iter().map(|part| folded(part)).collect();
        key.join("/")
    } else {
        path.clone()
    };
    let goes_through = written.contains(&"..") || names_folder(text, base);
    let written = (goes_through && !written.is_empty()).then(|| written.join("/"));
    Ok(Inside { path, key, written })
}

/// Whether a path can only name a folder: it ends in a separator, or in "." or ".." behind one.
pub(super) fn names_folder(text: &str, base: &Base) -> bool {
    parts(text, base.windows)
        .last()
        .is_some_and(|last| matches!(last, "" | "." | ".."))
}

/// What a path starts from.
enum Root {
    /// The root of the system or of a drive.
    Absolute,
    /// The base.
    None,
}

fn root(text: &str, windows: bool) -> Result<Root, Refusal> {
    let mut characters = text.chars();
    let [first, second, third] = core::array::from_fn(|_| characters.next());
    let separates = |character: Option<char>| matches!(character, Some('/' | '\\'));
    if separates(first) && separates(second) {
        return Err(Refusal::Unc);
    }
    if first.is_some_and(|first| first.is_ascii_alphabetic()) && second == Some(':') {
        return match separates(third) {
            true if windows => Ok(Root::Absolute),
            true => Err(Refusal::Outside),
            false => Err(Refusal::DriveRelative),
        };
    }
    match first {
        Some('/') if !windows => Ok(Root::Absolute),
        Some('/' | '\\') => Err(Refusal::DriveRelative),
        _ => Ok(Root::None),
    }
}

/// The parts of an absolute path behind one of the base's own, settled and as they are written.
fn below<'a>(text: &'a str, base: &Base) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let same = |left: &str, right: &str| {
        if base.windows {
            folded(left) == folded(right)
        } else {
            left == right
        }
    };
    let written: Vec<_> = named(text, base.windows).collect();
    let path = settle(written.iter().copied());
    base.paths.iter().find_map(|known| {
        let known = known.strip_prefix(r"\\?\").unwrap_or(known);
        let known = settle(named(known, base.windows));
        let is_below = |path: &[&str]| {
            known.len() <= path.len()
                && known
                    .iter()
                    .zip(path)
                    .all(|(known, part)| same(known, part))
        };
        is_below(&path).then(|| {
            // What comes before the base is not the host's to look at.
            let mut before = Vec::new();
            let behind = written.iter().position(|part| {
                let reached = is_below(&before);
                step(&mut before, part);
                reached
            });
            let written = &written[behind.unwrap_or(written.len())..];
            (path[known.len()..].to_vec(), written.to_vec())
        })
    })
}

/// The parts that lead anywhere.
fn named(text: &str, windows: bool) -> impl Iterator<Item = &str> {
    parts(text, windows).filter(|part| !matches!(*part, "" | "."))
}

fn parts(text: &str, windows: bool) -> impl Iterator<Item = &str> {
    text.split(move |character| character == '/' || windows && character == '\\')
}

/// Takes each ".." together with the part before it; `None` where there is none before it.
fn climb<'a>(parts: impl Iterator<Item = &'a str>) -> Option<Vec<&'a str>> {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            "" | "." => {}
            ".." => {
                kept.pop()?;
            }
            _ => kept.push(part),
        }
    }
    Some(kept)
}

/// The same for an absolute path: above the root is the root.
fn settle<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept = Vec::new();
    parts.for_each(|part| step(&mut kept, part));
    kept
}

fn step<'a>(kept: &mut Vec<&'a str>, part: &'a str) {
    match part {
        ".." => {
            kept.pop();
        }
        _ => kept.push(part),
    }
}

fn folded(part: &str) -> String {
    part.trim_end_matches(['.', ' ']).to_lowercase()
}

fn is_device(part: &str) -> bool {
    let stem = part.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ').to_lowercase();
    let numbered = || {
        let mut letters = stem.chars();
        let digit = letters.next_back();
        digit.is_some_and(|digit| DEVICE_DIGITS.contains(digit))
            && NUMBERED_DEVICES.contains(&letters.as_str())
    };
    DEVICES.contains(&stem.as_str()) || numbered()
}

/// What a trace says of a path: where it leads, or its text where it leads out.
pub(super) fn key(text: &str, base: &Base) -> String {
    locate(text, base).map_or_else(|_| text.to_owned(), |inside| inside.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const POSIX: &[(&str, Result<&str, Refusal>)] = &[
        ("a.txt", Ok("a.txt")), ("./a//b/../c.txt", Ok("a/c.txt")), ("a/", Ok("a")),
        ("", Ok("")), (".", Ok("")), ("a/..", Ok("")), ("...", Ok("...")), ("..a", Ok("..a")),
        ("/base/a.txt", Ok("a.txt")), ("/real/base/./a", Ok("a")), ("/base", Ok("")),
        ("/x/../base/a", Ok("a")), ("/../base/a", Ok("a")),
        (r"a\b", Ok(r"a\b")), (r"a\..\b", Ok(r"a\..\b")), ("a.txt:s", Ok("a.txt:s")),
        ("console.log", Ok("console.log")), ("com10", Ok("com10")), ("com", Ok("com")),
        ("auxiliary/c.md", Ok("auxiliary/c.md")), ("é:x", Ok("é:x")),
        ("..", Err(Refusal::Climbs)), ("../base/a", Err(Refusal::Climbs)),
        ("a/../../b", Err(Refusal::Climbs)), (r"..\a", Err(Refusal::Climbs)),
        (r"a/..\..\b", Err(Refusal::Climbs)), (r"/base/..\a", Err(Refusal::Climbs)),
        ("/base-evil/a", Err(Refusal::Outside)), ("/etc/passwd", Err(Refusal::Outside)),
        ("/base/../a", Err(Refusal::Outside)), ("/BASE/a", Err(Refusal::Outside)),
        ("/dev/zero", Err(Refusal::Outside)), (r"C:\base\a", Err(Refusal::Outside)),
        ("C:/base/a", Err(Refusal::Outside)), ("a\0b", Err(Refusal::Nul)),
        ("C:a", Err(Refusal::DriveRelative)), ("c:", Err(Refusal::DriveRelative)),
        ("C:..", Err(Refusal::DriveRelative)), (r"\a", Err(Refusal::DriveRelative)),
        (r"\\server\share", Err(Refusal::Unc)), ("//base/a", Err(Refusal::Unc)),
        (r"\/a", Err(Refusal::Unc)), (r"\\?\C:\base\a", Err(Refusal::Unc)),
        ("CON", Err(Refusal::Device)), ("a/nul.txt", Err(Refusal::Device)),
        ("Com1", Err(Refusal::Device)), ("LPT²", Err(Refusal::Device)),
        ("aux .c", Err(Refusal::Device)), (r"a\prn", Err(Refusal::Device)),
        ("/base/con", Err(Refusal::Device)), ("conin$", Err(Refusal::Device)),
    ];

    #[rustfmt::skip]
    const WINDOWS: &[(&str, Result<&str, Refusal>)] = &[
        (r"a\b.txt", Ok("a/b.txt")), (r"c:\Proj\A.txt", Ok("A.txt")), ("C:/PROJ/a", Ok("a")),
        (r"C:\proj-evil\a", Err(Refusal::Outside)), (r"D:\proj\a", Err(Refusal::Outside)),
        ("a.txt:s", Err(Refusal::Stream)), (".. /a", Err(Refusal::Stream)),
        (r"\proj\a", Err(Refusal::DriveRelative)), ("/proj/a", Err(Refusal::DriveRelative)),
        (r"a\..\..\b", Err(Refusal::Climbs)), ("C:a", Err(Refusal::DriveRelative)),
        ("nul", Err(Refusal::Device)), (r"\\proj\a", Err(Refusal::Unc)),
    ];

    #[test]
    fn paths_lead_where_their_text_says() {
        let posix = Base {
            paths: ["/base", "/real/base/"].map(String::from).to_vec(),
            windows: false,
        };
        let windows = Base {
            paths: Vec::from([r"\\?\C:\proj".to_owned()]),
            windows: true,
        };
        for (base, rows) in [(&posix, POSIX), (&windows, WINDOWS)] {
            for (text, want) in rows {
                let got = locate(text, base).map(|inside| inside.path);
                assert_eq!(got, want.map(String::from), "{text:?}");
            }
        }
    }

    #[test]
    fn windows_has_one_key_for_all_spellings() {
        let base = Base {
            windows: true,
            ..Base::default()
        };
        let key = |text| locate(text, &base).map(|inside| inside.key);
        assert_eq!(key(r"Docs\A.TXT"), key("docs/a.txt"));
        assert_eq!(key("a.txt."), key("a.txt"));
        assert_ne!(key("a.txt"), key("b.txt"));
    }

    #[test]
    fn a_separator_at_the_end_names_a_folder() {
        let [posix, windows] = [false, true].map(|windows| Base {
            windows,
            ..Base::default()
        });
        for text in ["a.txt/", "a.txt//", "a.txt/.", ".", "a.txt/..", "a/b/.."] {
            assert!(names_folder(text, &posix), "{text}");
        }
        for text in ["a.txt", "a/b", "a.", r"a.txt\"] {
            assert!(!names_folder(text, &posix), "{text}");
        }
        assert!(names_folder(r"a.txt\", &windows));
    }

    #[test]
    fn a_path_is_followed_as_written_where_it_goes_through_a_folder() {
        let base = Base {
            paths: Vec::from(["/base".to_owned()]),
            windows: false,
        };
        #[rustfmt::skip]
        let rows = [
            ("a.txt", None), ("./a//b", None), (".", None), ("", None), ("/base", None), ("...", None),
            ("a/..", Some("a/..")), ("./a/./..//x", Some("a/../x")), ("a/b/../../x/", Some("a/b/../../x")),
            ("a/", Some("a")), ("a/.", Some("a")), ("/base/a/../x", Some("a/../x")),
            ("/x/../base/a", None), ("/base/../base/a/.", Some("../base/a")), (r"a\..\x", None),
        ];
        for (text, want) in rows {
            let written = locate(text, &base).map(|inside| inside.written);
            assert_eq!(written, Ok(want.map(String::from)), "{text:?}");
        }
        let root = Base {
            paths: Vec::from(["/".to_owned()]),
            windows: false,
        };
        let written = locate("/a/../b", &root).map(|inside| inside.written);
        assert_eq!(written, Ok(Some("a/../b".into())));
    }

    #[test]
    fn without_paths_every_absolute_one_leads_out() {
        let base = Base::default();
        assert_eq!(locate("/a", &base), Err(Refusal::Outside));
        assert_eq!(locate("a", &base).map(|inside| inside.path), Ok("a".into()));
    }
}
