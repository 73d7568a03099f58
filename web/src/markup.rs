//! HTML as text, for what is drawn anew as a whole: that is a fraction of the code that elements take one by one.

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

#[cfg(test)]
mod tests {
    use super::Markup;

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
