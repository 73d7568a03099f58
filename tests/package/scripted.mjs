// An HTTP server that does on command what a real one only does on a bad day.
import { createServer } from "node:http";
import { after } from "node:test";

/**
 * Serves `script(request, response, number)`, where `request` also has the parsed `json` and the
 * `time` at which it came, and `number` counts from 0. Listens on 127.0.0.1 alone.
 */
export async function serve(script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    try {
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
    } catch {
      return; // The client went away while it was sending.
    }
    request.json = JSON.parse(body);
    request.time = performance.now();
    requests.push(request);
    script(request, response, requests.length - 1);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For the suite that calls it: what it returns serves a script as `serve` does, until the suite ends. */
export function useServers() {
  const servers = [];
  after(() => Promise.all(servers.map((server) => server.close())));
  return async (script) => {
    const server = await serve(script);
    servers.push(server);
    return server;
  };
}

/** Answers as a model would. */
export function say(response, content, { usage = { prompt_tokens: 900, completion_tokens: 20 }, ...choice } = {}) {
  send(response, 200, { choices: [{ message: { role: "assistant", content }, finish_reason: "stop", ...choice }], usage });
}

/** The reply that makes a claim VERIFIED: sure of the full evidence, unsure of the scrubbed. */
export function judge(request, response) {
  const scrubbed = /\[[A-Z]+_\d+\]|\[REDACTED\]/.test(request.json.messages[1].content);
  say(response, scrubbed ? '{"verdict":"UNSURE","confidence":0.3}' : '{"verdict":"ENTAILED","confidence":0.95}');
}

export function send(response, status, body, headers = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}
