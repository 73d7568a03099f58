//! Examples with a folder of their own: nobody has to have one at hand to see what a check tells.

use std::collections::BTreeMap;

use super::{folder::Folder, inputs::Inputs};

/// A file that is part of the crate.
macro_rules! example {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/", $path))
    };
}

/// An output, what its tools did, and the folder that it is about.
#[derive(Debug)]
pub(crate) struct Example {
    /// A word for links and tests.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// One sentence on what it shows.
    pub(crate) about: &'static str,
    pub(crate) output: &'static str,
    pub(crate) trace: &'static str,
    pub(crate) schemas: &'static str,
    files: &'static [(&'static str, &'static str)],
}

/// All of them, the one that everyone sees first at the front.
pub(crate) const EXAMPLES: [Example; 3] = [
    Example {
        name: "changes",
        title: "Claims about files",
        about: "An agent says that it changed six files and ran the tests. Two changes are there. Strict holds the command against the trace too, which says otherwise.",
        output: example!("changes/output.json"),
        trace: example!("changes/trace.json"),
        schemas: "",
        files: &[
            (
                "config/service.yaml",
                example!("changes/folder/config/service.yaml"),
            ),
            ("docs/limits.md", example!("changes/folder/docs/limits.md")),
            (
                "src/limits.old.ts",
                example!("changes/folder/src/limits.old.ts"),
            ),
            ("src/limits.ts", example!("changes/folder/src/limits.ts")),
            ("src/server.ts", example!("changes/folder/src/server.ts")),
        ],
    },
    Example {
        name: "shape",
        title: "A malformed output",
        about: "Keys are missing and values have the wrong type: the check ends at level 1, and each error is shown in its place.",
        output: example!("shape/output.json"),
        trace: "",
        schemas: "",
        files: &[],
    },
    Example {
        name: "tools",
        title: "A tool that broke its schema",
        about: "Two answers of a tool are held against its JSON Schema; one does not fit, so the check ends at level 2.",
        output: example!("tools/output.json"),
        trace: example!("tools/trace.json"),
        schemas: example!("tools/schemas.json"),
        files: &[],
    },
];

impl Example {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        EXAMPLES.iter().find(|example| example.name == name)
    }

    /// What the panel shows when the example is picked.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            output: self.output.to_owned(),
            trace: self.trace.to_owned(),
            schemas: self.schemas.to_owned(),
            tool_kinds: String::new(),
            base_path: String::new(),
            strict: false,
            example: Some(self.name.to_owned()),
        }
    }

    /// The built-in folder.
    pub(crate) fn folder(&self) -> Folder {
        let files: BTreeMap<&str, &str> = self.files.iter().copied().collect();
        Folder::built("built-in example", &files)
    }
}

#[cfg(test)]
mod tests {
    use claimgauge_core::{
        metrics::Level,
        output::{Base, Check, Content, FileSeen, Observation, Options, Outcome, Step},
    };

    use super::*;

    /// The check as the panel makes it, with the files at hand and no schemas.
    fn outcomes(example: &Example, strict: bool) -> (bool, Level, Vec<Outcome>) {
        let read = example.inputs().read().unwrap();
        let options = Options {
            strict: Some(strict),
            trace: read.trace,
            base: Some(Base::default()),
            ..Options::default()
        };
        let mut check = Check::new(read.output, options).unwrap();
        loop {
            match check.poll(8) {
                Step::Observe(looks) => {
                    for look in looks {
                        let file = example.files.iter().find(|(path, _)| *path == look.path);
                        let seen = file.map_or(Observation::Missing, |(_, text)| {
                            let mut forms = claimgauge_core::output::FormsDigest::default();
                            forms.update(text.as_bytes());
                            Observation::File(FileSeen {
                                size: text.len() as u64,
                                sha256: None,
                                text: Some(Content(text.as_bytes().to_vec())),
                                forms: Some(forms.finish()),
                            })
                        });
                        check.handle_observation(&look.path, &seen).unwrap();
                    }
                }
                Step::Done(result) => {
                    let level = result.filesystem_validation;
                    let claims = level.map(|level| level.claim_results).unwrap_or_default();
                    let outcomes = claims.iter().map(|claim| claim.outcome).collect();
                    return (result.valid, result.level, outcomes);
                }
                step => panic!("{step:?}"),
            }
        }
    }

    #[test]
    fn the_first_example_has_claims_that_pass_and_claims_that_fail() {
        use Outcome::{Failed, Passed, Trusted};
        let example = &EXAMPLES[0];
        let (valid, level, claims) = outcomes(example, false);
        assert!(!valid);
        assert_eq!(level, Level::Filesystem);
        assert_eq!(
            claims,
            [Passed, Passed, Failed, Failed, Failed, Failed, Trusted]
        );
        let (_, _, strict) = outcomes(example, true);
        assert_eq!(strict[6], Failed);
    }

    #[test]
    fn the_second_example_ends_at_the_first_level() {
        let (valid, level, claims) = outcomes(&EXAMPLES[1], false);
        assert_eq!(
            (valid, level, claims),
            (false, Level::Structure, Vec::new())
        );
    }

    #[test]
    fn each_example_can_be_read() {
        for example in &EXAMPLES {
            assert!(example.inputs().read().is_ok(), "{}", example.name);
            assert!(Example::named(example.name).is_some());
        }
    }
}
