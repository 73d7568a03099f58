//! The words that open statements and name what is behind them.

use super::{COLUMN, SCHEMA, TABLE};
use crate::{
    profile::Kind::{self, *},
    scrub::words::{Words, any_of},
};

/// The word that opens a statement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Opener {
    Alter,
    Comment,
    Copy,
    Create,
    Delete,
    Drop,
    Grant,
    Insert,
    Lock,
    Merge,
    Reindex,
    Revoke,
    Select,
    Truncate,
    Update,
    With,
}

/// Words that open a statement, with those one of which must follow where they are written small, as any English
/// word might be.
#[rustfmt::skip]
pub(super) static OPENERS: [(&str, Opener, Option<&Words>); 16] = [
    ("alter", Opener::Alter, Some(any_of!("table schema database role index"))),
    ("comment", Opener::Comment, Some(any_of!("on"))),
    ("copy", Opener::Copy, None),
    ("create", Opener::Create, Some(any_of!("table index unique schema database view role user temporary or"))),
    ("delete", Opener::Delete, Some(any_of!("from"))),
    ("drop", Opener::Drop, Some(any_of!("table index schema database view role column"))),
    ("grant", Opener::Grant, None),
    ("insert", Opener::Insert, Some(any_of!("into"))),
    ("lock", Opener::Lock, Some(any_of!("table"))),
    ("merge", Opener::Merge, Some(any_of!("into"))),
    ("reindex", Opener::Reindex, Some(any_of!("index table"))),
    ("revoke", Opener::Revoke, None),
    ("select", Opener::Select, None),
    ("truncate", Opener::Truncate, Some(any_of!("table"))),
    ("update", Opener::Update, None),
    ("with", Opener::With, None),
];

/// A keyword and the kinds of the name behind it.
#[rustfmt::skip]
pub(super) static NAMES_BEHIND: [(&str, &[Kind]); 24] = [
    ("authorization", &[Role]),
    ("collate", &[Id]),
    ("column", COLUMN),
    ("constraint", &[Constraint]),
    ("copy", TABLE),
    ("database", &[Db]),
    ("extension", &[Id]),
    ("from", TABLE),
    ("index", &[Index]),
    ("into", TABLE),
    ("join", TABLE),
    ("only", TABLE),
    ("owner", &[Role]),
    ("policy", &[Perm, Constraint]),
    ("references", TABLE),
    ("role", &[Role]),
    ("schema", SCHEMA),
    ("sequence", &[Id, Table]),
    ("table", TABLE),
    ("trigger", &[Func, Constraint]),
    ("truncate", TABLE),
    ("update", TABLE),
    ("user", &[Role]),
    ("view", TABLE),
];

/// The words of [`OPENERS`].
pub(in crate::scrub) static OPENER_WORDS: [&str; OPENERS.len()] = {
    let mut words = [""; OPENERS.len()];
    let mut at = 0;
    while at < OPENERS.len() {
        words[at] = OPENERS[at].0;
        at += 1;
    }
    words
};

/// The words of [`NAMES_BEHIND`].
pub(in crate::scrub) static BEHIND_WORDS: [&str; NAMES_BEHIND.len()] = {
    let mut words = [""; NAMES_BEHIND.len()];
    let mut at = 0;
    while at < NAMES_BEHIND.len() {
        words[at] = NAMES_BEHIND[at].0;
        at += 1;
    }
    words
};
