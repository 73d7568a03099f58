// Judges over HTTP: answers, and all that goes wrong on the way, told beside the input at fault.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeServer, json, says, worked } from "./support/judge-server.mjs";
import { useBrowser } from "./support/page.mjs";

const open = useBrowser();

/** What a promise gives within five seconds; the page's own patience is longer than that. */
const soon = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 5000, "late").unref())]);

test("a key that would go unencrypted to another machine is warned of, and a key that is needed is not optional", async (t) => {
  const app = await open(t);
  const { page } = app;
  const warning = page.getByText("By http the key goes unencrypted");
  await app.endpoint({ baseUrl: "http://api.example.com/v1" });
  assert.equal(await warning.count(), 0);
  await page.locator("#api-key").fill("k");
  await warning.waitFor();
  await page.locator("#base-url").fill("http://localhost:8080/v1");
  await warning.waitFor({ state: "detached" });
  await page.getByLabel("Key (optional)").waitFor();
  await page.locator("#interface").selectOption({ label: "Anthropic messages" });
  await page.getByLabel("Key", { exact: true }).waitFor();
});

test("an endpoint judges the worked example, and is sent what it needs and no more", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, worked);
  await app.endpoint({ baseUrl: judge.baseUrl, key: "k-123" });
  assert.ok((await app.page.locator("#destination").innerText()).includes(judge.host));
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);

  assert.equal(judge.questions.length, 2);
  for (const { path, headers, body } of judge.questions) {
    assert.equal(path, "/v1/chat/completions");
    assert.equal(headers.authorization, "Bearer k-123");
    assert.equal(headers.cookie, undefined);
    assert.equal(headers.referer, undefined);
    assert.equal(body.model, "test-model");
    assert.equal(body.temperature, undefined);
  }
  const { cost } = await app.report();
  assert.deepEqual(cost, { calls: 2, promptTokens: 600, completionTokens: 40 });
});

test("a refused key is told beside the key, and the run stops", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (_, response) =>
    json(response, 401, { error: { message: "Incorrect API key provided" } }),
  );
  await app.endpoint({ baseUrl: judge.baseUrl, key: "wrong" });
  await app.run();
  const message = await app.fault("api-key");
  assert.match(message, /refused the key/);
  assert.match(message, /Incorrect API key provided/);
  const field = app.page.locator("#api-key");
  assert.equal(await field.inputValue(), "wrong");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.getAttribute("aria-describedby"), "fault-api-key");
  assert.deepEqual(await app.statuses(), ["INCONCLUSIVE"]);
  assert.match(await app.page.locator("#claims").inputValue(), /VARCHAR/);
});

test("a web page instead of JSON is told beside the base URL", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><p>Welcome");
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.match(await app.fault("base-url"), /answered with a web page/);
});

test("an address that nobody listens on, and one that browsers may not ask, are told beside the base URL", async (t) => {
  const app = await open(t);
  await app.endpoint({ baseUrl: "", model: "" });
  await app.run();
  assert.match(await app.fault("base-url"), /No base URL is given yet/);
  assert.match(await app.fault("model"), /No model is named/);

  await app.endpoint({ baseUrl: "not a url" });
  await app.run();
  assert.match(await app.fault("base-url"), /no http or https address/);

  const silent = await judgeServer(t, worked, { cors: false });
  await app.endpoint({ baseUrl: silent.baseUrl });
  await app.run();
  assert.match(await app.fault("base-url"), /cannot be reached.*CORS/);
  assert.deepEqual(await app.statuses(), ["INCONCLUSIVE"]);
});

test("a reply without a verdict is asked for again, then told beside the judge", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (_, response) => says(response, "I would rather not say."));
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.match(await app.fault("judge"), /No verdict could be read in 3 replies/);
  assert.equal(judge.questions.length, 6);
  const report = await app.report();
  assert.equal(report.claims[0].status, "INCONCLUSIVE");
  assert.deepEqual(report.claims[0].full.raw, Array(3).fill("I would rather not say."));
});

test("cancel ends a run that hangs, closes its connections and keeps what was judged", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (question, response) => {
    if (question.number <= 2) worked(question, response);
  });
  await app.claims("Table users contains field email\nThe field email holds 255 characters\n");
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  await app.page.getByText("2 of 4 passes judged").waitFor();
  await app.page.locator("#cancel").click();
  const statuses = await app.statuses();
  assert.equal(statuses[1], "INCONCLUSIVE");
  assert.equal(await app.recommendation(), "RUN AGAIN");
  const report = await app.report();
  assert.deepEqual(report.claims[1].flags.includes("cancelled"), true);
  for (const { number, closed } of judge.questions) {
    if (number > 2) assert.equal(await soon(closed), true, "the page let go of the connection");
  }
  assert.ok(await app.page.locator("#cancel").isDisabled());
});

test("of a claim that nobody was asked about nothing is said to be redacted", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, () => {});
  await app.claims("It is so\nAll is well");
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  await app.page.getByText("0 of 4 passes judged").waitFor();
  await app.page.locator("#cancel").click();
  assert.deepEqual(await app.statuses(), ["INCONCLUSIVE", "INCONCLUSIVE"]);
  for (const notes of await app.page.locator(".finding .notes").allInnerTexts()) {
    assert.match(notes, /cancelled/);
    assert.doesNotMatch(notes, /redacted/);
  }
});

test("running again cancels the former run, whose late answers change nothing", async (t) => {
  const app = await open(t);
  let first = true;
  const judge = await judgeServer(t, (question, response) => {
    if (question.number <= 2 && first) return;
    worked(question, response);
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  await app.page.getByText("0 of 2 passes judged").waitFor();
  while (judge.questions.length < 2) await app.page.waitForTimeout(10);
  first = false;
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(await soon(judge.questions[0].closed), true);
});

test("a busy server is asked again after the time that it names", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (question, response) => {
    if (question.number > 1) return worked(question, response);
    json(response, 429, { error: { message: "slow down" } }, { "Retry-After": "1" });
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(judge.questions.length, 3);
});

test("an answer that breaks off is asked for again", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (question, response) => {
    if (question.number > 1) return worked(question, response);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "500" });
    response.write('{"choices":[');
    setTimeout(() => response.destroy(), 50);
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  assert.equal(judge.questions.length, 3);
});

test("a parameter that the server refuses is left out", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (question, response) => {
    if (!question.body.response_format) return worked(question, response);
    json(response, 400, { error: { message: "response_format is not supported" } });
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
});

for (const [name, status, place, most] of [
  ["a storm of 429", 429, "judge", 4 + 4 * 8],
  ["a key that is refused half-way", 401, "api-key", 4 + 4],
]) {
  test(`${name} ends a run with what is done`, async (t) => {
    const app = await open(t);
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    const judge = await judgeServer(t, async (question, response) => {
      if (/has [01] rows/.test(question.body.messages.at(-1).content)) return worked(question, response);
      await begun;
      json(response, status, { error: { message: "no more" } }, { "Retry-After": "0" });
    });
    await app.claims(Array.from({ length: 10 }, (_, at) => `Table users has ${at} rows`).join("\n"));
    await app.endpoint({ baseUrl: judge.baseUrl });
    await app.run();
    await app.page.getByText("4 of 20 passes judged").waitFor();
    begin();
    assert.match(await app.fault(place), /no more/);
    assert.equal((await app.statuses()).length, 10);
    const report = await app.report();
    assert.equal(report.summary.inconclusive, 8);
    assert.ok(report.claims.some(({ flags }) => flags.includes("stopped")));
    assert.ok(judge.questions.length <= most, `${judge.questions.length} questions`);
  });
}

test("a server that keeps failing is told beside the base URL", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (_, response) => json(response, 500, { error: "out of memory" }));
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.match(await app.fault("base-url"), /server failed.*500/);
  assert.equal(judge.questions.length, 8, "four tries of each pass");
});

test("the interface can be chosen, and its provider's own address stands in where none is typed", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, (question, response) => {
    const full = JSON.stringify(question.body.messages).includes("users.email");
    const text = full
      ? '{"verdict":"ENTAILED","confidence":0.95,"reasoning":"S0 says so."}'
      : '{"verdict":"UNSURE","confidence":0.3,"reasoning":"The names are gone."}';
    json(response, 200, {
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: { input_tokens: 300, output_tokens: 20 },
    });
  });
  await app.endpoint({ baseUrl: "", key: "k-9", dialect: "Anthropic messages" });
  assert.equal(await app.page.locator("#destination strong").innerText(), "api.anthropic.com");
  await app.page.locator("#base-url").fill(judge.baseUrl);
  await app.run();
  assert.deepEqual(await app.statuses(), ["VERIFIED"]);
  for (const { path, headers } of judge.questions) {
    assert.equal(path, "/v1/messages");
    assert.equal(headers["x-api-key"], "k-9");
    assert.equal(headers.authorization, undefined);
  }
  await app.page.reload();
  await app.page.locator("#run").waitFor();
  assert.equal(await app.page.locator("#interface option:checked").innerText(), "Anthropic messages");
});

test("a body that does not end is given up, and told beside the base URL", async (t) => {
  const app = await open(t);
  let sent = 0;
  const judge = await judgeServer(t, (question, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const more = () => {
      while (!response.destroyed && sent < 400e6) {
        sent += 1e6;
        if (!response.write(" ".repeat(1e6))) return response.once("drain", more);
      }
      response.end();
    };
    more();
  });
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.run();
  assert.match(await app.fault("base-url"), /large|longer|more than/i);
  assert.ok(sent < 200e6, `the page let go after ${sent} bytes`);
});

test("another key makes the result an old one", async (t) => {
  const app = await open(t);
  const judge = await judgeServer(t, worked);
  await app.endpoint({ baseUrl: judge.baseUrl, key: "one" });
  await app.run();
  await app.statuses();
  const stale = app.page.locator(".outdated .stale");
  assert.equal(await stale.count(), 0);
  await app.page.locator("#api-key").fill("two");
  await stale.waitFor();
  await app.page.locator("#api-key").fill("one");
  await stale.waitFor({ state: "detached" });
});

test("cancel ends a run of 40 claims within 100 milliseconds", async (t) => {
  const app = await open(t);
  let answers;
  const judge = await judgeServer(t, (question, response) => {
    if (question.number <= answers) worked(question, response);
  });
  const claims = Array.from({ length: 40 }, (_, at) => `The field email of users holds ${at} characters`);
  await app.claims(claims.join("\n"));
  await app.endpoint({ baseUrl: judge.baseUrl });
  await app.cancelWithin(100, "8 of 80 passes judged", () => (answers = judge.questions.length + 8));
  assert.equal((await app.report()).claims.length, 40);
});
