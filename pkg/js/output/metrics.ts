import { more } from "../module.js";
import { checkOptions, notNegative } from "../options.js";
import type { ErrorCategory } from "./types.js";

/** One level of the check of one output. */
export interface MetricsEvent {
  specialistId: string;
  subtaskId?: string | null | undefined;
  level: 1 | 2 | 3;
  status: "passed" | "failed";
  errorCategory?: ErrorCategory | null | undefined;
  errorDetails?: string | null | undefined;
  /** Milliseconds, not negative. */
  durationMs: number;
  /** Milliseconds of the host's clock. */
  timestamp: number;
  /** The claims by how they ended; at level 3. */
  claims?: ClaimCounts | null | undefined;
}

export interface ClaimCounts {
  passed: number;
  failed: number;
  inconclusive: number;
  trusted: number;
  superseded: number;
}

/** Plain data: save it as JSON, hand it to `new Metrics` again. */
export interface MetricsSnapshot {
  events: MetricsEvent[];
}

export interface Counts {
  total: number;
  passed: number;
  failed: number;
}

export interface Aggregates {
  /** Events. */
  totalChecks: number;
  /** The share of them that passed, in [0, 1]; 0 where there are none. */
  passRate: number;
  byLevel: { [level in 1 | 2 | 3]: Counts & { avgDurationMs: number } };
  bySpecialist: { [specialist: string]: Counts };
  errorsByCategory: { [category in ErrorCategory]: number };
  outputs: Counts & { passRate: number };
  claims: ClaimCounts;
}

/** The pass rates of two collections, by events and by whole outputs. */
export interface Comparison {
  checks: Difference;
  outputs: Difference;
}

export interface Difference {
  a: Share;
  b: Share;
  /** The rate of `b` less that of `a`; null where either is empty. */
  difference: number | null;
  /** Its 95 % interval: the difference is significant where 0 lies outside. */
  interval: [number, number] | null;
}

export interface Share {
  total: number;
  passed: number;
  passRate: number;
}

/** Events that are kept. */
const MOST = 1000;

/** Recent events, where nobody says how many. */
const RECENT = 100;

/** How outputs fare over time: the last thousand events and what they add up to. */
export class Metrics {
  #events: MetricsEvent[] = [];

  /** Takes in what `snapshot` gave. */
  constructor(snapshot?: MetricsSnapshot | null) {
    if (snapshot !== undefined && snapshot !== null) {
      this.#events = merged({ events: [] }, snapshot).events;
    }
  }

  /** Takes an event in; the oldest one goes where there are too many. */
  record(event: MetricsEvent): void {
    this.#events.push(...(more.call((module) => module.metricsEvent(event)) as MetricsEvent[]));
    if (this.#events.length > MOST) this.#events.shift();
  }

  getAggregates(): Aggregates {
    return JSON.parse(more.call((module) => module.metricsAggregates(this.#data()))) as Aggregates;
  }

  /** The last events, oldest first: 100 where `limit` is absent, none where it is 0. */
  getRecentEvents(limit?: number | null): MetricsEvent[] {
    checkOptions({ limit }, { limit: notNegative });
    const most = limit ?? RECENT;
    return most === 0 ? [] : structuredClone(this.#events.slice(-most));
  }

  /** Forgets everything. */
  clear(): void {
    this.#events = [];
  }

  snapshot(): MetricsSnapshot {
    return structuredClone(this.#data());
  }

  /** Takes in the events of another collection, in the order of their times. */
  merge(other: Metrics | MetricsSnapshot): void {
    this.#events = merged(this.#data(), dataOf(other)).events;
  }

  /** How `other` fares beside this collection. */
  compare(other: Metrics | MetricsSnapshot): Comparison {
    return more.call((module) => module.metricsCompare(this.#data(), dataOf(other))) as Comparison;
  }

  #data(): MetricsSnapshot {
    return { events: this.#events };
  }

  static isMetrics(value: unknown): value is Metrics {
    return typeof value === "object" && value !== null && #events in value;
  }
}

function dataOf(metrics: Metrics | MetricsSnapshot): MetricsSnapshot {
  return Metrics.isMetrics(metrics) ? metrics.snapshot() : metrics;
}

function merged(snapshot: MetricsSnapshot, other: MetricsSnapshot): MetricsSnapshot {
  return more.call((module) => module.metricsMerge(snapshot, other)) as MetricsSnapshot;
}
