//! The cases of `vectors/outputs.json`.

use std::{env, fs, os::unix::process::CommandExt, process::Command};

use claimgauge_core::{
    metrics::{Event, Metrics},
    output::{CheckResult, ClaimResult, Look, Observations, parse_schema_ref},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    disk::{Folder, Host, Setup},
    driver::{check, drive},
};

/// The variable that names the one case to run.
const ONLY: &str = "CLAIMGAUGE_CASE";

/// Who may read only what everyone may.
const NOBODY: u32 = 65_534;

/// Runs a case in a process of another user: root is refused nothing.
fn as_another_user(id: &str) {
    assert!(
        env::var(ONLY).is_err(),
        "{id}: the other user reads everything, too"
    );
    // Where this program lies may be closed to others.
    let folder = Folder::new();
    let program = folder.root.join("suite");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    let ran = Command::new(&program)
        .args([
            "--exact",
            "cases::every_case_comes_out_as_it_says",
            "--nocapture",
        ])
        .env(ONLY, id)
        .current_dir(&folder.root)
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && told.contains(id), "{told}");
}

#[test]
fn every_case_comes_out_as_it_says() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/outputs.json")).unwrap();
    assert_eq!(cases.len(), 91);
    let only = env::var(ONLY).ok();
    for case in cases {
        if only.as_ref().is_some_and(|id| case["id"] != **id) {
            continue;
        }
        let folder = Folder::new();
        let text = case
            .to_string()
            .replace("{{base}}", &folder.base().to_string_lossy())
            .replace("{{outside}}", &folder.root.to_string_lossy());
        let case: Case = serde_json::from_str(&text).unwrap();
        println!("{}", case.id);
        case.run(&folder);
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    #[serde(rename = "group")]
    _group: String,
    #[serde(default)]
    setup: Setup,
    #[serde(default)]
    options: Value,
    /// Absent, null and anything else are three things.
    #[serde(default, deserialize_with = "some")]
    input: Option<Value>,
    want: Expected,
    #[serde(rename = "why")]
    _why: String,
    #[serde(default)]
    skip_as_root: bool,
}

/// What must be so. A key that is not here would go unchecked, so it is refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expected {
    valid: Option<bool>,
    level: Option<u8>,
    claimless: Option<bool>,
    output: Option<Value>,
    claims: Option<Vec<ExpectedClaim>>,
    paths: Option<Vec<String>>,
    errors_contain: Vec<String>,
    contains: Vec<String>,
    lacks: Vec<String>,
    refused: bool,
    no_filesystem: bool,
    unregistered: Option<usize>,
    unclaimed: Option<Vec<String>>,
    absent_after: Vec<String>,
    #[serde(deserialize_with = "some")]
    parsed: Option<Value>,
    aggregates: Option<Value>,
    specialists: Option<Vec<String>>,
    recent: Option<Recent>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedClaim {
    outcome: String,
    #[serde(default, deserialize_with = "some")]
    reason_contains: Option<Value>,
    #[serde(default)]
    has_reason: bool,
    #[serde(default)]
    hint: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    path: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recent {
    limit: usize,
    count: usize,
    #[serde(default)]
    durations: Option<Vec<f64>>,
}

fn some<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Case {
    fn run(&self, folder: &Folder) {
        if let Some(parsed) = &self.want.parsed {
            let input = self.input.as_ref().and_then(Value::as_str).unwrap();
            let got = serde_json::to_value(parse_schema_ref(input)).unwrap();
            return assert_eq!(got, *parsed);
        }
        if let Some(Value::Array(events)) =
            self.input.as_ref().and_then(|input| input.get("events"))
        {
            return self.metrics(events);
        }
        folder.fill(&self.setup);
        if self.skip_as_root && folder.reads_everything() {
            return as_another_user(&self.id);
        }
        let host = folder.host(self.setup.base_link);
        let got = check(self.input.clone(), &self.options, &host);
        match got {
            Err(error) => {
                assert!(self.want.refused, "{error}");
                assert!(!error.message().is_empty());
            }
            Ok(result) => {
                self.compare(&result);
                self.elsewhere(&host, &result);
            }
        }
        for path in &self.want.absent_after {
            for folder in [&folder.root, &folder.base()] {
                assert!(
                    folder.join(path).symlink_metadata().is_err(),
                    "{path} is there"
                );
            }
        }
    }

    fn compare(&self, result: &CheckResult) {
        let want = &self.want;
        let text = serde_json::to_string(result).unwrap();
        let back: CheckResult = serde_json::from_str(&text).unwrap();
        assert_eq!(back, *result);

        assert!(!want.refused || !result.valid, "{text}");
        assert_eq!(result.valid, result.errors.is_empty());
        assert_eq!(result.valid, result.error_category.is_none());
        if let Some(valid) = want.valid {
            assert_eq!(result.valid, valid, "{text}");
        }
        if let Some(level) = want.level {
            assert_eq!(u8::from(result.level), level, "{text}");
        }
        if let Some(claimless) = want.claimless {
            assert_eq!(result.claimless, claimless, "{text}");
        }
        if let Some(output) = &want.output {
            let got = serde_json::to_value(&result.structure_validation.output).unwrap();
            assert_eq!(got, *output);
        }
        if let Some(claims) = &want.claims {
            let results = &result.filesystem_validation.as_ref().unwrap().claim_results;
            assert_eq!(results.len(), claims.len());
            for (at, (got, want)) in results.iter().zip(claims).enumerate() {
                assert_eq!(got.index, at);
                want.compare(got);
            }
        }
        if let Some(paths) = &want.paths {
            let errors = &result.structure_validation.errors;
            let mut got: Vec<&str> = errors.iter().map(|error| &*error.path).collect();
            let mut paths: Vec<&str> = paths.iter().map(|path| &**path).collect();
            got.sort_unstable();
            paths.sort_unstable();
            assert_eq!(got, paths);
        }
        for part in &want.errors_contain {
            assert!(
                result.errors.iter().any(|line| line.contains(part)),
                "{part} is not in {:?}",
                result.errors
            );
        }
        for part in &want.contains {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        for part in &want.lacks {
            assert!(!text.contains(part), "{part} is in {text}");
        }
        assert!(!want.no_filesystem || result.filesystem_validation.is_none());
        if let Some(count) = want.unregistered {
            let plugin = result.plugin_validation.as_ref().unwrap();
            assert_eq!(plugin.unregistered.len(), count, "{text}");
        }
        if let Some(unclaimed) = &want.unclaimed {
            assert_eq!(result.unclaimed, *unclaimed);
        }
    }

    /// What one machine observes decides on any other, with the same verdicts.
    fn elsewhere(&self, host: &Host, here: &CheckResult) {
        let mut seen = Observations {
            base: host.base(),
            ..Observations::default()
        };
        let mut watch = |look: &Look| {
            let observation = host.observe(look);
            seen.record(look, observation.clone());
            observation
        };
        drive(self.input.clone(), &json!({}), host.base(), &mut watch).unwrap();
        let text = serde_json::to_string(&seen).unwrap();
        let seen: Observations = serde_json::from_str(&text).unwrap();
        let base = seen.base.clone();
        let there = drive(self.input.clone(), &self.options, base, &mut |look| {
            seen.answer(look)
        });
        assert_eq!(there.unwrap(), *here);
    }

    fn metrics(&self, events: &[Value]) {
        let mut metrics = Metrics::default();
        for entry in events {
            if entry.get("clear").is_some() {
                metrics.clear();
                continue;
            }
            let times = entry
                .get("repeat")
                .map_or(1, |times| times.as_u64().unwrap());
            let event = entry.get("event").unwrap_or(entry);
            for _ in 0..times {
                let event: Event = serde_json::from_value(event.clone()).unwrap();
                metrics.record(event).unwrap();
            }
        }
        let got = serde_json::to_value(metrics.aggregates()).unwrap();
        if let Some(want) = &self.want.aggregates {
            assert_holds(&got, want, "aggregates");
        }
        if let Some(specialists) = &self.want.specialists {
            let got: Vec<&String> = got["bySpecialist"].as_object().unwrap().keys().collect();
            assert_eq!(got, specialists.iter().collect::<Vec<_>>());
        }
        if let Some(recent) = &self.want.recent {
            let got: Vec<f64> = metrics
                .recent(recent.limit)
                .map(|event| event.duration_ms)
                .collect();
            assert_eq!(got.len(), recent.count);
            if let Some(durations) = &recent.durations {
                assert_eq!(got, *durations);
            }
        }
    }
}

impl ExpectedClaim {
    fn compare(&self, got: &ClaimResult) {
        let outcome = serde_json::to_value(got.outcome).unwrap();
        let allowed: Vec<&str> = self.outcome.split('|').collect();
        assert!(allowed.contains(&outcome.as_str().unwrap()), "{got:?}");
        let reason = got.reason.as_deref();
        match &self.reason_contains {
            None => {}
            Some(Value::String(part)) => assert!(reason.unwrap().contains(&**part), "{got:?}"),
            Some(_) => assert_eq!(reason, None),
        }
        assert!(!self.has_reason || reason.is_some_and(|reason| !reason.is_empty()));
        if let Some(hint) = &self.hint {
            let part = if hint == "bom" {
                "BOM"
            } else {
                "CRLF / line ending"
            };
            assert!(got.hint.as_ref().unwrap().contains(part), "{got:?}");
        }
        if let Some(kind) = &self.kind {
            assert_eq!(got.claim.kind(), kind);
        }
        if let Some(path) = &self.path {
            assert_eq!(got.claim.file_path(), Some(&**path));
        }
    }
}

/// Everything in `want` is in `got`; objects may hold more, unless they are lists of counts.
fn assert_holds(got: &Value, want: &Value, place: &str) {
    match (got, want) {
        (Value::Object(got), Value::Object(want)) => {
            for (key, want) in want {
                let place = format!("{place}.{key}");
                assert_holds(got.get(key).expect(&place), want, &place);
            }
        }
        (Value::Number(got), Value::Number(want)) => {
            assert_eq!(got.as_f64(), want.as_f64(), "{place}");
        }
        _ => assert_eq!(got, want, "{place}"),
    }
}
