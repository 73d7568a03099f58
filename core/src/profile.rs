//! Profiles, their thresholds, the kinds of identifier that they scrub, and triggers: as tables.
//!
//! A profile is one of five ([`Profile::all`]), or extends one of them and inherits what it leaves out.
//! Thresholds are minimums, inclusive, in [0, 1]. `docs/profiles.md` is printed from these tables.
//!
//! ```
//! use claimgauge_core::evidence::{self, ClaimInput};
//! use claimgauge_core::profile::{Context, Kind, Profile, ProfileChoice, SkipReason, Trigger};
//!
//! let security = Profile::named("security").unwrap();
//! assert_eq!((security.thresholds.verified.full, security.thresholds.verified.delta), (0.90, 0.40));
//! assert!(security.scrubs(Kind::Cve) && !security.scrubs(Kind::Table));
//!
//! let strict = r#"{ "extends": "code", "thresholds": { "verified": { "delta": 0.5 } } }"#;
//! let strict = serde_json::from_str::<ProfileChoice>(strict).unwrap().resolve()?;
//! assert_eq!((strict.thresholds.verified.full, strict.thresholds.verified.delta), (0.80, 0.5));
//!
//! // A trigger says which claims are worth asking about.
//! let sure = ClaimInput { confidence: Some(0.95), ..ClaimInput::from("It is so") };
//! let claim = &evidence::claims(vec![sure])?[0];
//! let skipped = Trigger::OnMediumConfidence.skips(claim, &Context::default());
//! assert_eq!(skipped, Some(SkipReason::HighConfidence));
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    Error, ErrorCode,
    evidence::Claim,
    input::{check_unit, null_as_default},
    number::shown,
    patterns::{KindInput, KindName, KindPatterns, MAX_OWN_KINDS},
};

/// What the scrub takes out, and how the delta is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// The built-in profile's name, or the custom one's own.
    pub name: String,
    /// The kinds that are scrubbed wherever they are recognised, in no order.
    pub kinds: Vec<Kind>,
    /// Kinds of the caller's own, and patterns of any; the built-in profiles have none.
    #[serde(skip)]
    pub patterns: Vec<KindPatterns>,
    /// The thresholds of the status table.
    pub thresholds: Thresholds,
    /// The trigger that an opt-in block without one gets.
    pub trigger: Trigger,
}

impl Profile {
    /// The built-in profile of that name.
    ///
    /// ```
    /// use claimgauge_core::profile::{Profile, Trigger};
    ///
    /// let security = Profile::named("security").unwrap();
    /// assert_eq!(security.thresholds.verified.full, 0.90);
    /// assert_eq!(security.trigger, Trigger::Always);
    /// assert!(Profile::named("none").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        BUILT_IN
            .iter()
            .find(|profile| profile.name == name)
            .map(BuiltIn::to_profile)
    }

    /// All five, in the order of their table.
    pub fn all() -> Vec<Self> {
        BUILT_IN.iter().map(BuiltIn::to_profile).collect()
    }

    /// Whether the profile scrubs what is of this kind wherever it is recognised.
    pub fn scrubs(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether the caller added this kind.
    pub(crate) fn has_own(&self, kind: &KindName) -> bool {
        self.patterns.iter().any(|own| own.kind == *kind)
    }

    /// Replaces the kinds; `path` is where the list stood.
    pub(crate) fn set_kinds(&mut self, inputs: &[KindInput], path: &str) -> Result<(), Error> {
        if inputs.is_empty() {
            return Err(Error::new(
                ErrorCode::InvalidValue,
                path,
                "A profile without kinds scrubs nothing",
            )
            .with_hint("Name at least one kind, or leave the list out."));
        }
        self.kinds.clear();
        self.patterns.clear();
        let mut patterns = 0;
        for (at, input) in inputs.iter().enumerate() {
            let path = format!("{path}.{at}");
            let kind = input.resolve(&path)?;
            match kind {
                KindName::BuiltIn(kind) if !self.scrubs(kind) => self.kinds.push(kind),
                _ => {}
            }
            let Some(own) = &input.patterns else {
                continue;
            };
            let own = KindPatterns {
                kind,
                patterns: own.clone(),
                path,
            };
            own.check(patterns)?;
            patterns += own.patterns.len();
            self.patterns.push(own);
        }
        if self.patterns.len() > MAX_OWN_KINDS {
            let message = format!("There are more than {MAX_OWN_KINDS} kinds of your own");
            return Err(Error::new(ErrorCode::TooLarge, path, message));
        }
        Ok(())
    }
}

/// How high the confidences must be. Minimums are inclusive.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// What VERIFIED asks for.
    pub verified: Minimum,
    /// What PLAUSIBLE asks for.
    pub plausible: Minimum,
}

impl Thresholds {
    /// Refuses values outside [0, 1] and a VERIFIED that asks for less than PLAUSIBLE.
    ///
    /// # Errors
    /// `invalid_threshold` at the field below `path` that is wrong.
    pub fn check(&self, path: &str) -> Result<(), Error> {
        let values = [
            ("verified.full", self.verified.full),
            ("verified.delta", self.verified.delta),
            ("plausible.full", self.plausible.full),
            ("plausible.delta", self.plausible.delta),
        ];
        for (field, value) in values {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::new(
                    ErrorCode::InvalidThreshold,
                    format!("{path}.{field}"),
                    format!("Expected a number from 0 to 1, received {}", shown(value)),
                ));
            }
        }
        for (field, high, low) in [
            ("full", self.verified.full, self.plausible.full),
            ("delta", self.verified.delta, self.plausible.delta),
        ] {
            if high < low {
                return Err(Error::new(
                    ErrorCode::InvalidThreshold,
                    format!("{path}.verified.{field}"),
                    format!(
                        "VERIFIED ({}) asks for less than PLAUSIBLE ({})",
                        shown(high),
                        shown(low)
                    ),
                )
                .with_hint("Raise the one or lower the other."));
            }
        }
        Ok(())
    }
}

/// The two minimums of one status, each in [0, 1].
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Minimum {
    /// Least confidence of the full pass.
    pub full: f64,
    /// Least delta.
    pub delta: f64,
}

/// Thresholds as a caller gives them: what is left out is inherited.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ThresholdsInput {
    /// Instead of the profile's for VERIFIED.
    #[serde(default)]
    pub verified: Option<MinimumInput>,
    /// Instead of the profile's for PLAUSIBLE.
    #[serde(default)]
    pub plausible: Option<MinimumInput>,
}

/// One status' minimums as a caller gives them: what is left out is inherited.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MinimumInput {
    /// Least confidence of the full pass, in [0, 1].
    #[serde(default)]
    pub full: Option<f64>,
    /// Least delta, in [0, 1].
    #[serde(default)]
    pub delta: Option<f64>,
}

impl From<Thresholds> for ThresholdsInput {
    /// All four, whatever is underneath.
    fn from(thresholds: Thresholds) -> Self {
        let all = |minimum: Minimum| {
            Some(MinimumInput {
                full: Some(minimum.full),
                delta: Some(minimum.delta),
            })
        };
        Self {
            verified: all(thresholds.verified),
            plausible: all(thresholds.plausible),
        }
    }
}

impl ThresholdsInput {
    /// Lays these over `base` and checks the result; `path` is where they stood.
    ///
    /// # Errors
    /// `invalid_threshold`.
    pub fn over(self, base: Thresholds, path: &str) -> Result<Thresholds, Error> {
        let lay = |input: Option<MinimumInput>, base: Minimum| {
            let input = input.unwrap_or_default();
            Minimum {
                full: input.full.unwrap_or(base.full),
                delta: input.delta.unwrap_or(base.delta),
            }
        };
        let thresholds = Thresholds {
            verified: lay(self.verified, base.verified),
            plausible: lay(self.plausible, base.plausible),
        };
        thresholds.check(path)?;
        Ok(thresholds)
    }
}

/// A profile as a request names it: `"code"`, or `{ extends: "code", thresholds: … }`.
#[derive(Clone, Debug, PartialEq)]
pub enum ProfileChoice {
    /// A built-in profile.
    Named(String),
    /// A built-in profile with something laid over it.
    Custom(CustomProfile),
}

/// A profile that extends a built-in one; what it leaves out is inherited.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CustomProfile {
    /// The built-in profile underneath.
    pub extends: String,
    /// What reports call it. Absent: "custom".
    #[serde(default)]
    pub name: Option<String>,
    /// Kinds instead of the extended profile's.
    #[serde(default)]
    pub kinds: Option<Vec<KindInput>>,
    /// Thresholds over the extended profile's.
    #[serde(default)]
    pub thresholds: Option<ThresholdsInput>,
    /// Trigger instead of the extended profile's.
    #[serde(default)]
    pub trigger: Option<Trigger>,
}

impl ProfileChoice {
    /// The profile that is meant.
    ///
    /// # Errors
    /// `unknown_profile`, `unknown_kind`, `invalid_threshold`, `invalid_value`, `too_large`, each
    /// below the path `profile`.
    pub fn resolve(&self) -> Result<Profile, Error> {
        let find = |name: &str, path: &str| {
            Profile::named(name).ok_or_else(|| {
                let known = BUILT_IN.iter().map(|profile| profile.name);
                Error::not_one_of(ErrorCode::UnknownProfile, path, "profile", name, known)
            })
        };
        match self {
            Self::Named(name) => find(name, "profile"),
            Self::Custom(custom) => {
                let mut profile = find(&custom.extends, "profile.extends")?;
                profile.name = custom.name.clone().unwrap_or_else(|| "custom".to_owned());
                if let Some(kinds) = &custom.kinds {
                    profile.set_kinds(kinds, "profile.kinds")?;
                }
                if let Some(thresholds) = custom.thresholds {
                    profile.thresholds =
                        thresholds.over(profile.thresholds, "profile.thresholds")?;
                }
                profile.trigger = custom.trigger.unwrap_or(profile.trigger);
                Ok(profile)
            }
        }
    }
}

impl ProfileChoice {
    /// The profile that is meant, with a request's own thresholds laid over it.
    ///
    /// # Errors
    /// As [`Self::resolve`] and, below the path `thresholds`, as [`ThresholdsInput::over`].
    pub fn resolve_with(&self, thresholds: Option<ThresholdsInput>) -> Result<Profile, Error> {
        let mut profile = self.resolve()?;
        if let Some(thresholds) = thresholds {
            profile.thresholds = thresholds.over(profile.thresholds, "thresholds")?;
        }
        Ok(profile)
    }
}

/// What a request says of its profile, for whoever wants to know what comes of it.
///
/// ```
/// use claimgauge_core::profile::{ChosenProfile, Trigger};
///
/// let chosen = r#"{ "profile": { "extends": "code", "trigger": "always" }, "thresholds": { "verified": { "full": 0.99 } } }"#;
/// let profile = serde_json::from_str::<ChosenProfile>(chosen).unwrap().resolve().unwrap();
/// assert_eq!(profile.trigger, Trigger::Always);
/// assert_eq!(profile.thresholds.verified.full, 0.99);
/// ```
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ChosenProfile {
    /// The profile.
    pub profile: ProfileChoice,
    /// Thresholds over the profile's.
    #[serde(default)]
    pub thresholds: Option<ThresholdsInput>,
}

impl ChosenProfile {
    /// What comes of it.
    ///
    /// # Errors
    /// As [`ProfileChoice::resolve_with`].
    pub fn resolve(&self) -> Result<Profile, Error> {
        self.profile.resolve_with(self.thresholds)
    }
}

impl Default for ProfileChoice {
    /// The general-purpose profile.
    fn default() -> Self {
        Self::Named("strawberry".to_owned())
    }
}

impl From<&str> for ProfileChoice {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl<'de> Deserialize<'de> for ProfileChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::input::text_or(deserializer, Self::Custom)
    }
}

struct BuiltIn {
    name: &'static str,
    /// VERIFIED full and delta, PLAUSIBLE full and delta.
    thresholds: [f64; 4],
    trigger: Trigger,
    kinds: &'static [Kind],
}

impl BuiltIn {
    fn to_profile(&self) -> Profile {
        let [
            verified_full,
            verified_delta,
            plausible_full,
            plausible_delta,
        ] = self.thresholds;
        Profile {
            name: self.name.to_owned(),
            kinds: self.kinds.to_vec(),
            patterns: Vec::new(),
            thresholds: Thresholds {
                verified: Minimum {
                    full: verified_full,
                    delta: verified_delta,
                },
                plausible: Minimum {
                    full: plausible_full,
                    delta: plausible_delta,
                },
            },
            trigger: self.trigger,
        }
    }
}

use Kind::*;

#[rustfmt::skip]
static BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        name: "strawberry", thresholds: [0.80, 0.30, 0.60, 0.15], trigger: Trigger::OnMediumConfidence,
        kinds: &[Table, Field, Class, Func, Num, Str, Path, Url, Id],
    },
    BuiltIn {
        name: "code", thresholds: [0.80, 0.30, 0.60, 0.15], trigger: Trigger::OnMediumConfidence,
        kinds: &[Class, Func, Method, Var, Type, Path, Line, Module, Pkg],
    },
    BuiltIn {
        name: "documentation", thresholds: [0.75, 0.25, 0.55, 0.10], trigger: Trigger::OnConflict,
        kinds: &[Version, Endpoint, Config, Param, Value, Url, Cmd],
    },
    BuiltIn {
        name: "data", thresholds: [0.85, 0.35, 0.70, 0.20], trigger: Trigger::OnMediumConfidence,
        kinds: &[Table, Col, Dtype, Constraint, Index, Schema, Db],
    },
    BuiltIn {
        name: "security", thresholds: [0.90, 0.40, 0.75, 0.25], trigger: Trigger::Always,
        kinds: &[Cve, Vuln, Attack, Algo, Key, Secret, Perm, Role],
    },
];

/// A profile and trigger for a known use.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Preset {
    /// The use.
    pub name: &'static str,
    /// The built-in profile for it.
    pub profile: &'static str,
    /// The trigger for it.
    pub trigger: Trigger,
}

/// The known uses.
#[rustfmt::skip]
pub static PRESETS: [Preset; 5] = [
    Preset { name: "grounding", profile: "data", trigger: Trigger::OnMediumConfidence },
    Preset { name: "security-audit", profile: "security", trigger: Trigger::Always },
    Preset { name: "code-review", profile: "code", trigger: Trigger::OnMediumConfidence },
    Preset { name: "mcp-results", profile: "documentation", trigger: Trigger::OnConflict },
    Preset { name: "requirements-gathering", profile: "strawberry", trigger: Trigger::OnMediumConfidence },
];

/// A kind of identifier. Serialises as the word of its placeholder.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "UPPERCASE")]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each is described by its row in the table of labels below")]
pub enum Kind {
    Algo, Attack, Class, Cmd, Col, Config, Constraint, Cve, Date, Db, Dtype, Endpoint, Field, Func,
    Id, Index, Key, Line, Method, Module, Num, Param, Path, Perm, Pkg, Role, Schema, Secret, Str,
    Table, Type, Url, Value, Var, Version, Vuln,
}

/// Kind, the word of its placeholder, what it is.
#[rustfmt::skip]
const KINDS: [(Kind, &str, &str); 36] = [
    (Algo, "ALGO", "algorithm"),
    (Attack, "ATTACK", "attack vector"),
    (Class, "CLASS", "class"),
    (Cmd, "CMD", "command"),
    (Col, "COL", "column"),
    (Config, "CONFIG", "config key"),
    (Constraint, "CONSTRAINT", "constraint"),
    (Cve, "CVE", "CVE number"),
    (Date, "DATE", "date or time"),
    (Db, "DB", "database"),
    (Dtype, "DTYPE", "data type"),
    (Endpoint, "ENDPOINT", "endpoint"),
    (Field, "FIELD", "field"),
    (Func, "FUNC", "function"),
    (Id, "ID", "identifier that no other kind fits"),
    (Index, "INDEX", "index"),
    (Key, "KEY", "key or token name"),
    (Line, "LINE", "line number"),
    (Method, "METHOD", "method"),
    (Module, "MODULE", "module"),
    (Num, "NUM", "number"),
    (Param, "PARAM", "parameter"),
    (Path, "PATH", "path"),
    (Perm, "PERM", "permission"),
    (Pkg, "PKG", "package"),
    (Role, "ROLE", "role"),
    (Schema, "SCHEMA", "schema"),
    (Secret, "SECRET", "secret"),
    (Str, "STR", "quoted string"),
    (Table, "TABLE", "table"),
    (Type, "TYPE", "type"),
    (Url, "URL", "URL"),
    (Value, "VALUE", "value"),
    (Var, "VAR", "variable"),
    (Version, "VERSION", "version"),
    (Vuln, "VULN", "vulnerability"),
];

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = KINDS.len();

    /// All kinds, in the order of their words.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|(kind, _, _)| *kind)
    }

    /// The word between the brackets of a placeholder: `TABLE` in `[TABLE_1]`.
    pub fn word(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// The kind at a place in the order of the words.
    pub(crate) fn nth(at: usize) -> Self {
        KINDS[at].0
    }

    /// What the kind is, in words.
    pub fn label(self) -> &'static str {
        KINDS[self as usize].2
    }

    /// The kind of that placeholder word.
    pub fn from_word(word: &str) -> Option<Self> {
        let at = KINDS.binary_search_by(|(_, known, _)| (*known).cmp(word));
        at.ok().map(|at| KINDS[at].0)
    }
}

/// When claims are verified.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Every claim, whatever the context says.
    Always,
    /// When the caller calls.
    #[default]
    Manual,
    /// When sources disagree.
    OnConflict,
    /// Claims marked critical.
    OnCriticalClaim,
    /// Claims of medium confidence: high ones are skipped, low ones need evidence first.
    OnMediumConfidence,
}

/// What a trigger looks at beside the claim.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Context {
    /// The author's confidence in [0, 1], for claims that carry none of their own.
    pub confidence: Option<f64>,
    /// Whether sources disagree.
    pub conflict: Option<bool>,
    /// Whether the source is cached or verified before.
    pub cached: Option<bool>,
    /// Whether the question is exploratory.
    pub exploratory: Option<bool>,
    /// Whether an answer is needed at once.
    pub time_sensitive: Option<bool>,
}

impl Context {
    /// Refuses a confidence outside [0, 1].
    ///
    /// # Errors
    /// `invalid_value` at `context.confidence`.
    pub fn check(&self) -> Result<(), Error> {
        self.confidence
            .map_or(Ok(()), |value| check_unit("context.confidence", value))
    }
}

/// HIGH confidence starts here.
const HIGH: f64 = 0.9;
/// MEDIUM confidence starts here.
const MEDIUM: f64 = 0.6;

/// Why a claim was not verified.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// High confidence from a cached or pre-verified source.
    Cached,
    /// An exploratory question.
    Exploratory,
    /// High confidence.
    HighConfidence,
    /// Low confidence: gather evidence first.
    LowConfidence,
    /// No conflict between sources.
    NoConflict,
    /// Not a critical claim.
    NotCritical,
    /// An answer is needed at once.
    TimeSensitive,
}

impl SkipReason {
    /// The reason as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cached => "cached",
            Self::Exploratory => "exploratory",
            Self::HighConfidence => "high_confidence",
            Self::LowConfidence => "low_confidence",
            Self::NoConflict => "no_conflict",
            Self::NotCritical => "not_critical",
            Self::TimeSensitive => "time_sensitive",
        }
    }
}

impl Trigger {
    /// The trigger as requests and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Manual => "manual",
            Self::OnConflict => "on_conflict",
            Self::OnCriticalClaim => "on_critical_claim",
            Self::OnMediumConfidence => "on_medium_confidence",
        }
    }

    /// Why `claim` is not verified; `None` where it is. An unknown confidence skips nothing.
    pub fn skips(self, claim: &Claim, context: &Context) -> Option<SkipReason> {
        let confidence = claim.confidence.or(context.confidence);
        let high = confidence.is_some_and(|value| value >= HIGH);
        let low = confidence.is_some_and(|value| value < MEDIUM);
        let yes = |flag: Option<bool>| flag == Some(true);

        // The first row of this trigger that holds.
        let general = [
            (high && yes(context.cached), SkipReason::Cached),
            (yes(context.exploratory), SkipReason::Exploratory),
            (yes(context.time_sensitive), SkipReason::TimeSensitive),
        ];
        let own: &[(bool, SkipReason)] = match self {
            Self::Always => return None,
            Self::Manual => &[],
            Self::OnConflict => &[(!yes(context.conflict), SkipReason::NoConflict)],
            Self::OnCriticalClaim => &[(!claim.critical, SkipReason::NotCritical)],
            Self::OnMediumConfidence => &[
                (high, SkipReason::HighConfidence),
                (low, SkipReason::LowConfidence),
            ],
        };
        let mut rows = general.iter().chain(own);
        rows.find(|(holds, _)| *holds).map(|(_, reason)| *reason)
    }
}

/// A skill's own wish to be verified, as its front matter states it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OptIn {
    /// Whether it is verified at all.
    pub enabled: bool,
    /// The profile. Absent: the general-purpose one.
    #[serde(default, deserialize_with = "null_as_default")]
    pub profile: ProfileChoice,
    /// The trigger. Absent: the profile's own.
    #[serde(default)]
    pub trigger: Option<Trigger>,
    /// Thresholds over the profile's.
    #[serde(default)]
    pub custom_thresholds: Option<ThresholdsInput>,
}

impl OptIn {
    /// The profile and trigger that the block asks for; `None` where it is not enabled.
    ///
    /// # Errors
    /// As [`ProfileChoice::resolve`] and [`ThresholdsInput::over`].
    pub fn resolve(&self) -> Result<Option<(Profile, Trigger)>, Error> {
        if !self.enabled {
            return Ok(None);
        }
        let mut profile = self.profile.resolve()?;
        if let Some(thresholds) = self.custom_thresholds {
            profile.thresholds = thresholds.over(profile.thresholds, "customThresholds")?;
        }
        let trigger = self.trigger.unwrap_or(profile.trigger);
        Ok(Some((profile, trigger)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_kinds_is_in_the_order_of_the_enum_and_of_the_words() {
        for (at, (kind, word, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, at);
            assert_eq!(Kind::from_word(word), Some(*kind));
        }
        assert!(KINDS.is_sorted_by_key(|(_, word, _)| *word));
        assert_eq!(Kind::from_word("THING"), None);
    }

    #[test]
    fn every_built_in_profile_has_thresholds_that_pass_the_check() {
        for profile in Profile::all() {
            profile.thresholds.check(&profile.name).unwrap();
        }
    }

    #[test]
    fn a_custom_profile_inherits_what_it_leaves_out() {
        let custom = CustomProfile {
            extends: "data".to_owned(),
            name: None,
            kinds: None,
            thresholds: Some(ThresholdsInput {
                verified: Some(MinimumInput {
                    full: Some(0.99),
                    delta: None,
                }),
                plausible: None,
            }),
            trigger: None,
        };
        let profile = ProfileChoice::Custom(custom).resolve().unwrap();
        assert_eq!(profile.thresholds.verified.full, 0.99);
        assert_eq!(profile.thresholds.verified.delta, 0.35);
        assert_eq!(profile.trigger, Trigger::OnMediumConfidence);
    }

    #[test]
    fn a_threshold_error_names_the_field() {
        let base = Profile::named("code").unwrap().thresholds;
        let input = |verified_delta: f64| ThresholdsInput {
            verified: Some(MinimumInput {
                full: None,
                delta: Some(verified_delta),
            }),
            plausible: None,
        };
        for bad in [f64::NAN, -0.1, 1.1, 0.1] {
            let error = input(bad).over(base, "thresholds").unwrap_err();
            assert_eq!(error.path(), "thresholds.verified.delta", "{bad}");
            assert_eq!(error.code(), ErrorCode::InvalidThreshold);
        }
    }
}
