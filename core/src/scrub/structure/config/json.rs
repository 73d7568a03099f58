//! JSON.

use super::{
    Lines, Member, PACKAGE, PACKAGES, VALUES, is_reserved, place_of,
    values::{
        data_type, items, key_end, key_kinds, list_end, list_kinds, push_key, push_value,
        push_version,
    },
};
use crate::{
    profile::Kind::{self, *},
    scrub::{
        lexicon::Rank,
        structure::{Reader, prose},
        words::{Words, any_of},
    },
};

/// How many are the first.
const SET: usize = 13;

/// Those whose lists hold values.
const VALUED: &Words = any_of!("enum examples tags");

/// `"key": value` of JSON, on lines of its own or not.
#[inline(never)]
pub(in crate::scrub::structure) fn json(
    reader: &mut Reader<'_, '_>,
    lines: &mut Lines,
    from: usize,
    to: usize,
) {
    if !reader.is_mark(from - 1, b'"') || !reader.is_mark(to + 1, b':') {
        return;
    }
    let key = reader.text(from, to);
    let at = reader.skip_space(to + 2);
    let value = prose::quotation(reader, at).or_else(|| {
        let simple = reader.is_number(at) || reader.says(at, any_of!("true false"));
        simple.then_some((at, at + 1))
    });
    let member = lines.objects.last().map(|(_, member)| *member);
    if let Some(Member::Keys(kinds)) = member {
        reader.push_name_at(from, to, kinds, Rank::Definition);
        if let Some((from, to)) = value {
            push_version(reader, from, to);
        }
        return;
    }
    let opens = reader.is_mark(at, b'[') || reader.is_mark(at, b'{');
    if opens && reader.has_scrubbed(from, to) {
        lines.objects.push((lines.depth, Member::Scrubbed));
    }
    if member == Some(Member::Scrubbed) || reader.has_scrubbed(from, to) {
        return;
    }
    // `+    "radash": "^12.1.0",` of a diff: only a package's version is a range.
    let ranged = |(at, _): &(usize, usize)| {
        reader.is_any(*at, b"^~") && reader.is_number(at + 1) && reader.word(at + 1).contains('.')
    };
    if let Some((at, end)) = value.filter(ranged) {
        reader.push_name_at(from, to, PACKAGE, Rank::Definition);
        return push_version(reader, at, end);
    }
    if opens && PACKAGES.has(key) {
        return lines.objects.push((lines.depth, Member::Keys(PACKAGE)));
    }
    let held = list_kinds(key);
    if let Some(kinds) = held.filter(|_| opens) {
        lines.objects.push((lines.depth, Member::Names(kinds)));
        items(reader, at, kinds);
    }
    // `"tags": ["x", "y"]`
    let reserved = is_reserved(key);
    let own = !reserved || VALUED.has(key);
    let many = reader.is_mark(at, b'[') && held.is_none() && own;
    if many && list_end(reader, at, reader.scan.tokens.len(), false).is_some() {
        items(reader, at, VALUES);
    }
    if key == "name"
        && let Some((from, to)) = value
        && let Some(kinds) = name_kinds(reader, member, to)
    {
        return reader.push_name_at(from, to, kinds, Rank::Definition);
    }
    if any_of!("items logicalType type values").has(key)
        && let Some((from, to)) = value
        && let Some(Member::Names(kinds)) = member
    {
        return match to > from + 1 && kinds.contains(&Col) {
            // `"logicalType": "timestamp-millis"`
            true => reader.push_here(from, to, &[Dtype], Rank::Definition),
            false => data_type(reader, Some(kinds), from),
        };
    }
    let single = key_end(reader, from) == to;
    if single && !reserved && lines.handed {
        reader.push_plain(from, to, &[Param, Config, Field], Rank::Structure);
    } else if single && !reserved {
        push_key(reader, from, to);
    }
    let valued = place_of(key).is_none_or(|place| place < SET);
    if let Some((from, to)) = value.filter(|_| valued)
        && !reader.text(from, to).contains(' ')
    {
        push_value(reader, key_kinds(key), from, to);
    }
}

/// What the `name` of an object of JSON is, whose value ends at `end`.
fn name_kinds(
    reader: &Reader<'_, '_>,
    member: Option<Member>,
    end: usize,
) -> Option<&'static [Kind]> {
    if let Some(Member::Names(kinds)) = member {
        return Some(kinds);
    }
    // A package's name is followed by its version, or by what else only manifests have.
    const NEXT: &Words =
        any_of!("dependencies devDependencies engines license private scripts version workspaces");
    let blank = |at: &usize| reader.is_any(*at, b"\n ,\"");
    let next = (end..end + 8).find(|at| !blank(at))?;
    reader.says(next, NEXT).then_some(PACKAGE)
}
