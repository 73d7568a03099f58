//! Random scrubs with their results, a JSON object a line: what the npm package must make of them, too.

use std::io::{self, BufWriter, Write};

use claimgauge_core::scrub::ScrubRequest;
use claimgauge_tests::{Random, generator::Asked};
use serde_json::{Value, json};

const COUNT: usize = 600;

fn main() -> io::Result<()> {
    let mut random = Random::new(17);
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..COUNT {
        let request = request(&Asked::next(&mut random));
        let asked: ScrubRequest = serde_json::from_value(request.clone())?;
        let line = match asked.run() {
            Ok(scrubbed) => json!({ "request": request, "result": scrubbed.into_utf16() }),
            Err(error) => json!({ "request": request, "code": error.code() }),
        };
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// The request as JavaScript makes it.
fn request(asked: &Asked) -> Value {
    let claims = asked.claims.iter();
    let claims: Vec<Value> = claims
        .map(|claim| json!({ "id": claim.id, "text": claim.text }))
        .collect();
    let glossary = asked.glossary.iter();
    let glossary = glossary.map(|(kind, name)| (kind.word().to_owned(), json!([name])));
    json!({
        "profile": asked.profile.name,
        "evidence": asked.spans,
        "claims": claims,
        "glossary": Value::Object(glossary.collect()),
        "mode": asked.mode,
        "hideSecrets": asked.hide_secrets,
    })
}
