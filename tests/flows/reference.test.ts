// /docs shows all documents with a way to try them, and works without internet access.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { feedCodes } from "#/kernel/feed-codes.ts";
import { pages as listed } from "../../docs-site/contents.ts";
import { testServer } from "../support/app/server.ts";
import { sendRaw } from "../support/http/raw-request.ts";

const server = await testServer();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

interface Visited {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Follows every link and loads every resource of every page from here, once. */
async function crawl(...starts: readonly string[]): Promise<Visited[]> {
  const waiting = [...starts];
  const seen = new Map<string, Visited>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    const response = await get(path);
    const text = await response.text();
    seen.set(path, { path, status: response.status, headers: response.headers, text });
    if (response.status === 301) waiting.push(response.headers.get("location") as string);
    if (!isPage(response.headers)) continue;
    for (const [, link] of text.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (link?.startsWith("/")) waiting.push(link.replace(/[?#].*/, ""));
    }
  }
  return [...seen.values()];
}

const isPage = (headers: Headers) => (headers.get("content-type") ?? "").startsWith("text/html");

const visited = await crawl("/docs", "/problems");
const pages = visited.filter(({ headers }) => isPage(headers));
/** The pages that are built from Markdown; the program makes the others. */
const sitePages = pages.filter(({ text }) => text.includes(' id="app"'));
const programPages = pages.filter(({ text }) => text.includes('"/docs/docs.css"'));
const pageOf = (path: string) => visited.find((page) => page.path === path) as Visited;

/** The places of all operations in the API reference. */
async function operationPlaces(): Promise<readonly string[]> {
  const { items } = (await (await get("/openapi")).json()) as { items: { name: string; url: string }[] };
  const places = items.map(async ({ name, url }) => {
    const { paths, tags } = (await (await get(url)).json()) as {
      paths: Record<string, object>;
      tags: { name: string }[];
    };
    const tag = tags[0]?.name.toLowerCase().replaceAll(" ", "-");
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${name}/tag/${tag}/${method.toUpperCase()}${path}`),
    );
  });
  return (await Promise.all(places)).flat();
}

test("every link from /docs leads somewhere, and none of them away from here", async () => {
  assert.deepEqual(
    visited.filter(({ status }) => status !== 200 && status !== 301).map(({ path, status }) => `${status} ${path}`),
    [],
  );
  for (const { path, text } of pages) {
    for (const [, link] of text.matchAll(/\b(?:href|src|action|srcset)="([^"]*)"/g)) {
      assert.match(link as string, /^(?:\/(?!\/)|#|data:,$)/, `${path} leads to ${link}`);
    }
    assert.doesNotMatch(text, /@import|url\(|<script>|<style|\son\w+=|javascript:/i, path);
  }
  const idsOf = ({ text }: Visited) => new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const ids = new Map(pages.map((page) => [page.path, idsOf(page)]));
  // The reference makes its elements in the browser, and names operations so.
  ids.set("/docs/api", new Set(await operationPlaces()));
  for (const { path, text } of pages) {
    for (const [, to, place] of text.matchAll(/\bhref="([^"#]*)#([^"]+)"/g)) {
      const target = to === "" ? path : (to as string);
      assert.ok(
        ids.get(target)?.has(decodeURIComponent(place ?? "")),
        `${path} leads to ${target}#${place}, where nothing is`,
      );
    }
  }
});

test("/docs links to the reference, the guides, the XSDs, the problems and the codes of feeds", () => {
  const paths = visited.map(({ path }) => path);
  const wanted = [
    "/docs/api",
    "/docs/feeds",
    "/docs/outbound",
    "/docs/webhooks",
    "/docs/warehouse",
    "/docs/client",
    "/docs/events",
    "/docs/problems",
    "/docs/rest-operations",
    "/docs/acknowledgements",
    "/docs/quick-start",
    "/docs/glossary",
    "/docs/contract/README",
    "/docs/contract/feeds",
    "/docs/contract/rest",
    "/docs/contract/webhooks",
    "/docs/contract/carriers",
    "/docs/contract/warehouse",
    "/docs/contract/operations",
    "/samples",
    "/samples/refused/NO-no-qty.xml",
    "/problems",
  ];
  for (const path of wanted) assert.ok(paths.includes(path), path);
  assert.ok(paths.filter((path) => path.startsWith("/problems/")).length > 20);
});

interface Deployment {
  readonly addresses: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string }[];
}

const deploymentOf = async (url: string) => (await (await fetch(`${url}/docs/deployment.json`)).json()) as Deployment;

test("the pages learn the addresses and the files of the deployment", async () => {
  const { addresses, files } = await deploymentOf(server.url);
  assert.deepEqual(addresses, { feed: server.url, auth: server.url, base: server.url });
  const paths = files.map(({ path }) => path);
  for (const path of [
    "/openapi/order.json",
    "/openapi/warehouse.json",
    "/xsd/NO.xsd",
    "/xsd/ACK.xsd",
    "/asyncapi.json",
    "/collections/crossdock.postman_collection.json",
    "/collections/crossdock.bruno.zip",
  ])
    assert.ok(paths.includes(path), path);
  for (const path of paths) assert.equal((await get(path)).status, 200, path);
});

test("the pages learn whether the reader may have a session, without a cache between", async () => {
  for (const [cookie, hasSession] of [
    ["crossdock_session=x", true],
    ["__Host-crossdock_session=x", true],
    ["theme=dark", false],
  ] as const) {
    const response = await get("/docs/deployment.json", { cookie });
    assert.equal(((await response.json()) as { hasSession: boolean }).hasSession, hasSession, cookie);
    assert.equal(response.headers.get("cache-control"), "private, no-store");
  }
});

test("every page of the navigation has its title, and shows no raw markup", () => {
  for (const { name, title } of listed) {
    const { text } = pageOf(`/docs/${name}`);
    const escaped = title.replaceAll("'", "&#39;");
    const h1 = /<h1 id="[^"]+" tabindex="-1">(.*?) <a class="header-anchor"/.exec(text)?.[1];
    assert.ok(h1 === title || h1 === escaped, `${name}: ${h1}`);
    const [, body = ""] = /<main class="main"[^>]*>([\s\S]*?)<\/main>/.exec(text) ?? [];
    assert.ok(body.length > 100, name);
    const words = body.replace(/<!--[^>]*-->|<pre[\s\S]*?<\/pre>|<code.*?<\/code>/g, "").replace(/<[^>]+>/g, "");
    assert.doesNotMatch(words, /\*\*|`|\]\(|<!--|^\s*[|>]|^\s*[-*+] /m, name);
  }
  assert.deepEqual(
    sitePages.map(({ path }) => path).sort(),
    ["/docs", "/docs/", ...listed.map(({ name }) => `/docs/${name}`)].sort(),
  );
});

test("files of the site are compressed and kept, pages are asked for again, and a file that is gone is not a page", async () => {
  const [script = ""] = /\/docs\/assets\/app\.[\w-]+\.js/.exec(pageOf("/docs").text) ?? [];
  const ask = (path: string) => sendRaw(server.url, { path, method: "GET", headers: { "accept-encoding": "br" } });
  const answer = await ask(script);
  assert.equal(answer.headers.get("content-encoding"), "br");
  assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal((await ask("/docs/feeds")).headers.get("cache-control"), "public, max-age=300");
  const font = await get("/docs/inter.woff2");
  assert.equal(font.headers.get("content-type"), "font/woff2");
  assert.equal(font.headers.get("cache-control"), "public, max-age=86400");
  const headers = { "if-none-match": font.headers.get("etag") ?? "" };
  assert.equal((await sendRaw(server.url, { path: "/docs/inter.woff2", method: "GET", headers })).status, 304);
  const gone = await get("/docs/assets/app.gone.js");
  assert.equal(gone.status, 404);
  assert.match(gone.headers.get("content-type") ?? "", /^application\/problem\+json/);
  for (const path of ["/docs/404", "/docs/.stamp", "/docs/feeds.html", "/docs/..%2Fpackage.json"]) {
    const { status } = await sendRaw(server.url, { path, method: "GET", headers: {} });
    assert.equal(status, 404, path);
  }
});

test("the head line of every page of the program leads to the rest, and says where one is", () => {
  for (const { path, text } of [...programPages, pageOf("/docs/api")]) {
    const [, nav = ""] = /<nav aria-label="Documentation">([\s\S]*?)<\/nav>/.exec(text) ?? [];
    const links = [...nav.matchAll(/href="([^"]*)"( aria-current="page")?/g)];
    assert.deepEqual(
      links.map(([, link]) => link),
      ["/docs", "/docs/api", "/docs/sending-feeds", "/docs/events", "/problems", "/docs?search"],
      path,
    );
    assert.deepEqual(
      links.filter(([, , current]) => current).map(([, link]) => link),
      links.some(([, link]) => link === path) ? [path] : [],
      path,
    );
  }
});

test("names in tables are never broken in the middle, and no table is without the box that it scrolls in", async () => {
  const css = await (await get("/docs/docs.css")).text();
  const general = css.indexOf("overflow-wrap: anywhere");
  assert.ok(general > 0 && css.search(/td code \{\s*overflow-wrap: normal;/) > general);
  assert.match(css, /td:first-child code \{\s*white-space: nowrap;/);
  for (const { path, text } of programPages) {
    assert.equal(text.split("<table>").length, text.split('<div class="wide" tabindex="0"><table>').length, path);
  }
});

test("pages say what they are, and keep to themselves", () => {
  for (const { path, headers, text } of pages) {
    assert.match(text, /^<!doctype html>\n<html lang="en"/i, path);
    assert.match(text, /<title>[^<]+<\/title>/, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'/, path);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1];
    assert.equal(scripts, programPages.some((page) => page.path === path) ? undefined : "'self'", path);
    assert.doesNotMatch(text, /<script(?![^>]* src="\/docs\/)/, path);
    assert.doesNotMatch(policy, /https?:|\*/);
  }
  for (const { path, headers } of pages) {
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  }
  for (const { path, text } of programPages) assert.match(text, /<main id="content">\s*<h1/, path);
});

test("the reference shows every document and has no way out of this deployment", async () => {
  const { items } = (await (await get("/openapi")).json()) as { items: { name: string; title: string; url: string }[] };
  const start = pageOf("/docs/api/start.js").text;
  const configuration = JSON.parse(/\nstartReference\((\{[\s\S]*\})\);/.exec(start)?.[1] as string) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    configuration.sources,
    items.map(({ name, title }) => ({ title, slug: name, url: `/docs/api/${name}.json`, agent: { disabled: true } })),
  );
  assert.equal(items[0]?.name, "order", "the first document is the one that opens");
  assert.equal(items.at(-1)?.name, "operator");
  assert.equal(configuration.telemetry, false);
  assert.equal(configuration.withDefaultFonts, false);
  assert.equal(configuration.proxyUrl, "");
  assert.equal(configuration.persistAuth, false);
  assert.deepEqual([configuration.agent, configuration.mcp], [{ disabled: true }, { disabled: true }]);
  assert.doesNotMatch(start, /https?:/);
});

test("each document is also one of OpenAPI 3.1", async () => {
  const { items } = (await (await get("/openapi")).json()) as { items: { url: string; url31: string }[] };
  for (const { url, url31 } of items) {
    const [known, twin] = (await Promise.all([url, url31].map(async (path) => (await get(path)).json()))) as {
      openapi: string;
      paths: object;
    }[];
    assert.equal(twin?.openapi, "3.1.0", url31);
    assert.deepEqual(Object.keys(twin?.paths ?? {}), Object.keys(known?.paths ?? {}));
    assert.doesNotMatch(JSON.stringify(twin), /"nullable":true/, url31);
  }
});

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown; readonly "x-disabled"?: boolean }>>;
}

type Document = {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { parameters?: Record<string, Parameter> };
};

test("what is tried out sends what it must, and the examples of optional parameters only when they are switched on", async () => {
  const { items } = (await (await get("/openapi")).json()) as { items: { name: string; url: string }[] };
  for (const { name, url } of items) {
    const published = (await (await get(url)).json()) as Document;
    const shown = (await (await get(`/docs/api/${name}.json`)).json()) as Document;
    for (const parameter of parametersOf(shown)) {
      assert.equal(parameter.examples?.default?.["x-disabled"], parameter.required ? undefined : true, parameter.name);
    }
    // Everything else equals the published document.
    const asPublished = ({ examples, ...rest }: Parameter) =>
      examples === undefined ? rest : { ...rest, example: examples.default?.value };
    for (const operation of Object.values(shown.paths).flatMap((path) => Object.values(path))) {
      operation.parameters &&= operation.parameters.map(asPublished);
    }
    for (const [key, parameter] of Object.entries(shown.components.parameters ?? {})) {
      shown.components.parameters = { ...shown.components.parameters, [key]: asPublished(parameter) };
    }
    assert.deepEqual(shown, published);
  }
  assert.equal((await get("/docs/api/nothing.json")).status, 404);
});

const parametersOf = ({ paths, components }: Document) =>
  [
    ...Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ parameters = [] }) => parameters)),
    ...Object.values(components.parameters ?? {}),
  ].filter((parameter) => !("$ref" in parameter));

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

test("every code of feeds is explained, also for who comes by the old address", async () => {
  const { text } = pageOf("/docs/acknowledgements");
  for (const code of Object.keys(feedCodes)) {
    const id = code.toLowerCase().replaceAll("_", "-");
    assert.match(text, new RegExp(`<h3 id="${id}"[^>]*><code[^>]*>\\[${code}\\]</code>`), code);
  }
  const old = await get("/docs/feed-errors");
  assert.equal(old.status, 301);
  assert.equal(old.headers.get("location"), "/docs/acknowledgements");
});

test("the start page has the address with a slash at its end too", async () => {
  const slash = await get("/docs/");
  assert.equal(slash.status, 200);
  assert.equal(await slash.text(), pageOf("/docs").text);
});

test("an address with a slash at its end leads to the index or the page without it", async () => {
  const documentation = ["/docs/webhooks", "/docs/api", "/docs/contract", "/docs/contract/rest", "/docs/samples"];
  for (const path of ["/samples", "/openapi", "/problems", ...documentation]) {
    const { status, headers } = await get(`${path}/`);
    assert.deepEqual([status, headers.get("location")], [301, path]);
  }
  assert.deepEqual(
    await Promise.all(["/samples", "/openapi", "/problems"].map(async (path) => (await get(path)).status)),
    [200, 200, 200],
  );
  // The documentation has the only list of the XSDs, and a folder of samples has none.
  for (const path of ["/xsd", "/xsd/", "/docs/xyzzy/", "/samples/accepted/"]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test("every sample of the repository is served as it is, and nothing outside its folders", async () => {
  const folder = new URL("../../samples/", import.meta.url);
  const files = globSync("{accepted,refused,outbound}/*.xml", { cwd: folder });
  assert.ok(files.length > 100);
  for (const file of files) {
    const response = await get(`/samples/${file}`);
    assert.equal(response.status, 200, file);
    assert.equal(response.headers.get("content-type"), "application/xml");
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(readFileSync(new URL(file, folder))), file);
    assert.ok(pageOf("/samples").text.includes(`href="/samples/${file}"`), file);
  }
  const outside = ["accepted/../../package.json", "..%2Fpackage.json", "%2e%2e/README.md", "accepted/", "README.md"];
  for (const path of outside) {
    const { status } = await sendRaw(server.url, { path: `/samples/${path}`, method: "GET", headers: {} });
    assert.equal(status, 404, path);
  }
  assert.match(await (await get("/samples/accepted/xyzzy.xml")).text(), /There is no such sample/);
  assert.equal((await fetch(`${server.url}/samples/accepted/NO.xml`, { method: "PUT", body: "<x/>" })).status, 405);
});

test("a path without a page answers a page of the site that says so and leads back", async () => {
  const notThere = async (path: string) => {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    return response.text();
  };
  // One file for every path: the browser fills in the path and the nearest name (tests/browser/docs.test.ts).
  for (const path of ["/docs/xyzzy/%3Cb%3E", "/docs/web-hooks", "/docs/404", "/docs/quick-starts.md"]) {
    const page = await notThere(path);
    assert.match(page, /<h1>There is no such page<\/h1>/, path);
    assert.match(page, /<a href="\/docs">All pages of the documentation</, path);
    assert.match(page, /<title>No such page · Crossdock<\/title>[\s\S]* id="app"/, path);
  }
  const problem = await notThere("/problems/xyzzy");
  assert.ok(problem.includes("<code>/problems/xyzzy</code>") && problem.includes('<a href="/problems">'), problem);
});

test("a process that serves feeds alone leads to what it serves, and no further", async () => {
  const node = await server.startNode({ CROSSDOCK_ROLES: "feeds" });
  const paths = (await deploymentOf(node.url)).files.map(({ path }) => path);
  assert.ok(paths.includes("/xsd/NO.xsd") && !paths.includes("/openapi/order.json"));
  const text = await (await fetch(`${node.url}/docs`)).text();
  const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link as string);
  for (const link of [...paths, ...links]) assert.equal((await fetch(node.url + link)).status, 200, link);
  await node.stop();
});

test("each page is also its Markdown, and /llms.txt lists them for readers without a browser", async () => {
  const list = await get("/llms.txt");
  assert.match(list.headers.get("content-type") ?? "", /^text\/plain; charset=utf-8$/);
  const text = await list.text();
  assert.match(text, /^# Crossdock\n\n> /);
  const links = [...text.matchAll(/^- \[([^\]]+)\]\((\/[^)]+)\): \S/gm)].map(([, title, path]) => ({ title, path }));
  const ofPages = links.filter(({ path }) => path?.endsWith(".md"));
  assert.deepEqual(
    ofPages,
    listed.map(({ name, title }) => ({ title, path: `/docs/${name}.md` })),
  );
  const full = await (await get("/llms-full.txt")).text();
  for (const { path = "" } of links) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    if (!path.endsWith(".md")) continue;
    assert.equal(page.headers.get("content-type"), "text/markdown; charset=utf-8");
    const markdown = await page.text();
    assert.match(markdown, /^(?:<!--[\s\S]*?-->\s*)?# /, path);
    assert.ok(full.includes(markdown), path);
  }
  assert.match(await (await get("/docs/changelog.md")).text(), /^### Interfaces$/m);
  assert.equal((await get("/docs/nothing.md")).status, 404);
});
