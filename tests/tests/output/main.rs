//! Outputs of agents, checked on a real folder: the cases, and what must hold of any output.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::result_large_err,
    clippy::unwrap_used,
    reason = "this suite is the host: it makes files, looks at them and takes the time"
)]

mod cases;
mod disk;
mod driver;

use std::{
    fs,
    sync::{Arc, LazyLock},
    time::Instant,
};

use claimgauge_core::{
    ErrorCode,
    metrics::{Category, Level, Metrics},
    output::{
        Base, Check, CheckResult, Claim, Content, Digest, FileSeen, Given, Look, MAX_SNIPPET,
        Observation, Options, Outcome, Run, SchemaAnswer, SchemaError, Snippet, Step, Want,
    },
};
use claimgauge_tests::Random;
use disk::Folder;
use driver::{check, drive};
use serde_json::{Value, json};

const TEXT: &str = "alpha\nbeta\ngamma\n";

fn output(claims: Value) -> Value {
    json!({ "summary": "Did it.", "traceRef": "trace:t", "claims": claims })
}

fn write_claim(path: &str, content: &str) -> Value {
    json!({ "kind": "file-write", "filePath": path, "contentHash": Digest::of(content.as_bytes()) })
}

fn edit_claim(path: &str) -> Value {
    json!({
        "kind": "file-edit",
        "filePath": path,
        "anchor": {
            "beforeSnippet": "alpha\n",
            "afterSnippet": "gamma\n",
            "contentHash": Digest::of(b"beta\n"),
        },
    })
}

fn delete_claim(path: &str) -> Value {
    json!({ "kind": "file-delete", "filePath": path })
}

fn command_claim(command: &str, exit_code: i32) -> Value {
    json!({ "kind": "command-executed", "command": command, "exitCode": exit_code })
}

fn invocation(tool: &str, args: Value) -> Value {
    json!({
        "invocationId": format!("{tool} {args}"),
        "tool": tool,
        "args": args,
        "purpose": "execution",
        "status": "success",
    })
}

fn trace(invocations: Value) -> Value {
    json!({ "traceId": "t", "specialistId": "writer", "invocations": invocations })
}

fn strict(invocations: Value) -> Value {
    json!({ "strict": true, "trace": trace(invocations) })
}

fn with(mut value: Value, key: &str, field: Value) -> Value {
    value[key] = field;
    value
}

fn outcomes(result: &CheckResult) -> Vec<Outcome> {
    let level = result.filesystem_validation.as_ref();
    level
        .into_iter()
        .flat_map(|level| &level.claim_results)
        .map(|result| result.outcome)
        .collect()
}

fn reason(result: &CheckResult, claim: usize) -> &str {
    let level = result.filesystem_validation.as_ref().unwrap();
    level.claim_results[claim]
        .reason
        .as_deref()
        .unwrap_or_default()
}

/// A run with a host that sees this everywhere.
fn seen(claims: Value, options: &Value, observation: &Observation) -> CheckResult {
    drive(Some(output(claims)), options, Base::default(), &mut |_| {
        observation.clone()
    })
    .unwrap()
}

fn file(text: &str) -> Observation {
    Observation::File(FileSeen {
        size: text.len() as u64,
        text: Some(Content(text.into())),
        ..FileSeen::default()
    })
}

// Level 1

#[test]
fn what_is_wrong_with_a_shape_is_said_with_its_place_and_category() {
    use Category::{InvalidType, MissingField};

    let claim = |claim: Value| output(json!([claim]));
    let artifact = |key: &str, value: Value| {
        let artifact = json!({ "kind": "data", "label": "", "content": "", "contentHash": "" });
        json!({ "summary": "s", "traceRef": "trace:", "artifacts": [with(artifact, key, value)] })
    };
    let anchor = |key: &str, value: Value| {
        let mut claim = edit_claim("a");
        claim["anchor"][key] = value;
        output(json!([claim]))
    };
    let long = |key: &str, value: Value| {
        let long = json!({ "sha256": "", "length": 1, "head": "a", "tail": "a" });
        anchor("afterSnippet", with(long, key, value))
    };
    #[rustfmt::skip]
    let rows = [
        (json!("text"), "", "Expected object, received string", InvalidType),
        (json!([]), "", "Expected object, received array", InvalidType),
        (json!(true), "", "Expected object, received boolean", InvalidType),
        (with(output(json!([])), "claims", Value::Null), "claims", "Expected array, received null", InvalidType),
        (with(output(json!([])), "summary", json!(["a"])), "summary", "Expected string, received array", InvalidType),
        (with(output(json!([])), "summary", json!("")), "summary", "Summary is required", InvalidType),
        (claim(json!(3)), "claims.0", "Expected object, received number", InvalidType),
        (claim(Value::Null), "claims.0", "Expected object, received null", InvalidType),
        (claim(json!({})), "claims.0.kind", "Required", MissingField),
        (claim(json!({ "kind": 1 })), "claims.0.kind", "Expected string, received number", InvalidType),
        (claim(json!({ "kind": "file-rename" })), "claims.0.kind", "Unknown claim kind", InvalidType),
        (claim(json!({ "kind": "__proto__" })), "claims.0.kind", "Unknown claim kind", InvalidType),
        (claim(json!({ "kind": "file-edit", "filePath": "a", "anchor": "x" })), "claims.0.anchor", "Expected object, received string", InvalidType),
        (claim(json!({ "kind": "code-inserted", "filePath": "a" })), "claims.0.anchor", "Required", MissingField),
        (claim(json!({ "kind": "command-executed", "command": "ls" })), "claims.0.exitCode", "Required", MissingField),
        (claim(with(edit_claim("a"), "editedRegion", json!({ "start": 1 }))), "claims.0.editedRegion.end", "Required", MissingField),
        (anchor("beforeSnippet", Value::Null), "claims.0.anchor.beforeSnippet", "Expected string, received null", InvalidType),
        (long("head", json!(1)), "claims.0.anchor.afterSnippet.head", "Expected string, received number", InvalidType),
        (long("length", json!(-1)), "claims.0.anchor.afterSnippet.length", "Expected a whole number that is not negative", InvalidType),
        (artifact("kind", json!("blob")), "artifacts.0.kind", "Invalid enum value. Expected 'code-snippet' | 'summary' | 'data', received 'blob'", InvalidType),
        (artifact("content", json!("é".repeat(1025))), "artifacts.0.content", "Artifact content must be < 1KB", InvalidType),
        (artifact("sourceTool", json!(1)), "artifacts.0.sourceTool", "Expected string, received number", InvalidType),
    ];
    for (input, path, message, category) in rows {
        let result = drive(
            Some(input.clone()),
            &json!({}),
            Base::default(),
            &mut |look| panic!("{look:?}"),
        )
        .unwrap();
        let [error] = &result.structure_validation.errors[..] else {
            panic!("{input}: {result:?}");
        };
        assert_eq!((&*error.path, &*error.message), (path, message), "{input}");
        assert_eq!(error.category, category, "{input}");
        assert_eq!(result.error_category, Some(category));
        assert_eq!(result.structure_validation.output, None);
        let line = if path.is_empty() {
            message.to_owned()
        } else {
            format!("{path}: {message}")
        };
        assert_eq!(
            result.errors,
            ["Level 1 (structure) validation failed", &line]
        );
        assert!(!result.valid && !result.claimless && result.level == Level::Structure);
    }
}

#[test]
fn strict_content_is_counted_in_bytes() {
    let input = |content: String| {
        json!({ "summary": "s", "traceRef": "trace:t", "artifacts": [
            { "kind": "data", "label": "", "content": content, "contentHash": "" },
        ] })
    };
    for (content, lenient, strict_too) in [
        ("a".repeat(1024), true, true),
        ("é".repeat(1024), true, false),
        ("😀".repeat(512), true, false),
        ("😀".repeat(513), false, false),
    ] {
        for (options, want) in [
            (json!({}), lenient),
            (json!({ "strict": true }), strict_too),
        ] {
            let result = drive(
                Some(input(content.clone())),
                &options,
                Base::default(),
                &mut |_| Observation::Missing,
            );
            assert_eq!(result.unwrap().valid, want);
        }
    }
}

#[test]
fn an_output_may_be_deep_and_long() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let long = "x".repeat(10_000_000);
    let texts = [
        deep.clone(),
        format!(r#"{{"summary":"s","traceRef":"trace:t","notes":{deep}}}"#),
        format!(r#"{{"summary":"s","traceRef":"trace:t","claims":{deep}}}"#),
        format!(r#"{{"summary":{deep},"traceRef":"trace:t"}}"#),
        format!(r#"{{"summary":"{long}","traceRef":"trace:t","{long}":1}}"#),
    ];
    let valid = texts.map(|text| {
        let given: Given = serde_json::from_str(&text).unwrap();
        let mut check = Check::new(given, Options::default()).unwrap();
        let Step::Done(result) = check.poll(1) else {
            panic!("nothing is to be asked");
        };
        result.valid
    });
    assert_eq!(valid, [false, true, false, false, true]);
}

#[test]
fn a_trace_that_is_not_the_outputs_fails_at_level_1_in_strict_mode() {
    let done = json!([invocation("shell:exec", json!({ "command": "ls" }))]);
    let rows = [
        (trace(done.clone()), "writer", true),
        (
            with(trace(done.clone()), "traceId", json!("u")),
            "writer",
            false,
        ),
        (
            with(trace(done.clone()), "traceId", json!("trace:t")),
            "writer",
            true,
        ),
        (trace(done), "__proto__", false),
    ];
    for (trace, specialist, fits) in rows {
        for strict in [true, false] {
            let options = json!({ "strict": strict, "trace": trace, "specialistId": specialist });
            let result = seen(json!([delete_claim("a")]), &options, &Observation::Missing);
            let failed = result.level == Level::Structure;
            assert_eq!(failed, strict && !fits, "{options}");
            if failed {
                let error = &result.structure_validation.errors[0];
                assert_eq!(
                    (&*error.path, error.category),
                    ("traceRef", Category::InvalidType)
                );
            }
        }
    }
}

// Level 2

#[test]
fn a_trace_that_is_none_is_refused_with_its_place() {
    #[rustfmt::skip]
    let rows = [
        (json!(1), ErrorCode::InvalidType, "trace"),
        (json!([invocation("a", json!({}))]), ErrorCode::InvalidType, "trace"),
        (json!({ "traceId": "t", "specialistId": "w" }), ErrorCode::MissingField, "trace.invocations"),
        (with(trace(json!([])), "traceId", json!(1)), ErrorCode::InvalidType, "trace.traceId"),
        (trace(json!([1])), ErrorCode::InvalidType, "trace.invocations.0"),
        (trace(json!([with(invocation("a", json!({})), "status", json!("done"))])), ErrorCode::InvalidType, "trace.invocations.0.status"),
        (trace(json!([with(invocation("a", json!({})), "purpose", Value::Null)])), ErrorCode::InvalidType, "trace.invocations.0.purpose"),
    ];
    for (trace, code, path) in rows {
        let options = json!({ "trace": trace });
        let error = drive(
            Some(output(json!([]))),
            &options,
            Base::default(),
            &mut |_| Observation::Missing,
        )
        .unwrap_err();
        assert_eq!((error.code(), error.path()), (code, path), "{trace}");
        // What is no trace at all is told what one is.
        let told = error
            .hint()
            .is_some_and(|hint| hint.contains("invocations"));
        assert_eq!(told, path == "trace", "{trace}");
    }
}

#[test]
fn only_what_succeeded_and_gave_something_is_held_against_a_schema() {
    let wrong = with(invocation("t", json!({})), "output", json!("x"));
    let rows = [
        (wrong.clone(), 1, false),
        (
            with(wrong.clone(), "purpose", json!("verification")),
            0,
            true,
        ),
        (with(wrong.clone(), "status", json!("failed")), 0, true),
        (with(wrong.clone(), "status", json!("timeout")), 0, true),
        (with(wrong.clone(), "output", Value::Null), 0, true),
        (with(wrong.clone(), "output", json!(3)), 1, true),
        (with(wrong.clone(), "output", json!("3")), 1, true),
        (with(wrong.clone(), "output", json!(false)), 1, false),
    ];
    for (invocation, checked, valid) in rows {
        let options = json!({
            "trace": trace(json!([invocation])),
            "tools": { "t": { "type": "number" } },
        });
        let result = seen(json!([delete_claim("a")]), &options, &Observation::Missing);
        let plugin = result.plugin_validation.as_ref().unwrap();
        assert_eq!(
            (plugin.checked, plugin.valid),
            (checked, valid),
            "{options}"
        );
        assert_eq!(result.filesystem_validation.is_some(), valid);
        if !valid {
            assert_eq!(result.level, Level::ToolOutput);
            assert_eq!(result.error_category, Some(Category::SchemaMismatch));
            assert_eq!(result.errors[0], "Level 2 (tool-output) validation failed");
            assert!(result.errors[1].starts_with("t: "), "{:?}", result.errors);
        }
    }
}

#[test]
fn a_tool_without_a_schema_is_named_once() {
    let gave = |tool: &str| with(invocation(tool, json!({})), "output", json!(1));
    let options = json!({ "trace": trace(json!([gave("b"), gave("a"), gave("b")])) });
    let result = seen(json!([]), &options, &Observation::Missing);
    assert_eq!(result.plugin_validation.unwrap().unregistered, ["b", "a"]);
}

#[test]
fn answers_may_come_in_any_order_and_once() {
    let gave = |output: Value| with(invocation("t", json!({})), "output", output);
    let options = || Options {
        trace: serde_json::from_value(trace(json!([gave(json!("a")), gave(json!("b"))]))).unwrap(),
        tools: serde_json::from_value(json!({ "t": true })).unwrap(),
        ..Options::default()
    };
    let given = || serde_json::from_value::<Given>(output(json!([]))).unwrap();
    let misfits = |message: &str| SchemaAnswer::Misfits {
        errors: vec![SchemaError {
            path: "p".into(),
            message: message.into(),
        }],
    };

    let mut check = Check::new(given(), options()).unwrap();
    let Step::Fit(requests) = check.poll(9) else {
        panic!("two outputs are to be checked");
    };
    assert_eq!(requests.len(), 2);
    assert!(matches!(check.poll(9), Step::Wait));
    check.handle_schema(1, misfits("raw")).unwrap();
    assert_eq!(
        check
            .handle_schema(1, SchemaAnswer::Fits)
            .unwrap_err()
            .code(),
        ErrorCode::UnknownRequest
    );
    let Step::Fit(requests) = check.poll(9) else {
        panic!("a text is asked about once more");
    };
    assert_eq!((requests[0].invocation, requests[0].parsed), (1, true));
    check.handle_schema(1, SchemaAnswer::NotJson).unwrap();
    check.handle_schema(0, misfits("raw")).unwrap();
    assert!(matches!(check.poll(9), Step::Fit(_)));
    check.handle_schema(0, misfits("parsed")).unwrap();
    let Step::Done(result) = check.poll(9) else {
        panic!("everything was answered");
    };
    assert_eq!(result.errors[1..], ["t: p: parsed", "t: p: raw"]);
    assert!(
        check
            .handle_observation("a", &Observation::Missing)
            .is_err()
    );
}

// Level 3

#[test]
fn every_sight_decides_every_kind_of_claim() {
    use Outcome::{Failed, Inconclusive, Passed};

    let link = Observation::Link;
    let unreadable = Observation::Unreadable {
        why: "permission denied".into(),
    };
    #[rustfmt::skip]
    let rows = [
        (file(TEXT), [Passed, Passed, Failed]),
        (file("other"), [Failed, Failed, Failed]),
        (Observation::Missing, [Failed, Failed, Passed]),
        (Observation::Directory, [Failed, Failed, Failed]),
        (Observation::Special, [Inconclusive, Inconclusive, Failed]),
        (link, [Inconclusive, Inconclusive, Failed]),
        (unreadable, [Inconclusive, Inconclusive, Inconclusive]),
        (Observation::Escapes, [Failed, Failed, Failed]),
        (Observation::File(FileSeen::default()), [Inconclusive, Inconclusive, Failed]),
    ];
    for (observation, want) in rows {
        let claims = json!([write_claim("a", TEXT), edit_claim("b"), delete_claim("c")]);
        let result = seen(claims, &json!({}), &observation);
        assert_eq!(outcomes(&result), want, "{observation:?}");
        assert_eq!(result.valid, !want.contains(&Failed));
        for (at, outcome) in want.into_iter().enumerate() {
            assert_eq!(reason(&result, at).is_empty(), outcome == Passed);
        }
    }
}

#[test]
fn without_a_base_nothing_about_files_is_told() {
    let given = serde_json::from_value(output(json!([
        write_claim("a", ""),
        write_claim("../a", ""),
        command_claim("ls", 0),
    ])));
    let mut check = Check::new(given.unwrap(), Options::default()).unwrap();
    let Step::Done(result) = check.poll(9) else {
        panic!("nobody can look");
    };
    use Outcome::{Inconclusive, Trusted};
    assert_eq!(outcomes(&result), [Inconclusive, Inconclusive, Trusted]);
}

#[test]
fn nobody_looks_at_a_path_that_leads_out() {
    for path in [
        "../a",
        "/etc/passwd",
        "a\0b",
        "CON",
        "C:x",
        r"\\host\share",
        r"..\x",
        "//a",
        "x/../../y",
    ] {
        for claim in [write_claim(path, ""), edit_claim(path), delete_claim(path)] {
            let result = drive(
                Some(output(json!([claim]))),
                &json!({}),
                Base::default(),
                &mut |look| panic!("{look:?}"),
            )
            .unwrap();
            assert_eq!(outcomes(&result), [Outcome::Failed]);
            assert_eq!(reason(&result, 0), "Path escapes base directory");
            assert_eq!(result.error_category, Some(Category::FilesystemMismatch));
        }
    }
}

#[test]
fn links_are_followed_to_where_they_lead() {
    let folder = Folder::new();
    let setup = json!({
        "files": [
            { "path": "real/a.txt", "text": TEXT },
            { "path": "inner", "link_to": "real" },
            { "path": "again", "link_to": "inner/a.txt" },
            { "path": "up-and-back", "link_to": "../base/real/a.txt" },
            { "path": "loop", "link_to": "loop" },
            { "path": "dangling", "link_to": "nowhere" },
            { "path": "out", "link_to": "../outside" },
            { "path": "out-dangling", "link_to": "../nowhere" },
            { "path": "root", "link_to": "/" },
            { "path": "here", "link_to": "." },
            { "path": "out-file", "link_to": "../outside/a.txt" },
            { "path": "chain", "link_to": "inner/chained" },
            { "path": "real/chained", "link_to": "../out" },
            { "path": "real/below/out", "link_to": "../../../outside" },
            { "path": "by-out", "link_to": "../outside/../base/real" },
            { "path": "below", "link_to": "real/below" },
        ],
        "outside": [{ "path": "outside/a.txt", "text": TEXT }, { "path": "base-evil/a.txt", "text": TEXT }],
    });
    folder.fill(&serde_json::from_value(setup).unwrap());
    let host = folder.host(true);
    let evil = format!("{}-evil/a.txt", folder.base().display());
    let (given, real) = (folder.root.join("base-link"), folder.base());
    use Outcome::{Failed, Inconclusive, Passed};
    #[rustfmt::skip]
    let rows = [
        ("inner/a.txt", Passed, Failed, "File still exists"),
        ("again", Passed, Failed, "File still exists"),
        ("up-and-back", Passed, Failed, "File still exists"),
        ("loop", Inconclusive, Failed, "File still exists"),
        ("loop/a.txt", Inconclusive, Inconclusive, ""),
        ("dangling", Failed, Failed, "File still exists"),
        ("dangling/a.txt", Failed, Passed, ""),
        ("real/a.txt/b", Failed, Passed, ""),
        ("out/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out/absent.txt", Failed, Failed, "Path escapes base directory"),
        ("out", Failed, Failed, "File still exists"),
        ("out-dangling", Failed, Failed, "File still exists"),
        ("root/etc/hostname", Failed, Failed, "Path escapes base directory"),
        (&*evil, Failed, Failed, "Path escapes base directory"),
        (&*given.join("real/a.txt").to_string_lossy(), Passed, Failed, "File still exists"),
        (&*real.join("real/a.txt").to_string_lossy(), Passed, Failed, "File still exists"),
        ("", Failed, Failed, "File still exists"),
        // What the text of a path takes away may have led out.
        ("out/..", Failed, Failed, "Path escapes base directory"),
        ("out/../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("real/below/out/../../a.txt", Failed, Failed, "Path escapes base directory"),
        ("here/../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out-file/../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out-dangling/../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("chain/../../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("real/chained/../a.txt", Failed, Failed, "Path escapes base directory"),
        ("root/../real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out/./..//real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("real/../out/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out/", Failed, Failed, "Path escapes base directory"),
        ("out/.", Failed, Failed, "Path escapes base directory"),
        (&*given.join("out/../real/a.txt").to_string_lossy(), Failed, Failed, "Path escapes base directory"),
        (&*real.join("out/../real/a.txt").to_string_lossy(), Failed, Failed, "Path escapes base directory"),
        // The text names the file where nothing on the way leads out.
        ("inner/../real/a.txt", Passed, Failed, "File still exists"),
        ("absent/../real/a.txt", Passed, Failed, "File still exists"),
        ("real/a.txt/../a.txt", Passed, Failed, "File still exists"),
        ("loop/../real/a.txt", Passed, Failed, "File still exists"),
        ("dangling/../real/a.txt", Passed, Failed, "File still exists"),
        ("real/../out", Failed, Failed, "File still exists"),
        ("out/../base/real/a.txt", Failed, Failed, "Path escapes base directory"),
        ("out/../base/absent.txt", Failed, Failed, "Path escapes base directory"),
        ("by-out", Failed, Failed, "File still exists"),
        ("by-out/a.txt", Failed, Failed, "Path escapes base directory"),
        // What is gone must be gone where the path leads as written, too.
        ("below/../a.txt", Failed, Failed, "File still exists"),
        ("below/../absent.txt", Failed, Passed, ""),
        (r"out\..\real\a.txt", Failed, Passed, ""),
    ].map(|(path, written, deleted, why)| (path.to_owned(), written, deleted, why));
    for (path, written, deleted, why) in rows {
        let result = |claim| check(Some(output(json!([claim]))), &json!({}), &host).unwrap();
        assert_eq!(
            outcomes(&result(write_claim(&path, TEXT))),
            [written],
            "{path}"
        );
        let delete = result(delete_claim(&path));
        assert_eq!(outcomes(&delete), [deleted], "{path}");
        assert!(reason(&delete, 0).contains(why), "{path}: {delete:?}");
    }
}

/// Of claims with one path by their text, the one that leads out is refused and decides about nothing.
#[test]
fn a_path_that_leads_out_supersedes_no_claim() {
    let folder = Folder::new();
    let setup = json!({
        "files": [{ "path": "a.txt", "text": TEXT }, { "path": "out", "link_to": "../outside" }],
        "outside": [{ "path": "outside/a.txt", "text": TEXT }],
    });
    folder.fill(&serde_json::from_value(setup).unwrap());
    let host = folder.host(false);
    for (claims, want) in [
        (
            [write_claim("a.txt", TEXT), delete_claim("out/../a.txt")],
            [Outcome::Passed, Outcome::Failed],
        ),
        (
            [
                write_claim("out/../a.txt", TEXT),
                write_claim("a.txt", TEXT),
            ],
            [Outcome::Failed, Outcome::Passed],
        ),
    ] {
        let result = check(Some(output(json!(claims))), &json!({}), &host).unwrap();
        assert_eq!(outcomes(&result), want);
        assert!(result.filesystem_validation.unwrap().conflicts.is_empty());
    }
}

#[test]
fn a_path_that_ends_as_a_folders_names_no_file() {
    let folder = Folder::new();
    folder.write("a.txt", TEXT);
    for (claim, why) in [
        (write_claim("a.txt/", TEXT), "Not a regular file"),
        (edit_claim("a.txt/."), "Not a regular file"),
        (delete_claim("a.txt/"), "File still exists"),
        (write_claim("b.txt/", TEXT), "File does not exist"),
    ] {
        let result = check(
            Some(output(json!([claim]))),
            &json!({}),
            &folder.host(false),
        )
        .unwrap();
        assert_eq!(outcomes(&result), [Outcome::Failed]);
        assert_eq!(reason(&result, 0), why);
    }
}

/// As a host's language may have it; no JSON can.
#[test]
fn half_of_a_surrogate_pair_is_read_but_names_nothing() {
    let halved = |text: &str| Given::Halved(text.into());
    let text = |text: &str| Given::String(text.into());
    let of = |summary: Given, path: Given| {
        let claim = Given::Object(vec![("kind", text("file-delete")), ("filePath", path)]);
        let output = Given::Object(vec![
            ("summary", summary),
            ("traceRef", text("trace:t")),
            ("claims", Given::Array(vec![claim])),
        ]);
        let mut check = Check::new(output, Options::default()).unwrap();
        let Step::Done(result) = check.poll(1) else {
            panic!("there is nothing to ask without a base");
        };
        result.structure_validation.errors
    };
    assert_eq!(of(halved("a\u{fffd}"), text("a")), []);
    let [error] = &of(text("a"), halved("\u{fffd}"))[..] else {
        panic!("the path is wrong");
    };
    assert_eq!(error.path, "claims.0.filePath");
}

#[test]
fn the_last_claim_about_a_file_decides() {
    let folder = Folder::new();
    folder.write("docs/a.txt", TEXT);
    let absolute = folder.base().join("docs/a.txt");
    let spellings = [
        "docs/a.txt",
        "./docs//x/../a.txt",
        &absolute.to_string_lossy(),
    ];
    let mut claims: Vec<Value> = spellings.map(|path| write_claim(path, "long gone")).into();
    claims.push(edit_claim("docs/a.txt"));
    claims.push(delete_claim("docs/a.txt"));
    claims.push(command_claim("ls", 0));
    claims.push(write_claim("docs/./a.txt", TEXT));
    let result = check(Some(output(claims.into())), &json!({}), &folder.host(false)).unwrap();
    use Outcome::{Passed, Superseded, Trusted};
    assert_eq!(
        outcomes(&result),
        [
            Superseded, Superseded, Superseded, Superseded, Superseded, Trusted, Passed
        ]
    );
    let conflicts = result.filesystem_validation.unwrap().conflicts;
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].path, "docs/a.txt");
    assert_eq!(conflicts[0].claims, [0, 1, 2, 3, 4, 6]);
    assert!(result.valid);
}

#[test]
fn a_mismatch_is_explained_where_another_form_would_match() {
    let folder = Folder::new();
    #[rustfmt::skip]
    let rows = [
        ("a\r\nb\r\n", "a\nb\n", Some("CRLF / line ending")), ("a\nb\n", "a\r\nb\r\n", Some("CRLF / line ending")),
        ("\u{feff}a\n", "a\n", Some("BOM")), ("a\n", "\u{feff}a\n", Some("BOM")),
        ("\u{feff}a\r\n", "a\n", Some("CRLF / line ending and BOM")), ("a\n", "b\n", None),
        ("\u{feff}a\r\n", "\u{feff}a\n", Some("CRLF / line ending")), ("", "a", None),
    ];
    for (is, claimed, hint) in rows {
        folder.write("a.txt", is);
        let claims = output(json!([write_claim("a.txt", claimed)]));
        let result = check(Some(claims), &json!({}), &folder.host(false)).unwrap();
        let got = &result.filesystem_validation.as_ref().unwrap().claim_results[0];
        assert_eq!(got.reason.as_deref(), Some("Content hash mismatch"));
        match hint {
            Some(hint) => assert!(got.hint.as_ref().unwrap().starts_with(hint), "{got:?}"),
            None => assert_eq!(got.hint, None),
        }
    }
}

#[test]
fn forms_are_asked_for_only_where_they_can_explain_something() {
    let wants = |claim: Value, size: u64, limit: u64| {
        let mut wants = Vec::new();
        let options = json!({ "limits": { "textBytes": limit } });
        drive(
            Some(output(json!([claim]))),
            &options,
            Base::default(),
            &mut |look| {
                wants.push(look.want);
                assert_eq!(look.text_limit, limit);
                Observation::File(FileSeen {
                    size,
                    sha256: Some(Digest::of(b"a")),
                    ..FileSeen::default()
                })
            },
        )
        .unwrap();
        wants
    };
    assert_eq!(wants(write_claim("a", "a"), 1, 9), [Want::Hash]);
    assert_eq!(
        wants(write_claim("a", "b"), 1, 9),
        [Want::Hash, Want::Forms]
    );
    assert_eq!(wants(write_claim("a", "b"), 10, 9), [Want::Hash]);
    let no_hash = json!({ "kind": "file-write", "filePath": "a", "contentHash": "abc" });
    assert_eq!(wants(no_hash, 1, 9), [Want::Hash]);
    assert_eq!(wants(edit_claim("a"), 1, 9), [Want::Text]);
    assert_eq!(wants(delete_claim("a"), 1, 9), [Want::Entry]);
}

#[test]
fn a_file_above_the_limit_is_not_searched() {
    let folder = Folder::new();
    folder.write("a.txt", TEXT);
    for (limit, outcome) in [
        (TEXT.len(), Outcome::Passed),
        (TEXT.len() - 1, Outcome::Inconclusive),
    ] {
        let options = json!({ "limits": { "textBytes": limit } });
        let claims = output(json!([edit_claim("a.txt"), write_claim("b.txt", "")]));
        folder.write("b.txt", "");
        let result = check(Some(claims), &options, &folder.host(false)).unwrap();
        assert_eq!(outcomes(&result), [outcome, Outcome::Passed]);
        let why = if outcome == Outcome::Passed {
            ""
        } else {
            "File too large to search"
        };
        assert_eq!(reason(&result, 0), why);
    }
}

#[test]
fn bytes_that_are_no_text_are_searched_as_bytes() {
    let folder = Folder::new();
    folder.write(
        "a.bin",
        [b"\xFF\xFEalpha\n\x00\xC3".as_slice(), b"gamma\n"].concat(),
    );
    let claims = output(json!([edit_claim("a.bin")]));
    let host = folder.host(false);
    assert!(check(Some(claims), &json!({}), &host).unwrap().valid);
    let seen = host.observe(&Look {
        path: "a.bin".into(),
        want: Want::Text,
        text_limit: 99,
    });
    let text = serde_json::to_string(&seen).unwrap();
    assert!(text.contains(r#""text":{"hex":"fffe"#), "{text}");
    assert_eq!(serde_json::from_str::<Observation>(&text).unwrap(), seen);
}

#[test]
fn a_long_anchor_is_found_in_a_file() {
    let folder = Folder::new();
    let before: String = (0..900).map(|at| format!("before {at}\n")).collect();
    let after: String = (0..900).map(|at| format!("after {at}\n")).collect();
    folder.write("a.txt", format!("{before}beta\n{after}"));
    let snippet = |text: &str| serde_json::to_value(Snippet::new(text)).unwrap();
    assert!(before.len() > MAX_SNIPPET && snippet(&before).is_object());
    let mut claim = edit_claim("a.txt");
    claim["anchor"]["beforeSnippet"] = snippet(&before);
    claim["anchor"]["afterSnippet"] = snippet(&after);
    let options = strict(json!([invocation("fs:edit", json!({ "path": "a.txt" }))]));
    let run =
        |claim: &Value| check(Some(output(json!([claim]))), &options, &folder.host(false)).unwrap();
    assert_eq!(outcomes(&run(&claim)), [Outcome::Passed]);
    claim["anchor"]["beforeSnippet"]["length"] = json!(before.len() - 1);
    assert_eq!(reason(&run(&claim), 0), "Before anchor not found in file");
}

// Strict mode

#[test]
fn each_claim_needs_an_invocation_that_could_have_done_it() {
    let failed = |call: Value| with(call, "status", json!("failed"));
    let probe = |call: Value| with(call, "purpose", json!("verification"));
    let kinds = json!({ "Write": "write", "Bash": "run", "do-all": "any" });
    let write = |args: Value| invocation("fs:write", args);
    let a = || json!({ "path": "a" });
    #[rustfmt::skip]
    let rows = [
        (write_claim("a", TEXT), write(a()), true),
        (write_claim("./x/../a", TEXT), write(json!({ "filePath": "a" })), true),
        (write_claim("a", TEXT), write(json!({ "file": "./a" })), true),
        (write_claim("a", TEXT), write(json!({ "path": "b", "filePath": "a" })), false),
        (write_claim("a", TEXT), write(json!({ "path": "/base/a" })), true),
        (write_claim("/base/a", TEXT), write(a()), true),
        (write_claim("a", TEXT), invocation("Write", a()), true),
        (write_claim("a", TEXT), invocation("do-all", json!({})), true),
        (write_claim("a", TEXT), failed(write(a())), false),
        (write_claim("a", TEXT), probe(write(a())), false),
        (write_claim("a", TEXT), invocation("fs:read", a()), false),
        (write_claim("a", TEXT), invocation("fs:edit", a()), false),
        (write_claim("a", TEXT), invocation("fs:delete", a()), false),
        (write_claim("a", TEXT), invocation("unknown", a()), false),
        (write_claim("a", TEXT), invocation("Bash", json!({ "command": "cp b a" })), false),
        (write_claim("a", TEXT), write(json!("a")), false),
        (edit_claim("a"), invocation("fs:edit", a()), true),
        (edit_claim("a"), write(a()), false),
        (with(edit_claim("a"), "kind", json!("code-inserted")), invocation("fs:edit", a()), true),
        (delete_claim("gone"), invocation("fs:delete", json!({ "path": "gone" })), true),
        (delete_claim("gone"), invocation("fs:edit", json!({ "path": "gone" })), false),
        (delete_claim("gone"), failed(invocation("do-all", json!({}))), false),
    ];
    let base = Base {
        paths: vec!["/base".into()],
        windows: false,
    };
    let mut observe = |look: &Look| match look.path.as_str() {
        "a" => file(TEXT),
        _ => Observation::Missing,
    };
    for (claim, call, passes) in rows {
        let options = with(strict(json!([call])), "toolKinds", kinds.clone());
        let result = drive(
            Some(output(json!([claim]))),
            &options,
            base.clone(),
            &mut observe,
        )
        .unwrap();
        assert_eq!(result.valid, passes, "{claim} {call}");
        let why = if passes {
            ""
        } else {
            "No matching invocation in trace"
        };
        assert_eq!(reason(&result, 0), why, "{claim} {call}");

        let lenient = drive(
            Some(output(json!([claim]))),
            &json!({}),
            base.clone(),
            &mut observe,
        )
        .unwrap();
        assert!(lenient.valid);
        let alone = drive(
            Some(output(json!([claim]))),
            &json!({ "strict": true }),
            base.clone(),
            &mut observe,
        )
        .unwrap();
        assert_eq!(outcomes(&alone), [Outcome::Inconclusive]);
        assert!(!alone.valid);
        assert_eq!(alone.error_category, Some(Category::Unknown));
    }

    let shell = json!([invocation("shell:exec", json!({ "command": "make" }))]);
    let options = with(strict(shell), "toolKinds", json!({ "shell": "any" }));
    let result = drive(
        Some(output(json!([write_claim("a", TEXT)]))),
        &options,
        base,
        &mut observe,
    );
    assert!(result.unwrap().valid);
}

#[test]
fn a_commands_last_run_decides() {
    let run = |command: &str, exit: Value| {
        with(
            invocation("shell:exec", json!({ "command": command })),
            "output",
            json!({ "exitCode": exit }),
        )
    };
    let evidence = |exit: i32| {
        with(
            invocation("shell:exec", json!({ "command": "make" })),
            "evidenceRefs",
            json!([{ "kind": "log" }, { "kind": "log", "meta": { "exitCode": exit } }]),
        )
    };
    let failed = |call: Value| with(call, "status", json!("failed"));
    let (no, none) = ("Exit code mismatch", "No matching invocation in trace");
    #[rustfmt::skip]
    let rows = [
        (json!([run("make", json!(0))]), 0, ""), (json!([run(" make\n", json!(0))]), 0, ""),
        (json!([run("make", json!(1))]), 0, no), (json!([failed(run("make", json!(2)))]), 2, ""),
        (json!([run("make", json!(1)), run("make", json!(0))]), 0, ""),
        (json!([run("make", json!(0)), run("make", json!(1))]), 0, no),
        (json!([run("make all", json!(0))]), 0, none), (json!([]), 0, none),
        (json!([with(run("make", json!(0)), "purpose", json!("verification"))]), 0, none),
        (json!([evidence(3)]), 3, ""), (json!([evidence(3)]), 0, no),
        (json!([run("make", json!("0"))]), 0, "No exit code in trace"),
        (json!([run("make", json!(0)), run("make", Value::Null)]), 0, "No exit code in trace"),
    ];
    for (calls, exit, why) in rows {
        let result = seen(
            json!([command_claim("make", exit)]),
            &strict(calls.clone()),
            &Observation::Missing,
        );
        assert_eq!(reason(&result, 0), why, "{calls}");
        assert_eq!(result.valid, why.is_empty());
    }
    let alone = seen(
        json!([command_claim("make", 0)]),
        &json!({ "strict": true }),
        &Observation::Missing,
    );
    assert_eq!(outcomes(&alone), [Outcome::Inconclusive]);
}

#[test]
fn what_the_trace_changed_and_nobody_claims_is_told() {
    let call = |tool: &str, path: &str| invocation(tool, json!({ "path": path }));
    let calls = json!([
        call("fs:write", "z"),
        call("fs:edit", "./b"),
        call("fs:edit", "b"),
        call("fs:read", "c"),
        with(call("fs:write", "d"), "status", json!("error")),
        call("fs:delete", "e"),
        call("fs:write", "../outside"),
        call("fs:write", "a"),
    ]);
    let options = strict(calls);
    let claims = json!([write_claim("./a", TEXT)]);
    let result = seen(claims.clone(), &options, &file(TEXT));
    assert_eq!(result.unclaimed, ["z", "b", "e", "../outside"]);
    assert!(result.valid);
    assert_eq!(seen(json!([]), &options, &file(TEXT)).unclaimed.len(), 5);
    let lenient = with(options, "strict", json!(false));
    assert!(seen(claims, &lenient, &file(TEXT)).unclaimed.is_empty());
}

// A run as agents make them

/// Really writes, edits, inserts, deletes and runs; the trace and the output are of what was done.
fn real_run(folder: &Folder) -> (Value, Value) {
    let base = folder.base();
    folder.write("src/app.js", "const a = 1;\nconst b = 2;\nconst c = 3;\n");
    folder.write("old.txt", "old\n");
    folder.write("notes.md", "# Notes\n\nOne.\n");

    folder.write("new.txt", "new\n");
    let app = std::fs::read_to_string(base.join("src/app.js")).unwrap();
    folder.write("src/app.js", app.replace("b = 2", "b = 20"));
    let notes = std::fs::read_to_string(base.join("notes.md")).unwrap();
    folder.write(
        "notes.md",
        notes.replace("One.\n", "One.\n\nTwo.\n\nThree.\n"),
    );
    std::fs::remove_file(base.join("old.txt")).unwrap();
    let ran = std::process::Command::new("ls")
        .current_dir(&base)
        .output()
        .unwrap();

    let calls = json!([
        invocation("fs:write", json!({ "path": "new.txt" })),
        invocation("fs:edit", json!({ "path": "src/app.js" })),
        invocation("fs:edit", json!({ "path": "notes.md" })),
        invocation("fs:delete", json!({ "path": "old.txt" })),
        with(
            invocation("shell:exec", json!({ "command": "ls" })),
            "output",
            json!({ "exitCode": ran.status.code() }),
        ),
    ]);
    let anchor = |before: &str, after: &str, region: &str| {
        json!({
            "beforeSnippet": before,
            "afterSnippet": after,
            "contentHash": Digest::of(region.as_bytes()),
        })
    };
    let claims = json!([
        write_claim("new.txt", "new\n"),
        {
            "kind": "file-edit",
            "filePath": "src/app.js",
            "anchor": anchor("const a = 1;\n", "const c = 3;\n", "const b = 20;\n"),
        },
        {
            "kind": "code-inserted",
            "filePath": "notes.md",
            "anchor": anchor("One.\n", "\nThree.\n", "\nTwo.\n"),
        },
        delete_claim("old.txt"),
        command_claim("ls", 0),
    ]);
    (strict(calls), claims)
}

/// The places of all texts and numbers of a claim but its kind.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter().filter(|(key, _)| *key != "kind") {
                leaves(field, &format!("{path}/{key}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn a_true_output_passes_and_every_tampered_one_fails_at_its_claim() {
    let folder = Folder::new();
    let (options, claims) = real_run(&folder);
    let host = folder.host(false);
    let run = |claims: &Value| check(Some(output(claims.clone())), &options, &host).unwrap();
    let honest = run(&claims);
    assert!(honest.valid, "{honest:?}");
    assert!(honest.unclaimed.is_empty());
    assert_eq!(outcomes(&honest), [Outcome::Passed; 5]);

    let mut count = 0;
    for at in 0..5 {
        let mut places = Vec::new();
        leaves(&claims[at], "", &mut places);
        for place in places {
            let mut tampered = claims.clone();
            let field = tampered[at].pointer_mut(&place).unwrap();
            let (lies, name): (Vec<Value>, &str) = match (field.as_str(), place.rsplit('/').next())
            {
                (None, _) => (vec![json!(1), json!(-1)], "exitCode"),
                (Some(path), Some("filePath")) => (
                    vec![
                        json!(format!("{path}.bak")),
                        json!(format!("../{path}")),
                        json!(""),
                    ],
                    "filePath",
                ),
                (Some(text), Some(name)) => (
                    vec![
                        json!(format!("{text}0")),
                        json!(""),
                        json!(text.to_uppercase() + "x"),
                    ],
                    name,
                ),
                (Some(_), None) => unreachable!("a place has a name"),
            };
            for lie in lies {
                let mut tampered = claims.clone();
                *tampered[at].pointer_mut(&place).unwrap() = lie.clone();
                let result = run(&tampered);
                assert!(!result.valid, "{place} = {lie}");
                let got = outcomes(&result);
                assert_eq!(got[at], Outcome::Failed, "{at}{place} = {lie}");
                assert_eq!(got.iter().filter(|one| **one == Outcome::Failed).count(), 1);
                let allowed: &[Category] = match name {
                    "contentHash" => &[Category::HashMismatch],
                    "beforeSnippet" | "afterSnippet" => &[Category::AnchorMismatch],
                    "filePath" => &[
                        Category::FileNotFound,
                        Category::FilesystemMismatch,
                        Category::Unknown,
                    ],
                    _ => &[Category::FilesystemMismatch],
                };
                let category = result.error_category.unwrap();
                assert!(
                    allowed.contains(&category),
                    "{at}{place} = {lie}: {category:?}"
                );
                count += 1;
            }
        }
    }
    assert_eq!(count, 2 * 3 + 2 * 4 * 3 + 3 + 3 + 2);
}

// Metrics

#[test]
fn a_check_gives_one_event_for_each_level_that_ran() {
    let run = Run {
        specialist_id: "__proto__".into(),
        durations_ms: [1.0, 2.0, 3.0],
        timestamp: 7.0,
        ..Run::default()
    };
    let gave = |output: Value| {
        let call = with(invocation("t", json!({})), "output", output);
        json!({ "trace": trace(json!([call])), "tools": { "t": { "type": "number" } } })
    };
    let claims = || json!([write_claim("a", "b"), command_claim("ls", 0)]);
    let mut metrics = Metrics::default();
    let mut levels = |claims: Value, options: Value, seen_: &Observation| -> Vec<u8> {
        let events = seen(claims, &options, seen_).events(&run);
        let levels = events.iter().map(|event| event.level.into()).collect();
        for event in events {
            metrics.record(event).unwrap();
        }
        levels
    };
    assert_eq!(levels(json!(1), json!({}), &file("")), [1]);
    assert_eq!(levels(json!([]), json!({}), &file("")), [1]);
    assert_eq!(levels(claims(), json!({}), &file("b")), [1, 3]);
    assert_eq!(levels(claims(), gave(json!("x")), &file("b")), [1, 2]);
    assert_eq!(levels(claims(), gave(json!(1)), &file("c")), [1, 2, 3]);

    let sums = metrics.aggregates();
    assert_eq!(sums.total_checks, 9);
    assert_eq!((sums.outputs.total, sums.outputs.failed), (5, 3));
    assert_eq!(sums.by_level.filesystem.avg_duration_ms, 3.0);
    assert_eq!(sums.by_specialist["__proto__"].total, 9);
    let errors = sums.errors_by_category;
    assert_eq!(
        (
            errors.invalid_type,
            errors.schema_mismatch,
            errors.hash_mismatch
        ),
        (1, 1, 1)
    );
    assert_eq!(
        (sums.claims.passed, sums.claims.failed, sums.claims.trusted),
        (1, 1, 2)
    );
    let details = metrics.recent(1).next().unwrap().error_details.clone();
    assert_eq!(
        details.as_deref(),
        Some("file-write: Content hash mismatch")
    );
}

// Any input

/// A value that may or may not be of use: words that the shapes know, at random places.
fn anything(random: &mut Random, depth: usize) -> Value {
    const WORDS: [&str; 16] = [
        "",
        "trace:t",
        "t",
        "a",
        "../a",
        "C:x",
        "file-write",
        "file-edit",
        "code-inserted",
        "file-delete",
        "command-executed",
        "success",
        "execution",
        "fs:write",
        "data",
        "\u{0}",
    ];
    const KEYS: [&str; 24] = [
        "summary",
        "traceRef",
        "claims",
        "artifacts",
        "kind",
        "filePath",
        "contentHash",
        "anchor",
        "beforeSnippet",
        "afterSnippet",
        "command",
        "exitCode",
        "traceId",
        "specialistId",
        "invocations",
        "invocationId",
        "tool",
        "purpose",
        "status",
        "output",
        "args",
        "path",
        "evidenceRefs",
        "__proto__",
    ];
    let kinds = if depth == 0 { 5 } else { 8 };
    match random.below(kinds) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(9) as f64 - 4.5),
        3 => json!(random.below(1000)),
        4 => json!(WORDS[random.below(WORDS.len())]),
        5 => (0..random.below(4))
            .map(|_| anything(random, depth - 1))
            .collect(),
        _ => {
            let fields = (0..random.below(9)).map(|_| {
                (
                    KEYS[random.below(KEYS.len())].to_owned(),
                    anything(random, depth - 1),
                )
            });
            Value::Object(fields.collect())
        }
    }
}

/// Puts something else at a random place.
fn disturb(random: &mut Random, value: &mut Value) {
    let inner = match value {
        Value::Array(items) if !items.is_empty() && random.below(5) > 0 => {
            let at = random.below(items.len());
            items.get_mut(at)
        }
        Value::Object(fields) if !fields.is_empty() && random.below(5) > 0 => {
            let at = random.below(fields.len());
            fields.values_mut().nth(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) => disturb(random, inner),
        None => *value = anything(random, 2),
    }
}

#[test]
fn any_value_gives_a_result_and_any_trace_a_result_or_an_error() {
    let folder = Folder::new();
    let (options, claims) = real_run(&folder);
    let mut random = Random::new(1);
    let mut valid = 0;
    for round in 0..6_000 {
        let mut input = output(claims.clone());
        let mut options = options.clone();
        match round % 3 {
            0 => input = anything(&mut random, 5),
            1 => disturb(&mut random, &mut input),
            _ => disturb(&mut random, &mut options["trace"]),
        }
        options["strict"] = json!(random.below(2) == 0);
        let saw = [file("new\n"), Observation::Missing, Observation::Escapes];
        let result = drive(Some(input.clone()), &options, Base::default(), &mut |_| {
            saw[random.below(saw.len())].clone()
        });
        match result {
            Ok(result) => {
                valid += usize::from(result.valid);
                assert_eq!(result.valid, result.errors.is_empty(), "{input}");
                let claimed = result
                    .structure_validation
                    .output
                    .and_then(|output| output.claims);
                let results = result.filesystem_validation;
                if let (Some(claims), Some(results)) = (claimed, results) {
                    let told: Vec<Arc<Claim>> = results
                        .claim_results
                        .into_iter()
                        .map(|result| result.claim)
                        .collect();
                    assert_eq!(told, claims);
                }
            }
            Err(error) => assert!(error.path().starts_with("trace"), "{error}"),
        }
    }
    assert!(valid > 0);
}

#[test]
fn the_order_of_observations_does_not_matter() {
    let folder = Folder::new();
    let (_, claims) = real_run(&folder);
    let host = folder.host(false);
    let mut claims = claims;
    claims[0]["contentHash"] = json!(Digest::of(b"new\r\n"));
    let forwards = check(Some(output(claims.clone())), &json!({}), &host).unwrap();

    let given = serde_json::from_value(output(claims)).unwrap();
    let options = Options {
        base: Some(host.base()),
        ..Options::default()
    };
    let mut check = Check::new(given, options).unwrap();
    let mut open = Vec::new();
    let backwards = loop {
        match check.poll(usize::MAX) {
            Step::Observe(looks) => open.extend(looks),
            Step::Wait => {
                let look = open.pop().unwrap();
                check
                    .handle_observation(&look.path, &host.observe(&look))
                    .unwrap();
                let again = check.handle_observation(&look.path, &Observation::Missing);
                assert_eq!(again.unwrap_err().code(), ErrorCode::UnknownRequest);
            }
            Step::Fit(_) => panic!("there is no trace"),
            Step::Done(result) => break *result,
        }
    };
    assert_eq!(backwards, forwards);
    assert!(forwards.errors[1].contains("Content hash mismatch"));
}

/// The shortest of some runs, against what else the machine does.
/// Seconds that a run takes: the least of three samples, each of as many runs as it needs to be told
/// from a step of the clock.
fn time(mut run: impl FnMut()) -> f64 {
    let sample = |_| {
        let start = own_time();
        let mut runs = 0;
        loop {
            run();
            runs += 1;
            let time = own_time() - start;
            if time > 0.02 {
                return time / f64::from(runs);
            }
        }
    };
    (0..3).map(sample).fold(f64::INFINITY, f64::min)
}

/// Seconds of this thread's own time where the system counts it, so that what else runs on the machine
/// disturbs less; else those of the clock.
fn own_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| time / 1e9)
}

#[test]
fn time_grows_with_the_input_and_not_faster() {
    fn claims(count: usize) -> Box<dyn FnMut()> {
        let calls: Vec<Value> = (0..count)
            .map(|at| invocation("fs:write", json!({ "path": format!("f{}", at % 999) })))
            .collect();
        let claims: Vec<Value> = (0..count)
            .map(|at| write_claim(&format!("f{}", at * 7), TEXT))
            .collect();
        let options = strict(calls.into());
        let input = output(claims.into());
        Box::new(move || {
            let result = drive(Some(input.clone()), &options, Base::default(), &mut |_| {
                file(TEXT)
            });
            assert!(!result.unwrap().valid);
        })
    }
    fn edit(text: String, before: &str, after: &str, hash: &str) -> Box<dyn FnMut()> {
        let mut claim = edit_claim("a");
        claim["anchor"]["beforeSnippet"] = json!(before);
        claim["anchor"]["afterSnippet"] = json!(after);
        claim["anchor"]["contentHash"] = json!(hash);
        let options = strict(json!([invocation("fs:edit", json!({ "path": "a" }))]));
        let saw = file(&text);
        Box::new(move || {
            assert!(!seen(json!([claim.clone()]), &options, &saw).valid);
        })
    }
    let hash = Digest::of(b"nowhere in it");
    let (many, same) = (|n| "a".repeat(n), 100_000);
    type Shape<'a> = (&'a str, usize, &'a dyn Fn(usize) -> Box<dyn FnMut()>);
    let shapes: [Shape<'_>; 4] = [
        ("claims", 1_000, &claims),
        ("one letter", same, &|n| edit(many(n), "a", "a", &hash)),
        ("half of it", same, &|n| {
            edit(many(n), &(many(n / 2) + "b"), "b", &hash)
        }),
        ("line ends", same, &|n| {
            edit("\r\n".repeat(n), "\n", "\r\n", &hash)
        }),
    ];
    for (name, size, shape) in shapes {
        let (once, fourfold) = (time(shape(size)), time(shape(4 * size)));
        let ratio = fourfold / once;
        println!("{name}: {once} s, fourfold {fourfold} s: {ratio:.1}");
        assert!(ratio < 8.0, "{name}: {ratio:.1}");
    }
}
