//! Level 3: what the disk says of the claims. The host looks; what it saw decides.

use alloc::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    format,
    string::String,
    sync::Arc,
    vec::Vec,
};
use core::mem;

use serde::{Deserialize, Serialize};

use super::{
    anchors::{self, Anchor},
    content::Content,
    digest::{self, Digest, Forms},
    paths::{self, Base, Inside},
    result::{Conflict, FilesystemValidation, Outcome, Reason, Verdict, decides},
    structure::Claim,
    trace::Deeds,
};
use crate::{Error, ErrorCode, error::quoted, input::null_as_default};

/// A path to look at, and what about it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Look {
    /// Relative to the base, parted by "/"; empty for the base itself. What the observation is handed in
    /// with. It has ".." (and "." at its end) only where it must be followed as it is written, because a
    /// part before may be a link: ".." goes on from where that leads.
    pub path: String,
    /// What is to be known.
    pub want: Want,
    /// A file with more bytes is not read for its text: its size alone is the answer.
    pub text_limit: u64,
}

/// What is to be known of a path. For all but `entry` the last part is followed if it is a link, and
/// the file's real path must lie inside the base; one descriptor serves the check, the size and the
/// bytes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// Whether there is any entry. A link at the end is an entry and is not followed; the folder that
    /// it stands in must lie inside the base.
    Entry,
    /// A file's size, the hash of its bytes, and the hashes of its other forms.
    Forms,
    /// A file's size and the hash of its bytes.
    Hash,
    /// A file's size, the hash of its bytes, and the bytes.
    Text,
}

/// What the host saw at a path.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Observation {
    /// A folder.
    Directory,
    /// Behind its links the path lies outside the base. Nothing else is told.
    Escapes,
    /// A regular file.
    File(FileSeen),
    /// Asked for the entry: a link, wherever it leads (one that leads in a circle before it is
    /// `unreadable`). Else: links that lead in a circle.
    Link,
    /// Nothing, also where a part on the way is a file or missing.
    Missing,
    /// A device, a FIFO or a socket. It is not opened.
    Special,
    /// The host may not or cannot look.
    Unreadable {
        /// The cause, such as "permission denied".
        why: String,
    },
}

/// A regular file.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileSeen {
    /// Bytes.
    pub size: u64,
    /// SHA-256 of the bytes in hex; may be absent where the bytes are there, or not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Content>,
    /// The hashes of other forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Forms>,
}

/// What was observed on the machine where the files are, for a check on another.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observations {
    /// The folder, so that absolute paths mean the same.
    #[serde(deserialize_with = "null_as_default")]
    pub base: Base,
    /// What was seen, by [`Look::path`].
    #[serde(deserialize_with = "null_as_default")]
    pub files: BTreeMap<String, Observation>,
}

impl Observations {
    /// Keeps what was seen. A later look at the same path knows more than an earlier one.
    pub fn record(&mut self, look: &Look, observation: Observation) {
        self.files.insert(look.path.clone(), observation);
    }

    /// What was seen, if anyone looked.
    pub fn answer(&self, look: &Look) -> Observation {
        self.files
            .get(&look.path)
            .cloned()
            .unwrap_or_else(|| Observation::Unreadable {
                why: "it was not observed".into(),
            })
    }
}

/// How strict the decisions are, and on what they rest beside the disk.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) strict: bool,
    pub(super) text_limit: u64,
    pub(super) base: Option<Base>,
    /// What the trace says; absent without one.
    pub(super) deeds: Option<Deeds>,
}

/// The claims of one output on their way through level 3.
#[derive(Debug)]
pub(super) struct Files {
    /// One for each claim; none where the disk must be asked.
    verdicts: Vec<Option<Verdict>>,
    /// Claims whose paths stay inside by their text, until it is known where they lead as written.
    located: Vec<(usize, Inside)>,
    /// Paths as written, and the claims that have them.
    ways: Vec<(String, Vec<usize>)>,
    /// Claims of which something is where the way as written leads.
    met: BTreeSet<usize>,
    tasks: Vec<Task>,
    conflicts: Vec<Conflict>,
    ready: VecDeque<Question>,
    /// What was asked, by path.
    open: BTreeMap<String, Question>,
}

/// What the host is asked.
#[derive(Clone, Copy, Debug)]
enum Question {
    /// What is there, for the task at this position.
    Task(usize, Want),
    /// Whether the way at this position leads out.
    Way(usize),
}

/// The claim that decides about one file: the last one.
#[derive(Debug)]
struct Task {
    claim: usize,
    path: String,
    key: String,
}

impl Files {
    pub(super) fn new(claims: &[Arc<Claim>], rules: &Rules) -> Self {
        let mut verdicts = Vec::with_capacity(claims.len());
        let mut located = Vec::new();
        let mut ways: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, claim) in claims.iter().enumerate() {
            verdicts.push(match (&**claim, &rules.base) {
                (Claim::CommandExecuted { .. }, _) => Some(rules.command(claim)),
                (_, None) => Some(rules.crossed(claim, None, Reason::NoBase.into())),
                (_, Some(base)) => match paths::locate(claim.file_path().unwrap_or_default(), base)
                {
                    Err(refusal) => Some(Verdict::from(Reason::Escapes).hint(Some(refusal.hint()))),
                    Ok(inside) => {
                        if let Some(written) = &inside.written {
                            let way = way(written, claim, rules);
                            ways.entry(way).or_default().push(at);
                        }
                        located.push((at, inside));
                        None
                    }
                },
            });
        }
        let ready = (0..ways.len()).map(Question::Way).collect();
        let mut files = Self {
            verdicts,
            located,
            ways: ways.into_iter().collect(),
            met: BTreeSet::new(),
            tasks: Vec::new(),
            conflicts: Vec::new(),
            ready,
            open: BTreeMap::new(),
        };
        if files.ways.is_empty() {
            files.set_tasks(claims);
        }
        files
    }

    /// Finds the claim that decides about each file.
    fn set_tasks(&mut self, claims: &[Arc<Claim>]) {
        let mut located = mem::take(&mut self.located);
        located.retain(|(at, _)| self.verdicts[*at].is_none());
        // The claims about each file, by its key.
        let mut about: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, inside) in &located {
            about.entry(inside.key.clone()).or_default().push(*at);
        }
        for (at, inside) in located {
            let claimed = &about[&inside.key];
            if claimed.last() != Some(&at) {
                self.verdicts[at] = Some(Reason::Superseded.into());
                continue;
            }
            let deletes = |&claim: &usize| is_delete(&claims[claim]);
            if claimed.iter().any(deletes) && !claimed.iter().all(deletes) {
                self.conflicts.push(Conflict {
                    path: inside.path.clone(),
                    claims: claimed.clone(),
                });
            }
            let want = want(&claims[at]);
            self.ready.push_back(Question::Task(self.tasks.len(), want));
            self.tasks.push(Task {
                claim: at,
                path: inside.path,
                key: inside.key,
            });
        }
    }

    /// The next paths to look at.
    pub(super) fn poll(&mut self, most: usize, rules: &Rules) -> Vec<Look> {
        let most = most.min(self.ready.len());
        let mut looks = Vec::with_capacity(most);
        for question in self.ready.drain(..most) {
            let (path, want) = match question {
                Question::Task(at, want) => (&self.tasks[at].path, want),
                Question::Way(at) => (&self.ways[at].0, Want::Entry),
            };
            self.open.insert(path.clone(), question);
            looks.push(Look {
                path: path.clone(),
                want,
                text_limit: rules.text_limit,
            });
        }
        looks
    }

    pub(super) fn handle(
        &mut self,
        path: &str,
        seen: &Observation,
        claims: &[Arc<Claim>],
        rules: &Rules,
    ) -> Result<(), Error> {
        let question = self.open.remove(path).ok_or_else(|| {
            let message = format!("Nobody asked about {}", quoted(path));
            Error::new(ErrorCode::UnknownRequest, "path", message)
        })?;
        match question {
            Question::Way(at) => {
                let about = &self.ways[at].1;
                match seen {
                    Observation::Escapes => {
                        for &claim in about {
                            let verdict = Verdict::from(Reason::Escapes);
                            self.verdicts[claim] = Some(verdict.hint(Some(LEADS_OUT)));
                        }
                    }
                    Observation::Missing | Observation::Unreadable { .. } => {}
                    _ => self.met.extend(about),
                }
                // Whatever else is on the way, the text says which file is meant.
                if self.is_settled() {
                    self.set_tasks(claims);
                }
            }
            Question::Task(at, want) => {
                let task = &self.tasks[at];
                let claim = &claims[task.claim];
                if want != Want::Forms && rules.forms_may_explain(claim, seen) {
                    self.ready.push_back(Question::Task(at, Want::Forms));
                } else {
                    let mut verdict = rules.verdict(claim, seen);
                    // What is gone by the text may still be there for who follows the links.
                    if *seen == Observation::Missing
                        && is_delete(claim)
                        && self.met.contains(&task.claim)
                    {
                        verdict = Verdict::from(Reason::StillExists).hint(Some(STILL_LINKED));
                    }
                    self.verdicts[task.claim] =
                        Some(rules.crossed(claim, Some(&task.key), verdict));
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_settled(&self) -> bool {
        self.ready.is_empty() && self.open.is_empty()
    }

    /// What is looked at in all, and what waits for an observation.
    pub(super) fn progress(&self) -> (usize, usize) {
        let later = self.located.len();
        (
            self.ways.len() + self.tasks.len() + later,
            self.ready.len() + self.open.len() + later,
        )
    }

    pub(super) fn validation(&self, claims: &[Arc<Claim>], strict: bool) -> FilesystemValidation {
        let not_read = || Verdict::from(Reason::NotRead);
        let verdicts = self.verdicts.iter().cloned();
        let claim_results: Vec<_> = verdicts
            .zip(claims)
            .enumerate()
            .map(|(at, (verdict, claim))| {
                verdict
                    .unwrap_or_else(not_read)
                    .into_result(at, claim.clone())
            })
            .collect();
        FilesystemValidation {
            valid: !claim_results
                .iter()
                .any(|result| decides(result.outcome, strict)),
            claim_results,
            conflicts: self.conflicts.clone(),
        }
    }
}

/// What the hint says where links lead out that the text of a path does not show.
const LEADS_OUT: &str = "A link that the path goes through leads out";

/// What it says where only the text of a path leads to nothing.
const STILL_LINKED: &str = "It is where the path leads as written, through its links";

/// The path to follow as written: to its last part, which is a folder where anything comes behind it,
/// and is followed if it is a link, unless a delete means the link itself.
fn way(written: &str, claim: &Claim, rules: &Rules) -> String {
    if is_delete(claim) && !rules.names_folder(claim) {
        written.into()
    } else {
        format!("{written}/.")
    }
}

fn is_delete(claim: &Claim) -> bool {
    matches!(claim, Claim::FileDelete { .. })
}

fn want(claim: &Claim) -> Want {
    match claim {
        Claim::CodeInserted { .. } | Claim::FileEdit { .. } => Want::Text,
        Claim::FileWrite { .. } => Want::Hash,
        Claim::CommandExecuted { .. } | Claim::FileDelete { .. } => Want::Entry,
    }
}

impl Rules {
    fn command(&self, claim: &Claim) -> Verdict {
        match (claim, &self.deeds) {
            _ if !self.strict => Verdict::TRUSTED,
            (Claim::CommandExecuted { command, exit_code }, Some(deeds)) => {
                deeds.ran(command, exit_code.as_f64().unwrap_or(f64::NAN))
            }
            _ => Reason::NoTrace.into(),
        }
    }

    /// The verdict of the disk beside what the trace says: the file may be as claimed without the
    /// agent having made it so.
    fn crossed(&self, claim: &Claim, key: Option<&str>, verdict: Verdict) -> Verdict {
        if !self.strict || verdict.outcome == Outcome::Failed {
            return verdict;
        }
        match (&self.deeds, key) {
            (Some(deeds), Some(key)) if !deeds.could_have(claim, key) => {
                Reason::NoInvocation.into()
            }
            (None, _) if verdict.outcome == Outcome::Passed => Reason::NoTrace.into(),
            _ => verdict,
        }
    }

    fn verdict(&self, claim: &Claim, seen: &Observation) -> Verdict {
        let deleted = is_delete(claim);
        match seen {
            Observation::Escapes => Reason::Escapes.into(),
            Observation::Unreadable { why } => {
                Verdict::from(Reason::Unreadable).detail(why.clone())
            }
            Observation::Missing if deleted => Verdict::PASSED,
            Observation::Missing => Reason::NotFound.into(),
            _ if deleted => Reason::StillExists.into(),
            Observation::Directory => Reason::Directory.into(),
            Observation::Link => Reason::LinkLoop.into(),
            Observation::Special => Reason::Special.into(),
            Observation::File(_) if self.names_folder(claim) => Verdict::from(Reason::Directory)
                .hint(Some("The path ends as that of a folder does")),
            Observation::File(file) => self.file(claim, file),
        }
    }

    fn names_folder(&self, claim: &Claim) -> bool {
        let (path, base) = (claim.file_path(), self.base.as_ref());
        path.zip(base)
            .is_some_and(|(path, base)| paths::names_folder(path, base))
    }

    fn file(&self, claim: &Claim, file: &FileSeen) -> Verdict {
        match claim {
            Claim::FileWrite { content_hash, .. } => written(content_hash, file),
            Claim::FileEdit { anchor, .. } => {
                self.edited(anchor, file, Reason::NoAnchorAnyMore).into()
            }
            Claim::CodeInserted { anchor, .. } => {
                self.edited(anchor, file, Reason::NoAnchor).into()
            }
            Claim::CommandExecuted { .. } | Claim::FileDelete { .. } => Reason::StillExists.into(),
        }
    }

    fn edited(&self, anchor: &Anchor, file: &FileSeen, none: Reason) -> Result<(), Reason> {
        if file.size > self.text_limit {
            return Err(Reason::TooLarge);
        }
        let Content(text) = file.text.as_ref().ok_or(Reason::NotRead)?;
        if self.strict {
            let sha256 = sha256(file).ok_or(Reason::NotRead)?;
            anchors::proved(anchor, text, &sha256, none)
        } else {
            anchors::seen(anchor, text, none)
        }
    }

    /// Whether to look again, because another form of the file may have the claimed hash. Made only
    /// where it is needed and cheap: it takes six hashes.
    fn forms_may_explain(&self, claim: &Claim, seen: &Observation) -> bool {
        let (Claim::FileWrite { content_hash, .. }, Observation::File(file)) = (claim, seen) else {
            return false;
        };
        file.forms.is_none()
            && file.size <= self.text_limit
            && digest::is_sha256(content_hash)
            && sha256(file).is_some_and(|sha256| !digest::same(&sha256, content_hash))
    }
}

fn written(content_hash: &str, file: &FileSeen) -> Verdict {
    match sha256(file) {
        None => Reason::NotRead.into(),
        Some(sha256) if digest::same(&sha256, content_hash) => Verdict::PASSED,
        Some(_) => {
            let forms = file.forms.as_ref();
            let hint = forms.and_then(|forms| explanation(forms, content_hash));
            Verdict::from(Reason::HashMismatch).hint(hint)
        }
    }
}

fn explanation(forms: &Forms, claimed: &str) -> Option<&'static str> {
    let rows = [
        (
            &forms.line_ending,
            "CRLF / line ending: the file has the claimed hash with the other line ends",
        ),
        (
            &forms.bom,
            "BOM: the file has the claimed hash with its byte-order mark taken away or put there",
        ),
        (
            &forms.both,
            "CRLF / line ending and BOM: the file has the claimed hash with both changed",
        ),
    ];
    rows.into_iter()
        .find(|(hashes, _)| hashes.iter().any(|hash| digest::same(hash, claimed)))
        .map(|(_, hint)| hint)
}

fn sha256(file: &FileSeen) -> Option<Cow<'_, str>> {
    let told = file.sha256.as_deref().map(Cow::Borrowed);
    told.or_else(|| {
        let text = file.text.as_ref();
        text.map(|Content(bytes)| Digest::of(bytes).into())
    })
}
