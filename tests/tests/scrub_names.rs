//! What claims name goes in every form: the terms of many claims, written in random forms into random
//! evidence, and the counts of what went. Nothing here shares code with the scrubber.

use std::collections::{BTreeMap, BTreeSet};

use claimgauge_core::{
    evidence::{ClaimInput, SpanInput},
    profile::Profile,
    scrub::{LeakLevel, ScrubRequest, Scrubbed},
    verification::{Pass, Step, Verification},
};

fn scrub(profile: &str, evidence: &[&str], claims: Vec<ClaimInput>) -> Scrubbed {
    let request = ScrubRequest {
        profile: profile.into(),
        evidence: evidence.iter().map(|text| SpanInput::from(*text)).collect(),
        claims: Some(claims),
        ..ScrubRequest::default()
    };
    request.run().expect("well formed")
}

fn removed(profile: &str, evidence: &[&str], claim: impl Into<ClaimInput>) -> (usize, usize) {
    let scrubbed = scrub(profile, evidence, vec![claim.into()]);
    (scrubbed.removed[0].gone, scrubbed.removed[0].of)
}

#[test]
fn a_term_counts_once_whatever_it_is_made_of() {
    let evidence = ["Send POST /v1/refunds with reason_code before April 2031; `retry` is set."];
    let claim = "POST /v1/refunds requires the parameter reason_code";
    assert_eq!(removed("documentation", &evidence, claim), (2, 2));
    assert_eq!(
        removed("documentation", &["See /v1/refunds."], claim),
        (1, 2)
    );
    assert_eq!(
        removed("security", &evidence, "It ends in April 2031"),
        (1, 1)
    );
    assert_eq!(
        removed("data", &["users.email"], "users.email is unique"),
        (2, 2)
    );
    assert_eq!(
        removed("data", &["nothing"], "users.email is unique"),
        (0, 2)
    );
}

#[test]
fn a_name_inside_a_longer_stretch_of_another_kind_is_gone() {
    let claim = "Parameter limit is 5";
    let evidence = ["Call `list --limit 5` or see https://a.example/limit?x=5."];
    for profile in Profile::all() {
        assert_eq!(
            removed(&profile.name, &evidence, claim),
            (2, 2),
            "{}",
            profile.name
        );
    }
}

#[test]
fn only_what_went_from_the_cited_spans_counts() {
    let evidence = ["Table users has field email.", "Email is fine."];
    let cites = |spans: &[&str]| -> ClaimInput {
        let value = serde_json::json!({ "text": "Table users has field email", "cites": spans });
        serde_json::from_value(value).expect("well formed")
    };
    assert_eq!(removed("data", &evidence, cites(&["S0"])), (2, 2));
    assert_eq!(removed("data", &evidence, cites(&["S1"])), (1, 2));
    assert_eq!(removed("data", &evidence, cites(&["S0", "S1"])), (2, 2));
}

#[test]
fn what_went_as_a_secret_from_both_passes_carries_no_test() {
    let evidence = ["DB_PASSWORD=hunter22xyz"];
    assert_eq!(
        removed("security", &evidence, "The password is hunter22xyz"),
        (0, 1)
    );
    assert_eq!(
        removed("security", &evidence, "DB_PASSWORD is hunter22xyz"),
        (1, 2)
    );
}

#[test]
fn a_claim_that_names_only_a_secret_is_asked_of_redacted_spans() {
    let value = serde_json::json!({
        "profile": "security",
        "evidence": ["DB_PASSWORD=hunter22xyz"],
        "claims": ["The password is hunter22xyz"],
    });
    let request = serde_json::from_value(value).expect("well formed");
    let mut verification = Verification::new(request).expect("well formed");
    let Step::Ask(requests) = verification.poll(2) else {
        panic!("nothing is asked");
    };
    let scrubbed = requests
        .iter()
        .find(|request| request.pass == Pass::Scrubbed);
    let scrubbed = scrubbed.expect("both passes are asked");
    assert_eq!(scrubbed.spans[0].text, "[REDACTED]");
    assert!(!scrubbed.claim_text.contains("hunter22xyz"));
}

/// Claims, each with the terms that it names.
#[rustfmt::skip]
static CLAIMS: &[(&str, &[&str])] = &[
    ("Table users contains field last_login", &["users", "last_login"]),
    ("orders.customer_id is a foreign key to customers.id", &["orders", "customer_id", "customers", "id"]),
    ("Class SessionStore has a method expireAll", &["SessionStore", "expireAll"]),
    ("Function worker is started by main()", &["worker", "main"]),
    ("Parameter limit defaults to 12,500", &["limit", "12,500"]),
    ("The permission read is given to role billing-admin", &["read", "billing-admin"]),
    ("Redis 7.2 runs in Frankfurt on PostgreSQL", &["Redis", "7.2", "Frankfurt"]),
    ("CVE-2099-10442 affects acme-parser before 4.2.1", &["CVE-2099-10442", "acme-parser", "4.2.1"]),
    ("MAX_DEPTH is 32 in src/tree/walk.rs", &["MAX_DEPTH", "32", "src/tree/walk.rs"]),
    ("Job 9f1c2d3e-aaaa-4bbb-8ccc-0123456789ab returned 0x8007000a", &["9f1c2d3e-aaaa-4bbb-8ccc-0123456789ab", "0x8007000a"]),
    ("Table people has column criterion_index", &["people", "criterion_index"]),
    ("The value of `retry` is 'Free delivery'", &["retry", "Free delivery"]),
    ("It uses tokio and depends on left-pad", &["tokio", "left-pad"]),
    ("Header X-Request-Id holds 250ms", &["X-Request-Id", "250ms"]),
];

/// Words that are no form of any term.
static FILLERS: &[&str] = &[
    "the",
    "is kept by",
    "moves",
    ", and",
    "before noon.",
    "(see",
    ")",
    "every other day",
    "-",
    ":",
    "|",
    "\n",
    "\n- ",
    "superusers",
    "ubuntu1",
    "while",
    "42",
    "don't",
    "\"quoted\"",
];

/// A generator of its own, so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// One of the forms that a term may take, with its letters hidden or not.
fn form(term: &str, random: &mut Random) -> String {
    let words: Vec<String> = parts(term);
    let title = |word: &String| {
        let mut chars = word.chars();
        let first = chars.next().map(|char| char.to_uppercase().to_string());
        first.unwrap_or_default() + chars.as_str()
    };
    let named = term
        .chars()
        .all(|char| char.is_ascii_alphabetic() || "_-".contains(char));
    let spelled = match (named, random.below(9)) {
        (_, 0) => term.to_owned(),
        // In capitals it is a word of SQL.
        (_, 1) if term != "limit" => term.to_uppercase(),
        (_, 2) => term.to_lowercase(),
        (true, 3) => words.join("_"),
        (true, 4) => words.join("-"),
        (true, 5) => words.join(" "),
        (true, 6) => words.iter().map(title).collect(),
        (true, 7) => words[0].clone() + &words[1..].iter().map(title).collect::<String>(),
        (true, _) if words[words.len() - 1].ends_with('s') => term.to_owned(),
        (true, _) if term.ends_with('y') => term[..term.len() - 1].to_owned() + "ies",
        (true, _) if term.ends_with('x') => term.to_owned() + "es",
        (true, _) => term.to_owned() + "s",
        _ => term.to_owned(),
    };
    let hidden = |char: char| match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' => {
            char::from_u32(u32::from(char) + 0xfee0).unwrap_or(char)
        }
        char => char,
    };
    match random.below(12) {
        0 if named => spelled.chars().map(hidden).collect(),
        1 if named => {
            let mut chars = spelled.chars();
            chars.next().map(String::from).unwrap_or_default() + "\u{ad}" + chars.as_str()
        }
        2 if named => spelled.replace('-', "\u{2011}"),
        _ => spelled,
    }
}

/// The words that a name is made of, in small letters.
fn parts(term: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut small = false;
    for char in term.chars() {
        if "_-".contains(char) || small && char.is_uppercase() {
            parts.push(String::new());
        }
        small = char.is_lowercase();
        if !"_-".contains(char) {
            parts[0..]
                .last_mut()
                .expect("one at least")
                .extend(char.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A text as it is read: narrow, without what has no width.
fn seen(text: &str) -> String {
    let narrow = text
        .chars()
        .filter(|char| *char != '\u{ad}')
        .map(|char| match u32::from(char) {
            code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(char),
            0x2011 => '-',
            _ => char,
        });
    narrow.collect::<String>().to_lowercase()
}

fn holds_token(text: &str, token: &str) -> bool {
    let is_word = |char: char| char == '_' || char.is_alphanumeric();
    text.match_indices(token).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + token.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[test]
fn terms_go_in_whatever_form_they_stand_and_have_one_placeholder() {
    let mut random = Random(7);
    let profiles = Profile::all();
    let mut wrong = BTreeSet::new();
    for round in 0..20_000 {
        let (claim, terms) = CLAIMS[random.below(CLAIMS.len())];
        let mut evidence = String::new();
        let mut placed = Vec::new();
        for _ in 0..1 + random.below(4) {
            evidence.push_str(random.pick(FILLERS));
            evidence.push(' ');
            let name = random.pick(terms);
            let term = form(name, &mut random);
            let (open, close) = [
                ("", ""),
                ("", ""),
                ("`", "`"),
                ("(", ")"),
                ("\"", "\""),
                ("表", "は"),
            ][random.below(6)];
            evidence.extend([open, &term, close, " "]);
            placed.push((name, term));
        }
        let profile = &profiles[round % profiles.len()];
        let scrubbed = scrub(&profile.name, &[&evidence], vec![claim.into()]);
        let text = &scrubbed.spans[0].text;
        let mut placeholders: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, term) in &placed {
            let own = scrubbed
                .replacements
                .iter()
                .find(|replacement| seen(&replacement.text) == seen(term));
            let placeholder = own.map(|own| &*own.placeholder);
            if placeholder.is_some_and(|own| *placeholders.entry(name).or_insert(own) != own) {
                wrong.insert(format!(
                    "{}: {name:?} twice: {evidence:?} -> {text:?}",
                    profile.name
                ));
            }
            if holds_token(&seen(text), &seen(term)) {
                wrong.insert(format!(
                    "{}: {term:?} of {claim:?}: {evidence:?} -> {text:?}",
                    profile.name
                ));
            }
        }
        let leaked = |level| matches!(level, LeakLevel::Whole | LeakLevel::Form);
        if scrubbed.leaks.iter().any(|leak| leaked(leak.level)) {
            wrong.insert(format!(
                "{}: {:?}: {evidence:?} -> {text:?}",
                profile.name, scrubbed.leaks
            ));
        }
    }
    let shown: Vec<&String> = wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{} of 20000: {shown:#?}", wrong.len());
}
