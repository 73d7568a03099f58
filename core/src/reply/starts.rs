//! What a text begins with. What a character must be is handed over as a `dyn`: std's are compiled anew for each closure.

/// How many bytes the characters have that the text begins with and that are `like` it.
pub(super) fn length(text: &str, like: &dyn Fn(char) -> bool) -> usize {
    text.find(|c| !like(c)).unwrap_or(text.len())
}

/// What stands behind them.
pub(super) fn behind<'a>(text: &'a str, like: &dyn Fn(char) -> bool) -> &'a str {
    &text[length(text, like)..]
}

pub(super) fn behind_space(text: &str) -> &str {
    behind(text, &char::is_whitespace)
}

pub(super) fn behind_digits(text: &str) -> &str {
    behind(text, &|c| c.is_ascii_digit())
}

pub(super) fn is_with_digit(text: &str) -> bool {
    behind_digits(text).len() < text.len()
}
