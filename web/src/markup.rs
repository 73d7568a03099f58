//! HTML as text, for what is drawn anew as a whole: that is a fraction of the code that elements take one by one.

use std::fmt::Write;

/// What is written so far.
#[derive(Default)]
pub(crate) struct Markup(pub(crate) String);

impl Markup {
    /// Writes HTML of the page's own, as it stands.
    pub(crate) fn html(&mut self, html: &'static str) {
        self.0.push_str(html);
    }

    /// Writes what is no HTML: as text, or as an attribute's value in double quotes.
    pub(crate) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.html("&amp;"),
                '<' => self.html("&lt;"),
                '>' => self.html("&gt;"),
                '"' => self.html("&quot;"),
                // The browser would take it for the end of a line.
                '\r' => self.html("&#13;"),
                c => self.0.push(c),
            }
        }
    }
}

/// Whether a character turns the direction of what is around it.
pub(crate) fn turns(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text with such characters written out as JSON does.
pub(crate) fn written_out(text: &str, which: fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if which(character) {
            // A String takes what is written.
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A sentence of the page's own that may quote text from outside, which does not turn the rest of it.
pub(crate) fn unturned(sentence: &str) -> String {
    written_out(sentence, turns)
}

#[cfg(test)]
mod tests {
    use super::{Markup, unturned};

    #[test]
    fn what_a_sentence_quotes_does_not_turn_it() {
        assert_eq!(
            unturned("No span holds \u{202e}exe, אב\n"),
            "No span holds \\u202eexe, אב\n"
        );
    }

    #[test]
    fn what_comes_from_elsewhere_is_no_html() {
        let mut to = Markup::default();
        to.html("<b title=\"");
        to.text("\"x\" <&amp;> 'y'\r\n😀");
        to.html("\">");
        assert_eq!(
            to.0,
            "<b title=\"&quot;x&quot; &lt;&amp;amp;&gt; 'y'&#13;\n😀\">"
        );
    }
}
