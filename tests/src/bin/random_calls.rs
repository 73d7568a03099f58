//! Random calls with what native code makes of them, a JSON object a line: what the npm package and the component must
//! make of them, too.

use std::io::{self, BufWriter, Write};

use claimgauge_tests::{Random, calls::Call};
use serde_json::json;

/// Of each kind.
const COUNT: usize = 600;

fn main() -> io::Result<()> {
    let mut random = Random::new(17);
    let mut out = BufWriter::new(io::stdout().lock());
    for next in [Call::scrub, Call::decide, Call::read_reply, Call::verify] {
        for _ in 0..COUNT {
            let call = next(&mut random);
            let Call { name, request } = &call;
            let line = match call.run() {
                Ok(result) => json!({ "call": name, "request": request, "result": result }),
                Err(error) => {
                    json!({ "call": name, "request": request, "code": error.code(), "path": error.path() })
                }
            };
            writeln!(out, "{line}")?;
        }
    }
    out.flush()
}
