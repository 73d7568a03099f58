//! What holds for every scrub of any text. The suites and the fuzzer share it.

use std::collections::BTreeMap;

use claimgauge_core::{
    evidence::{Claim, Span},
    profile::Profile,
    scrub::{Mode, Options, Scrubbed, SpanField, Why, scrub, unscrub},
};

/// Scrubs and panics where something does not hold.
pub fn check(profile: &Profile, spans: &[Span], claims: &[Claim], options: &Options<'_>) {
    let scrubbed = scrub(profile, spans, claims, options);
    let context = || format!("{} {spans:?} {claims:?} -> {scrubbed:?}", profile.name);
    the_way_back_is_exact(spans, &scrubbed, &context);
    offsets_are_those_of_the_originals(spans, &scrubbed, &context);
    placeholders_are_sound(spans, options, &scrubbed, &context);

    if options.mode == Mode::Identifiers {
        // Scrubbing what was scrubbed changes nothing.
        let again = scrub(profile, &scrubbed.spans, claims, options);
        assert_eq!(again.spans, scrubbed.spans, "{}", context());

        // A later scrub that knows this one gives each name what it had.
        let knowing = Options {
            previous: Some(&scrubbed.replacements),
            ..*options
        };
        let later = scrub(profile, spans, claims, &knowing);
        assert_eq!(later.spans, scrubbed.spans, "{}", context());

        // The full pass differs by the secrets only.
        let hidden = scrubbed.hidden(spans);
        let secret = |why| why == Why::Secret;
        let secrets = scrubbed.replacements.iter().any(|one| secret(one.why));
        assert_eq!(hidden == spans, !secrets, "{}", context());
    }

    for removed in &scrubbed.removed {
        assert!(removed.gone <= removed.of, "{}", context());
    }
    assert_eq!(scrubbed.removed.len(), claims.len(), "{}", context());
}

/// From the texts and from the labels, in both units.
fn the_way_back_is_exact(spans: &[Span], scrubbed: &Scrubbed, context: &dyn Fn() -> String) {
    let wide = scrubbed.clone().into_utf16();
    for (before, after) in spans.iter().zip(&scrubbed.spans) {
        let id = Some(after.id.as_str());
        for original in [
            unscrub(&after.text, scrubbed, id),
            unscrub(&after.text, &wide, id),
        ] {
            assert_eq!(original, before.text, "{}", context());
        }
        assert_eq!(
            before.source.is_some(),
            after.source.is_some(),
            "{}",
            context()
        );
        if let (Some(label), Some(source)) = (&before.source, &after.source)
            && *source != after.text
        {
            assert_eq!(unscrub(source, scrubbed, id), *label, "{}", context());
        }
    }
}

fn offsets_are_those_of_the_originals(
    spans: &[Span],
    scrubbed: &Scrubbed,
    context: &dyn Fn() -> String,
) {
    let wide = scrubbed.clone().into_utf16();
    let originals: BTreeMap<(&str, SpanField), &str> = spans
        .iter()
        .flat_map(|span| {
            let source = span.source.as_deref().unwrap_or_default();
            [
                ((span.id.as_str(), SpanField::Text), span.text.as_str()),
                ((span.id.as_str(), SpanField::Source), source),
            ]
        })
        .collect();
    let mut last: BTreeMap<(&str, SpanField), usize> = BTreeMap::new();
    for (narrow, wide) in scrubbed.replacements.iter().zip(&wide.replacements) {
        let place = (&*narrow.span, narrow.field);
        let original = originals[&place];
        let stretch = &original[narrow.start.0..narrow.end.0];
        assert_eq!(*stretch, *narrow.text, "{}", context());
        let before = last.insert(place, narrow.end.0).unwrap_or(0);
        assert!(before <= narrow.start.0, "{}", context());
        let units: Vec<u16> = original.encode_utf16().collect();
        let stretch = String::from_utf16_lossy(&units[wide.start.0..wide.end.0]);
        assert_eq!(*stretch, *narrow.text, "{}", context());
    }
}

/// What stands for a name is a placeholder of its kind, the same wherever it is spelled so, and none
/// that was there already.
fn placeholders_are_sound(
    spans: &[Span],
    options: &Options<'_>,
    scrubbed: &Scrubbed,
    context: &dyn Fn() -> String,
) {
    let mut surfaces: BTreeMap<&str, &str> = BTreeMap::new();
    for replacement in &scrubbed.replacements {
        let placeholder = &*replacement.placeholder;
        let known = surfaces.entry(&replacement.text).or_insert(placeholder);
        assert_eq!(*known, placeholder, "{}", context());
        if placeholder == "[REDACTED]" {
            continue;
        }
        let number = placeholder
            .strip_prefix('[')
            .and_then(|rest| {
                rest.strip_prefix(replacement.kind.word())?
                    .strip_prefix('_')
            })
            .and_then(|rest| rest.strip_suffix(']')?.parse::<u32>().ok());
        assert!(number.is_some_and(|number| number > 0), "{}", context());
        // With an earlier result they may be its own.
        let taken = |text: &str| options.previous.is_none() && text.contains(placeholder);
        for span in spans {
            assert!(!taken(&span.text), "{placeholder} {}", context());
            let source = span.source.as_deref().unwrap_or_default();
            assert!(!taken(source), "{placeholder} {}", context());
        }
    }
}
