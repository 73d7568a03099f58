//! What the scrub's program tells the page, as text: numbers, and texts behind their lengths. Both ends are the same
//! build, and it is told at each pause in typing.

/// What is written so far.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) String);

impl Writer {
    pub(crate) fn number(&mut self, number: usize) {
        self.0.push_str(&number.to_string());
        self.0.push(' ');
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.push_str(text);
    }

    pub(crate) fn list<T>(&mut self, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.number(items.len());
        for item in items {
            write(self, item);
        }
    }
}

/// What is left to read.
pub(crate) struct Reader<'a>(pub(crate) &'a str);

impl Reader<'_> {
    pub(crate) fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.0.split_once(' ')?;
        self.0 = rest;
        number.parse().ok()
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text.to_owned())
    }

    pub(crate) fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let number = self.number()?;
        // An iterator's collecting is several times as much code.
        let mut items = Vec::new();
        for _ in 0..number {
            items.push(read(self)?);
        }
        Some(items)
    }
}
