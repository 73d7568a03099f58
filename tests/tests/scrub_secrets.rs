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
        made_up("doo_v1_", 64),
        made_up("gldt-", 20),
        made_up("glptt-", 40),
        made_up("tvly-", 32),
        made_up("xai-", 80),
        made_up("key-", 0) + &"b7f1c9e2d4a8460f".repeat(2),
        made_up("SK", 0) + &"b7f1c9e2d4a8460f".repeat(2),
        token([&made_up("MT", 24), &made_up("", 6), &made_up("", 38)]),
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
    // As the words of something else, stressed, and behind what a URL or JSON writes for a quote.
    for frame in [
        "_{}_",
        "__{}__",
        "TOKEN_{}",
        "-{}",
        "x-{}",
        "token.{}",
        "The token stands here.{}",
        "q=%22{}%22",
        r"\u0022{}\u0022",
    ] {
        for token in tokens.iter().chain(&["AKIAIOSFODNN7EXAMPLE".to_owned()]) {
            // What is named so may be a hash.
            if !token.starts_with("key-")
                || !frame.ends_with("-{}") && !frame.ends_with(".{}") && !frame.starts_with("TOKEN")
            {
                found.push((frame.replace("{}", token), token.clone()));
            }
        }
    }
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
        ("DB_PASSWORD=\"{}\"", "密码測試2031"),
        ("password: {}", "hunter密码22"),
        ("password: {}", "🐬🐬tide99x"),
        ("DB_PASSWORD={}", "tide🐬99x"),
        ("password: {}", "cafe´9naïve"),
        ("password = '{}'", "비밀번호2031"),
        ("The password is {}.", "hunter2!x"),
        ("The password is {}", "hunter2!x"),
        ("The token is {}.", "b7f1c9e2d4a8460f"),
        ("The token is \"{}\".", "b7f1c9e2d4a8460f"),
        ("The admin password was {} until May.", "Tr0ub4dor&3"),
        ("The API key is {} for now.", "b7f1c9e2d4a8460f"),
        ("The password is `{}`.", "hunter2!x"),
        ("The password for staging is {}.", "hunter2!x"),
        ("Use password {} to log in.", "hunter2!x"),
        ("The secret is: {}", "b7f1c9e2d4a8460f"),
        ("The password is: {}", "hunter2!x"),
        ("**Password:** {}", "hunter2secret9"),
        ("**Password**: {}", "hunter2secret9"),
        ("- **Password:** {}", "hunter2secret9"),
        ("*Password:* {}", "hunter2secret9"),
        ("**API key:** {}", "b7f1c9e2d4a8460f"),
        ("- **Password:** `{}`", "hunter2secret9"),
        ("[Password]: {}", "hunter2secret9"),
        ("[password] = {}", "hunter2secret9"),
        ("**Password:** {}", "tulipgarden"),
        ("__Password:__ {}", "hunter2secret9"),
        ("**Access token**: `{}`", "k3j9x02msq81"),
        ("__Secret key:__ {}", "zz81kq02lm77"),
        ("API key: `{}`", "zz81kq02lm77"),
        (
            "https://{}@git.example/shop.git",
            "a81f-77b2-c9d0-e5f1-22aa",
        ),
        ("[token: {}]", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("[password: {}]", "hunter2secret9"),
        ("- [api_key: {}]", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        (r#"{"log":"password = \"{}\""}"#, "hunter2secret9"),
        (r#"{"log":"DB_PASSWORD=\"{}\" make run"}"#, "hunter2secret9"),
        (r#"{"log":"api_key: \"{}\""}"#, "b7f1c9e2d4a8460f"),
        ("//{}@db.example/shop", "app:s3cr3t-fake9"),
        ("url=//{}@db.example/shop", "app:s3cr3t-fake9"),
        ("password = \"{}\"", "hunter2secret9"),
        ("  password   = \"{}\"", "hunter2secret9"),
        ("  db_password            = \"{}\"", "hunter2secret9"),
        ("  master_password = \"{}\"", "tulip"),
        ("password1={}", "hunter2secret9"),
        ("password2: {}", "hunter2secret9"),
        ("API_KEY_2: {}", "b7f1c9e2d4a8460f"),
        ("API_KEY_2={}", "b7f1c9e2d4a8460f"),
        ("apiKey1: \"{}\"", "b7f1c9e2d4a8460f"),
        ("DB_PASSWORD_01=\"{}\"", "hunter2secret9"),
        ("SECRET2={}", "hunter2secret9"),
        ("api_key2 = \"{}\"", "b7f1c9e2d4a8460f"),
        ("\"client_secret_1\": \"{}\"", "b7f1c9e2d4a8460f"),
        ("token1: {}", "b7f1c9e2d4a8460f"),
        (
            "{\"url\":\"https:\\/\\/{}@git.example\\/shop.git\"}",
            "bob:s3cr3t-fake",
        ),
        (
            "{\"url\":\"postgres:\\/\\/{}@db.example:5432\\/shop\"}",
            "app:s3cr3t-fake",
        ),
        ("mysql -u root -p'{}' shop", "hunter2hunter2"),
        ("mysql -u root -p\"{}\" shop", "hunter2hunter2"),
        ("mysqldump -p'{}' shop", "tr0ub4dor&3x"),
        ("mysql --password='{}' shop", "hunter2hunter2"),
        ("postgres://{}@db.example/shop", "app:海豚🐬99x"),
        ("* Password: {}", "hunter2secret9"),
        ("The token of staging was {}.", "b7f1c9e2d4a8460f"),
        ("export API_KEY_2={}", "b7f1c9e2d4a8460f"),
        ("password: {}，请修改", "hunter2secret9"),
        ("* **Token**: {}", "b7f1c9e2d4a8460f"),
        ("password: {}", "tide🐬99x"),
        ("password: {}…", "hunter2secret9"),
        // A word for what it is makes no reference of it.
        ("password = {}", "Password123"),
        ("password = {}", "Summer2031Password"),
        ("db.password = {}", "tide99pass"),
        ("password = {}", "a1b2c3d4e5f6.secret"),
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
    // The key is what is assigned, not only how it begins.
    let ssh2 = block("SSH2 PRIVATE KEY", 2).replace("-----", "----");
    let ssh2 = ssh2
        .replace("BEGIN", " BEGIN")
        .replace("----END", "---- END");
    let ssh2 = ssh2.replace("KEY----", "KEY ----");
    for name in [
        "PRIVATE_KEY=",
        "private_key: ",
        "token=",
        "token: ",
        "secret=",
        "export SECRET=",
        "password=",
        "password = ",
        "pw:",
        "api_key=",
        "access_token=",
        "**Password:** ",
        "Authorization: Bearer ",
        "key: |\n",
    ] {
        for key in [block("RSA PRIVATE KEY", 2), ssh2.clone()] {
            found.push((format!("{name}{key}"), made_up("", 64)));
            let (open, _) = key.rsplit_once('\n').expect("has lines");
            found.push((format!("{name}{open}"), made_up("", 64)));
        }
    }
    let line = made_up("", 64);
    let other = "AAAAB3NzaC1yc2EAAAADAQABAAABAQC7VJTUt9Us8cKj";
    for (text, secret) in [
        (
            format!("Public-Lines: 1\n{other}\nPrivate-Lines: 2\n{line}\n{line}\nPrivate-MAC: 1"),
            &line,
        ),
        (
            format!(
                "---- BEGIN SSH2 PRIVATE KEY ----\nComment: \"a\"\n{line}\n---- END SSH2 PRIVATE KEY ----"
            ),
            &line,
        ),
        (
            format!("It was -----BEGIN PRIVATE KEY----- {line} {line} Qw== once."),
            &line,
        ),
        (
            format!("-----BEGIN PRIVATE KEY-----\n{line}\nQw==\n"),
            &"Qw==".to_owned(),
        ),
        (
            format!("bot 123456789:AA{}", &line[..33]),
            &line[..33].to_owned(),
        ),
        (
            format!("https://{}:x-oauth-basic@git.example/shop", &line[..22]),
            &line[..22].to_owned(),
        ),
    ] {
        found.push((text, secret.clone()));
    }
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
    "{\"a\":\"b\\/c:d@e1\"}",
    "public_key = \"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1\"",
    "public_key_2: MFkwEwYHKoZIzj0CAQYI",
    "monkey2=banana12345",
    "password1: string",
    "password2: String;",
    "token: str",
    "token1: str = None",
    "type: password",
    "type: \"password\"",
    "password_hash VARCHAR(60)",
    "password VARCHAR(60) NOT NULL,",
    "tokenizer=bert-base-uncased-2019",
    "tokenizer2=bert-base-uncased-2019",
    "secret: ${VAULT}",
    "secret1: ${VAULT_SECRET_1}",
    "<password>",
    "password=<password>",
    "**Password:** required, at least 12 characters",
    "**Password:** your password",
    "**Password**: the password of the account, see section 4.2",
    "**Token:** string",
    "- **password** (string): The user's password, 8 to 64 characters.",
    "| **Password** | 12 characters |",
    "Access token**: the one of the account",
    "API key: `see below`",
    "ssh://deploy-production-runner-2@host.example/shop",
    "[Password]: https://docs.example/reset-2031",
    "[password]: ./password.md",
    "[token]: https://docs.example/token",
    "[password] (required)",
    "[token: string]",
    "[password: see below]",
    "[password: required, 8 characters]",
    "- [token: 512]",
    r#"{"log":"echo \"Password: \" && read pass2 && echo \"ok\""}"#,
    r#"{"log":"Enter \"password\" = \"\" twice"}"#,
    r#"{"log":"password = \"{}\""}"#,
    r#"{"log":"password: \"string\""}"#,
    "//go:build linux",
    "//cdn.example:8080/lib@v2",
    "//npm:lodash@4.17.21",
    "//todo:ask@alice",
    "// app:s3cr3t of user@host",
    "src//app:b2@v3",
    "PRIVATE_KEY=-----BEGIN RSA PRIVATE KEY-----",
    "PRIVATE_KEY=-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "access_token: -----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUFakeFakeFakeFake\n-----END CERTIFICATE-----",
    "_sk-learn_ and __npm_config_registry__",
    "my_hf_model_name_v2_large_and_more",
    "EAST_ASIA_PACIFIC_REGION_2",
    "AWS_AKIA_KEYS_ARE_BEGUN_SO_2",
    "app-sk-frontend-7d9f8c6b5d-x2x4q",
    "desk-sk-2031-04-09-of-all-the-desks",
    "cache-key-9f86d081884c7d659a2feaa0c55ad015",
    "user_key-9f86d081884c7d659a2feaa0c55ad015",
    "install_npm_packages_of_the_workspace_2",
    "surf_sbp_mean_over_24h_after_admission_to_ward",
    "x-glc_fasting_plasma_baseline_visit_2_and_more",
    "%22sk-learn%22 and %22ghp_files%22",
    "taskAKIAIOSFODNN7EXAMPLE2031",
    "MonkeyghpXq7Rk2mXw9LpT4vZb8NsD3fHc6JyGa",
    "The password is required",
    "The password is required.",
    "The password is hashed with bcrypt2 before storage.",
    "The token is valid for 3600s.",
    "The token is base64-encoded.",
    "The token is a JWT.",
    "The password is stored in users.password_hash.",
    "The secret is: practise every day.",
    "The password is: too short!",
    "The password is wrong!",
    "The password for staging is rotated every 90 days.",
    "The password for admin@example.com is expired",
    "The token is issued by https://auth.example/v2.",
    "The key is user_id#42 in the cache.",
    "password 密码",
    "密码: 必填",
    "password: 密码",
    "password: 必填",
    "password: 不能为空",
    "\"password\": \"密码\"",
    "\"password\": \"请输入密码\"",
    "\"password\": \"パスワードを入力してください\"",
    "\"password\": \"비밀번호\"",
    "password: 至少8位",
    "password: 密码至少8个字符。",
    "密码错误！Password is wrong 🙂",
    "password: ✅",
    "password: ✓ ok",
    "password reset ✅",
    "| password | ✅ |",
    "Password: • 8 to 20 characters",
    "password: …",
    "password=…",
    "password: \"••••••••\"",
    "password: \"●●●●●●●●\"",
    "password_1: 12",
    "tokens2: 4096",
    "max_tokens_1=4096",
    "key1=value1",
    "key_2: 42",
    "api_key_1_id: 7",
    "pass1: 12/14",
    "pass_2=14of15",
    "test_password_2_is_rejected: ok",
    "token1 = tokens[1]",
    "password2 = request.form[\"password2\"]",
    "password1 = forms.CharField(label=\"Password\")",
    "password2 !== password1",
    "password1: data.password1,",
    "\"password1\": \"Passwords do not match\"",
    "if password1 and password2 and password1 != password2:",
    "secret1 == secret2",
    "sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "key-9f86d081",
    "KEY-1234",
    "SKU2d711642b726b044",
    "SKU-2031-0042",
    "SK2031",
    "SKIP2d711642b726b04401627ca9fbac32f",
    "ACdeadbeefdeadbeefdeadbeefdeadbeef",
    "key-value-store-with-many-words-in-it",
    "key-rotation-2031-04-09-of-all-the-keys-here",
    "1234567890:AAbc",
    "12:30:45",
    "123456789:AAPL",
    "10.0.0.1:8080",
    "1234567890:1234567890:12345678901234567890123456789012345",
    "mysql -p shop",
    "mysql -p'$MYSQL_PASSWORD' shop",
    "mysql -p\"${MYSQL_PASSWORD}\" shop",
    "mysql -P 3306 -p\"$(cat /run/secrets/db)\" shop",
    "docker run -p '8080:8080' nginx",
    "https://alice@git.example/shop.git",
    "https://feature-branch-2031-long-name@git.example/x",
    "https://user@example.com",
    "https://docs-team-2031@docs.example/guide",
    "mailto:alice.2031@example.com",
    "{\"url\":\"https:\\/\\/docs.example\\/reset?id=12\"}",
    "{\"url\":\"https:\\/\\/docs.example:8443\\/@scope\\/pkg\"}",
    "{\"path\":\"C:\\\\users:app@2031\"}",
    "PuTTY-User-Key-File-2: ssh-rsa is how such files begin.",
    "---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2EAAAADAQABAAABAQC7VJTUt9Us8cKj\n---- END SSH2 PUBLIC KEY ----",
    "---- BEGIN PRIVATE KEY is the marker.",
    "-----BEGIN PRIVATE KEY----- and then words of prose",
    "Look for -----BEGIN PRIVATE KEY----- in the logs=",
    "xai-grok-2-latest-model-name",
    "password = var.db_password",
    "password = random_password.master.result",
    "password     = data.aws_secretsmanager_secret_version.db.secret_string",
    "password = \"${var.db_password}\"",
    "password = local.db.password1",
    "The token of request 7f3a9c21d4 was rejected.",
    "The password for host web01prod23 was changed.",
    "The secret of commit 4f8a1b2c9d was revoked.",
    "ODataQueryOptionsDescriptor.config.AbstractSingletonProxyFactoryBean",
    "The api key is X-Api-Key.",
    "MFA.is.enabled",
    "OpenAI.ChatCompletion.create",
    "version.2031-04-09.build_of_the_day_that_was_made_in_the_morning",
    "com.example.MyVeryLongClassNameForTestingPurposes1234567",
    "module.submod.a_very_long_function_name_with_2_numbers_in_it_x",
    "**Note:** password1 was replaced",
    "Password (again): 8 characters",
    "password=必填",
    "password=请输入您的密码",
    "password=你的密码",
    "password: 请输入您的口令",
    "password: 不超过16位的字符",
    "password=✅✅",
    "password: ✅✅✅",
    "password: 🙂 see 1Password",
    "The token for step 3 is sent to user#42.",
    "The token of the user is user#42a.",
    "The key for cache is user_id#42 now.",
    "char *password = argv[2];",
    "* password - the password, 8 characters or more",
    "* token: the token, e.g. from step 2",
    "**Token** (required): see 2.1",
    "**token**: `string`",
    "*Token:* see section 4.2b",
    "counts[token] = 12",
    "counts[token]=value12a",
    "password3 = password2",
    "password2 = \"Repeat the password, 2 times\"",
    "token1: \"identifier\"",
    "tokens_1: abcdef12",
    "secret_1 = secrets.token_hex(16)",
    "api_key_2 = get_api_key(2)",
    "password1=$1",
    "MT.is.it",
    "Not.really.a_discord_token_because_of_lengths_99",
    "123456789:AAPL stock is up 2",
    "postgres://用户名:密码@主机/库",
    "见https://docs.example:8080，联系user@host.example",
    "见https://docs.example:8080联系user@host.example",
    "password: *db_pass1",
    "export TOKEN_2=512",
    "export PASS_1=14of15",
    "- password: **required**, 8 to 64 characters",
    "Password (2031): see above",
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
fn a_secret_is_hidden_whole_and_alone() {
    let token = made_up("ghp_", 36);
    let key = block("RSA PRIVATE KEY", 2);
    let rows = [
        (
            format!("PRIVATE_KEY={key}\nPORT=1"),
            "PRIVATE_KEY=[SECRET_1]\nPORT=1",
        ),
        (
            format!("Authorization: Bearer {key}"),
            "Authorization: Bearer [SECRET_1]",
        ),
        (
            format!("_{token}_ and {token}"),
            "[SECRET_1] and [SECRET_1]",
        ),
        (
            format!("X_{token} and x-{token}"),
            "X_[SECRET_1] and x-[SECRET_1]",
        ),
        (
            format!("%22{token}%22, {token}"),
            "%22[SECRET_1]%22, [SECRET_1]",
        ),
        (
            format!(r"\u0022{token}\u0022, {token}"),
            r"\u0022[SECRET_1]\u0022, [SECRET_1]",
        ),
        (
            r#"{"log":"password = \"hunter2secret9\""}"#.to_owned(),
            r#"{"log":"password = \"[SECRET_1]\""}"#,
        ),
        ("[token: a1b2c3d4e5f6]".to_owned(), "[token: [SECRET_1]]"),
    ];
    for profile in Profile::all() {
        for (text, expected) in &rows {
            let spans =
                claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
            let scrubbed = scrub(&profile, &spans, &[], &Options::default());
            assert_eq!(scrubbed.hidden(&spans)[0].text, *expected);
            let again = scrub(&profile, &scrubbed.spans, &[], &Options::default());
            assert_eq!(again.spans, scrubbed.spans);
        }
    }
    // A claim quotes it without what stood before it.
    let text = format!("TOKEN_{token}");
    let spans = claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    for (claim, expected) in [
        (format!("It is {token}"), "It is [SECRET_1]"),
        (format!("It is _{token}_"), "It is _[SECRET_1]_"),
        (
            format!("MY_{} it is", made_up("gho_", 36)),
            "MY_[SECRET_2] it is",
        ),
    ] {
        assert_eq!(scrubbed.hide_in_claim(&claim).0, expected);
    }
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
    let text = "password=hunter22\npassword=hunter22xyz1\npassword=ahunter22\npassword=zzz-99-top\npassword=top&5c";
    let spans = claimgauge_core::evidence::spans(vec![text.into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    let rows = [
        ("hunter22xyz1!", "[SECRET_2]!"),
        ("hunter22-xyz, ahunter22", "[SECRET_1]-xyz, [SECRET_3]"),
        ("zzz-99-top&5c", "[SECRET_4][SECRET_5]"),
        ("é zzz-99-top é", "é [SECRET_4] é"),
        ("hunter2, token=abc123def", "hunter2, token=[SECRET_6]"),
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
fn a_claim_may_quote_another_form_of_a_secret() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let token = made_up("ghp_", 36);
    let text = format!(
        "password=hunter2secret\npassword: Über9Straße\napi_key={token}\n\
         -----BEGIN PRIVATE KEY-----\n{line}\n{line}\nQw==\n-----END PRIVATE KEY-----\n\
         postgres://app_production_1:h4rbour7night@db/main\npassword: tulipgarden"
    );
    let spans = claimgauge_core::evidence::spans(vec![text.as_str().into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &spans, &[], &Options::default());
    for (claim, expected) in [
        ("It is Hunter2Secret.", "It is [SECRET_1]."),
        ("It is HUNTER2SECRET.", "It is [SECRET_1]."),
        ("It is ｈｕｎｔｅｒ２ｓｅｃｒｅｔ.", "It is [SECRET_1]."),
        ("It is hunter2\u{200b}secret.", "It is [SECRET_1]."),
        ("It is hun\u{ad}ter2secret\u{2060}!", "It is [SECRET_1]!"),
        ("DB_PASSWORD=HUNTER2SECRET", "DB_PASSWORD=[SECRET_1]"),
        ("It is U\u{308}ber9Strasse.", "It is [SECRET_2]."),
        // A longer word that only contains it is another, as of names.
        (
            "hunter2secrets, xhunter2secret",
            "hunter2secrets, xhunter2secret",
        ),
        ("hunter2secret\u{200b}s", "hunter2secret\u{200b}s"),
        (
            "hunter2secre\u{301}t, hunter2secret\u{301}",
            "hunter2secre\u{301}t, hunter2secret\u{301}",
        ),
        (
            "my_hunter2secret, hunter2secretOld",
            "my_[SECRET_1], [SECRET_1]Old",
        ),
        (
            "Its tulipgardens are tulip gardens.",
            "Its tulipgardens are tulip gardens.",
        ),
        // A half.
        (
            &format!("It begins with {}.", &token[..20]),
            "It begins with [SECRET_3].",
        ),
        (
            &format!("It ends in {}", &token[20..]),
            "It ends in [SECRET_3]",
        ),
        (
            &format!("Not {}XYZ", &token[4..34].to_lowercase()),
            "Not [SECRET_3]XYZ",
        ),
        // A key on one line, and without its end.
        (
            &format!("-----BEGIN PRIVATE KEY----- {line} {line} Qw== -----END PRIVATE KEY-----"),
            "[SECRET_4]",
        ),
        (
            &format!("-----BEGIN PRIVATE KEY-----\r\n{line}\r\n{line}"),
            "[SECRET_4]",
        ),
        (
            &format!("-----BEGIN PRIVATE KEY----- {line} {line} Qw== is it"),
            "[SECRET_4] is it",
        ),
        // The user is no secret.
        ("It is app_production_1.", "It is app_production_1."),
        ("It is app_production_1:H4rbour7night.", "It is [SECRET_5]."),
    ] {
        assert_eq!(scrubbed.hide_in_claim(claim).0, expected);
    }
    let claims = [
        "token=Qz81Lm03Xy is not qZ81lM03xY",
        "qz81lm03xy is [SECRET_1]",
    ];
    let none =
        claimgauge_core::evidence::spans(vec!["password=secret_1".into()]).expect("well formed");
    let scrubbed = scrub(&Profile::all().remove(0), &none, &[], &Options::default());
    assert_eq!(
        claims.map(|claim| scrubbed.hide_in_claim(claim).0),
        [
            "token=[SECRET_2] is not [SECRET_2]",
            "qz81lm03xy is [SECRET_1]"
        ]
    );
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
