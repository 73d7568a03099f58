//! The labelled scrubs and the sets of claims, each scrubbed and given to the checker.

use std::collections::BTreeMap;

use claimgauge_core::{
    estimate::estimate,
    evidence::{self, Claim, ClaimInput, Glossary, Request, Span, SpanInput},
    patterns::KindName,
    scrub::{ScrubRequest, Scrubbed},
};
use serde::Deserialize;

use crate::checker::{self, Leak, OverScrubbed, Share};

/// Files of the vectors, each with its name.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../vectors/", $name)))),*]
    };
}

/// The labelled scrubs, by file: the name and the text.
pub static LABELLED: &[(&str, &str)] = files! {
    "scrub.json"
    "scrub_more.json"
    "scrub_exam.json"
    "scrub_exam2.json"
    "scrub_exam3.json"
    "scrub_exam4.json"
    "scrub_exam5.json"
    "scrub_exam6.json"
    "scrub_exam7.json"
    "scrub_exam8.json"
    "scrub_exam9.json"
    "scrub_exam10.json"
    "scrub_exam11.json"
    "scrub_exam12.json"
    "scrub_exam13.json"
    "scrub_exam14.json"
    "scrub_exam15.json"
    "scrub_exam16.json"
    "scrub_exam17.json"
    "scrub_exam18.json"
    "scrub_exam19.json"
    "scrub_exam20.json"
    "scrub_exam21.json"
    "scrub_exam22.json"
    "scrub_exam23.json"
    "scrub_exam24.json"
    "scrub_exam25.json"
    "scrub_exam26.json"
    "scrub_exam27.json"
    "scrub_exam28.json"
    "scrub_exam29.json"
    "scrub_names.json"
};
/// The sets of claims, each with its evidence.
const CLAIMS: [&str; 2] = [
    include_str!("../vectors/claims/seedstyle40.jsonl"),
    include_str!("../vectors/claims/mutbench_a.jsonl"),
];
/// The domains whose evidence is prose: in the others a lower-case word may well be a name.
const PROSE: [&str; 4] = ["cve", "doc", "perm", "release"];

/// A label that does not hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wrong {
    /// The case's id.
    pub case: String,
    /// What does not hold.
    pub what: String,
}

/// What the checker says of all that is shared.
#[derive(Clone, Debug, Default)]
pub struct Quality {
    /// Claims' tokens that survive, of those that the evidence holds; labelled cases and claims alike.
    pub leaks: Share<Leak>,
    /// Labels `gone` that survive.
    pub gone: Share<Wrong>,
    /// Labels `kept` that were lost.
    pub kept: Share<Wrong>,
    /// Ordinary words of the evidence in prose that were replaced.
    pub over_scrubbed: Share<OverScrubbed>,
    /// Labels of kinds that are wrong.
    pub kinds: Share<Wrong>,
    /// Scrubs whose reported stretches do not give their texts.
    pub stretches: Share<Wrong>,
}

/// How many tokens the two passes of a claim send: the mean of the first twenty of the first set, each
/// asked in a `group` of so many claims of its length on its evidence.
pub fn prompt_tokens(group: usize) -> f64 {
    const CLAIMS_ASKED: usize = 20;
    let planned = claims().into_iter().take(CLAIMS_ASKED).map(|case| {
        let request = Request {
            profile: case.profile.as_str().into(),
            evidence: case.evidence.clone(),
            claims: vec![case.claim_inputs(); group].concat(),
            ..Request::default()
        };
        let planned = estimate(request, group).expect("the cases are well formed");
        planned.prompt_tokens
    });
    planned.sum::<usize>() as f64 / (CLAIMS_ASKED * group) as f64
}

/// A labelled scrub, or a claim of a set, which has no labels.
#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default, rename = "dom")]
    domain: String,
    #[serde(default = "strawberry")]
    profile: String,
    #[serde(default)]
    claim: Option<ClaimInput>,
    #[serde(default)]
    claims: Vec<ClaimInput>,
    evidence: Vec<SpanInput>,
    #[serde(default)]
    glossary: Option<Glossary>,
    #[serde(default)]
    gone: Vec<String>,
    #[serde(default)]
    kept: Vec<String>,
    #[serde(default)]
    kinds: BTreeMap<String, KindName>,
}

fn strawberry() -> String {
    "strawberry".to_owned()
}

impl Case {
    fn claim_inputs(&self) -> Vec<ClaimInput> {
        self.claims.iter().chain(&self.claim).cloned().collect()
    }

    fn claims(&self) -> Vec<Claim> {
        evidence::claims(self.claim_inputs()).expect("the cases are well formed")
    }

    fn spans(&self) -> Vec<Span> {
        evidence::spans(self.evidence.clone()).expect("the cases are well formed")
    }

    fn scrub(&self, profile: &str) -> Scrubbed {
        let request = ScrubRequest {
            profile: profile.into(),
            evidence: self.evidence.clone(),
            claims: Some(self.claim_inputs()),
            glossary: self.glossary.clone(),
            ..ScrubRequest::default()
        };
        request.run().expect("the cases are well formed")
    }
}

fn labelled() -> Vec<Case> {
    let files = LABELLED.iter().flat_map(|(_, text)| {
        serde_json::from_str::<Vec<Case>>(text).expect("the labelled scrubs are JSON")
    });
    files.collect()
}

fn claims() -> Vec<Case> {
    let lines = CLAIMS.iter().flat_map(|text| text.lines());
    let cases = lines.map(|line| serde_json::from_str(line).expect("each line is a case"));
    cases.collect()
}

/// Scrubs everything and measures.
pub fn quality() -> Quality {
    let mut quality = Quality::default();
    labelled().iter().for_each(|case| quality.labelled(case));
    claims().iter().for_each(|case| quality.claim(case));
    quality
}

impl Quality {
    /// The figures that have a gate, by its name.
    pub fn figures(&self) -> [(String, f64); 3] {
        [
            ("leaks", self.leaks.percent()),
            ("over_scrub", self.over_scrubbed.percent()),
            ("kinds", 100.0 - self.kinds.percent()),
        ]
        .map(|(gate, figure)| (gate.to_owned(), figure))
    }

    /// Its labels in its own profile, its claims' tokens under strawberry.
    fn labelled(&mut self, case: &Case) {
        let scrubbed = case.scrub(&case.profile);
        let wrong = |what: String| Wrong {
            case: case.id.clone(),
            what,
        };
        for token in &case.gone {
            self.gone
                .look(checker::survives(token, &scrubbed.spans), || {
                    wrong(format!("{token:?} is still there"))
                });
        }
        for part in &case.kept {
            let lost = !checker::texts(&scrubbed.spans).any(|text| text.contains(part));
            self.kept.look(lost, || wrong(format!("{part:?} was lost")));
        }
        for (surface, kind) in &case.kinds {
            let found = checker::covering(&scrubbed, surface).map(|found| &found.kind);
            self.kinds.look(found != Some(kind), || {
                wrong(format!("{surface:?} is {found:?}, not {kind:?}"))
            });
        }
        self.scrubbed(case, &scrubbed);
        let scrubbed = case.scrub("strawberry");
        self.scrubbed(case, &scrubbed);
        let leaks = checker::leaks(&case.claims(), &case.spans(), &scrubbed.spans);
        self.leaks.add(leaks);
    }

    fn claim(&mut self, case: &Case) {
        let scrubbed = case.scrub("strawberry");
        let (claims, spans) = (case.claims(), case.spans());
        self.scrubbed(case, &scrubbed);
        self.leaks
            .add(checker::leaks(&claims, &spans, &scrubbed.spans));
        if PROSE.contains(&case.domain.as_str()) {
            let words = checker::over_scrubbed(&claims, &spans, &scrubbed);
            self.over_scrubbed.add(words);
        }
    }

    fn scrubbed(&mut self, case: &Case, scrubbed: &Scrubbed) {
        let adds_up = checker::stretches_add_up(&case.spans(), scrubbed);
        self.stretches.look(!adds_up, || Wrong {
            case: case.id.clone(),
            what: "the reported stretches do not give the text".to_owned(),
        });
    }
}

impl<T> Share<T> {
    fn look(&mut self, found: bool, what: impl FnOnce() -> T) {
        self.of += 1;
        self.found.extend(found.then(what));
    }
}
