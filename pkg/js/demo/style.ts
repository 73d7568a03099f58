/**
 * The demo's own styles, as a sheet that is adopted: a content security policy that refuses inline styles has no say
 * in it. Both schemes stand in each colour; text has a contrast of 4.5 and more in both.
 */
export const css = `
:host {
  display: block;
  container-type: inline-size;
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }

.demo {
  --surface: light-dark(#ffffff, #172120);
  --sunken: light-dark(#f6f8f7, #111a19);
  --line: light-dark(#d8dfdd, #2c3a38);
  --line-strong: light-dark(#87948f, #6f827e);
  --ink: light-dark(#16211f, #e7eeec);
  --soft: light-dark(#53625e, #a3b3af);
  --accent: light-dark(#0d5c63, #6cc7c4);
  --accent-wash: light-dark(#e2f0ef, #17393a);
  --verified: light-dark(#17693a, #7ed79b);
  --verified-wash: light-dark(#e3f3e8, #143422);
  --plausible: light-dark(#1f5a9c, #8fc1fa);
  --plausible-wash: light-dark(#e4eefa, #162d49);
  --suspicious: light-dark(#855100, #f0bf66);
  --suspicious-wash: light-dark(#fbefd8, #3a2b0d);
  --unsupported: light-dark(#a62424, #ff9f97);
  --unsupported-wash: light-dark(#fbe6e4, #441c1b);
  --inconclusive: light-dark(#54585f, #bcc3cb);
  --inconclusive-wash: light-dark(#ebedf0, #272d33);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;

  display: grid;
  gap: 16px;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--surface);
  color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  text-align: start;
  overflow-wrap: anywhere;
}
.demo.reader { color-scheme: light dark; }
:host([theme]) .demo.reader { color-scheme: inherit; }

p, ul, figure { margin: 0; padding: 0; }
ul { list-style: none; }
b { font-weight: 600; }
code, textarea, .span-text, .evidence { font-family: var(--mono); font-size: 14px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

header:empty, .note:empty, .columns:has(> .given:empty) { display: none; }
header p + p, .loading, .note, .advice, .notes { color: var(--soft); font-size: 14px; }
.title, .label { font-weight: 600; }
.title { font-size: 17px; }
.columns, .given, .preview, .spans, .results, .finding, .gauge, .asked, .pass, .atoms { display: grid; gap: 12px; align-content: start; min-width: 0; }
.preview, .asked, .pass, .atoms { gap: 8px; }

.field { display: grid; gap: 4px; font-size: 14px; }
.field > :first-child, .span-head { color: var(--soft); font-size: 14px; }
.field > :first-child b, .span-head b { color: var(--ink); }
.field > p + p { padding-inline-start: 12px; border-inline-start: 3px solid var(--line); white-space: pre-wrap; }
.field > .claims { font-size: 15px; }
textarea {
  display: block;
  width: 100%;
  min-height: 4em;
  max-height: 20em;
  padding: 8px 12px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--sunken);
  color: inherit;
  line-height: 1.5;
  resize: vertical;
  field-sizing: content;
}
button {
  min-height: 32px;
  padding: 4px 12px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  cursor: pointer;
}
button:hover { border-color: var(--accent); background: var(--accent-wash); }

.spans { max-height: 24em; padding: 12px; border-radius: 6px; background: var(--sunken); overflow-y: auto; }
.span-text { line-height: 1.9; white-space: pre-wrap; }
.span-text i { color: var(--soft); }
.mark {
  --own: light-dark(#3c5e1c, #b4da8c);
  --own-wash: light-dark(#e4f0d6, #24361a);
  padding: 1px 5px;
  border: 1px solid var(--own);
  border-radius: 5px;
  background: var(--own-wash);
  color: var(--own);
  font: 600 12.5px/1.4 var(--mono);
  white-space: nowrap;
  cursor: pointer;
}
.mark.data { --own: light-dark(#0b5f6b, #7fd3df); --own-wash: light-dark(#d5eef1, #103840); }
.mark.code { --own: light-dark(#5b3c9c, #c5b0fb); --own-wash: light-dark(#e9e2fa, #2d2250); }
.mark.place { --own: light-dark(#7a4a08, #ecc181); --own-wash: light-dark(#f7e7cc, #3b2a10); }
.mark.setting { --own: light-dark(#1d5a96, #9cc8fb); --own-wash: light-dark(#dceafa, #162f4d); }
.mark.security { --own: light-dark(#9a2450, #fba6c4); --own-wash: light-dark(#fae0ea, #451a2b); }
.mark.lit { background: var(--own); color: var(--surface); }
.lens { padding: 8px 12px; border: 1px dashed var(--line-strong); border-radius: 6px; color: var(--soft); font-size: 14px; }
.instead { color: var(--soft); font-size: 14px; }
.lens b, .lens q { color: var(--ink); }
.leaks, .trouble { padding: 8px 12px; border-inline-start: 3px solid var(--suspicious); background: var(--suspicious-wash); font-size: 14px; }
.trouble { border-color: var(--unsupported); background: var(--unsupported-wash); color: var(--unsupported); }

.verified { --tone: var(--verified); --tone-wash: var(--verified-wash); }
.plausible { --tone: var(--plausible); --tone-wash: var(--plausible-wash); }
.suspicious { --tone: var(--suspicious); --tone-wash: var(--suspicious-wash); }
.unsupported { --tone: var(--unsupported); --tone-wash: var(--unsupported-wash); }
.inconclusive { --tone: var(--inconclusive); --tone-wash: var(--inconclusive-wash); }
.finding { padding-top: 12px; border-top: 4px solid var(--tone); }
.verdict { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
.status { padding: 4px 12px; border-radius: 999px; background: var(--tone-wash); color: var(--tone); }
.status b { font-weight: 700; letter-spacing: 0.02em; }
.sign { display: inline-block; min-width: 1em; font-weight: 700; text-align: center; }
.action, .claim b { color: var(--soft); }
.claim { font-weight: 600; }

.gauge { padding: 12px 16px; border-radius: 6px; background: var(--sunken); }
.gauge.unread { --tone: var(--line-strong); }
.gauge figcaption { color: var(--soft); font-size: 14px; }
.delta-value { margin-inline-end: 8px; color: var(--tone); font-size: 24px; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.2; }
.unread .delta-value { color: var(--soft); font-size: 18px; }
svg { display: block; width: 100%; height: 90px; overflow: visible; }
.asked svg { height: 16px; }
.asked p { color: var(--soft); font-size: 13px; }
svg text { fill: var(--ink); font: 600 13px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
svg .scale { fill: var(--soft); font-size: 12px; font-weight: 400; }
.groove { fill: var(--line); }
.between { fill: var(--tone); opacity: 0.55; }
.without { fill: var(--surface); stroke: var(--ink); stroke-width: 2.5; }
.with { fill: var(--tone); stroke: var(--surface); stroke-width: 2; }
.least { stroke: var(--ink); stroke-width: 2; }

.passes { display: grid; gap: 12px; }
.pass { padding: 12px; border: 1px solid var(--line); border-radius: 6px; font-size: 14px; }
.pass-head, .basis, .atoms p { color: var(--soft); }
.pass-head b, .atoms b { color: var(--ink); }
.judgement { font-variant-numeric: tabular-nums; }
.failed { color: var(--unsupported); }
pre { margin: 0; padding: 8px 12px; border-radius: 6px; background: var(--sunken); font: 14px/1.5 var(--mono); white-space: pre-wrap; }
.atoms { font-size: 14px; }
.atoms ul { display: flex; flex-wrap: wrap; gap: 8px; }
.atoms li { max-width: 100%; padding: 2px 8px; border-radius: 6px; background: var(--suspicious-wash); }
.atoms .found { background: var(--verified-wash); }
.atoms .rival { background: var(--unsupported-wash); }
.notes code { padding: 1px 5px; border-radius: 4px; background: var(--sunken); color: var(--ink); font-size: 13px; }
.advice b { color: var(--ink); }
.told { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@container (width >= 560px) {
  .passes { grid-template-columns: 1fr 1fr; }
}
@container (width >= 720px) {
  .columns { grid-template-columns: 1fr 1fr; gap: 24px; }
}
@container (width < 400px) {
  .demo { padding: 12px; }
}
@media (prefers-reduced-motion: no-preference) {
  .mark, button { transition: background-color 120ms, color 120ms; }
}
@media (forced-colors: active) {
  .between, .with, .groove { forced-color-adjust: none; }
}
`;
