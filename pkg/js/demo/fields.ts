// Evidence and claims as they are given: to read, or to edit.
import type { VerifyRequest } from "../types.js";
import { el } from "./dom.js";

/** What can be edited of a request, in its order. */
export interface Texts {
  evidence: string[];
  claims: string[];
}

export function textsOf({ evidence, claims }: VerifyRequest): Texts {
  const text = (given: string | { text: string }) => (typeof given === "string" ? given : given.text);
  return { evidence: evidence.map(text), claims: claims.map(text) };
}

/** The request with these texts in place of its own. */
export function withTexts(request: VerifyRequest, texts: Texts): VerifyRequest {
  const put = <T extends string | { text: string }>(given: T, text: string | undefined) =>
    (typeof given === "string" ? text : { ...(given as { text: string }), text }) as T;
  return {
    ...request,
    evidence: request.evidence.map((span, at) => put(span, texts.evidence[at])),
    claims: request.claims.map((claim, at) => put(claim, texts.claims[at])),
  };
}

export function same(a: Texts, b: Texts): boolean {
  const equal = (a: string[], b: string[]) => a.length === b.length && a.every((text, at) => text === b[at]);
  return equal(a.evidence, b.evidence) && equal(a.claims, b.claims);
}

/** `edited` is handed all texts after each change; without it there is nothing to edit. */
export function fields(request: VerifyRequest, texts: Texts, edited: ((texts: Texts) => void) | null): Node {
  const now = structuredClone(texts);
  const field = (kind: keyof Texts, at: number, label: string, source = "") => {
    const text = now[kind][at] ?? "";
    const head = [el("b", {}, label), source && ` ${source}`];
    if (edited === null) return el("div", { class: "field" }, el("p", {}, ...head), el("p", { class: kind }, text));
    const area = el("textarea", { class: kind, rows: "2", spellcheck: "false" });
    area.value = text;
    area.addEventListener("input", () => {
      now[kind][at] = area.value;
      edited(structuredClone(now));
    });
    return el("label", { class: "field" }, el("span", {}, ...head), area);
  };
  const named = <T>(given: string | T): Partial<T> => (typeof given === "string" ? {} : given);
  const evidence = request.evidence.map((span, at) => {
    const { id, source } = named(span);
    return field("evidence", at, `Evidence ${id ?? `S${at}`}`, source ?? "");
  });
  const claims = request.claims.map((claim, at) => field("claims", at, `Claim ${named(claim).id ?? `C${at}`}`));
  const fields = document.createDocumentFragment();
  fields.append(...evidence, ...claims);
  return fields;
}
