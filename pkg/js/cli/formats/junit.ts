import type { Outcome, Suite } from "./outcome.js";

/** As build servers read the results of tests. */
export function junit(suites: Suite[]): string {
  const all = suites.flatMap(({ outcomes }) => outcomes);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="claimgauge" ${counts(all)}>`,
    ...suites.flatMap(({ name, headline, outcomes }) => [
      `  <testsuite name="${escape(name)}" ${counts(outcomes)} skipped="${count(outcomes, "skipped")}">`,
      "    <properties>",
      `      <property name="result" value="${escape(headline)}"/>`,
      "    </properties>",
      ...outcomes.flatMap((outcome) => testcase(outcome, name)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

const ELEMENTS: Partial<Record<Outcome["level"], string>> = { error: "error", failure: "failure", skipped: "skipped" };

function testcase({ name, status, level, message, place }: Outcome, suite: string): string[] {
  const where = place === null ? "" : ` (${place.file}${place.line === null ? "" : `:${place.line}`})`;
  const element = ELEMENTS[level];
  const type = level === "skipped" ? "" : ` type="${escape(status)}"`;
  const inside =
    element === undefined
      ? `<system-out>${escape(`${status}: ${message}`)}</system-out>`
      : `<${element}${type} message="${escape(message)}">${escape(`${status}${where}`)}</${element}>`;
  return [`    <testcase classname="${escape(suite)}" name="${escape(name)}">`, `      ${inside}`, "    </testcase>"];
}

function counts(outcomes: Outcome[]): string {
  return `tests="${outcomes.length}" failures="${count(outcomes, "failure")}" errors="${count(outcomes, "error")}"`;
}

function count(outcomes: Outcome[], level: Outcome["level"]): number {
  return outcomes.filter((outcome) => outcome.level === level).length;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;" };

/** For texts and attributes alike; what XML cannot hold becomes U+FFFD, and what shows letters in another order. */
function escape(text: string): string {
  const held = text.replace(/[^\t\n\r\u0020-\u2029\u202f-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return held.replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] as string);
}
