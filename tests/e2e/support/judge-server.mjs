// A scripted judge over HTTP: it does on command what a real server will not.

import { createServer } from "node:http";

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access",
  "Access-Control-Expose-Headers": "Retry-After",
};

/**
 * Starts a server that hands each question to `answer(question, response)`, with the question's
 * headers, body and number from 1. It stops when the test ends.
 */
export async function judgeServer(t, answer, { cors = true } = {}) {
  const questions = [];
  const server = createServer(async (request, response) => {
    if (cors) for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    let text = "";
    for await (const part of request) text += part;
    const question = {
      number: questions.length + 1,
      path: request.url,
      headers: request.headers,
      body: JSON.parse(text),
      closed: new Promise((resolve) => response.once("close", () => resolve(!response.writableEnded))),
    };
    questions.push(question);
    await answer(question, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${server.address().port}`;
  return { host, baseUrl: `http://${host}/v1`, questions };
}

export function json(response, status, body, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A reply as chat completions give it. */
export function says(response, content) {
  json(response, 200, {
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 300, completion_tokens: 20 },
  });
}

/** What a good judge says of the worked example: sure with the names, unsure without them. */
export function worked(question, response) {
  const evidence = question.body.messages.at(-1).content.split("</evidence")[0];
  const full = evidence.includes("users.email");
  says(
    response,
    full
      ? '{"verdict":"ENTAILED","confidence":0.95,"reasoning":"S0 says so."}'
      : '{"verdict":"UNSURE","confidence":0.3,"reasoning":"The names are gone."}',
  );
}
