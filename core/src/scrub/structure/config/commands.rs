//! Command lines, and the help that programs print.

use super::{
    Help, Lines, PACKAGE, is_small,
    values::{key_end, push_value, push_version},
};
use crate::{
    profile::Kind::*,
    scrub::{
        lexicon::Rank,
        structure::Reader,
        words::{self, LANGUAGE, NOT_NAMES, PROGRAM, any_of},
    },
};

/// Programs that are called from a shell.
#[rustfmt::skip]
pub(in crate::scrub) static PROGRAMS: &[&str] = &[
    "ansible-playbook", "apt", "apt-get", "aws", "az", "brew", "bun", "bundle", "cargo", "composer", "curl", "deno", "dnf",
    "docker", "docker-compose", "dotnet", "gcloud", "gem", "gh", "git", "gradle", "helm", "journalctl", "kubectl", "mvn",
    "npm", "npx", "pip", "pip3", "pnpm", "podman", "poetry", "psql", "python3", "rsync", "rustup", "ssh", "sudo",
    "systemctl", "terraform", "uv", "uvx", "wget", "yarn",
];

/// Whether a word is the name of a program that shells call.
pub(in crate::scrub::structure) fn is_called(word: &str) -> bool {
    words::is_small_in(PROGRAM, word)
}

/// `flask~=3.0`, `uvicorn[standard]>=0.30,<1` on a line of its own: a package that Python needs.
pub(super) fn requirement(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> bool {
    // Most lines are prose.
    if reader.is_space(at + 1) {
        return false;
    }
    let to = key_end(reader, at);
    let mut sign = to;
    if reader.is_mark(to, b'[') {
        let close = (to..end).find(|at| reader.is_mark(*at, b']'));
        sign = close.map_or(to, |close| close + 1);
    }
    let version = sign + 2;
    let bound = to > at
        && reader.is_any(sign, b"!<=>~")
        && reader.is_mark(sign + 1, b'=')
        && reader.is_number(version)
        && reader.word(version).contains('.');
    if !bound {
        return false;
    }
    // A comment, or what it is needed for, may follow.
    let stop = (version..end).find(|at| reader.is_any(*at, b" #;"));
    let fits = stop.is_none_or(|at| !reader.is_space(at) || reader.is_any(at + 1, b"#;"));
    if fits {
        reader.push_name_at(at, to, PACKAGE, Rank::Definition);
        push_version(reader, version, version + 1);
    }
    fits
}

/// Whether the word at `at`, with what hyphens join to it, is a program's name.
pub(super) fn is_program(reader: &Reader<'_, '_>, at: usize) -> bool {
    let joined = reader.is_mark(at + 1, b'-') || reader.is_space(at + 1);
    if !joined || !reader.is_word(at) {
        return false;
    }
    let to = key_end(reader, at);
    let text = reader.text(at, to);
    reader.is_space(to) && is_called(text)
}

/// Looks at a line as one of a help text: `Usage: …`, `Commands:`. Says whether it is.
pub(super) fn usage(reader: &mut Reader<'_, '_>, lines: &mut Lines, at: usize, end: usize) -> bool {
    let indented = reader.is_space(at.wrapping_sub(1));
    let last = end.wrapping_sub(1);
    let heads = || {
        reader.says(
            last.wrapping_sub(1),
            any_of!("COMMANDS Commands SUBCOMMANDS Subcommands commands subcommands"),
        )
    };
    if reader.is_mark(last, b':') && last - at < 6 && heads() {
        lines.help = Some(match reader.has_scrubbed(at, end) {
            true => Help::Scrubbed,
            false => Help::Commands,
        });
        return true;
    }
    let headed = reader.is_mark(at + 1, b':') && reader.says(at, any_of!("Usage usage USAGE"));
    if headed || at + 1 == end && reader.is(at, "SYNOPSIS") {
        let next = reader.skip_space(at + 2);
        match next >= end {
            true => lines.help = Some(Help::Usage),
            false => command(reader, next, end),
        }
        return true;
    }
    if !indented {
        lines.help = None;
    }
    match lines.help {
        Some(Help::Usage) => {
            lines.help = None;
            command(reader, at, end);
            true
        }
        Some(Help::Commands) => {
            let to = key_end(reader, at);
            let wide = reader.is_space(to) && reader.word(to).len() > 1;
            if to > at && (wide || to == end) {
                reader.push_here(at, to, &[Cmd], Rank::Definition);
            }
            true
        }
        Some(Help::Scrubbed) => true,
        None => false,
    }
}

/// The words of a command line before its options.
#[inline(never)]
pub(in crate::scrub::structure) fn command(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    // Where the program's name ends, and the last of its words.
    let (mut first, mut last) = (at, at);
    let mut to = at;
    while to < end && reader.is_word(to) && is_small(reader.word(to)) {
        // The page, path or file that it is given: `curl https://…`, `cat a/b`
        let given = reader.is_mark(to + 1, b':') && reader.is_mark(to + 2, b'/')
            || first > at && reader.is_any(to + 1, b"/.@");
        if given {
            break;
        }
        to += 1;
        while reader.is_mark(to, b'-') && reader.is_word(to + 1) {
            to += 2;
        }
        last = to;
        if first == at {
            first = to;
        }
        to = reader.skip_space(to);
    }
    if last == at {
        return;
    }
    reader.push(at, last, &[Cmd], Rank::Structure);
    // The program is a name wherever it is spoken of.
    if first < last {
        reader.push_name_at(at, first, &[Cmd], Rank::Structure);
    }
    options(reader, last, end);
}

/// `--region eu-north-1`, `--region=eu-north-1`: the values of options.
fn options(reader: &mut Reader<'_, '_>, at: usize, end: usize) {
    let mut at = at;
    while at + 2 < end {
        let flag = reader.is_mark(at, b'-') && reader.is_mark(at + 1, b'-');
        let to = if flag { key_end(reader, at + 2) } else { at };
        if to <= at + 2 || !(reader.is(to, " ") || reader.is_mark(to, b'=')) {
            at += 1;
            continue;
        }
        let from = to + 1;
        at = from;
        while at < end && (reader.is_alphanumeric(at) || reader.is_any(at, b"-./:@+%")) {
            at += 1;
        }
        let word = reader.word(from);
        let named = word.starts_with(char::is_alphanumeric)
            && !words::is_all_capitals(word)
            && !reader.is_in(from, NOT_NAMES);
        if named {
            push_value(reader, None, from, at);
        }
    }
}

/// A code span of several words: a command up to its options.
#[inline(never)]
pub(in crate::scrub::structure) fn span(reader: &mut Reader<'_, '_>, from: usize, to: usize) {
    let first = key_end(reader, from);
    let small = is_small(reader.word(from));
    let words = (from..to).all(|at| {
        reader.is_alphanumeric(at)
            || reader.is_any(at, b" -./@:_<>")
            || reader.is_mark(at, b'=') && at > first
    });
    let spaced = reader.is_space(first);
    let program = is_program(reader, from) || reader.says(from, any_of!("go make node python"));
    let spoken = reader.is_in(from, NOT_NAMES.or(LANGUAGE));
    if spaced && (program || small && words && !spoken) {
        command(reader, from, to);
    }
}
