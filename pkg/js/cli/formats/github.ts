import { harmless } from "../terminal.js";
import type { Outcome, Suite } from "./outcome.js";

const COMMANDS: Partial<Record<Outcome["level"], string>> = { error: "error", failure: "error", warning: "warning", note: "notice" };

/** Annotations, as a GitHub workflow reads them from the output of its steps. */
export function github(suites: Suite[]): string {
  const lines = suites.flatMap(({ name, headline, outcomes }) => [
    ...outcomes.filter(({ level }) => level in COMMANDS).map(annotation),
    `::notice title=${property(name)}::${message(headline)}`,
  ]);
  return `${lines.join("\n")}\n`;
}

function annotation({ name, status, level, message: why, place }: Outcome): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`]),
    ...(place === null || place.line === null ? [] : [`line=${place.line}`]),
    `title=${property(status)}`,
  ];
  return `::${COMMANDS[level]} ${properties.join(",")}::${message(`${name}\n${why}`)}`;
}

/** Nothing of a claim may become a command of its own. */
function message(text: string): string {
  return harmless(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function property(text: string): string {
  return message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
