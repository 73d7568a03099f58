//! The words that the rules know, as tables.

use super::{
    hash::{self, Hash, Places},
    secrets, structure,
};

/// Names that look like identifiers and are ordinary words of the trade.
#[rustfmt::skip]
static WELL_KNOWN_LIST: &[&str] = &[
    "ActionScript", "ActiveRecord", "ActiveMQ", "ActiveX", "AirBnB", "AirPods", "AngularJS", "AppEngine", "AppVeyor", "AppleScript", "AsciiDoc", "AutoCAD",
    "BigQuery", "BitBucket", "BitLocker", "BitTorrent", "BitWarden", "BoringSSL", "Bitbucket", "CentOS", "ChatGPT", "ChromeOS",
    "CircleCI", "ClickHouse", "CloudFlare", "CloudFormation", "CloudFront", "CloudWatch", "CockroachDB", "CocoaPods",
    "CodePen", "CoffeeScript", "CosmosDB", "CouchDB", "CrowdStrike", "DataDog", "DeepMind", "DeepSeek", "DevOps", "DevSecOps", "DevTools",
    "DigitalOcean", "DirectX", "DockerHub", "DropBox", "DuckDB", "DuckDuckGo", "DynamoDB", "ECMAScript", "ESLint",
    "ElasticSearch", "FaceBook", "FaceTime", "FastAPI", "FileZilla", "FireFox", "FreeBSD", "FreeRTOS", "GiB",
    "GitBook", "GitHub", "GitLab", "GitOps", "GoLand", "GraalVM", "GraphQL", "HAProxy", "HarmonyOS", "HashiCorp",
    "HubSpot", "HomeAssistant", "HuggingFace", "IPv4", "IPv6", "IaaS", "ImageMagick", "IndexedDB", "InfluxDB", "IntelliJ", "IoT", "JQuery", "JavaDoc", "JavaScript",
    "JetBrains", "KeyCloak", "KiB", "LaTeX", "LangChain", "LangGraph", "LastPass", "LevelDB", "LaunchDarkly", "LeetCode", "LibreOffice", "LibreSSL", "LlamaIndex", "LinkedIn", "MLOps",
    "MacBook", "MacOS", "MailChimp", "MariaDB", "MasterCard", "McAfee", "McDonald", "MiB", "MinIO", "MkDocs", "MongoDB", "MySQL", "NestJS",
    "NetBSD", "NewRelic", "NextJS", "NoSQL", "NodeJS", "NuGet", "NumPy", "OAuth", "OAuth2", "OneDrive", "OpenAI", "OpenAPI",
    "OpenBSD", "OpenCV", "OpenGL", "OpenID", "OpenJDK", "OpenLDAP", "OpenOffice", "OpenSSH", "OpenSSL", "OpenSearch",
    "OpenShift", "OpenStack", "OpenStreetMap", "OpenTelemetry", "OpenVPN", "OpenWrt", "PHPUnit", "PaaS", "PagerDuty", "PayPal",
    "PgBouncer", "PhD", "PhpStorm", "PlayStation", "PostGIS", "PostScript", "PostgreSQL", "PowerPoint", "PowerShell",
    "PuTTY", "PyCharm", "PyPI", "PyPy", "PyTorch", "QuickBooks", "QuickTime", "RabbitMQ", "ReSharper", "ReactJS",
    "ReadTheDocs", "RedHat", "RocksDB", "RubyGems", "RxJS", "SQLAlchemy", "SQLite", "SaaS", "SalesForce", "SciPy",
    "ScyllaDB", "SendGrid", "SharePoint", "SnapChat", "SonarQube", "SoundCloud", "SpaCy", "SpringBoot", "StackBlitz", "SvelteKit", "SourceForge", "StackOverflow",
    "StackPath", "SwiftUI", "TeamCity", "TensorFlow", "TestNG", "TypeORM", "ThinkPad", "TiB", "TikTok", "TimescaleDB", "TypeScript", "UTF",
    "VBScript", "VMware", "VSCode", "VirtualBox", "VitePress", "VueJS", "WebAssembly", "WebAuthn", "WebGL", "WebGPU", "WebKit",
    "WebRTC", "WebSocket", "WebSockets", "WebStorm", "WhatsApp", "WiFi", "WinSCP", "WireGuard", "WooCommerce",
    "WordPress", "YouTrack", "YouTube", "ZeroMQ", "classDiagram", "dB", "eBPF", "eBay", "erDiagram", "gRPC", "gitGraph", "iCloud",
    "iMac", "iMessage", "iOS", "iPad", "iPadOS", "iPhone", "iPod", "iTunes", "jQuery", "kB", "kHz", "kWh", "mAh",
    "mTLS", "macOS", "npm", "openSUSE", "phpMyAdmin", "pH", "sequenceDiagram", "stateDiagram", "tvOS", "vSphere", "visionOS", "watchOS", "webOS",
    "webpack", "x86_64",
];

/// Types, errors and values that come with a language: no names of the text's own.
#[rustfmt::skip]
static BUILT_IN_LIST: &[&str] = &[
    "Any", "Array", "ArrayList", "Blob", "Bool", "Boolean", "Box", "Callable", "Char", "Character", "Collection", "Date", "Decimal", "Dict", "Double", "Enum", "Err",
    "Error", "Exception", "Float", "Function", "HashMap", "HashSet", "Int", "Int32", "Int64", "Integer", "Iterable", "Iterator", "List",
    "Long", "Map", "Math", "None", "Number", "Object", "Ok", "Option", "Optional", "Promise", "Record", "RegExp",
    "Result", "Runnable", "Self", "Set", "Some", "String", "StringBuilder", "Symbol", "Throwable", "Tuple",
    "Text", "Time", "Timestamp", "TypeError", "Union", "Uuid", "ValueError", "Vec", "Void",
];

/// Names with a point that are no files and no parts of anything.
pub(crate) static DOTTED: &[&str] = &[
    "ASP.NET",
    "D3.js",
    "Express.js",
    "Next.js",
    "Node.js",
    "Nuxt.js",
    "Three.js",
    "Vue.js",
    "module.exports",
    "node.js",
];

/// Months, whole and cut, in small letters.
#[rustfmt::skip]
static MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

/// Units that follow a number without a space.
#[rustfmt::skip]
static UNITS: &[&str] = &[
    "B", "KB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "kB", "kb", "mb", "gb", "tb", "k", "K", "M", "G",
    "Hz", "kHz", "MHz", "GHz", "ns", "us", "ms", "s", "sec", "m", "min", "h", "hr", "d", "w", "y", "mo",
    "px", "em", "rem", "pt", "mm", "cm", "km", "g", "kg", "mg", "ml", "l", "x", "bit", "bits", "bytes", "kbps", "Mbps", "Gbps",
    "USD", "EUR", "GBP", "ki", "mi", "Ki", "Mi", "Gi", "rps", "qps", "rpm", "fps", "ppm", "dB", "UTC", "percent",
    "kW", "MW", "Wh", "kWh", "MWh", "mA", "mAh", "mV", "kV", "kPa", "hPa", "kbit", "Mbit", "Gbit", "m²", "cm²", "mm²", "km²",
    "milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years", "metres", "meters", "litres",
    "degrees", "cents", "pixels", "grams", "kilograms", "tonnes", "millimetres", "centimetres", "kilometres", "miles", "inches",
    "euros", "dollars", "pounds",
];

/// Words of SQL, of HTTP and of programming languages in their own role, in small letters. Sorted.
#[rustfmt::skip]
static LANGUAGE_LIST: &[&str] = &[
    "abstract", "add", "all", "alter", "and", "any", "array", "as", "asc", "async", "auto_increment", "await", "begin",
    "between", "bigint", "bigserial", "binary", "blob", "bool", "boolean", "break", "by", "byte", "bytea", "bytes",
    "cascade", "case", "catch", "char", "character", "check", "class", "clob", "column", "commit", "connect", "const",
    "constraint", "continue", "crate", "create", "cross", "date", "datetime", "decimal", "def", "default", "delete",
    "desc", "dict", "distinct", "do", "double", "drop", "else", "end", "enum", "except", "exists", "export", "extends",
    "extern", "false", "final", "finally", "float", "fn", "for", "foreign", "from", "func", "function", "get", "go",
    "grant", "group", "having", "head", "http", "https", "if", "impl", "implements", "import", "in", "index", "inner",
    "insert", "instanceof", "int", "int16_t", "int2", "int32_t", "int4", "int64_t", "int8", "int8_t", "integer",
    "interface", "into", "is", "join", "json", "jsonb", "key", "left", "let", "like", "limit", "list", "long",
    "longtext", "macro_rules", "map", "match", "mediumint", "mediumtext", "mod", "module", "money", "mut", "namespace",
    "native", "new", "nil", "none", "not", "not_null", "null", "number", "numeric", "nvarchar", "object", "offset", "on",
    "options", "or", "order", "outer", "package", "patch", "post", "primary", "private", "protected", "pub", "public",
    "put", "raise", "readonly", "real", "references", "replace", "return", "returning", "revoke", "right", "rollback",
    "row", "rows", "schema", "select", "self", "serial", "set", "short", "signed", "size_t", "smallint", "sql",
    "ssize_t", "static", "str", "string", "struct", "super", "switch", "table", "text", "then", "this", "throw",
    "throws", "time", "timestamp", "timestamptz", "tinyint", "to", "trace", "trait", "transaction", "true", "truncate",
    "try", "type", "typeof", "uint", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "undefined", "union", "unique",
    "unsigned", "update", "use", "using", "uuid", "values", "var", "varbinary", "varchar", "varying", "view", "void",
    "where", "while", "with", "yield",
];

/// Type words of SQL and of schemas. Sorted.
#[rustfmt::skip]
static TYPE_LIST: &[&str] = &[
    "array", "bigint", "bigserial", "binary", "blob", "bool", "boolean", "bytea", "char", "character", "clob", "date",
    "datetime", "decimal", "double", "enum", "float", "int", "int2", "int4", "int8", "integer", "interval", "json",
    "jsonb", "longtext", "mediumint", "mediumtext", "money", "numeric", "nvarchar", "real", "serial", "smallint",
    "text", "time", "timestamp", "timestamptz", "tinyint", "uuid", "varbinary", "varchar",
];

/// More types of programming languages.
#[rustfmt::skip]
static SMALL_TYPE_LIST: &[&str] = &[
    "any", "byte", "error", "f32", "f64", "float32", "float64", "i16", "i32", "i64", "i8", "isize", "long", "number",
    "short", "str", "string", "u16", "u32", "u64", "u8", "unknown", "usize", "void",
];

/// Methods of HTTP.
pub(crate) static HTTP_METHODS: &[&str] =
    &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// More words of SQL, which are ordinary words anywhere else.
#[rustfmt::skip]
static SQL_LIST: &[&str] = &[
    "action", "after", "always", "analyze", "before", "btree", "cascade", "charset", "clustered", "collate", "comment",
    "concurrently", "cube", "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user", "deferrable", "deferred", "definer", "disable",
    "each", "enable", "engine", "escape", "excluded", "excluding", "execute", "exists", "explain", "extension",
    "fetch", "filter", "first", "full", "functions", "generated", "gin", "identity", "if", "ignore", "ilike",
    "immutable", "include", "including", "increment", "inherit", "inherits", "initially", "instead", "interval",
    "invoker", "key_block_size", "language", "last", "lateral", "localtime", "localtimestamp", "locked", "login", "matched", "materialized", "maxvalue",
    "merge", "minvalue", "natural", "no", "nolock", "nologin", "nonclustered", "nowait", "nulls", "of", "only",
    "option", "over", "owned", "owner", "partition", "password", "pivot", "policy", "preceding", "precision",
    "privileges", "procedure", "range", "recursive", "referencing", "rename", "replace", "restrict", "returns",
    "rollup", "row_format", "savepoint", "sequences", "session_user", "similar", "some", "superuser", "system_user", "tables", "tablespace", "temporary", "top", "unbounded",
    "unlogged", "usage", "vacuum", "window", "within", "zone",
];

/// Words before `(` that call nothing. Sorted.
#[rustfmt::skip]
static NOT_CALLED_LIST: &[&str] = &[
    "and", "as", "assert", "async", "await", "case", "catch", "cfg", "cls", "constructor", "derive", "do", "elif", "else", "except", "for", "foreach",
    "func", "function", "if", "in", "is", "lambda", "match", "new", "not", "or", "print", "pub", "raise", "return", "self", "sizeof",
    "super", "switch", "throw", "typeof", "unless", "until", "when", "where", "while", "with", "yield",
];

/// Functions that come with a language. Sorted.
#[rustfmt::skip]
static PROVIDED_LIST: &[&str] = &[
    "abs", "all", "any", "append", "bool", "bytes", "cap", "copy", "dict", "enumerate", "filter", "float", "format",
    "getattr", "hasattr", "id", "input", "int", "isinstance", "iter", "len", "list", "make", "map", "max", "min", "next",
    "object", "open", "panic", "print", "println", "range", "recover", "repr", "reversed", "round", "set", "setattr",
    "sorted", "str", "sum", "tuple", "type", "vars", "zip",
];

/// Words that never are the name that a cue announces, in small letters. Sorted.
#[rustfmt::skip]
static NOT_NAMES_LIST: &[&str] = &[
    "a", "about", "above", "accept", "accepts", "add", "added", "adds", "affected", "affects", "after", "again",
    "aims", "all", "allow", "allows", "already", "also", "always", "an", "and", "another", "any", "anybody", "anyone",
    "anything", "are", "as", "asserts", "associated", "at", "based", "be", "because", "been", "before", "belongs",
    "below", "between", "both", "but", "by", "called", "calls", "can", "cannot", "consists", "consumes", "contain",
    "contained", "containing", "contains", "converts", "could", "creates", "defaults", "defined", "defines", "depends",
    "describes", "did", "different", "do", "does", "down", "drops", "during", "each", "either", "empty", "enough",
    "ensures", "every", "everybody", "everyone", "everything", "exists", "expires", "exposes", "fails", "few", "fills",
    "first", "fits", "following", "follows", "for", "foreign", "from", "get", "gets", "give", "given", "gives", "goes",
    "grants", "had", "has", "have", "having", "held", "here", "hold", "holds", "how", "identifies", "if", "implements",
    "in", "includes", "including", "inside", "instead", "into", "is", "it", "its", "itself", "keep", "keeps", "last",
    "least", "less", "like", "limited", "listens", "lists", "made", "make", "makes", "mandatory", "many", "may",
    "might", "more", "most", "must", "named", "need", "needs", "never", "new", "next", "no", "nobody", "none", "not",
    "nothing", "now", "of", "off", "old", "on", "once", "one", "only", "optional", "or", "other", "our", "out", "over",
    "own", "per", "performs", "plays", "previous", "primary", "produces", "provides", "query", "reads", "refers",
    "rejects", "represents", "required", "requires", "return", "returned", "returns", "runs", "same", "second", "see",
    "sends", "set", "sets", "shall", "should", "shows", "since", "single", "so", "some", "somebody",
    "someone", "something", "specifies", "starts", "still", "stores", "such", "supports", "takes", "tells", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "third", "this", "those", "three", "through",
    "throws", "times", "to", "took", "two", "type", "under", "unique", "until", "up", "use", "used", "uses", "using",
    "value", "values", "via", "was", "were", "what", "when", "whenever", "where", "which", "while", "who", "whole",
    "whose", "will", "with", "within", "without", "works", "would", "yet", "you", "your",
];

/// Ordinary words that open a claim's sentence, and common parts of hyphened words. Sorted.
#[rustfmt::skip]
static COMMON_LIST: &[&str] = &[
    "able", "access", "account", "accounts", "active", "admin", "alert", "alerts", "application", "applications",
    "authentication", "aware", "back", "backup", "backups", "bad", "banner", "base", "based", "batch", "best", "big",
    "block", "booking", "branch", "bucket", "bug", "build", "built", "caching", "case", "change", "changes", "clear",
    "client", "clients", "close", "closed", "code", "command", "commands", "common", "config", "connecting",
    "connection", "connections", "connector", "content", "copy", "crash", "creating", "cross", "current", "customer",
    "dark", "data", "database", "date", "day", "days", "dead", "decorator", "deep", "deleting", "dependency", "deprecated",
    "developer", "development", "disabled", "document", "documents", "download", "driven", "early", "email",
    "enabled", "end", "end-to-end", "endpoint", "error", "errors", "event", "events", "example", "export", "exports",
    "failed", "failure", "faster", "feature", "file", "files", "fixed", "fold", "form", "format", "free", "friendly",
    "full", "good", "grained", "hard", "hash", "header", "high", "host", "image", "images", "import", "imports",
    "incoming", "index", "input", "install", "invalid", "issue", "item", "items", "job", "jobs", "key", "keys",
    "known", "late", "length", "level", "library", "light", "limit", "line", "linked", "lived", "log", "login",
    "logins", "logs", "long", "low", "machine", "maximum", "member", "members", "memory", "message", "messages",
    "minimum", "multi", "name", "network", "night", "non", "number", "numbers", "oauth", "object", "objects",
    "offline", "older", "online", "open", "option", "options", "orders", "output", "page", "pages", "parser", "part",
    "password", "passwords", "path", "people", "plan", "platform", "please", "plugin", "point", "policy", "port",
    "post", "pre", "price", "process", "product", "production", "program", "project", "public", "query", "quick",
    "rate", "raw", "re", "read", "reading", "real", "record", "records", "refresh", "release", "releases", "remote",
    "report", "request", "requests", "response", "responses", "result", "results", "retries", "retry", "role",
    "roles", "root", "round", "rule", "run", "running", "safe", "script", "search", "secret", "security", "self",
    "semi", "server", "servers", "service", "services", "session", "sessions", "setting", "settings", "short", "side",
    "sign", "signed", "site", "size", "small", "software", "source", "specific", "speed", "standard", "start",
    "state", "status", "step", "storage", "sub", "support", "supported", "system", "systems", "task", "tasks", "team",
    "term", "test", "tests", "text", "third", "thread", "time", "timeout", "title", "token", "tokens", "top",
    "traffic", "transaction", "two", "type", "unknown", "update", "updates", "upgrade", "upload", "uploads", "user",
    "users", "version", "versions", "warning", "wide", "word", "worker", "workers", "writing", "zero",
];

/// Words before a noun that say which one is meant.
#[rustfmt::skip]
static DETERMINER_LIST: &[&str] = &[
    "a", "all", "an", "another", "any", "both", "each", "every", "first", "her", "his", "its", "last", "many", "more",
    "most", "my", "new", "next", "no", "old", "one", "only", "other", "our", "own", "previous", "same", "second",
    "single", "some", "such", "that", "the", "their", "these", "third", "this", "those", "two", "unique", "which",
    "whole", "whose", "your",
];

/// Words before "table", "field", "function" and the like that say what kind of one it is.
#[rustfmt::skip]
static DESCRIBING_LIST: &[&str] = &[
    "abstract", "additional", "anonymous", "async", "asynchronous", "base", "better", "bigger", "boolean", "built-in",
    "callback", "central", "character", "class", "common", "comparator", "comparison", "complete", "complex",
    "component", "config", "configuration", "constant", "corresponding", "crucial", "current", "custom", "date", "default", "different",
    "earlier", "empty", "entire", "environment", "existing", "external", "extra", "faster", "feature", "final", "following",
    "foreign", "form", "former", "full", "function", "general", "generic", "global", "hash", "helper", "hidden",
    "higher", "important", "input", "instance", "integer", "internal", "key", "large", "larger", "later", "latter",
    "leading", "lifetime", "local", "long", "longer", "lookup", "lower", "member", "missing", "mock", "native",
    "newer", "numeric", "older", "original", "outer", "output", "parent", "particular", "path", "primitive", "private",
    "protected", "public", "pure", "random", "regular", "relevant", "request", "response", "separate", "shell",
    "short", "shorter", "similar", "simple", "single", "slower", "small", "smaller", "special", "specific", "standard",
    "static", "string", "symbol", "system", "target", "temporary", "test", "text", "trait", "transition", "unknown",
    "url", "utility", "valid", "virtual", "vital", "whole", "wider", "worse", "wrapper",
];

/// Words that say how things are. Of settings and columns they may be names, too: "the strict option".
#[rustfmt::skip]
static QUALITY_LIST: &[&str] = &[
    "absent", "accurate", "active", "actual", "adjacent", "alternate", "ambiguous", "ancient", "automatic", "bad",
    "bare", "basic", "big", "binary", "blank", "brief", "broad", "broken", "busy", "cheap", "circular", "clean",
    "clear", "cold", "concrete", "concurrent", "consistent", "correct", "corrupt", "critical", "dangerous",
    "dead", "deep", "dense", "dependent", "direct", "dirty", "disjoint", "distinct", "downstream", "dual", "dummy",
    "duplicate", "dynamic", "eager", "early", "easy", "elastic", "equal", "erroneous", "essential", "exact", "excess",
    "expensive", "explicit", "failing", "fair", "fake", "fast", "faulty", "fine", "finite", "fixed", "flat",
    "fragile", "free", "frequent", "fresh", "front", "gradual", "growing", "half", "healthy", "heavy", "high",
    "historic", "hot", "huge", "identical", "idle", "illegal", "immediate", "immutable", "implicit", "incomplete",
    "incorrect", "independent", "indirect", "individual", "infinite", "initial", "inner", "insecure", "invalid",
    "irregular", "joint", "lagging", "late", "latest", "lazy", "legacy", "legal", "linear", "literal", "live", "lone",
    "loose", "lost", "low", "major", "manual", "massive", "matching", "mature", "maximal", "median", "medium",
    "minimal", "minor", "mixed", "modern", "modest", "naive", "narrow", "natural", "nearby", "necessary", "negative",
    "neighboring", "neighbouring", "neutral", "noisy", "normal", "novel", "obsolete", "odd", "offline", "online",
    "open", "optimal", "ordinary", "orphan", "orphaned", "outdated", "overdue", "parallel", "partial", "passive",
    "past", "pending", "permanent", "persistent", "personal", "physical", "plain", "popular", "positive", "potential",
    "precise", "pretty", "prior", "proper", "quick", "quiet", "rapid", "rare", "raw", "ready", "real", "recent",
    "recursive", "redundant", "relative", "remote", "rich", "right", "rough", "round", "safe", "sane", "scarce",
    "secondary", "secure", "semantic", "sensitive", "serial", "severe", "shallow", "silent", "slow", "smart", "soft",
    "sole", "solid", "spare", "sparse", "stable", "stale", "steady", "stray", "strict", "strong", "stuck", "sudden",
    "symbolic", "synthetic", "tidy", "tight", "tiny", "tough", "traditional", "transient", "transparent", "trivial",
    "true", "typical", "ugly", "unequal", "universal", "unsafe", "upcoming", "upper", "upstream", "urgent", "useful",
    "usual", "vague", "various", "vast", "verbose", "vertical", "visual", "volatile", "warm", "weak", "weird", "wild",
    "wrong", "young",
];

/// Words that hyphens join to others, in words that are no names: `end-to-end`, `server-side`.
#[rustfmt::skip]
static COMPOUND_LIST: &[&str] = &[
    "aware", "back", "best", "built", "co", "cross", "dead", "deep", "double", "down", "early", "end", "extra",
    "fast", "first", "fold", "free", "friendly", "front", "full", "grained", "half", "hand", "hard", "high", "hoc",
    "in", "large", "last", "late", "less", "level", "life", "like", "line", "live", "long", "low", "mid", "middle",
    "multi", "native", "near", "neutral", "non", "off", "on", "one", "only", "open", "out", "over", "party", "post",
    "pre", "pro", "proof", "quick", "re", "read", "ready", "real", "round", "safe", "second", "self", "semi",
    "sensitive", "short", "side", "single", "slow", "small", "specific", "sub", "super", "term", "thank", "third",
    "through", "time", "top", "trade", "triple", "two", "ultra", "up", "way", "well", "wide", "write", "zero",
];

/// Small words that things are named by; what else they are depends on what stands beside them.
pub(crate) const SMALL_NAMES: &Words = any_of!(
    "\
    add after before between by first for from get give hold in into keep last least like make need new next \
    of off old on once out over per previous query return same see set since times to type under unique until up \
    use value via with within without"
);

/// Things that have names of their own, beside those that cues announce.
#[rustfmt::skip]
static TITLE_LIST: &[&str] = &[
    "actor", "adapter", "app", "attribute", "bean", "branch", "broker", "cache", "certificate", "channel", "cluster", "collection",
    "component", "config", "connector", "container", "contract", "cookie", "credential", "cursor", "daemon", "dataset",
    "delegate", "device", "driver", "entity", "event", "extension", "folder", "group", "handler", "hook", "image",
    "job", "label", "locale", "macro", "metric", "middleware", "migration", "mixin", "network", "node", "partition", "pipeline", "plugin", "pod", "policy",
    "procedure", "process", "product", "profile", "project", "protocol", "provider", "queue", "record", "region", "repository",
    "resource", "rule", "sequence", "server", "service", "signal", "stage", "stream", "subroutine", "suite", "system",
    "tablespace", "tag", "target", "task", "team", "template", "tool", "topic", "trigger", "typealias", "upstream",
    "volume", "worker", "workflow", "worksheet",
];

/// Verbs in the form that follows one thing.
#[rustfmt::skip]
static VERB_LIST: &[&str] = &[
    "accepts", "adds", "affects", "allows", "applies", "belongs", "calls", "can", "cannot", "contains", "controls",
    "could", "creates", "defaults", "defines", "deletes", "depends", "describes", "determines", "disables", "does",
    "enables", "equals", "exists", "expects", "expires", "fails", "fills", "fires", "gets", "gives", "grants", "had",
    "handles", "has", "holds", "ignores", "includes", "indicates", "inherits", "is", "keeps", "limits", "listens",
    "makes", "may", "means", "might", "must", "needs", "overrides", "prints", "provides", "raises", "reads",
    "receives", "refers", "rejects", "removes", "replaces", "requires", "returns", "runs", "selects", "sends", "sets",
    "shall", "should", "shows", "sorts", "specifies", "starts", "stops", "stores", "supports", "takes", "tells",
    "throws", "turns", "updates", "uses", "validates", "was", "will", "works", "would", "writes",
];

/// Endings of file names. Sorted.
#[rustfmt::skip]
static EXTENSION_LIST: &[&str] = &[
    "adoc", "astro", "avi", "avro", "awk", "bak", "bash", "bat", "bazel", "bin", "bmp", "bzl", "c", "cc", "cfg", "cjs",
    "clj", "cljs", "cmake", "coffee", "conf", "cpp", "crt", "cs", "cshtml", "csproj", "css", "csv", "dart", "dat",
    "db", "diff", "dll", "doc", "docx", "edn", "eex", "elm", "eml", "env", "erb", "erl", "ex", "exe", "exs", "f90",
    "fsx", "gif", "glsl", "go", "gql", "gradle", "graphql", "groovy", "gz", "h", "haml", "hbs", "hcl", "heex", "hpp",
    "hs", "htm", "html", "ico", "ics", "ini", "ipynb", "jar", "java", "jinja", "jks", "jl", "jpeg", "jpg", "js",
    "json", "json5", "jsonl", "jsonnet", "jsx", "kt", "kts", "less", "lock", "log", "lua", "md", "mdx", "mjs", "mk",
    "ml", "mli", "mov", "mp3", "mp4", "nim", "nix", "npy", "odt", "onnx", "parquet", "patch", "pcap", "pdf", "pem",
    "pfx", "php", "pkl", "pl", "plist", "pm", "png", "ppt", "pptx", "prisma", "properties", "proto", "ps1", "psm1",
    "pug", "purs", "py", "pyi", "pyx", "qml", "rb", "rego", "rkt", "rs", "rst", "sass", "scala", "scm", "scss", "sh",
    "sln", "so", "sol", "sql", "sqlite", "styl", "sv", "svelte", "svg", "swift", "tar", "tcl", "tex", "tf", "tfvars",
    "tgz", "thrift", "toml", "ts", "tsv", "tsx", "twig", "txt", "vb", "vhd", "vue", "wasm", "wgsl", "xaml", "xls",
    "xlsx", "xml", "xsd", "yaml", "yml", "zig", "zip", "zsh",
];

/// First folders of paths, absolute or not. Sorted.
#[rustfmt::skip]
static FOLDERS_LIST: &[&str] = &[
    ".github", "app", "apps", "bin", "build", "cmd", "config", "core", "crates", "data", "dev", "dist", "docs", "etc",
    "examples", "home", "include", "internal", "lib", "mnt", "node_modules", "opt", "packages", "pkg", "proc", "root",
    "scripts", "server", "src", "srv", "sys", "target", "test", "tests", "tmp", "usr", "var", "vendor",
];

/// Names of algorithms, in small letters, without what follows a hyphen. Sorted.
#[rustfmt::skip]
static ALGORITHMS_LIST: &[&str] = &[
    "3des", "a128gcm", "a256gcm", "aes", "aes128", "aes256", "argon2", "argon2d", "argon2i", "argon2id", "bcrypt",
    "blake2", "blake2b", "blake2s", "blake3", "blowfish", "camellia", "cast5", "chacha20", "cmac", "crc32",
    "curve25519", "des", "dhe", "diffie", "dilithium", "dsa", "ecdh", "ecdhe", "ecdsa", "ed25519", "ed448", "eddsa",
    "elgamal", "es256", "es384", "es512", "gmac", "hkdf", "hmac", "hs256", "hs384", "hs512", "keccak", "kyber", "md4",
    "md5", "md5crypt", "p", "pbkdf2", "poly1305", "ps256", "ps384", "ps512", "rc4", "ripemd", "rs256", "rs384",
    "rs512", "rsa", "rsassa", "salsa20", "scrypt", "secp256k1", "secp256r1", "sha", "sha1", "sha2", "sha224",
    "sha256", "sha3", "sha384", "sha512", "sha512crypt", "shake128", "shake256", "siphash", "sm3", "sm4", "tripledes",
    "twofish", "whirlpool", "x25519", "xchacha20", "xxhash", "yescrypt",
];

/// Names of attacks of one or more words, in small letters; hyphens as spaces.
#[rustfmt::skip]
static ATTACK_LIST: &[&str] = &[
    "account takeover", "arbitrary code execution", "authentication bypass", "brute force", "cache poisoning",
    "clickjacking", "code injection", "command injection", "credential stuffing", "crlf injection",
    "cross site request forgery", "cross site scripting", "csrf", "ddos", "denial of service", "dictionary attack",
    "directory traversal", "dll hijacking", "dns poisoning", "dns rebinding", "dns spoofing", "dos",
    "downgrade attack", "header injection", "http request smuggling", "ldap injection", "lfi", "local file inclusion",
    "log injection", "man in the middle", "mitm", "nosql injection", "padding oracle", "password spraying",
    "path traversal", "phishing", "privilege escalation", "prompt injection", "ransomware", "rce", "redos",
    "remote code execution", "remote file inclusion", "replay attack", "request smuggling", "rfi", "sandbox escape",
    "script injection", "server side request forgery", "session fixation", "session hijacking", "side channel",
    "social engineering", "sql injection", "sqli", "ssrf", "ssti", "subdomain takeover", "supply chain attack",
    "template injection", "timing attack", "typosquatting", "xml injection", "xpath injection", "xss", "zip slip",
];

/// Names of weaknesses in a program, in small letters; hyphens as spaces.
#[rustfmt::skip]
static WEAKNESS_LIST: &[&str] = &[
    "broken access control", "broken authentication", "buffer overflow", "buffer overread",
    "deserialization of untrusted data", "double free", "hard coded credential", "hardcoded credential",
    "heap buffer overflow", "heap overflow", "idor", "improper input validation", "information disclosure",
    "insecure deserialization", "insecure direct object reference", "integer overflow", "integer underflow",
    "mass assignment", "missing authentication", "missing authorization", "null pointer dereference", "open redirect",
    "out of bounds read", "out of bounds write", "prototype pollution", "race condition", "stack buffer overflow",
    "stack overflow", "toctou", "type confusion", "unsafe deserialization", "use after free", "xml external entity",
    "xxe",
];

/// Which list a word is looked for in; as a set of lists, in which a word is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List(u32);

pub(crate) const LANGUAGE: List = List(1);
pub(crate) const TYPE_WORDS: List = List(1 << 1);
pub(crate) const NOT_CALLED: List = List(1 << 2);
pub(crate) const NOT_NAMES: List = List(1 << 3);
pub(crate) const COMMON: List = List(1 << 4);
pub(crate) const FOLDERS: List = List(1 << 5);
pub(crate) const ALGORITHMS: List = List(1 << 6);
pub(crate) const SQL: List = List(1 << 7);
/// Written like a well-known name, maybe in another case.
pub(crate) const WELL_KNOWN_LIKE: List = List(1 << 8);
/// Written like a built-in, maybe in another case.
pub(crate) const BUILT_IN_LIKE: List = List(1 << 9);
pub(crate) const MONTH: List = List(1 << 10);
/// First words of attacks.
pub(crate) const ATTACK: List = List(1 << 11);
/// Cues and their plurals.
pub(crate) const CUE: List = List(1 << 12);
/// Words that announce a value in the right company.
pub(crate) const VALUE_CUE: List = List(1 << 13);
/// Words that open a statement of SQL.
pub(crate) const OPENER: List = List(1 << 14);
/// Words of SQL with a name behind them.
pub(crate) const BEHIND: List = List(1 << 15);
/// Words of code that something is said about.
pub(crate) const CODE: List = List(1 << 16);
/// Words with a secret behind them.
pub(crate) const SECRET_CUE: List = List(1 << 17);
/// Names of secrets.
pub(crate) const SECRET_NAME: List = List(1 << 18);
/// Functions that come with a language.
pub(crate) const PROVIDED: List = List(1 << 19);
/// First words of weaknesses.
pub(crate) const WEAKNESS: List = List(1 << 20);
/// Functions that are given names.
pub(crate) const CALL: List = List(1 << 21);
/// Written like a key of a format's own, maybe in another case.
pub(crate) const RESERVED_LIKE: List = List(1 << 22);
/// Small words that tokens of an issuer begin with.
pub(crate) const SECRET_OPENER: List = List(1 << 24);
/// Words before a noun that say which one is meant.
pub(crate) const DETERMINER: List = List(1 << 26);
/// Things that have names of their own.
pub(crate) const TITLE: List = List(1 << 27);
/// Verbs in the form that follows one thing.
pub(crate) const VERB: List = List(1 << 28);
/// Programs that are called from a shell.
pub(crate) const PROGRAM: List = List(1 << 25);
/// Words before a cue that say what kind of thing it is.
pub(crate) const DESCRIBING: List = List(1 << 29);
/// Words that hyphens join to others, in words that are no names.
pub(crate) const COMPOUND: List = List(1 << 30);
/// Words that say how things are.
pub(crate) const QUALITY: List = List(1 << 31);
/// More types of programming languages, which are written small.
pub(crate) const SMALL_TYPE: List = List(1 << 23);

/// Every list of words that is searched in any case. A new rule about single words gets its own.
#[rustfmt::skip]
static LISTS: [(List, &[&str]); 32] = [
    (LANGUAGE, LANGUAGE_LIST), (TYPE_WORDS, TYPE_LIST), (NOT_CALLED, NOT_CALLED_LIST), (NOT_NAMES, NOT_NAMES_LIST),
    (COMMON, COMMON_LIST), (FOLDERS, FOLDERS_LIST), (ALGORITHMS, ALGORITHMS_LIST), (SQL, SQL_LIST),
    (WELL_KNOWN_LIKE, WELL_KNOWN_LIST), (BUILT_IN_LIKE, BUILT_IN_LIST), (MONTH, MONTHS), (ATTACK, ATTACK_LIST),
    (CUE, &structure::CUE_WORDS), (VALUE_CUE, &["accepts", "be", "either", "of", "to"]), (OPENER, &structure::OPENER_WORDS),
    (BEHIND, &structure::BEHIND_WORDS), (CODE, &structure::CODE_WORDS),
    (SECRET_CUE, &["auth", "basic", "bearer", "by", "cookie", "key", "password", "pw", "sig", "signature"]),
    (SECRET_NAME, &secrets::SECRET_WORDS), (PROVIDED, PROVIDED_LIST), (WEAKNESS, WEAKNESS_LIST),
    (CALL, &structure::CALL_WORDS), (RESERVED_LIKE, structure::RESERVED_LIST), (SMALL_TYPE, SMALL_TYPE_LIST),
    (SECRET_OPENER, &["dp", "gldt", "glpat", "glptt", "hvb", "hvs", "pplx", "pul", "pypi", "sk", "tskey", "tvly", "xai", "xapp", "xoxa", "xoxb", "xoxe", "xoxp", "xoxs"]), (PROGRAM, structure::PROGRAMS),
    (DETERMINER, DETERMINER_LIST), (TITLE, TITLE_LIST), (VERB, VERB_LIST), (DESCRIBING, DESCRIBING_LIST),
    (COMPOUND, COMPOUND_LIST), (QUALITY, QUALITY_LIST),
];

impl List {
    pub(crate) const NONE: Self = Self(0);
    /// But for the words that say how things are, which may be anything.
    pub(crate) const ANY: Self = Self(!QUALITY.0);

    /// Either of two lists.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two have a list in common.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A few words, each with a space behind it but for the last, in their own case: a pattern has code for each of its
/// words, and a list a place for each. For where it is seldom asked.
pub(crate) struct Words {
    text: &'static str,
    /// A bit for each of their looks: most words are passed over at once.
    looks: u64,
}

/// [`Words`] that the compiler has made.
macro_rules! any_of {
    ($text:expr) => {
        &const { $crate::scrub::words::Words::of($text) }
    };
}
pub(crate) use any_of;

impl Words {
    pub(crate) const fn of(text: &'static str) -> Self {
        let mut looks = 0;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(first_word(rest));
            looks |= Self::look(word);
            (_, rest) = tail.split_at(if tail.is_empty() { 0 } else { 1 });
        }
        Self { text, looks }
    }

    /// By how a word begins and ends, in any case, and how long it is.
    const fn look(word: &[u8]) -> u64 {
        let [first, ..] = word else {
            return 0;
        };
        let (first, last) = (*first as usize | 0x20, word[word.len() - 1] as usize | 0x20);
        1 << ((first * 7 + last * 3 + word.len()) % 64)
    }

    /// Puts them into a list from `place` on, and says where the next has its place.
    pub(crate) const fn copy_to(&self, list: &mut [&'static str], place: usize) -> usize {
        let mut place = place;
        let mut rest = self.text;
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(first_word(rest.as_bytes()));
            list[place] = word;
            place += 1;
            (_, rest) = tail.split_at(if tail.is_empty() { 0 } else { 1 });
        }
        place
    }

    /// Whether a word is one of them, in any case: theirs are in small letters.
    #[inline(never)]
    pub(crate) fn has_in_any_case(&self, word: &str) -> bool {
        if self.looks & Self::look(word.as_bytes()) == 0 {
            return false;
        }
        let mut small = [0; LONGEST];
        let Some(small) = small.get_mut(..word.len()) else {
            return false;
        };
        small.copy_from_slice(word.as_bytes());
        small.make_ascii_lowercase();
        self.lists(small)
    }

    /// Whether a word is one of them.
    #[inline(never)]
    pub(crate) fn has(&self, word: &str) -> bool {
        self.has_bytes(word.as_bytes())
    }

    /// As [`Self::has`].
    #[inline(always)]
    pub(crate) fn has_bytes(&self, word: &[u8]) -> bool {
        self.looks & Self::look(word) != 0 && self.lists(word)
    }

    #[inline(never)]
    fn lists(&self, word: &[u8]) -> bool {
        let text = self.text.as_bytes();
        let (mut at, mut opens) = (0, true);
        while let Some(first) = text.get(at) {
            if opens
                && word.first() == Some(first)
                && let Some(b"" | [b' ', ..]) = text[at..].strip_prefix(word)
            {
                return true;
            }
            let length = hash::before_space(hash::chunk(text, at));
            opens = length < 8;
            at += length + usize::from(opens);
        }
        false
    }
}

/// Whether a word is in a list, in any case.
pub(crate) fn is_in(list: List, word: &str) -> bool {
    word.len() <= LONGEST && class_of(hash::of_bytes(word.as_bytes())).lists().has(list)
}

/// Whether a word in small letters is in a list.
pub(crate) fn is_small_in(list: List, word: &str) -> bool {
    !word.bytes().any(|byte| byte.is_ascii_uppercase()) && is_in(list, word)
}

/// Whether a word of [`WELL_KNOWN_LIKE`] is well known in its own case.
pub(crate) fn is_well_known(word: &str) -> bool {
    static WORDS: [u32; WELL_KNOWN_LIST.len()] = exact(WELL_KNOWN_LIST);
    WORDS.contains(&(hash::exact(word.as_bytes()) as u32))
}

/// Whether a word of [`BUILT_IN_LIKE`] comes with a language in its own case.
pub(crate) fn is_built_in(word: &str) -> bool {
    static WORDS: [u32; BUILT_IN_LIST.len()] = exact(BUILT_IN_LIST);
    WORDS.contains(&(hash::exact(word.as_bytes()) as u32))
}

/// Whether it is one of [`UNITS`].
pub(crate) fn is_unit(word: &str) -> bool {
    static WORDS: [u32; UNITS.len()] = exact(UNITS);
    WORDS.contains(&(hash::exact(word.as_bytes()) as u32))
}

/// Whether it is one of [`UNITS`] in any case, or a half of the day.
pub(crate) fn is_unit_in_any_case(word: &str) -> bool {
    static WORDS: [u32; UNITS.len()] = phrases(UNITS);
    let mut phrase = Phrase::new();
    phrase.push(word.as_bytes());
    WORDS.contains(&phrase.key())
        || ["am", "pm"]
            .iter()
            .any(|half| half.eq_ignore_ascii_case(word))
}

/// Whether a file's name ends so.
pub(crate) fn is_extension(word: &str) -> bool {
    static WORDS: [u32; EXTENSION_LIST.len()] = exact(EXTENSION_LIST);
    WORDS.contains(&(hash::exact(word.as_bytes()) as u32))
}

/// The hashes of words as they are written: a list that tells a word's case needs no letters.
pub(crate) const fn exact<const N: usize>(words: &[&str]) -> [u32; N] {
    let mut hashes = [0; N];
    let mut at = 0;
    while at < N {
        hashes[at] = hash::exact(words[at].as_bytes()) as u32;
        at += 1;
    }
    hashes
}

/// A phrase as far as it has been read, word by word.
#[derive(Clone, Copy)]
pub(crate) struct Phrase(Hash);

impl Phrase {
    /// No phrase of the lists has more words.
    pub(crate) const MOST_WORDS: usize = 4;

    pub(crate) const fn new() -> Self {
        Self(Hash(0))
    }

    pub(crate) const fn push(&mut self, word: &[u8]) {
        self.0.mix(hash::of_bytes(word));
    }

    /// Whether it is one of [`ATTACK_LIST`].
    pub(crate) fn is_attack(self) -> bool {
        static PHRASES: [u32; ATTACK_LIST.len()] = phrases(ATTACK_LIST);
        PHRASES.contains(&self.key())
    }

    /// Whether it is one of [`WEAKNESS_LIST`].
    pub(crate) fn is_weakness(self) -> bool {
        static PHRASES: [u32; WEAKNESS_LIST.len()] = phrases(WEAKNESS_LIST);
        PHRASES.contains(&self.key())
    }

    const fn key(self) -> u32 {
        self.0.0 as u32
    }
}

const fn phrases<const N: usize>(list: &[&str]) -> [u32; N] {
    let mut keys = [0; N];
    let mut at = 0;
    while at < N {
        let mut phrase = Phrase::new();
        let mut rest = list[at].as_bytes();
        let mut count = 0;
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(first_word(rest));
            phrase.push(word);
            (_, rest) = tail.split_at(if tail.is_empty() { 0 } else { 1 });
            count += 1;
        }
        assert!(count <= Phrase::MOST_WORDS);
        keys[at] = phrase.key();
        at += 1;
    }
    keys
}

/// No word of the lists is longer.
pub(crate) const LONGEST: usize = 24;

/// The class of the word of this hash. Each word of a text is looked up, so all lists are one hash
/// table, made by the compiler.
#[inline(always)]
pub(crate) fn class_of(hash: u64) -> Class {
    let check = (hash >> 48) as u16;
    let mut slot = hash as usize % SLOTS;
    while let Some(word) = word_in(slot) {
        if CHECKS[word % LENGTH] == check {
            return Class(CLASSES[word % LENGTH]);
        }
        slot = (slot + 1) % SLOTS;
    }
    Class::NONE
}

/// The place of what is known of a slot's word, if it has one.
#[inline(always)]
fn word_in(slot: usize) -> Option<usize> {
    match GAPS {
        true => (CLASSES[slot % LENGTH] != 0).then_some(slot),
        false => PLACES.find(slot),
    }
}

/// Words that are in the same lists, by number: a byte says it all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class(u8);

impl Class {
    /// The class of words that are in no list.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn lists(self) -> List {
        List(SETS[usize::from(self.0)])
    }
}

/// Three times as many as there are words, and a power of two: most words are in no list, and that
/// shows at the first look.
const SLOTS: usize = 4096;

/// Whether free slots have their places in the lists, too: native code is faster so, and of a module the size
/// counts.
const GAPS: bool = !cfg!(target_arch = "wasm32");

/// How long the lists are: a power of two, so that no place is past their end.
const LENGTH: usize = if GAPS { SLOTS } else { SLOTS / 2 };

/// The slots that have a word.
static PLACES: Places<{ SLOTS / 64 }> = {
    let mut taken = [0; SLOTS / 64];
    let mut slot = 0;
    while slot < SLOTS {
        taken[slot / 64] |= ((TABLE[slot].1 != 0) as u64) << (slot % 64);
        slot += 1;
    }
    Places::of(taken)
};

/// The upper quarter of the hash of each word, in the order of their slots: of a hundred thousand words in no list
/// one has that of a word at its place by chance.
static CHECKS: [u16; LENGTH] = {
    let mut checks = [0; LENGTH];
    let (mut slot, mut word) = (0, 0);
    while slot < SLOTS {
        let taken = TABLE[slot].1 != 0;
        if taken {
            checks[word] = TABLE[slot].0;
        }
        word += (taken || GAPS) as usize;
        slot += 1;
    }
    checks
};

/// The class of each word, in the same order; 0 where a slot is free.
static CLASSES: [u8; LENGTH] = {
    let mut classes = [0; LENGTH];
    let (mut slot, mut word) = (0, 0);
    while slot < SLOTS {
        let taken = TABLE[slot].1 != 0;
        while taken && SETS[classes[word] as usize] != TABLE[slot].1 {
            classes[word] += 1;
        }
        word += (taken || GAPS) as usize;
        slot += 1;
    }
    classes
};

/// The lists of each class.
static SETS: [u32; 256] = {
    let mut sets = [0; 256];
    let mut count = 1;
    let mut at = 0;
    while at < SLOTS {
        let mut class = 0;
        while class < count && sets[class] != TABLE[at].1 {
            class += 1;
        }
        if class == count {
            sets[count] = TABLE[at].1;
            count += 1;
        }
        at += 1;
    }
    sets
};

/// The upper quarter of the hash of a word, and the lists that it is in; 0 where the slot is free.
static TABLE: [(u16, u32); SLOTS] = {
    let mut table = [(0, 0); SLOTS];
    let mut list = 0;
    while list < LISTS.len() {
        let (List(bit), words) = &LISTS[list];
        let mut word = 0;
        while word < words.len() {
            let (first, _) = words[word]
                .as_bytes()
                .split_at(first_word(words[word].as_bytes()));
            add(&mut table, hash::of_bytes(first), *bit);
            if *bit == CUE.0 {
                let (plural, length) = plural(first);
                let (plural, _) = plural.split_at(length);
                add(&mut table, hash::of_bytes(plural), *bit);
            }
            word += 1;
        }
        list += 1;
    }
    table
};

/// The plural of a noun in small letters, and its length.
const fn plural(word: &[u8]) -> ([u8; LONGEST], usize) {
    let mut plural = [b's'; LONGEST];
    let (start, _) = plural.split_at_mut(word.len());
    start.copy_from_slice(word);
    let last = word.len() - 1;
    match (word[last - 1], word[last]) {
        (_, b's' | b'x') | (b'c', b'h') => {
            plural[last + 1] = b'e';
            (plural, last + 3)
        }
        (before, b'y') if !matches!(before, b'a' | b'e' | b'o' | b'u') => {
            plural[last] = b'i';
            plural[last + 1] = b'e';
            (plural, last + 3)
        }
        _ => (plural, last + 2),
    }
}

const fn add(table: &mut [(u16, u32); SLOTS], hash: u64, bit: u32) {
    let mut at = hash as usize % SLOTS;
    let check = (hash >> 48) as u16;
    while table[at].1 != 0 && table[at].0 != check {
        at = (at + 1) % SLOTS;
    }
    table[at] = (check, table[at].1 | bit);
}

/// The length of the first word of a phrase.
const fn first_word(phrase: &[u8]) -> usize {
    let mut length = 0;
    while length < phrase.len() && phrase[length] != b' ' {
        length += 1;
    }
    length
}

/// `HTTP`, `LGTM`: two or more letters, all capital.
pub(crate) fn is_all_capitals(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The length of the digits, with their inner points and commas, that a word begins with.
pub(crate) fn number_length(word: &str) -> usize {
    let inside = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    word.bytes().take_while(inside).count()
}

#[cfg(test)]
pub(super) mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn a_word_is_one_of_some_as_a_whole() {
        for (word, words, is) in [
            ("or", "and or", true),
            ("and", "and or", true),
            ("an", "and or", false),
            ("nd", "and or", false),
            ("and or", "and", false),
            ("and or", "and or", false),
            ("", "and or", false),
            (" ", "and or", false),
            ("oro", "and or", false),
        ] {
            assert_eq!(Words::of(words).has(word), is, "{word:?} of {words:?}");
        }
    }

    pub(in crate::scrub) fn plural_of(word: &str) -> String {
        let (plural, length) = plural(word.as_bytes());
        String::from_utf8_lossy(&plural[..length]).into_owned()
    }

    #[test]
    fn plurals_of_cues() {
        for (one, many) in [
            ("table", "tables"),
            ("class", "classes"),
            ("index", "indexes"),
            ("switch", "switches"),
            ("property", "properties"),
            ("key", "keys"),
            ("database", "databases"),
        ] {
            assert_eq!(plural_of(one), many);
        }
    }

    #[test]
    fn every_word_is_found_in_its_own_lists_only() {
        let first = |phrase: &str| phrase[..first_word(phrase.as_bytes())].to_ascii_lowercase();
        for (list, words) in &LISTS {
            for word in words.iter().map(|word| first(word)) {
                assert!(
                    is_in(*list, &word) && is_in(*list, &word.to_uppercase()),
                    "{word}"
                );
                for (other, others) in &LISTS {
                    let listed = others.iter().map(|other| first(other)).any(|listed| {
                        listed == word || other.0 == CUE.0 && plural_of(&listed) == word
                    });
                    assert_eq!(is_in(*other, &word), listed, "{word}");
                }
            }
        }
        assert!(is_in(CUE, "tables") && !is_in(CUE, "tabless"));
        assert!(!is_in(COMMON, "") && !is_in(COMMON, "tablex") && !is_in(COMMON, "é"));
        assert!(is_in(WELL_KNOWN_LIKE, "GitHub") && is_well_known("GitHub"));
        assert!(is_in(WELL_KNOWN_LIKE, "github") && !is_well_known("github"));
    }
}
