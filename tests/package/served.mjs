// The installed package and pages beside it, served to a real Chromium under a content security policy that
// allows wasm, and neither the evaluation of text nor anything from elsewhere.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";

import { chromium } from "playwright-core";

import { install } from "./fixture.mjs";

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json", wasm: "application/wasm" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'";
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/**
 * `page` gives what stands at a path, `[type, content]`; where it gives nothing the package's own file of that
 * path does. `fetched` is a list of the paths that were asked for.
 */
export async function served(page) {
  const project = await install();
  const fetched = [];
  const server = createServer(async ({ url }, response) => {
    fetched.push(url);
    const [type, content] = page(url) ?? [
      url.split(".").at(-1),
      await readFile(join(project.package, normalize(url))).catch(() => undefined),
    ];
    response.writeHead(content === undefined ? 404 : 200, { "content-type": TYPES[type] ?? "text/plain", "content-security-policy": POLICY });
    response.end(content);
  });
  // First the browser: where it does not start, no server is left to wait for.
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    project,
    fetched,
    browser,
    origin: `http://127.0.0.1:${server.address().port}`,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await project.remove();
    },
  };
}
