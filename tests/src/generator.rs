//! Random requests for a scrub, the same in every run.

use claimgauge_core::{
    evidence::{Claim, Span},
    patterns::KindName,
    profile::{Kind, Profile},
    scrub::{Mode, Options},
};

use crate::Random;

/// What a scrub is asked.
#[derive(Debug)]
pub struct Asked {
    /// One of the built-in profiles.
    pub profile: Profile,
    /// The evidence.
    pub spans: Vec<Span>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// Names by kind.
    pub glossary: Vec<(KindName, &'static str)>,
    /// What the scrubbed pass is shown.
    pub mode: Mode,
    /// Whether secrets are hidden.
    pub hide_secrets: bool,
}

impl Asked {
    /// The next request of a sequence.
    pub fn next(random: &mut Random) -> Self {
        let glossary = [(Kind::Table.into(), "status"), (Kind::Role.into(), "x")];
        let glossary = glossary[..random.below(3)].to_vec();
        let mut profiles = Profile::all();
        let apart = random.below(2) == 0;
        let spans = (0..1 + random.below(3)).map(|at| Span {
            id: format!("S{at}"),
            text: text(random, 24, apart),
            source: (random.below(3) == 0).then(|| text(random, 5, apart)),
        });
        let spans = spans.collect();
        let claims = (0..random.below(3)).map(|at| Claim {
            id: format!("C{at}"),
            text: text(random, 8, apart),
            cites: None,
            critical: false,
            confidence: None,
        });
        Self {
            claims: claims.collect(),
            spans,
            profile: profiles.swap_remove(random.below(profiles.len())),
            glossary,
            mode: [Mode::Identifiers, Mode::Identifiers, Mode::RedactSpans][random.below(3)],
            hide_secrets: random.below(4) > 0,
        }
    }

    /// How it is to be done.
    pub fn options(&self) -> Options<'_> {
        Options {
            mode: self.mode,
            hide_secrets: self.hide_secrets,
            glossary: &self.glossary,
            ..Options::default()
        }
    }
}

/// Pieces one behind the other, with spaces between all or between some.
pub fn text(random: &mut Random, most: usize, apart: bool) -> String {
    let mut text = String::new();
    for _ in 0..random.below(most) {
        text.push_str(PIECES[random.below(PIECES.len())]);
        if apart || random.below(3) == 0 {
            text.push(' ');
        }
    }
    text
}

/// Pieces of every syntax that a rule knows, and what scrubbers trip over.
#[rustfmt::skip]
static PIECES: &[&str] = &[
    "table ", "users", "user", "user_id", "userId", "UserStore", "USER_ID", "user-id", "superusers", "orders.id", "a.b.C.d(",
    "[TABLE_1]", "[FIELD_2]", "[SECRET_1]", "[REDACTED]", "[ID_99999999999999999999]", "[TABLE_01]", "[", "]", "[CONFIG_1",
    "\u{1b}", "\\e", "\\n", "—", "$1", "$&", "constructor", "__proto__", "toString", "_", "__", "-", "--", ".", ":", "::", "/", "\\", "@", "#", "=", ",", ";",
    "(", ")", "{", "}", "<", ">", "|", "\"", "'", "`", "“", "”", "’", "\n", "\n\n", "  ", "\t", "\r\n", "- ", "| ",
    "CREATE TABLE ", "SELECT ", "FROM ", "WHERE ", "GRANT ", "TO ", "REFERENCES ", "VARCHAR(255)", "INT", "column ", "field ", "class ",
    "def ", "fn ", "function ", "import ", "from ", "const ", "let ", "return ", "at ", "in ", "line ", "role ", "permission ", "parameter ",
    "version ", "defaults to ", "https://a.example/x?y=1", "postgres://u:pw-12345@h/db", "password=hunter22xyz", "token: \"abc123def\"",
    "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "QUJDREVGRw==", "eyJhbGci.eyJzdWIi.c2ln", "Bearer abcd1234efgh",
    "src/a.rs:1:2", "C:\\x\\y.py", "/v1/items/{id}", "GET ", "1.2.3", "v2.1", "3.0.0-rc.1", "25MB", "1,000", "2031-04-09", "12:30", "80%",
    "0x80070005", "9f1c2d3e-aaaa-4bbb-8ccc-0123456789ab", "CVE-2099-10442", "s3:GetObject", "bcrypt", "SQL injection", "GitHub", "IDs",
    "表", "订单", "キー", "한글", "é", "e\u{301}", "ａｂ", "１２", "us\u{200b}ers", "us\u{ad}er", "\u{feff}", "\u{301}", "🚚", "👩‍💻", "İ", "ß", "ǅ", "ﬁ",
    "INSERT INTO trips (fare, km) VALUES (12, 'x');\n", "UPDATE users SET email = NULL WHERE id = 7;", "if row.total > limit:\n    return ",
    "{\"name\": \"harbor\", \"retries\": 3}", "let mut head = self.find_row(7);\n", "<b>", "</b>", "=> ", "&&", "OldGitHub", "IDsecret", "XMLHttpIDs",
    "0AF3b_x", "v2.1_x", "userPage_token=abc123def", "page_token: abc123def", "-u app:secret99", "curl ", "--password hunter22", "BarBaz", "FooBarBaz",
    "foo_bar", "Berlin", "BerlinGate", "x. ", "Redis 7.2", "1 000", "1000", "people", "person", "\u{a0}", "‐", "＿", "ς", "٣", "Ⅳ", "🏽", "\u{200d}", "\u{202e}",
    "the", "is", "status", "key", "KEY=", "name: ", "expand", "[cache]", "parameters:", "x", "7", "I", "Usage: ", "$ ", "orders",
];
