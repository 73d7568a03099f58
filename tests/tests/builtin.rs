//! The built-in judge over the labelled claims, and what it promises: `builtin_rules.json`.
//!
//! `cargo test -p claimgauge-tests --test builtin -- --nocapture` prints the tables.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a suite that cannot go on is a failed test"
)]

use std::collections::BTreeMap;

use claimgauge_core::{
    builtin::{self, FEATURE_NAMES, WEIGHTS},
    judgement::{Basis, Judgement, Verdict},
};
use claimgauge_tests::{
    Random,
    claims::{BLIND, Case, KNOWN, fit, read, read_all, samples, spans},
    judging,
};
use serde::Deserialize;

fn judge<S: AsRef<str>>(texts: &[S], claim: &str) -> Judgement {
    builtin::judge(&spans(texts), claim)
}

/// How often each label got each verdict.
#[derive(Clone, Copy, Default)]
struct Tally {
    supported: [u32; 3],
    unsupported: [u32; 3],
}

impl Tally {
    fn add(&mut self, label: u8, verdict: Verdict) {
        let row = if label == 1 {
            &mut self.supported
        } else {
            &mut self.unsupported
        };
        let column = Verdict::ALL
            .iter()
            .position(|each| *each == verdict)
            .unwrap();
        row[column] += 1;
    }

    /// The mean of both labels' hit rates, ENTAILED being the positive answer.
    fn balanced_accuracy(self) -> f64 {
        let hits = f64::from(self.supported[0]) / f64::from(self.supported.iter().sum::<u32>());
        let false_alarms =
            f64::from(self.unsupported[0]) / f64::from(self.unsupported.iter().sum::<u32>());
        f64::midpoint(hits, 1.0 - false_alarms)
    }
}

fn tally(cases: &[Case], group: fn(&Case) -> &str) -> (Tally, BTreeMap<&str, Tally>) {
    let mut all = Tally::default();
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    for case in cases {
        let verdict = judge(&case.evidence, &case.claim).verdict;
        all.add(case.label, verdict);
        groups
            .entry(group(case))
            .or_default()
            .add(case.label, verdict);
    }
    (all, groups)
}

/// Prints one row for each group and the cases that were judged wrongly.
fn print(title: &str, groups: &BTreeMap<&str, Tally>) {
    println!(
        "\n{title:<12} {:>24} {:>24}",
        "supported: E / C / U", "unsupported: E / C / U"
    );
    for (group, tally) in groups {
        let row = |row: [u32; 3]| format!("{} / {} / {}", row[0], row[1], row[2]);
        println!(
            "{group:<12} {:>24} {:>24}",
            row(tally.supported),
            row(tally.unsupported)
        );
    }
}

fn print_wrong(cases: &[Case]) {
    for case in cases {
        let judgement = judge(&case.evidence, &case.claim);
        if (judgement.verdict == Verdict::Entailed) != (case.label == 1) {
            println!(
                "{} {} {} {:?} {:.2} | {} | {}",
                case.id,
                case.kind,
                case.r#mut,
                judgement.verdict,
                judgement.confidence.unwrap(),
                case.claim,
                judgement.reasoning
            );
        }
    }
}

#[test]
fn seedstyle_gate() {
    let cases = read("seedstyle40");
    let (all, kinds) = tally(&cases, |case| &case.kind);
    print("seedstyle40", &kinds);
    print_wrong(&cases);
    println!("balanced accuracy {:.3}", all.balanced_accuracy());
    assert!(all.balanced_accuracy() >= 0.95);
}

#[test]
fn mutbench_floor() {
    let cases = read("mutbench_a");
    let (all, mutations) = tally(&cases, |case| &case.r#mut);
    print("mutation", &mutations);
    let (_, domains) = tally(&cases, |case| &case.dom);
    print("domain", &domains);
    for (domain, tally) in &domains {
        println!(
            "{domain:<12} balanced accuracy {:.3}",
            tally.balanced_accuracy()
        );
    }
    print_wrong(&cases);
    println!("balanced accuracy {:.3}", all.balanced_accuracy());
    assert!(all.balanced_accuracy() >= 0.97);
    let [_, contradicted, _] = all.supported;
    assert_eq!(contradicted, 0, "no supported claim is contradicted");
    assert!(
        domains
            .values()
            .all(|tally| tally.balanced_accuracy() >= 0.9)
    );
}

#[test]
fn weights_are_the_fit() {
    let fitted = fit(&samples(&read_all(&KNOWN)));
    for ((name, fitted), weight) in FEATURE_NAMES.iter().zip(fitted).zip(WEIGHTS) {
        println!("{name:<16} fitted {fitted:.2}, in the table {weight:.2}");
    }
    assert!(
        fitted
            .iter()
            .zip(WEIGHTS)
            .all(|(fitted, weight)| (fitted - weight).abs() < 0.01)
    );
}

const WORKED_CLAIM: &str = "Table users contains field email with data type VARCHAR and length 255";

#[test]
fn worked_example() {
    let full = judge(
        &[
            "users.email stores user email addresses, VARCHAR(255)",
            "email column, type VARCHAR, max length 255",
        ],
        WORKED_CLAIM,
    );
    assert_eq!(
        (full.verdict, full.basis),
        (Verdict::Entailed, Basis::Builtin)
    );
    assert!(full.confidence >= Some(0.9), "{full:?}");
    assert!(full.reasoning.starts_with("S0 ") && full.reasoning.contains("255"));
    let scrubbed = judge(
        &[
            "[TABLE_1].[FIELD_1] stores [TABLE_1] [FIELD_1] addresses, VARCHAR([NUM_1])",
            "[FIELD_1] column, type VARCHAR, max length [NUM_1]",
        ],
        WORKED_CLAIM,
    );
    assert_eq!(scrubbed.verdict, Verdict::Unsure);
    assert!(scrubbed.confidence <= Some(0.4), "{scrubbed:?}");
}

#[test]
fn reply_is_the_judgement_as_a_model_would_write_it() {
    let spans = spans(&["max_retries: 5"]);
    let claim = "max_retries is 7";
    let judgement = builtin::judge(&spans, claim);
    let reply: serde_json::Value = serde_json::from_str(&builtin::reply(&spans, claim)).unwrap();
    assert_eq!(judgement.verdict, Verdict::Contradicted);
    assert_eq!(reply["verdict"], judgement.verdict.label());
    assert_eq!(reply["confidence"].as_f64(), judgement.confidence);
    assert_eq!(reply["reasoning"], judgement.reasoning.as_str());
}

/// What the method promises, on small cases of its own: evidence, claim, verdict.
const RULES: &[(&str, &str, Verdict)] = &[
    // A unit in the word, in the key, in a comment.
    (
        "timeout_ms = 1500",
        "The timeout is 1.5 seconds",
        Verdict::Entailed,
    ),
    (
        "timeout_ms = 1500",
        "The timeout is 1500 seconds",
        Verdict::Contradicted,
    ),
    (
        "The cache keeps entries for 2 hours.",
        "The cache keeps entries for 120 minutes",
        Verdict::Entailed,
    ),
    // The right number in the wrong slot.
    (
        "heap_limit: 512\nstack_limit: 64",
        "The heap limit is 512",
        Verdict::Entailed,
    ),
    (
        "heap_limit: 512\nstack_limit: 64",
        "The heap limit is 64",
        Verdict::Contradicted,
    ),
    // Polarity.
    (
        "Guests cannot open tickets.",
        "Guests can open tickets",
        Verdict::Contradicted,
    ),
    (
        "Guests cannot open tickets.",
        "Guests cannot open tickets",
        Verdict::Entailed,
    ),
    (
        "compression = false",
        "Compression is enabled",
        Verdict::Contradicted,
    ),
    (
        "compression = false",
        "Compression is disabled",
        Verdict::Entailed,
    ),
    // A name is not part of a longer one, and all its spellings are one.
    (
        "email_verified BOOLEAN",
        "The column email is BOOLEAN",
        Verdict::Unsure,
    ),
    (
        "fn get_user_by_id(id: u64) -> User",
        "getUserById returns User",
        Verdict::Entailed,
    ),
    // A word as a value belongs to its own key.
    (
        "LOG_LEVEL=warn\nCACHE_MODE=memory",
        "The log level is warn",
        Verdict::Entailed,
    ),
    (
        "LOG_LEVEL=warn\nCACHE_MODE=memory",
        "The log level is memory",
        Verdict::Unsure,
    ),
    // The version of the heading above.
    (
        "## 3.1.0\n- Added themes\n## 3.0.0\n- Added tabs",
        "Themes were added in 3.1.0",
        Verdict::Entailed,
    ),
    (
        "## 3.1.0\n- Added themes\n## 3.0.0\n- Added tabs",
        "Themes were added in 3.0.0",
        Verdict::Contradicted,
    ),
    // A table's cell belongs to its row and its column, whatever divides the columns.
    (
        "| Pump | Flow | Spare |\n| --- | --- | --- |\n| Alto | 40 | yes |\n| Basso | 65 | no |",
        "The flow of Basso is 65",
        Verdict::Entailed,
    ),
    (
        "| Pump | Flow | Spare |\n| --- | --- | --- |\n| Alto | 40 | yes |\n| Basso | 65 | no |",
        "The flow of Alto is 65",
        Verdict::Contradicted,
    ),
    (
        "| Pump | Flow | Spare |\n| --- | --- | --- |\n| Alto | 40 | yes |\n| Basso | 65 | no |",
        "Basso has a spare",
        Verdict::Contradicted,
    ),
    (
        "pump,flow,weight\nAlto,40,12\nBasso,65,31",
        "Basso has a weight of 31",
        Verdict::Entailed,
    ),
    (
        "pump,flow,weight\nAlto,40,12\nBasso,65,31",
        "Basso has a weight of 65",
        Verdict::Contradicted,
    ),
    (
        "Pump     Flow   Weight\nAlto       40       12\nBasso             31",
        "Basso has a weight of 31",
        Verdict::Entailed,
    ),
    (
        "Pump     Flow   Weight\nAlto       40       12\nBasso      65       31",
        "The flow of Basso is 40",
        Verdict::Contradicted,
    ),
    // Two values in one sentence, each beside its own word.
    (
        "The crate holds 12 kg of pears and 30 kg of plums.",
        "The crate holds 30 kg of plums",
        Verdict::Entailed,
    ),
    (
        "The crate holds 12 kg of pears and 30 kg of plums.",
        "The crate holds 12 kg of plums",
        Verdict::Contradicted,
    ),
    // A number said twice; the number of a clause is none of its values.
    (
        "2.4 Goods are returned within thirty-one (31) days.",
        "Goods are returned within 31 days",
        Verdict::Entailed,
    ),
    (
        "2.4 Goods are returned within thirty-one (31) days.",
        "Goods are returned within 24 days",
        Verdict::Contradicted,
    ),
    // A bound is no denial; a name's own "no" is one.
    (
        "Do not load more than 8 boxes.",
        "No more than 8 boxes may be loaded",
        Verdict::Entailed,
    ),
    (
        "--no-sync Do not sync files",
        "With --no-sync files are synced",
        Verdict::Contradicted,
    ),
    // Another type in the slot, where the claim's is another member's.
    (
        "findUser(): Account\nlistRoles(): RoleSet",
        "findUser returns RoleSet",
        Verdict::Contradicted,
    ),
    // What stands over the whole text, and what a record is called.
    (
        "Bean stew\n\nMethod\n- Simmer for 40 minutes.",
        "The bean stew simmers for 40 minutes",
        Verdict::Entailed,
    ),
    (
        "jobs:\n  - name: nightly\n    limits:\n      retries: 3\n  - name: hourly\n    limits:\n      retries: 9",
        "The retries of the nightly job are 3",
        Verdict::Entailed,
    ),
    (
        "jobs:\n  - name: nightly\n    limits:\n      retries: 3\n  - name: hourly\n    limits:\n      retries: 9",
        "The retries of the nightly job are 9",
        Verdict::Contradicted,
    ),
    // A path under the home folder.
    (
        "Hosts are read from ~/.config/tide/hosts.",
        "Hosts are read from ~/.config/tide/hosts",
        Verdict::Entailed,
    ),
    // What a directive or an entry denies, whichever word the claim has its "not" before.
    (
        "AllowGuests no\nMaxGuests 4",
        "Guests are not allowed",
        Verdict::Entailed,
    ),
    (
        "AllowGuests no\nMaxGuests 4",
        "Guests are allowed",
        Verdict::Contradicted,
    ),
    (
        "lazy-images: false",
        "Images are not lazy",
        Verdict::Entailed,
    ),
    (
        "Copies the list without changing anything.",
        "Nothing is changed",
        Verdict::Entailed,
    ),
    (
        "Camping is forbidden on the north shore.",
        "Camping is allowed on the north shore",
        Verdict::Contradicted,
    ),
    // Each clause has its value.
    (
        "A short visit costs 3 euros, a long visit costs 11.",
        "A short visit costs 11 euros",
        Verdict::Contradicted,
    ),
    (
        "A short visit costs 3 euros, a long visit costs 11.",
        "A long visit costs 11",
        Verdict::Entailed,
    ),
    // Entries that a gap parts.
    (
        "Issued: 2021        Expires: 2024",
        "It expires in 2024",
        Verdict::Entailed,
    ),
    (
        "Issued: 2021        Expires: 2024",
        "It expires in 2021",
        Verdict::Contradicted,
    ),
    // The sign of a number.
    ("temp: -5\nlight: 3", "temp is -5", Verdict::Entailed),
    ("temp: -5\nlight: 3", "temp is 5", Verdict::Contradicted),
    (
        "The balance is -200 euros.",
        "The balance is 200 euros",
        Verdict::Contradicted,
    ),
    (
        "The balance is 200 euros.",
        "The balance is -200 euros",
        Verdict::Contradicted,
    ),
    (
        "The temperature is \u{2212}5 °C.",
        "The temperature is -5 °C",
        Verdict::Entailed,
    ),
    (
        "The temperature is \u{2212}5 °C.",
        "The temperature is 5 °C",
        Verdict::Contradicted,
    ),
    (
        "The temperature is minus five degrees.",
        "The temperature is -5 degrees",
        Verdict::Entailed,
    ),
    (
        "The temperature is minus five degrees.",
        "The temperature is five degrees",
        Verdict::Contradicted,
    ),
    (
        "site,min_c,max_c\nAlder,-31,22\nBirch,-12.5,34",
        "Alder's min_c is 31",
        Verdict::Contradicted,
    ),
    (
        "site,min_c,max_c\nAlder,-31,22\nBirch,-12.5,34",
        "Alder's min_c is -31",
        Verdict::Entailed,
    ),
    (
        "The command kill -9 sends the signal 9.",
        "The command kill -9 sends the signal 9",
        Verdict::Entailed,
    ),
    (
        "Pages 3-5 describe the harbour.",
        "Pages 3-5 describe the harbour",
        Verdict::Entailed,
    ),
    // What something is not, in a comparison.
    (
        "Archives are packed with zstd instead of gzip.",
        "Archives are packed with zstd instead of gzip",
        Verdict::Entailed,
    ),
    (
        "Archives are packed with zstd instead of gzip.",
        "Archives are packed with gzip rather than zstd",
        Verdict::Contradicted,
    ),
    // A title of two words that a cell turns round.
    (
        "room,floor,step_free\nIvy,2,no\nOak,1,yes",
        "Ivy is not step free",
        Verdict::Entailed,
    ),
    // Titles that are numbers, with what they count in the corner; an empty cell says nothing.
    (
        "Bus      41      43      47\nPier     06:10   06:40   07:10\nMill     06:25   -       07:25",
        "Bus 43 is at Pier at 06:40",
        Verdict::Entailed,
    ),
    (
        "Bus      41      43      47\nPier     06:10   06:40   07:10\nMill     06:25   -       07:25",
        "Bus 43 is at Pier at 07:10",
        Verdict::Contradicted,
    ),
    (
        "Bus      41      43      47\nPier     06:10   06:40   07:10\nMill     06:25   -       07:25",
        "Bus 43 is at Mill at 06:25",
        Verdict::Unsure,
    ),
    // A date in words is one value, and the same as in digits.
    (
        "The bridge was opened on 3 June 1987 and closed on 9 May 2004.",
        "The bridge was opened on June 3, 1987",
        Verdict::Entailed,
    ),
    (
        "opened: 1987-06-03\nclosed: 2004-05-09",
        "It was opened on 3 June 1987",
        Verdict::Entailed,
    ),
    (
        "opened: 1987-06-03\nclosed: 2004-05-09",
        "It was opened in May 2004",
        Verdict::Contradicted,
    ),
    (
        "The lease begins on 1 March 2023.",
        "The lease begins in 2023",
        Verdict::Entailed,
    ),
    (
        "The lease begins on 1 March 2023.",
        "The lease begins on 1 April 2023",
        Verdict::Contradicted,
    ),
    // Numbers in words and in groups are values where they have a unit.
    (
        "Invoices are kept for six years. For plans the period is ten years.",
        "For plans the period is six years",
        Verdict::Contradicted,
    ),
    (
        "The tank holds 10 000 litres.",
        "The tank holds 10,000 litres",
        Verdict::Entailed,
    ),
    // The unit of code, and of a key's end.
    (
        "idleLimit = 45 * time.Second",
        "idleLimit is 45 minutes",
        Verdict::Contradicted,
    ),
    (
        "probe:\n  intervalSeconds: 90",
        "The probe's interval is 90 seconds",
        Verdict::Entailed,
    ),
    (
        "probe:\n  intervalSeconds: 90",
        "The probe's interval is 90 minutes",
        Verdict::Contradicted,
    ),
    // The value is another record's.
    (
        "disk \"logs\" {\n  kind = \"cold.hdd.2\"\n}\ndisk \"mail\" {\n  kind = \"warm.ssd.1\"\n}",
        "The kind of the logs disk is warm.ssd.1",
        Verdict::Contradicted,
    ),
    (
        "disk \"logs\" {\n  kind = \"cold.hdd.2\"\n}\ndisk \"mail\" {\n  kind = \"warm.ssd.1\"\n}",
        "The kind of the mail disk is warm.ssd.1",
        Verdict::Entailed,
    ),
    // A question states nothing.
    (
        "Does the worker retry 5 times?",
        "The worker retries 5 times",
        Verdict::Unsure,
    ),
    // Nothing to go by.
    (
        "The sky is blue.",
        "The worker retries 5 times",
        Verdict::Unsure,
    ),
    ("", "The worker retries 5 times", Verdict::Unsure),
    ("It was so.", "It is so.", Verdict::Unsure),
];

#[test]
fn rules() {
    let wrong: Vec<_> = RULES
        .iter()
        .map(|(evidence, claim, verdict)| (judge(&[evidence], claim), claim, verdict))
        .filter(|(judgement, _, verdict)| judgement.verdict != **verdict)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A promise of the method, with what may come of it: a claim may be left open where it cannot be told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Promise {
    rule: String,
    evidence: String,
    claim: String,
    verdicts: Vec<Verdict>,
}

#[test]
fn promises() {
    let promises: Vec<Promise> =
        serde_json::from_str(include_str!("../vectors/builtin_rules.json")).unwrap();
    let wrong: Vec<_> = promises
        .iter()
        .map(|promise| (promise, judge(&[&promise.evidence], &promise.claim)))
        .filter(|(promise, judged)| !promise.verdicts.contains(&judged.verdict))
        .map(|(promise, judged)| (&promise.rule, &promise.claim, judged))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_spans_are_unsure() {
    for case in read("mutbench_a") {
        let judgement = builtin::judge(&[], &case.claim);
        assert_eq!(judgement.verdict, Verdict::Unsure, "{}", case.claim);
        assert!(judgement.confidence <= Some(0.4));
    }
}

/// Evidence in which every word that `hide` picks is a placeholder.
fn hidden(text: &str, hide: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let shown = if !word.is_empty() && hide(&word) {
            "[ID_1]"
        } else {
            &word
        };
        out.push_str(shown);
        word.clear();
        out.push(c);
    }
    out
}

#[test]
fn placeholders_never_contradict() {
    for case in &read_all(&KNOWN) {
        let claim = case.claim.to_lowercase();
        let names = |word: &str| claim.contains(&word.to_lowercase()) && word.len() > 2;
        for hide in [
            &names as &dyn Fn(&str) -> bool,
            &|word| word.starts_with(|c: char| c.is_ascii_digit()),
            &|_| true,
        ] {
            let evidence: Vec<_> = case
                .evidence
                .iter()
                .map(|text| hidden(text, hide))
                .collect();
            let judgement = judge(&evidence, &case.claim);
            let touched = evidence.iter().all(|text| text.contains("[ID_1]"));
            assert!(
                !touched
                    || judgement.verdict != Verdict::Contradicted
                    || !judgement.reasoning.contains("[ID_1]"),
                "{} {judgement:?}",
                case.id
            );
        }
        let redacted = judge(&vec!["[REDACTED]"; case.evidence.len()], &case.claim);
        assert_eq!(redacted.verdict, Verdict::Unsure, "{}", case.id);
    }
}

/// What random texts are made of.
const PIECES: [&str; 42] = [
    "a",
    "users",
    "Email",
    "5",
    "30 minutes",
    "1.2.3",
    "v1.",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ": ",
    "=",
    "\n",
    "\n  ",
    "- ",
    "# ",
    "[TABLE_1]",
    "[REDACTED]",
    "not ",
    "no",
    "\"",
    "'",
    "é",
    "ﬁ",
    "İ",
    "日本語",
    "🙂",
    "\u{0}",
    "/v1/{id}",
    "~/",
    "~{",
    "://",
    "don't",
    "’",
    "\r\n",
    " ",
    "_",
];

fn random_text(random: &mut Random) -> String {
    (0..random.below(60))
        .map(|_| PIECES[random.below(PIECES.len())])
        .collect()
}

#[test]
fn any_text_is_judged_and_always_alike() {
    let mut random = Random::new(7);
    for _ in 0..4000 {
        let evidence = [random_text(&mut random), random_text(&mut random)];
        let claim = random_text(&mut random);
        let judgement = judge(&evidence, &claim);
        let confidence = judgement.confidence.unwrap();
        assert!((0.0..=1.0).contains(&confidence), "{judgement:?}");
        assert_eq!(judge(&evidence, &claim), judgement);
    }
}

/// A text cut at two places, with a random piece between.
fn cut(random: &mut Random, text: &str) -> String {
    let place = |random: &mut Random| {
        let at = random.below(text.len() + 1);
        (at..=text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap()
    };
    let (one, other) = (place(random), place(random));
    format!("{}{}{}", &text[..one], random_text(random), &text[other..])
}

#[test]
fn what_holds_for_every_judging_holds_for_torn_evidence() {
    let (cases, mut random) = (all_cases(), Random::new(13));
    for case in &cases {
        let other = &cases[random.below(cases.len())];
        let texts = [
            cut(&mut random, &case.evidence[0]),
            cut(&mut random, &other.evidence[0]),
            cut(&mut random, &case.claim),
        ];
        let [torn, strange, said] = spans(&texts).try_into().unwrap();
        let whole = spans(&case.evidence);
        judging::check(&[torn.clone(), strange.clone()], &said, &case.claim);
        judging::check(&[torn, said], &strange, &case.claim);
        judging::check(&whole, &strange, &texts[2]);
    }
}

/// Every labelled claim.
fn all_cases() -> Vec<Case> {
    let mut cases = read_all(&KNOWN);
    cases.extend(read_all(&BLIND));
    cases
}

/// A claim's evidence among that of others, in random order.
fn mixed(random: &mut Random, cases: &[Case], case: &Case) -> Vec<String> {
    let mut texts = case.evidence.clone();
    for _ in 0..random.below(3) {
        let other = &cases[random.below(cases.len())];
        let text = other.evidence[random.below(other.evidence.len())].clone();
        texts.insert(random.below(texts.len() + 1), text);
    }
    texts
}

#[test]
fn order_of_spans_does_not_matter() {
    let (cases, mut random) = (all_cases(), Random::new(11));
    for case in &cases {
        let mut texts = mixed(&mut random, &cases, case);
        let one = judge(&texts, &case.claim);
        texts.reverse();
        let back = judge(&texts, &case.claim);
        let turned = random.below(texts.len());
        texts.rotate_left(turned);
        let other = judge(&texts, &case.claim);
        for judged in [back, other] {
            assert_eq!(
                (judged.verdict, judged.confidence),
                (one.verdict, one.confidence),
                "{} {one:?} {judged:?}",
                case.id
            );
        }
    }
}

#[test]
fn a_span_added_never_turns_a_contradiction_round() {
    let (cases, mut random) = (all_cases(), Random::new(12));
    for case in &cases {
        let texts = mixed(&mut random, &cases, case);
        if judge(&texts, &case.claim).verdict != Verdict::Contradicted {
            continue;
        }
        for _ in 0..8 {
            let other = &cases[random.below(cases.len())];
            let added = &other.evidence[random.below(other.evidence.len())];
            // What says the claim itself is another matter: then the spans disagree.
            if judge(&[added], &case.claim).verdict == Verdict::Entailed {
                continue;
            }
            let mut more = texts.clone();
            more.push(added.clone());
            let judged = judge(&more, &case.claim);
            assert_ne!(
                judged.verdict,
                Verdict::Entailed,
                "{} {judged:?} {more:?}",
                case.id
            );
        }
    }
}

#[test]
fn a_claim_that_is_a_span_is_entailed() {
    for case in all_cases() {
        for text in [
            case.claim.clone(),
            format!("{} Nothing else is known.", case.claim),
        ] {
            let judged = judge(&[text], &case.claim);
            assert_eq!(
                judged.verdict,
                Verdict::Entailed,
                "{} {judged:?}",
                case.claim
            );
        }
    }
}

/// One space between words.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn reasoning_points_at_words_that_are_there() {
    for case in all_cases() {
        let judged = judge(&case.evidence, &case.claim);
        let reasoning = judged.reasoning.as_str();
        assert!(
            reasoning.ends_with("(a check of terms and slots, not a reading)."),
            "{reasoning}"
        );
        let Some(rest) = reasoning.strip_prefix('S') else {
            assert_eq!(judged.verdict, Verdict::Unsure, "{reasoning}");
            continue;
        };
        let (span, rest) = rest.split_once(" (\"").unwrap();
        let (quoted, said) = rest.rsplit_once("\") ").unwrap();
        let quoted = quoted.trim_matches('…');
        let text = line(&case.evidence[span.parse::<usize>().unwrap()]);
        assert!(text.contains(quoted), "{} {reasoning}", case.id);
        if let Some((found, _)) = said.split_once(" where the claim has ") {
            let found = found.strip_prefix("has ").unwrap();
            assert!(quoted.contains(&line(found)), "{} {reasoning}", case.id);
        }
        let Some(held) = said.strip_prefix("holds ") else {
            continue;
        };
        let end = [" and has ", ", and ", " (a check"];
        let end = end.iter().filter_map(|end| held.find(end)).min().unwrap();
        // A name has no other word for it.
        let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' ', '`'], "");
        let names = held[..end]
            .split(", ")
            .filter(|word| word.chars().skip(1).any(char::is_uppercase));
        for name in names {
            let name = plain(name);
            let stem = name.trim_end_matches(['s', '.']);
            assert!(plain(quoted).contains(stem), "{} {reasoning}", case.id);
        }
    }
}
