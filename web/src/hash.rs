//! Tells texts apart by a number.

/// FNV-1a of these texts: short, and the same in every build. Where one of them ends counts.
pub(crate) fn fnv1a<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    // No text holds this byte, so it ends one.
    let bytes = texts
        .into_iter()
        .flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn it_is_fnv1a_and_texts_have_ends() {
        assert_eq!(fnv1a([]), 0xcbf2_9ce4_8422_2325);
        // The algorithm's own vector of "a" is af63dc4c8601ec8c; the end of the text follows.
        let end = (0xaf63_dc4c_8601_ec8c_u64 ^ 0xff).wrapping_mul(0x0100_0000_01b3);
        assert_eq!(fnv1a(["a"]), end);
        assert_ne!(fnv1a(["a", "b"]), fnv1a(["ab"]));
    }
}
