// Issue 4: /docs shows all documents with a way to try them, and works without the internet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { feedCodes } from "#/kernel/feed-codes.ts";
import { sendRaw } from "../support/raw-request.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

interface Visited {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Follows every link and every part of every page from here, once. */
async function crawl(start: string): Promise<Visited[]> {
  const waiting = [start];
  const seen = new Map<string, Visited>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    const response = await get(path);
    const text = await response.text();
    seen.set(path, { path, status: response.status, headers: response.headers, text });
    if (!isPage(response.headers)) continue;
    for (const [, link] of text.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (link?.startsWith("/")) waiting.push(link.replace(/#.*/, ""));
    }
  }
  return [...seen.values()];
}

const isPage = (headers: Headers) => (headers.get("content-type") ?? "").startsWith("text/html");

const visited = await crawl("/docs");
const pages = visited.filter(({ headers }) => isPage(headers));
const pageOf = (path: string) => visited.find((it) => it.path === path) as Visited;

test("every link from /docs leads somewhere, and none of them away from here", () => {
  assert.deepEqual(
    visited.filter(({ status }) => status !== 200).map(({ path, status }) => `${status} ${path}`),
    [],
  );
  for (const { path, text } of pages) {
    for (const [, link] of text.matchAll(/\b(?:href|src|action|srcset)="([^"]*)"/g)) {
      assert.match(link as string, /^(?:\/(?!\/)|#|data:,$)/, `${path} leads to ${link}`);
    }
    assert.doesNotMatch(text, /@import|url\(|<script>|<style|\son\w+=|javascript:/i, path);
  }
});

test("from /docs one comes to the reference, the guides, the XSDs, the problems and the codes of feeds", () => {
  const paths = visited.map(({ path }) => path);
  const wanted = [
    "/docs/api",
    "/docs/feeds",
    "/docs/outbound",
    "/docs/warehouse",
    "/docs/events",
    "/docs/feed-errors",
    "/problems",
  ];
  for (const path of [...wanted, "/openapi/order.json", "/openapi/warehouse.json", "/xsd/NO.xsd", "/xsd/ACK.xsd"]) {
    assert.ok(paths.includes(path), path);
  }
  assert.ok(paths.filter((path) => path.startsWith("/problems/")).length > 20);
});

test("pages say what they are, and keep to themselves", () => {
  for (const { path, headers, text } of pages) {
    assert.match(text, /^<!doctype html>\n<html lang="en">/, path);
    assert.match(text, /<title>[^<]+<\/title>/, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'/, path);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1];
    assert.equal(scripts, path === "/docs/api" ? "'self'" : undefined);
    assert.doesNotMatch(policy, /https?:|\*/);
  }
  for (const { path, headers, text } of pages.filter((page) => page.path.startsWith("/docs"))) {
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    if (path !== "/docs/api") assert.match(text, /<main id="content">\s*<h1/, path);
  }
});

test("the reference shows every document and has no way out of this deployment", async () => {
  const { items } = (await (await get("/openapi")).json()) as { items: { name: string; title: string; url: string }[] };
  const start = pageOf("/docs/api/start.js").text;
  const configuration = JSON.parse(/, (\{[\s\S]*\})\);/.exec(start)?.[1] as string) as Record<string, unknown>;
  assert.deepEqual(
    configuration.sources,
    items.map(({ name, title, url }) => ({ title, slug: name, url, agent: { disabled: true } })),
  );
  assert.ok(items.length >= 3);
  assert.equal(configuration.telemetry, false);
  assert.equal(configuration.withDefaultFonts, false);
  assert.equal(configuration.proxyUrl, "");
  assert.equal(configuration.persistAuth, false);
  assert.deepEqual([configuration.agent, configuration.mcp], [{ disabled: true }, { disabled: true }]);
  assert.doesNotMatch(start, /https?:/);
});

test("the script of the reference comes from here, zipped for those who take it, and is asked for once", async () => {
  const ask = (headers: Record<string, string>) =>
    sendRaw(server.url, { path: "/docs/api/scalar.js", method: "GET", headers });
  const plain = await ask({});
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal((await ask({ "accept-encoding": "gzip;q=0, br" })).headers.get("content-encoding"), null);
  const zipped = await ask({ "accept-encoding": "br, gzip" });
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.ok(gunzipSync(zipped.body).equals(plain.body));
  const response = await get("/docs/api/scalar.js", { "accept-encoding": "gzip" });
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.equal(response.headers.get("vary"), "Accept-Encoding");
  const text = await response.text();
  assert.ok(text.includes("createApiReference"));
  const etag = response.headers.get("etag") as string;
  assert.equal((await get("/docs/api/scalar.js", { "if-none-match": etag })).status, 304);
});

test("every code of feeds is explained", () => {
  const { text } = pageOf("/docs/feed-errors");
  for (const code of Object.keys(feedCodes)) assert.ok(text.includes(`id="${code}">[${code}]<`), code);
});

test("the path with a slash at its end leads to the one without; what is not there is a 404", async () => {
  const slash = await get("/docs/");
  assert.equal(slash.status, 301);
  assert.equal(slash.headers.get("location"), "/docs");
  assert.equal((await get("/docs/nothing")).status, 404);
});

test("a process that serves feeds alone leads to what it serves, and no further", async () => {
  const node = await server.startNode({ CROSSDOCK_ROLES: "feeds" });
  const text = await (await fetch(`${node.url}/docs`)).text();
  assert.ok(text.includes("/xsd/NO.xsd") && !text.includes("/openapi/order.json"));
  const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link as string);
  // The head line of all pages names the reference.
  for (const link of links) assert.equal((await fetch(node.url + link)).status, 200, link);
  await node.stop();
});
