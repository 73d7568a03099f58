// What one would write first: the scrubber's kinds as one alternation of 25 patterns. It finds stretches;
// it neither says of which kind they are nor knows what a claim names.
const PATTERNS = [
  /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/, // private key
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/, // web token
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/, // cloud key
  /\b(?:gh[pousr]_|sk-|xox[abp]-)[\w-]{16,}/, // service token
  /\bhttps?:\/\/[^\s"'<>)]+/, // URL
  /\b[\w.+-]+@[\w-]+\.[\w.]+\b/, // e-mail
  /\bCVE-\d{4}-\d{4,7}\b/, // CVE
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/, // UUID
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?\b/, // date
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/, // IP address
  /\bv?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?\b/, // version
  /\b0x[0-9a-fA-F]+\b/, // hexadecimal
  /(?:\.{0,2}\/)[\w.-]+(?:\/[\w.-]+)*/, // path
  /\b[\w-]+\.(?:js|ts|py|rs|go|java|json|ya?ml|toml|sql|md)\b/, // file
  /(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}:.-]*/, // endpoint
  /--[a-z][\w-]+/, // option
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/, // constant
  /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/, // snake_case
  /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/, // camelCase
  /\b(?:[A-Z][a-z0-9]+){2,}\b/, // PascalCase
  /\b[a-z]\w*(?:\.[a-z]\w*)+\b/, // qualified name
  /\b[a-zA-Z_]\w*(?=\()/, // function
  /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/, // string
  /\b\d+(?:\.\d+)?%?/, // number
  /(?<=\b(?:[Tt]able|column|class|function|role|permission) )\w+/, // what a word announces
];

/** All in one, the first that fits wins. */
export const alternation = new RegExp(PATTERNS.map(({ source }) => `(?:${source})`).join("|"), "g");
