// Keeps the page's own files, so that it works without a network. All are of one version: files.js names
// it, and the browser fetches this worker anew when either has changed. Everything else, above all what is
// asked of judges, goes its own way: it is not even looked at.
importScripts("./files.js");

const { version, first, later } = self.SITE;
const scope = new URL(self.registration.scope);
const OWN = `claimgauge ${scope.pathname} `;
const CACHE = OWN + version;
const known = new Set([...first, ...later]);

self.addEventListener("install", (event) => {
  const requests = first.map((name) => new Request(`./${name}`, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

// A new version waits until no page of the old one is open, or until the user asks for it.
self.addEventListener("message", ({ data }) => {
  if (data === "take over") self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith(OWN) && name !== CACHE))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const name = pathname.slice(scope.pathname.length) || "index.html";
  if (known.has(name)) event.respondWith(answer(name, event.request));
});

/** From the cache; what is not kept from the start is kept once it was fetched. */
async function answer(name, request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(`./${name}`);
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) await cache.put(`./${name}`, fetched.clone());
  return fetched;
}
