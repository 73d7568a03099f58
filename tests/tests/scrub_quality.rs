//! The scrubber's quality, by the checker that shares nothing with it, against the gates.

use claimgauge_tests::{
    cases::quality,
    gates::{Standing, gates},
};

#[test]
fn leaks_over_scrub_and_kinds_keep_their_gates() {
    let quality = quality();
    assert!(quality.leaks.of > 900 && quality.over_scrubbed.of > 3000 && quality.kinds.of > 150);
    let gates = gates();
    for (name, figure) in quality.figures() {
        let gate = gates.iter().find(|gate| gate.id == name).expect("a gate");
        assert_ne!(
            gate.standing(figure),
            Standing::Missed,
            "{name} is {figure} %, the gate {}; `cargo run -p claimgauge-tests --bin check_scrub -- --verbose` lists each",
            gate.limit
        );
    }
    assert_eq!(quality.gone.found, []);
    assert_eq!(quality.kept.found, []);
    assert_eq!(quality.stretches.found, []);
}
