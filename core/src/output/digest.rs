//! SHA-256, chunk by chunk: of bytes as they are, and of the forms that an editor may have made.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What some programs put before UTF-8 text.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The SHA-256 of bytes that come in chunks.
///
/// ```
/// use claimgauge_core::output::Digest;
///
/// let mut digest = Digest::default();
/// digest.update(b"a");
/// digest.update(b"bc");
/// assert_eq!(
///     digest.finish(),
///     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Takes the next chunk.
    pub fn update(&mut self, chunk: &[u8]) {
        self.0.update(chunk);
    }

    /// The hash of all chunks, 64 lower-case hex digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }

    /// The hash of one piece.
    pub fn of(bytes: &[u8]) -> String {
        hex(&Sha256::digest(bytes))
    }
}

/// The hashes that a file would have with other line ends, or with or without a byte-order mark.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forms {
    /// With LF for each CRLF, and with CRLF for each LF that follows no CR.
    pub line_ending: Vec<String>,
    /// Without the byte-order mark that it has, or with the one that it lacks.
    pub bom: Vec<String>,
    /// Both differences at once.
    pub both: Vec<String>,
}

/// Makes [`Forms`] of bytes that come in chunks, in one pass.
#[derive(Clone, Debug, Default)]
pub struct FormsDigest {
    /// The first bytes, until it is known whether they are a byte-order mark.
    start: Vec<u8>,
    started: bool,
    has_bom: bool,
    /// The last byte was a CR that may belong to a LF.
    cr: bool,
    plain: LineEnds,
    marked: LineEnds,
}

/// One text in three forms.
#[derive(Clone, Debug, Default)]
struct LineEnds {
    raw: Digest,
    lf: Digest,
    crlf: Digest,
}

impl FormsDigest {
    /// Takes the next chunk.
    pub fn update(&mut self, chunk: &[u8]) {
        if self.started {
            return self.body(chunk);
        }
        let (head, rest) = chunk.split_at(chunk.len().min(BOM.len() - self.start.len()));
        self.start.extend_from_slice(head);
        if self.start.len() == BOM.len() {
            self.begin();
            self.body(rest);
        }
    }

    /// The hashes of all chunks in their forms.
    pub fn finish(mut self) -> Forms {
        if !self.started {
            self.begin();
        }
        if self.cr {
            self.both(|ends| {
                ends.lf.update(b"\r");
                ends.crlf.update(b"\r");
            });
        }
        let (same, other) = if self.has_bom {
            (self.marked, self.plain)
        } else {
            (self.plain, self.marked)
        };
        let other_ends = |ends: LineEnds| Vec::from([ends.lf.finish(), ends.crlf.finish()]);
        Forms {
            bom: Vec::from([other.raw.clone().finish()]),
            line_ending: other_ends(same),
            both: other_ends(other),
        }
    }

    fn begin(&mut self) {
        self.started = true;
        for digest in [
            &mut self.marked.raw,
            &mut self.marked.lf,
            &mut self.marked.crlf,
        ] {
            digest.update(BOM);
        }
        let start = core::mem::take(&mut self.start);
        self.has_bom = start == BOM;
        if !self.has_bom {
            self.body(&start);
        }
    }

    fn body(&mut self, chunk: &[u8]) {
        self.both(|ends| ends.raw.update(chunk));
        let mut rest = chunk;
        while let Some((&first, after)) = rest.split_first() {
            match (self.cr, first) {
                (_, b'\n') => {
                    self.cr = false;
                    self.both(|ends| {
                        ends.lf.update(b"\n");
                        ends.crlf.update(b"\r\n");
                    });
                    rest = after;
                }
                (true, _) => {
                    self.cr = false;
                    self.both(|ends| {
                        ends.lf.update(b"\r");
                        ends.crlf.update(b"\r");
                    });
                }
                (false, b'\r') => {
                    self.cr = true;
                    rest = after;
                }
                (false, _) => {
                    let end = rest
                        .iter()
                        .position(|byte| matches!(byte, b'\r' | b'\n'))
                        .unwrap_or(rest.len());
                    let (piece, after) = rest.split_at(end);
                    self.both(|ends| {
                        ends.lf.update(piece);
                        ends.crlf.update(piece);
                    });
                    rest = after;
                }
            }
        }
    }

    fn both(&mut self, update: impl Fn(&mut LineEnds)) {
        update(&mut self.plain);
        update(&mut self.marked);
    }
}

/// Whether two hashes, as an agent or a host gives them, are the same: case and "sha256:" do not count.
pub(super) fn same(one: &str, other: &str) -> bool {
    digits(one).eq_ignore_ascii_case(digits(other))
}

/// The digits of a hash, without its "sha256:".
fn digits(hash: &str) -> &str {
    const PREFIX: &str = "sha256:";
    match hash.split_at_checked(PREFIX.len()) {
        Some((start, digits)) if start.eq_ignore_ascii_case(PREFIX) => digits,
        _ => hash,
    }
}

/// Whether this could be the SHA-256 of anything.
pub(super) fn is_sha256(hash: &str) -> bool {
    let digits = digits(hash);
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// The bytes of an even number of hex digits.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let nibble = |byte: u8| u8::try_from(char::from(byte).to_digit(16)?).ok();
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|&[high, low]| Some(nibble(high)? << 4 | nibble(low)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_do_not_depend_on_where_the_chunks_end() {
        let texts: [&[u8]; 9] = [
            b"",
            b"\r",
            b"\xEF\xBB",
            b"\xEF\xBB\xBF",
            b"a\nb\r\nc\rd\r\r\n\n",
            b"\xEF\xBB\xBFa\r\n",
            b"no line end",
            b"\n",
            b"a\r",
        ];
        for text in texts {
            let body = text.strip_prefix(BOM).unwrap_or(text);
            let mut lf = Vec::new();
            let mut crlf = Vec::new();
            for (at, &byte) in body.iter().enumerate() {
                let after_cr = at > 0 && body[at - 1] == b'\r';
                if byte == b'\n' && after_cr {
                    lf.pop();
                } else if byte == b'\n' {
                    crlf.push(b'\r');
                }
                lf.push(byte);
                crlf.push(byte);
            }
            let marked = |bytes: &[u8]| [BOM, bytes].concat();
            let ends = |with: &dyn Fn(&[u8]) -> Vec<u8>| {
                Vec::from([Digest::of(&with(&lf)), Digest::of(&with(&crlf))])
            };
            let has_bom = text.starts_with(BOM);
            let plain = ends(&|bytes| bytes.to_vec());
            let want = Forms {
                bom: Vec::from([Digest::of(&if has_bom {
                    body.to_vec()
                } else {
                    marked(body)
                })]),
                line_ending: if has_bom {
                    ends(&marked)
                } else {
                    plain.clone()
                },
                both: if has_bom { plain } else { ends(&marked) },
            };
            for size in 1..=text.len().max(1) {
                let mut digest = FormsDigest::default();
                for chunk in text.chunks(size) {
                    digest.update(chunk);
                }
                assert_eq!(digest.finish(), want, "{text:?} in chunks of {size}");
            }
        }
    }

    #[test]
    fn a_hash_is_read_without_its_prefix_and_case() {
        #[rustfmt::skip]
        let rows = [
            ("ABC", "ABC"), ("sha256:ABC", "ABC"), ("SHA256:abc", "abc"), ("", ""), ("sha256:", ""),
            ("sha256", "sha256"), ("sha512:ab", "sha512:ab"), ("ßha256:a", "ßha256:a"),
        ];
        for (given, want) in rows {
            assert_eq!(digits(given), want);
        }
        assert!(same("SHA256:aBc", "AbC"));
        assert!(!same("sha256:abc", "abcd"));
    }

    #[test]
    fn hex_is_read_as_it_is_written() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&hex(&bytes)), Some(bytes));
        for odd in ["0", "0g", "é", "00é"] {
            assert_eq!(from_hex(odd), None, "{odd}");
        }
    }
}
