//! What is a secret, and what only looks like one: in both passes, whatever the profile.
//!
//! No token stands here as an issuer would write it: each is put together from its parts, and none
//! was ever issued.

use claimgauge_core::{
    profile::{Kind, Profile},
    scrub::{Options, Why, scrub},
};

/// `prefix` and `length` letters and digits that no issuer gave out.
fn made_up(prefix: &str, length: usize) -> String {
    let letters = "q7Rk2mXw9LpT4vZb8NsD3fHc6JyGa1Ke5UoV0iB".chars().cycle();
    prefix.chars().chain(letters.take(length)).collect()
}

/// A block of a key with this label and this many lines.
fn block(label: &str, lines: usize) -> String {
    let body = format!("{}\n", made_up("", 64)).repeat(lines);
    format!("-----BEGIN {label}-----\n{body}-----END {label}-----")
}

fn token(parts: [&str; 3]) -> String {
    parts.join(".")
}

/// Texts with the secret that each holds.
fn secrets() -> Vec<(String, String)> {
    let web_token = || token([&made_up("eyJ", 33), &made_up("eyJ", 50), &made_up("", 43)]);
    let tokens = [
        made_up("AKIA", 16).to_uppercase(),
        made_up("ASIA", 16).to_uppercase(),
        made_up("AIza", 35),
        made_up("ghp_", 36),
        made_up("gho_", 36),
        made_up("ghs_", 36),
        made_up("github_pat_", 70),
        made_up("glpat-", 20),
        made_up("xoxb-", 40),
        made_up("xoxp-", 40),
        made_up(concat!("sk_", "live_"), 24),
        made_up(concat!("rk_", "live_"), 24),
        made_up("npm_", 36),
        made_up("pypi-", 80),
        made_up("sk-proj-", 40),
        made_up("sk-ant-api03-", 60),
        made_up("hf_", 34),
        made_up("dop_v1_", 64),
        made_up("SG.", 60),
        made_up("shpat_", 32),
        made_up("hvs.", 40),
        made_up("ATATT3", 120),
        made_up("GOCSPX-", 28),
        made_up("NRAK-", 27).to_uppercase(),
        made_up("PMAK-", 59),
        made_up("dapi", 32),
        made_up("dp.pt.", 40),
        made_up("glsa_", 41),
        made_up("gsk_", 52),
        made_up("ntn_", 46),
        made_up("pscale_tkn_", 32),
        made_up("rubygems_", 48),
        made_up("sbp_", 40),
        made_up("sq0atp-", 22),
        made_up("tskey-auth-", 34),
        made_up("xapp-1-", 60),
        web_token(),
    ];
    let mut found: Vec<(String, String)> = tokens
        .iter()
        .map(|token| {
            (
                format!("The log shows {token}, which was revoked."),
                token.clone(),
            )
        })
        .collect();
    let password = "tr0ub4dor&3x";
    let more = [
        ("password={}", password),
        ("db.password = \"{}\"", password),
        ("PGPASSWORD={} psql -h db.example", password),
        ("passwd: {}", password),
        ("mysql --user root --password {} shop", "hunter2hunter2"),
        ("mysql --password={} shop", "hunter2hunter2"),
        ("mysql -p{} shop", "hunter2hunter2"),
        ("[\"mysqladmin\", \"ping\", \"-p{}\"]", "hunter2hunter2"),
        ("  \"client_secret\": \"{}\",", "b7f1c9e2d4a8460f"),
        ("API_KEY='{}'", "b7f1c9e2d4a8460f"),
        ("api-key: {}", "b7f1c9e2d4a8460f"),
        (
            "{\"name\": \"API_KEY\", \"value\": \"{}\"}",
            "b7f1c9e2d4a8460f",
        ),
        (
            "{\"Key\":\"ApiToken\",\"Value\":\"{}\"}",
            "b7f1c9e2d4a8460f",
        ),
        ("password={}", "Kq7vT№z93xLw8"),
        ("X-Api-Key: {}", "b7f1c9e2d4a8460f"),
        ("Authorization: Bearer {}", "b7f1c9e2d4a8460fAA"),
        (
            "curl -H 'Authorization: Basic {}' https://shop.example",
            "dXNlcjpwYXNzd29yZDE=",
        ),
        ("curl -u deploy:{} https://shop.example/x", "hunter2hunter2"),
        ("postgres://app:{}@db.example:5432/shop", "s3cr3t-fake"),
        ("redis://:{}@cache.example:6379/0", "s3cr3t-fake"),
        ("amqp://worker:{}@mq.example", "s3cr3t-fake"),
        (
            "git clone https://bob:{}@git.example/shop.git",
            "s3cr3t-fake",
        ),
        (
            "aws_secret_access_key = {}",
            "wJalrFAKEXUtnFEMIK7MDENGbPxRfiCYEXAMPLEK",
        ),
        (
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.example",
            "Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmE9PQ==",
        ),
        (
            "Server=tcp:db.example;User ID=app;Password={};Encrypt=true",
            "s3cr3t-Fake9",
        ),
        ("ALTER USER app PASSWORD '{}';", "s3cr3t-fake"),
        ("CREATE USER app IDENTIFIED BY '{}';", "s3cr3t-fake"),
        ("//registry.example/:_authToken={}", "b7f1c9e2d4a8460f"),
        ("SESSION_SECRET: \"{}\"", "made up for this test 1"),
        ("const apiKey = \"{}\";", "b7f1c9e2d4a8460f"),
        ("password: '{}'", "correct horse battery"),
        ("DATABASE_PASSWORD=\"{}\"", "p@ss w0rd!"),
        ("token = \"{}\"", "b7f1c9e2d4a8460f"),
    ];
    found.extend(
        more.iter()
            .map(|(text, secret)| (text.replace("{}", secret), (*secret).to_owned())),
    );
    let cut = format!(
        "{}\nand then nothing.",
        block("RSA PRIVATE KEY", 2).replace("-----END RSA PRIVATE KEY-----", "")
    );
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
    ] {
        found.push((format!("key:\n{}\ndone", block(label, 3)), made_up("", 64)));
    }
    found.push((cut, made_up("", 64)));
    let escaped = block("PRIVATE KEY", 2).replace('\n', "\\n");
    found.push((
        format!("{{\"private_key\": \"{escaped}\\n\"}}"),
        made_up("", 64),
    ));
    found
}

/// Texts that hold none.
static NONE: &[&str] = &[
    "{\"name\": \"DB_USER\", \"value\": \"harbourmaster9x\"}",
    "token_2: 512",
    "sk-learn and dp.table are none",
    "tskey-rotation-runbook-v2",
    "sbp_mean_over_24h_after_admission_to_ward",
    "glc_fasting_plasma_baseline_visit_2_and_more",
    "pass_1: 14of15",
    "{\"key\": \"token\", \"value\": \"user-service\"}",
    "{\"name\": \"pass\", \"value\": \"12 of 14\"}",
    "\"password\", \"value\": 12",
    "public_key = \"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\"",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUFakeFakeFakeFake\n-----END CERTIFICATE-----",
    "monkey=banana12345",
    "keyboard: qwerty12345",
    "turkey = roasted12345",
    "commit 3f2b8c1d9e0a7f6b5c4d3e2f1a0b9c8d7e6f5a4b",
    "image: shop@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sha512-Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYg==",
    "id: 9f1c2d3e-aaaa-4bbb-8ccc-0123456789ab",
    "etag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
    "password: string",
    "password: { type: string, minLength: 8 }",
    "\"password\": {\"type\": \"string\"}",
    "password_hash VARCHAR(255) NOT NULL",
    "password_hash: bytea",
    "CREATE TABLE users (password TEXT, token TEXT);",
    "token_type: bearer",
    "\"token_type\": \"bearer\"",
    "Authorization: Bearer <your-token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer ${TOKEN}",
    "Authorization: Bearer {token}",
    "password=***",
    "password=********",
    "password: [REDACTED]",
    "PASSWORD=${DB_PASSWORD}",
    "PASSWORD=$DB_PASSWORD",
    "token: ${{ secrets.NPM_TOKEN }}",
    "api_key = os.environ[\"API_KEY\"]",
    "const apiKey = process.env.API_KEY;",
    "let password = read_password(prompt);",
    "password = getpass.getpass()",
    "secret: null",
    "token = None",
    "password=changeme",
    "api_key: <insert key here>",
    "API_KEY=your-api-key-here",
    "https://example.com/reset?token=<token>",
    "postgres://user:password@localhost/db",
    "postgres://app:$PGPASSWORD@db.example/shop",
    "postgres://app:<password>@db.example/shop",
    "https://docs.example/@scope/name:1.2",
    "max_tokens: 4096",
    "tokens=1500",
    "token_count = 128000",
    "The password is hashed with bcrypt before it is stored.",
    "Enter your password: it must have 12 characters.",
    "Basic authentication is off; Bearer tokens are fine.",
    "The secret: practise every day.",
    "page_token=3 next_token=4",
    "csrf_token: false",
    "primary_key=True, foreign_key=\"orders.id\"",
    "sort_key: created_at12",
    "The skeleton key opens sk-learn and ghp_files.",
    "AKIA is how access keys begin; AIza begins others.",
    "eyJ is how a web token begins.",
    "--password-file /run/secrets/db",
    "--token-ttl 900",
    "mysql --protocol=tcp -h db",
    "mysql -pchangeme shop",
    "The mysql cluster runs in the pre-production zone.",
    "password: str = Field(min_length=8)",
    "password: String,",
    "pub token: Option<String>,",
    "if token == expected_token1 { accept() }",
    "password?: string;",
];

#[test]
fn secrets_are_hidden_in_both_passes() {
    let mut missed = Vec::new();
    let secrets = secrets();
    for (text, secret) in &secrets {
        for profile in Profile::all() {
            let spans =
                claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
            let scrubbed = scrub(&profile, &spans, &[], &Options::default());
            let hidden = scrubbed.hidden(&spans);
            let shown = hidden[0].text.contains(secret.as_str())
                || scrubbed.spans[0].text.contains(secret.as_str());
            let marked = scrubbed
                .replacements
                .iter()
                .any(|one| one.why == Why::Secret && one.kind == Kind::Secret.into());
            if shown || !marked {
                missed.push(format!("{}: {text}\n    {}", profile.name, hidden[0].text));
            }
        }
    }
    println!(
        "{} of {} secrets are hidden",
        secrets.len() - missed.len().div_ceil(5),
        secrets.len()
    );
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_password_behind_its_option_is_hidden_wherever_else_it_stands() {
    let texts = [
        "mysql --password=hunter2hunter2 shop",
        "It is hunter2hunter2 there.",
    ];
    let spans =
        claimgauge_core::evidence::spans(texts.map(Into::into).into()).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    let hidden = scrubbed.hidden(&spans);
    assert_eq!(hidden[0].text, "mysql --password=[SECRET_1] shop");
    assert_eq!(hidden[1].text, "It is [SECRET_1] there.");
    let (claim, _) = scrubbed.hide_in_claim("It is hunter2hunter2");
    assert_eq!(claim, "It is [SECRET_1]");
}

#[test]
fn a_secret_that_only_a_claim_tells_is_hidden_in_the_evidence_too() {
    let spans = [
        "The value tr0ub4dor3x is used.",
        "postgres://app:h4rbour7night@db/main",
    ];
    let spans = claimgauge_core::evidence::spans(spans.map(Into::into).into());
    let spans = spans.expect("well formed");
    for profile in Profile::all() {
        let claims =
            claimgauge_core::evidence::claims(vec!["DB_PASSWORD=tr0ub4dor3x is used".into()]);
        let claims = claims.expect("well formed");
        let scrubbed = scrub(&profile, &spans, &claims, &Options::default());
        assert_eq!(
            scrubbed.hidden(&spans)[0].text,
            "The value [SECRET_1] is used."
        );
        assert_eq!(scrubbed.spans[0].text, "The value [SECRET_1] is used.");
        for (claim, expected) in [
            (
                "DB_PASSWORD=tr0ub4dor3x is used",
                "DB_PASSWORD=[SECRET_1] is used",
            ),
            // Of a user and a password that are hidden as one.
            ("It is h4rbour7night", "It is [SECRET_2]"),
            ("It is app:h4rbour7night", "It is [SECRET_2]"),
        ] {
            assert_eq!(scrubbed.hide_in_claim(claim).0, expected);
        }
    }
}

/// Letters, digits and two marks, as many as they are in base64.
fn base64(length: usize, marks: [char; 2]) -> String {
    let letters = made_up("", length);
    let mark = |(at, char)| match at % 32 {
        7 => marks[0],
        21 => marks[1],
        _ => char,
    };
    letters.chars().enumerate().map(mark).collect()
}

#[test]
fn long_secrets_are_hidden_to_their_ends() {
    let (standard, url) = (|n| base64(n, ['+', '/']), |n| base64(n, ['-', '_']));
    let line = standard(64);
    let rows = [
        (
            String::new(),
            token([&made_up("eyJ", 100), &made_up("eyJ", 16_000), &url(300)]),
        ),
        (
            String::new(),
            token([
                &(made_up("eyJ", 20) + &url(20_000)),
                &url(16_000),
                &url(300),
            ]),
        ),
        (String::new(), made_up("pypi-", 20) + &url(16_000)),
        ("api_key = \"|\"".into(), standard(1_600)),
        ("\"private_key\": \"|\",".into(), standard(3_000)),
        ("SECRET_KEY=|".into(), standard(16_000)),
        ("Authorization: Bearer |".into(), standard(16_000)),
        ("curl -u deploy:|".into(), standard(16_000)),
        (
            String::new(),
            format!("-----BEGIN PRIVATE KEY-----\\n{line}\\n{line}\\n{line}"),
        ),
        (
            String::new(),
            format!(
                "-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,0011\r\n\r\n{line}\r\n{line}"
            ),
        ),
        (
            "> |\nand then nothing".into(),
            format!("-----BEGIN PRIVATE KEY-----\n> {line}\n> {line}"),
        ),
        (
            "|...".into(),
            format!("-----BEGIN PRIVATE KEY-----\n{line}\n{}", standard(40)),
        ),
        (
            String::new(),
            format!("-----BEGIN PRIVATE KEY-----\n{}", standard(1_000_000)),
        ),
    ];
    let profile = Profile::all().remove(0);
    for (frame, secret) in rows {
        let frame = if frame.is_empty() {
            "It was | once."
        } else {
            &frame
        };
        let text = frame.replace('|', &secret);
        let spans =
            claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
        let hidden = scrub(&profile, &spans, &[], &Options::default()).hidden(&spans);
        let shown = &hidden[0].text;
        let head: String = shown.chars().take(200).collect();
        assert!(
            shown.len() < frame.len() + 20,
            "{frame} {} {head}",
            secret.len()
        );
    }
    let long = format!("password: \"{}\"", "a few words ".repeat(30));
    let spans = claimgauge_core::evidence::spans(vec![long.as_str().into()]).expect("well formed");
    let hidden = scrub(&profile, &spans, &[], &Options::default()).hidden(&spans);
    assert_eq!(hidden, spans);
}

#[test]
fn what_follows_a_key_that_was_cut_stays() {
    let line = made_up("", 64);
    for rest in [
        "Internationalisation is a word.",
        "a",
        "- an item, with 2 commas",
        "x = 1",
    ] {
        let text = format!("-----BEGIN PRIVATE KEY-----\n{line}\n{rest}");
        let spans =
            claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
        let hidden =
            scrub(&Profile::all().remove(0), &spans, &[], &Options::default()).hidden(&spans);
        assert_eq!(hidden[0].text, format!("[SECRET_1]\n{rest}"));
    }
}

#[test]
fn of_secrets_that_overlap_in_a_claim_nothing_stays() {
    let text = "password=hunter22\npassword=hunter22xyz1\npassword=ahunter22\npassword=zzz-99-top";
    let spans = claimgauge_core::evidence::spans(vec![text.into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    let rows = [
        ("hunter22xyz1!", "[SECRET_2]!"),
        ("hunter22xyz, ahunter22", "[SECRET_1]xyz, [SECRET_3]"),
        ("ahunter22xyz1", "[SECRET_3][SECRET_2]"),
        ("é zzz-99-top é", "é [SECRET_4] é"),
        ("hunter2, token=abc123def", "hunter2, token=[SECRET_5]"),
        ("hunter2", "hunter2"),
    ];
    for (claim, expected) in rows {
        let (hidden, any) = scrubbed.hide_in_claim(claim);
        assert_eq!((hidden.as_str(), any), (expected, claim != expected));
    }
}

#[test]
fn a_claim_may_quote_a_part_of_a_secret() {
    const HEAD: &str = "eyJhbGciOiJIUzI1NiJ9";
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let signature = "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV";
    let text = format!(
        "-----BEGIN PRIVATE KEY-----\n{line}\nQw==\n-----END PRIVATE KEY-----\n\
         jwt: {HEAD}.eyJzdWIiOiIxMjM0In0.{signature}\npassword=Orchard.7.Gate.9"
    );
    let spans = claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    for (claim, expected) in [
        (line.to_owned(), "[SECRET_1]"),
        (format!("It ends in {signature}."), "It ends in [SECRET_2]."),
        (format!("It has {line} Qw=="), "It has [SECRET_1] Qw=="),
        // Another token of the same kind is one of its own.
        (
            format!("It is not {HEAD}.eyJzdWIiOiI5OTk5In0.Tq0xK1bN7c2Vd9LmPz4Rf8Ws3Yh6Gu5Je1"),
            "It is not [SECRET_4]",
        ),
        // What is short may be a word.
        ("The Orchard.7 is open".to_owned(), "The Orchard.7 is open"),
    ] {
        assert_eq!(scrubbed.hide_in_claim(&claim).0, expected);
    }
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let mut wrong = Vec::new();
    for text in NONE {
        let spans = claimgauge_core::evidence::spans(vec![(*text).into()]).expect("well formed");
        let profile = Profile::all().remove(0);
        let scrubbed = scrub(&profile, &spans, &[], &Options::default());
        let hidden = scrubbed.hidden(&spans);
        if hidden != spans {
            wrong.push(format!("{text}\n    {}", hidden[0].text));
        }
    }
    println!(
        "{} of {} are left as they are",
        NONE.len() - wrong.len(),
        NONE.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_credentials_of_a_url_are_one_secret_and_the_rest_stays_a_url() {
    let text = "git clone https://bob:s3cr3t-fake@git.example/shop.git";
    let spans = claimgauge_core::evidence::spans(vec![text.into()]).expect("well formed");
    let profile = Profile::all().remove(0);
    let scrubbed = scrub(&profile, &spans, &[], &Options::default());
    assert_eq!(
        scrubbed.hidden(&spans)[0].text,
        "git clone https://[SECRET_1]@git.example/shop.git"
    );
}
