//! How outputs fare over time: the last thousand events, what they add up to, and comparing two
//! collections of them.
//!
//! ```
//! use claimgauge_core::metrics::{Category, Event, Level, Metrics, Status};
//!
//! let event = |level, status| Event {
//!     specialist_id: "implementer".into(),
//!     level,
//!     status,
//!     duration_ms: 5.0,
//!     ..Event::default()
//! };
//! let mut metrics = Metrics::default();
//! metrics.record(event(Level::Structure, Status::Passed))?;
//! metrics.record(Event {
//!     error_category: Some(Category::HashMismatch),
//!     ..event(Level::Filesystem, Status::Failed)
//! })?;
//!
//! let sums = metrics.aggregates();
//! assert_eq!((sums.total_checks, sums.pass_rate), (2, 0.5));
//! assert_eq!((sums.outputs.total, sums.outputs.failed), (1, 1));
//! assert_eq!(sums.errors_by_category.hash_mismatch, 1);
//! # Ok::<(), claimgauge_core::Error>(())
//! ```

use alloc::{
    collections::{BTreeMap, VecDeque},
    format,
    string::String,
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorCode, number::shown, output::Outcome};

/// Events that are kept.
pub const MAX_EVENTS: usize = 1000;

/// One level of the check of one output.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Event {
    /// Whose output it was.
    pub specialist_id: String,
    /// Which task it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask_id: Option<String>,
    /// Which level.
    pub level: Level,
    /// How it ended.
    pub status: Status,
    /// The kind of its first error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_category: Option<Category>,
    /// Its first error in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_details: Option<String>,
    /// How long it took, in milliseconds, not negative.
    pub duration_ms: f64,
    /// When it ended, in milliseconds of the host's clock.
    pub timestamp: f64,
    /// The claims of the output by how they ended; at level 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<ClaimCounts>,
}

/// The levels of a check. In JSON its number.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Level {
    /// 1: the shape of the output.
    #[default]
    Structure,
    /// 2: the outputs of tools and their schemas.
    ToolOutput,
    /// 3: the claims and the files.
    Filesystem,
}

impl Level {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Structure, Self::ToolOutput, Self::Filesystem];

    /// 1, 2 or 3.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Its name in headlines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::ToolOutput => "tool-output",
            Self::Filesystem => "filesystem",
        }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level as u8 + 1
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let level = Self::ALL
            .into_iter()
            .find(|&level| u8::from(level) == number);
        level.ok_or_else(|| format!("There is no level {number}; use 1, 2 or 3"))
    }
}

/// How a level ended.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Something was wrong.
    Failed,
    /// Nothing was wrong.
    #[default]
    Passed,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Level 3: the snippets of an edit are not there, or in the wrong order.
    AnchorMismatch,
    /// Level 3: the file is not there.
    FileNotFound,
    /// Level 3: a file still there, a path that leads out, an exit code, a trace that lacks it.
    FilesystemMismatch,
    /// Level 3: the file or the region has another hash.
    HashMismatch,
    /// Level 1: anything else than a missing key.
    InvalidType,
    /// Level 1: a required key is absent.
    MissingField,
    /// Level 2: an output does not fit its schema, or its schema is not there.
    SchemaMismatch,
    /// The rest.
    Unknown,
}

/// Claims by how they ended.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimCounts {
    /// They are so.
    pub passed: usize,
    /// They are not so.
    pub failed: usize,
    /// It cannot be told.
    pub inconclusive: usize,
    /// Taken as told.
    pub trusted: usize,
    /// A later claim is about the same file.
    pub superseded: usize,
}

impl ClaimCounts {
    fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.inconclusive += other.inconclusive;
        self.trusted += other.trusted;
        self.superseded += other.superseded;
    }
}

impl FromIterator<Outcome> for ClaimCounts {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            *match outcome {
                Outcome::Failed => &mut counts.failed,
                Outcome::Inconclusive => &mut counts.inconclusive,
                Outcome::Passed => &mut counts.passed,
                Outcome::Superseded => &mut counts.superseded,
                Outcome::Trusted => &mut counts.trusted,
            } += 1;
        }
        counts
    }
}

/// The last [`MAX_EVENTS`] events. Its JSON, `{ events }`, is the snapshot that is saved and loaded.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(into = "Snapshot", try_from = "Snapshot")]
pub struct Metrics {
    events: VecDeque<Event>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    events: Vec<Event>,
}

impl From<Metrics> for Snapshot {
    fn from(metrics: Metrics) -> Self {
        Self {
            events: metrics.events.into(),
        }
    }
}

impl TryFrom<Snapshot> for Metrics {
    type Error = Error;

    fn try_from(snapshot: Snapshot) -> Result<Self, Error> {
        let mut metrics = Self::default();
        for event in snapshot.events {
            metrics.record(event)?;
        }
        Ok(metrics)
    }
}

impl Metrics {
    /// Takes an event in; the oldest one goes where there are too many.
    ///
    /// # Errors
    /// `invalid_value` for a duration that is negative and for a time that is not finite.
    pub fn record(&mut self, event: Event) -> Result<(), Error> {
        for (path, value, least) in [
            ("durationMs", event.duration_ms, 0.0),
            ("timestamp", event.timestamp, f64::MIN),
        ] {
            if !(least..=f64::MAX).contains(&value) {
                let message = format!("Not a number of milliseconds: {}", shown(value));
                return Err(Error::new(ErrorCode::InvalidValue, path, message));
            }
        }
        if self.events.len() == MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
        Ok(())
    }

    /// The last `limit` events, oldest first.
    pub fn recent(&self, limit: usize) -> impl ExactSizeIterator<Item = &Event> {
        let skipped = self.events.len().saturating_sub(limit);
        self.events.range(skipped..)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Takes in the events of another collection, in the order of their times.
    pub fn merge(&mut self, other: Self) {
        self.events.extend(other.events);
        let events = self.events.make_contiguous();
        // Each goes before those that are later: equals stay as they are, and most are in order.
        for behind in 1..events.len() {
            let mut at = behind;
            while at > 0 && events[at].timestamp < events[at - 1].timestamp {
                events.swap(at, at - 1);
                at -= 1;
            }
        }
        let excess = self.events.len().saturating_sub(MAX_EVENTS);
        self.events.drain(..excess);
    }

    /// What the events add up to.
    pub fn aggregates(&self) -> Aggregates {
        let mut sums = Aggregates::default();
        let mut durations = [0.0; 3];
        for event in &self.events {
            sums.total_checks += 1;
            let level = sums.by_level.level_mut(event.level);
            level.count(event.status);
            durations[event.level as usize] += event.duration_ms;
            let specialist = sums.by_specialist.entry(event.specialist_id.clone());
            specialist.or_default().count(event.status);
            let failed = event.status == Status::Failed;
            let category = event.error_category;
            if let Some(category) = category.or(failed.then_some(Category::Unknown)) {
                sums.errors_by_category.count(category);
            }
            if let Some(claims) = &event.claims {
                sums.claims.add(claims);
            }
        }
        for level in Level::ALL {
            let sum = durations[level as usize];
            let level = sums.by_level.level_mut(level);
            level.avg_duration_ms = rounded_mean(sum, level.total);
        }
        sums.pass_rate = rate(self.passed(), sums.total_checks);
        sums.outputs = self.outputs();
        sums
    }

    /// How `other` fares beside this collection.
    pub fn compare(&self, other: &Self) -> Comparison {
        let checks = |metrics: &Self| Share::new(metrics.passed(), metrics.events.len());
        let outputs = |metrics: &Self| {
            let outputs = metrics.outputs();
            Share::new(outputs.passed, outputs.total)
        };
        Comparison {
            checks: Difference::new(checks(self), checks(other)),
            outputs: Difference::new(outputs(self), outputs(other)),
        }
    }

    fn passed(&self) -> usize {
        let passed = |event: &&Event| event.status == Status::Passed;
        self.events.iter().filter(passed).count()
    }

    /// Each output begins with level 1 and ends where a level fails or level 3 passes; without
    /// claims it ends before level 3. Of an output that the ring has cut, one end is gone.
    fn outputs(&self) -> OutputCounts {
        let count = |is: fn(&Event) -> bool| self.events.iter().filter(|event| is(event)).count();
        let begun = count(|event| event.level == Level::Structure);
        let failed = count(|event| event.status == Status::Failed);
        let ended = failed
            + count(|event| event.level == Level::Filesystem && event.status == Status::Passed);
        let total = begun.max(ended);
        let passed = total - failed;
        OutputCounts {
            total,
            passed,
            failed,
            pass_rate: rate(passed, total),
        }
    }
}

/// What events add up to.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Aggregates {
    /// Events.
    pub total_checks: usize,
    /// The share of them that passed, in [0, 1]; 0 where there are none.
    pub pass_rate: f64,
    /// By level.
    pub by_level: ByLevel,
    /// By specialist.
    pub by_specialist: BTreeMap<String, Counts>,
    /// Errors by kind. A failed event without one counts as unknown.
    pub errors_by_category: ErrorCounts,
    /// Whole outputs.
    pub outputs: OutputCounts,
    /// Claims by how they ended.
    pub claims: ClaimCounts,
}

/// The levels by their numbers.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct ByLevel {
    /// Level 1.
    #[serde(rename = "1")]
    pub structure: LevelCounts,
    /// Level 2.
    #[serde(rename = "2")]
    pub tool_output: LevelCounts,
    /// Level 3.
    #[serde(rename = "3")]
    pub filesystem: LevelCounts,
}

impl ByLevel {
    fn level_mut(&mut self, level: Level) -> &mut LevelCounts {
        match level {
            Level::Structure => &mut self.structure,
            Level::ToolOutput => &mut self.tool_output,
            Level::Filesystem => &mut self.filesystem,
        }
    }
}

/// The events of one level.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LevelCounts {
    /// All of them.
    pub total: usize,
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
    /// The mean of their durations in whole milliseconds, a half rounded up; 0 where there are none.
    pub avg_duration_ms: f64,
}

impl LevelCounts {
    fn count(&mut self, status: Status) {
        self.total += 1;
        match status {
            Status::Failed => self.failed += 1,
            Status::Passed => self.passed += 1,
        }
    }
}

/// The events of one specialist.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Counts {
    /// All of them.
    pub total: usize,
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
}

impl Counts {
    fn count(&mut self, status: Status) {
        self.total += 1;
        match status {
            Status::Failed => self.failed += 1,
            Status::Passed => self.passed += 1,
        }
    }
}

/// Errors by kind, every kind there.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[expect(missing_docs, reason = "each field is the category of its name")]
pub struct ErrorCounts {
    pub missing_field: usize,
    pub invalid_type: usize,
    pub schema_mismatch: usize,
    pub hash_mismatch: usize,
    pub anchor_mismatch: usize,
    pub file_not_found: usize,
    pub filesystem_mismatch: usize,
    pub unknown: usize,
}

impl ErrorCounts {
    fn count(&mut self, category: Category) {
        *match category {
            Category::AnchorMismatch => &mut self.anchor_mismatch,
            Category::FileNotFound => &mut self.file_not_found,
            Category::FilesystemMismatch => &mut self.filesystem_mismatch,
            Category::HashMismatch => &mut self.hash_mismatch,
            Category::InvalidType => &mut self.invalid_type,
            Category::MissingField => &mut self.missing_field,
            Category::SchemaMismatch => &mut self.schema_mismatch,
            Category::Unknown => &mut self.unknown,
        } += 1;
    }
}

/// Whole outputs.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputCounts {
    /// All of them.
    pub total: usize,
    /// Those of which no level failed.
    pub passed: usize,
    /// The others.
    pub failed: usize,
    /// The share that passed, in [0, 1]; 0 where there are none.
    pub pass_rate: f64,
}

/// Two collections beside each other.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Comparison {
    /// By events.
    pub checks: Difference,
    /// By whole outputs.
    pub outputs: Difference,
}

/// Two shares beside each other.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Difference {
    /// The one that was asked.
    pub a: Share,
    /// The one that it was compared with.
    pub b: Share,
    /// The rate of `b` less that of `a`; null where either is empty.
    pub difference: Option<f64>,
    /// Its 95 % interval, lower and upper end; null where either is empty. The difference is
    /// significant where 0 lies outside.
    pub interval: Option<[f64; 2]>,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// All of them.
    pub total: usize,
    /// Those that passed.
    pub passed: usize,
    /// The share that passed, in [0, 1]; 0 where there are none.
    pub pass_rate: f64,
}

impl Share {
    fn new(passed: usize, total: usize) -> Self {
        Self {
            total,
            passed,
            pass_rate: rate(passed, total),
        }
    }

    /// Wilson's 95 % interval: it holds for few events, and for none or all passed, too.
    fn interval(self) -> [f64; 2] {
        /// What a normal variable stays within in 95 of 100 cases.
        const Z: f64 = 1.959_963_984_540_054;

        let (total, rate) = (self.total as f64, self.pass_rate);
        let spread = Z * Z / total;
        let centre = rate + spread / 2.0;
        let reach = libm::sqrt(spread * (rate * (1.0 - rate) + spread / 4.0));
        [centre - reach, centre + reach].map(|end| end / (1.0 + spread))
    }
}

impl Difference {
    /// Newcombe's interval, made of the intervals of both rates.
    fn new(a: Share, b: Share) -> Self {
        let told = a.total > 0 && b.total > 0;
        let difference = b.pass_rate - a.pass_rate;
        let interval = || {
            let ([a_low, a_high], [b_low, b_high]) = (a.interval(), b.interval());
            [
                difference - libm::hypot(b.pass_rate - b_low, a_high - a.pass_rate),
                difference + libm::hypot(b_high - b.pass_rate, a.pass_rate - a_low),
            ]
        };
        Self {
            a,
            b,
            difference: told.then_some(difference),
            interval: told.then(interval),
        }
    }
}

fn rate(part: usize, total: usize) -> f64 {
    if total == 0 {
        0.0
    } else {
        part as f64 / total as f64
    }
}

fn rounded_mean(sum: f64, total: usize) -> f64 {
    if total == 0 {
        0.0
    } else {
        libm::floor(sum / total as f64 + 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(level: Level, status: Status, timestamp: f64) -> Event {
        Event {
            level,
            status,
            timestamp,
            duration_ms: timestamp,
            ..Event::default()
        }
    }

    fn events(passed: usize, failed: usize) -> Metrics {
        let mut metrics = Metrics::default();
        for at in 0..passed + failed {
            let status = if at < passed {
                Status::Passed
            } else {
                Status::Failed
            };
            metrics
                .record(event(Level::Structure, status, 0.0))
                .unwrap();
        }
        metrics
    }

    #[test]
    fn a_comparison_is_newcombes() {
        // His table II, example (a): 56 of 70 against 48 of 80.
        let difference = events(48, 32).compare(&events(56, 14)).checks;
        let [low, high] = difference.interval.unwrap();
        assert!((difference.difference.unwrap() - 0.2).abs() < 1e-12);
        assert!((low - 0.0524).abs() < 5e-5, "{low}");
        assert!((high - 0.3339).abs() < 5e-5, "{high}");

        let none = events(0, 0).compare(&events(1, 1)).outputs;
        assert_eq!((none.difference, none.interval), (None, None));
        let [low, high] = events(3, 0)
            .compare(&events(3, 0))
            .outputs
            .interval
            .unwrap();
        assert!(low < 0.0 && high > 0.0 && low >= -1.0 && high <= 1.0);
    }

    #[test]
    fn means_round_a_half_up() {
        for (sum, total, want) in [(5.0, 2, 3.0), (4.9, 2, 2.0), (0.0, 0, 0.0), (7.0, 3, 2.0)] {
            assert_eq!(rounded_mean(sum, total), want);
        }
    }

    #[test]
    fn a_merge_keeps_the_latest_of_both() {
        let mut metrics = Metrics::default();
        let mut other = Metrics::default();
        for at in 0..MAX_EVENTS {
            let (even, odd) = (2.0 * at as f64, 2.0 * at as f64 + 1.0);
            metrics
                .record(event(Level::Structure, Status::Passed, even))
                .unwrap();
            other
                .record(event(Level::Structure, Status::Failed, odd))
                .unwrap();
        }
        metrics.merge(other);
        let times: Vec<f64> = metrics
            .recent(usize::MAX)
            .map(|event| event.timestamp)
            .collect();
        let want: Vec<f64> = (MAX_EVENTS..2 * MAX_EVENTS).map(|at| at as f64).collect();
        assert_eq!(times, want);
        assert_eq!(metrics.aggregates().pass_rate, 0.5);
        assert_eq!(metrics.recent(0).count(), 0);
    }

    #[test]
    fn a_time_is_a_finite_number() {
        for (duration_ms, timestamp) in [
            (-1.0, 0.0),
            (f64::NAN, 0.0),
            (f64::INFINITY, 0.0),
            (0.0, f64::NAN),
            (0.0, f64::NEG_INFINITY),
        ] {
            let event = Event {
                duration_ms,
                timestamp,
                ..Event::default()
            };
            let error = Metrics::default().record(event).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidValue);
        }
    }

    #[test]
    fn a_snapshot_is_what_was_saved() {
        let mut metrics = events(2, 1);
        metrics
            .record(Event {
                specialist_id: "__proto__".into(),
                claims: Some(ClaimCounts {
                    passed: 1,
                    ..ClaimCounts::default()
                }),
                ..event(Level::Filesystem, Status::Passed, 7.0)
            })
            .unwrap();
        let text = serde_json::to_string(&metrics).unwrap();
        let loaded: Metrics = serde_json::from_str(&text).unwrap();
        assert_eq!(loaded, metrics);
        let sums = loaded.aggregates();
        assert_eq!(sums.by_specialist["__proto__"].total, 1);
        assert_eq!(sums.claims.passed, 1);
        let wrong = text.replace("\"level\":3", "\"level\":4");
        assert!(serde_json::from_str::<Metrics>(&wrong).is_err());
    }
}
