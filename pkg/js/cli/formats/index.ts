// How reports are printed: the formats, and what prints one report after another.
import { toMarkdown } from "../../methods.js";
import type { Report, Status } from "../../types.js";
import type { Options } from "../command.js";
import { UsageError } from "../exit.js";
import { harmless, print, printJson } from "../terminal.js";
import { github } from "./github.js";
import { junit } from "./junit.js";
import { ofReport, type Source, type Suite } from "./outcome.js";
import { sarif } from "./sarif.js";
import { summary } from "./text.js";

/** For other tools: all suites in one document. */
const DOCUMENTS = { junit, sarif, github };

const TOOLS = {
  junit: { type: "boolean", help: "print JUnit XML, as build servers read it" },
  sarif: { type: "boolean", help: "print SARIF 2.1.0, as code scanning reads it" },
  github: { type: "boolean", help: "print annotations, as a GitHub workflow reads them" },
} as const satisfies Options;

export const FORMATS = {
  json: { type: "boolean", help: "print the whole result as JSON; of JSON lines one line each" },
  markdown: { type: "boolean", help: "print Markdown, for people and pull requests" },
  ...TOOLS,
} as const;

/** Those of what is no report. */
export const CHECK_FORMATS = { json: { type: "boolean", help: "print the whole result as JSON" }, ...TOOLS } as const;

export type Format = keyof typeof FORMATS | "text";

export function formatOf(values: { [format in keyof typeof FORMATS]?: boolean }): Format {
  const given = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).filter((format) => values[format]);
  if (given.length > 1) throw new UsageError(`Give one of ${given.map((format) => `--${format}`).join(" and ")}`);
  return given[0] ?? "text";
}

export function isDocument(format: Format): format is keyof typeof DOCUMENTS {
  return Object.hasOwn(DOCUMENTS, format);
}

export function document(format: keyof typeof DOCUMENTS, suites: Suite[]): string {
  return DOCUMENTS[format](suites);
}

/** Prints reports as they come, or, as a document, at the end. */
export class Reports {
  readonly #suites: Suite[] = [];
  #isFirst = true;

  /** `many`: the reports of JSON lines. */
  constructor(readonly format: Format, readonly many: boolean, readonly failOn: Status | undefined) {}

  async add(report: Report, source: Source): Promise<void> {
    if (isDocument(this.format)) {
      this.#suites.push(ofReport(report, source, this.failOn));
    } else if (this.format === "json") {
      await (this.many ? print(`${JSON.stringify(report)}\n`) : printJson(report));
    } else {
      const { text, markdown } = { text: summary, markdown: toMarkdown };
      const heading = this.many ? `${this.#isFirst ? "" : "\n"}${this.format === "text" ? "" : "## "}Line ${source.line()}\n\n` : "";
      await print(heading + (this.format === "text" ? text(report) : harmless(markdown(report))));
    }
    this.#isFirst = false;
  }

  async end(): Promise<void> {
    if (isDocument(this.format)) await print(document(this.format, this.#suites));
  }
}
