// The API reference of all services in one page (docs/decisions/0015-api-reference.md).

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { documentPath, type PublishedDocument, type ServiceDocument } from "#/http/openapi/openapi.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { isAtHand } from "#/http/requests/if-none-match.ts";
import { contentPolicy, escapeHtml, pageHead, strictHeaders } from "#/http/requests/page.ts";
import { acceptsGzip } from "#/http/server/compression.ts";

/**
 * Scripts load from this deployment only, and none is inline. The page's components create style elements, set style
 * attributes, use images as data URLs, and send requests to this deployment.
 */
const policy = contentPolicy({
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data: blob:",
  "font-src": "'self' data:",
  "connect-src": "'self'",
  // The reference shows documents from responses, such as a label.
  "object-src": "blob:",
  "frame-src": "blob:",
});

export function sendApiPage(reply: FastifyReply, documents: readonly ServiceDocument[]): FastifyReply {
  const links = documents.map(({ name, title }) => `<li><a href="${documentPath(name)}">${escapeHtml(title)}</a></li>`);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Crossdock</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript><p><a href="/docs">Crossdock documentation</a>. The reference is a script; these are the documents that it shows.</p>
<ul>${links.join("")}</ul></noscript>
${pageHead(reply)}<div id="reference"></div>
<script src="/docs/api/scalar.js"></script>
<script src="/docs/api/start.js"></script>
</body>
</html>
`;
  return reply
    .headers({ ...strictHeaders, "Content-Security-Policy": policy })
    .type("text/html; charset=utf-8")
    .send(html);
}

/** Path from which the reference reads a document: the published document without the examples that fill in forms. */
export const referencePath = (name: string): string => `/docs/api/${name}.json`;

type Parameter = JsonObject & { readonly required?: boolean; readonly example?: unknown };

/**
 * The reference fills its forms with examples and sends all of them: the cursor of another list, a filter that finds
 * nothing, an If-Match. Therefore the examples of optional parameters are shown but disabled until the reader enables
 * them.
 */
export function referenceText(document: PublishedDocument): string {
  const { paths, components, ...rest } = document.read();
  const { parameters = {}, ...otherComponents } = components as JsonObject;
  return JSON.stringify({
    ...rest,
    paths: mapped(paths, (path) => mapped(path, withQuietForm)),
    components: {
      ...otherComponents,
      parameters: mapped(parameters, (parameter) => quietParameter(parameter as Parameter)),
    },
  });
}

function withQuietForm(operation: unknown): unknown {
  const { parameters, ...rest } = operation as JsonObject & { readonly parameters?: readonly Parameter[] };
  return parameters === undefined ? rest : { ...rest, parameters: parameters.map(quietParameter) };
}

function quietParameter({ example, ...rest }: Parameter): JsonObject {
  if (rest.$ref !== undefined) return rest;
  if (rest.required) return { ...rest, example };
  return { ...rest, examples: { default: { value: example, "x-disabled": true } } };
}

const mapped = (object: unknown, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object as JsonObject).map(([name, value]) => [name, change(value)]));

const off = { disabled: true };

/** A file of the built site; until it is there, the page has the font of the system. */
const font = '"Inter Variable", system-ui, sans-serif';

/**
 * The colours are variables of the reference, which follow the switch between light and dark. The height is one that
 * the reference requires. It moves the focus to the section of the address: a frame around all of it says nothing.
 */
const customCss = `
@font-face {
  font-family: "Inter Variable"; font-weight: 100 900; font-display: swap; src: url(/docs/inter.woff2) format("woff2");
}
:root { --scalar-custom-header-height: 41px; }
body { margin: 0; }
.scalar-app { --scalar-font: ${font}; --scalar-font-code: ui-monospace, monospace; }
body > header {
  position: sticky; top: 0; z-index: 1; box-sizing: border-box; height: 41px; padding: 10px 18px;
  border-bottom: 1px solid var(--scalar-border-color); background: var(--scalar-background-1);
  font: 14px/20px ${font};
}
body > header nav { display: flex; gap: 18px; overflow-x: auto; white-space: nowrap; background: inherit; }
body > header a { color: var(--scalar-color-1); text-decoration: none; }
body > header a:last-child {
  position: sticky; right: 0; margin-left: auto; background: inherit; box-shadow: -12px 0 8px var(--scalar-background-1);
}
body > header select {
  height: 20px; padding: 0 2px; border: 1px solid var(--scalar-border-color); font: inherit; line-height: 18px;
  color: var(--scalar-color-1); background: var(--scalar-background-1);
}
.scalar-app section:focus { outline: none; }
body > header a:first-child, body > header [aria-current] { font-weight: 600; }
`;

const startScript = readFileSync(new URL("api-start.js", import.meta.url), "utf8");

/** The script that starts the reference, with every external connection disabled. */
export function sendStartScript(reply: FastifyReply, documents: readonly ServiceDocument[]): FastifyReply {
  const configuration = {
    // The agent is configured per document, and is enabled by default on localhost.
    sources: documents.map(({ name, title }) => ({ title, slug: name, url: referencePath(name), agent: off })),
    telemetry: false,
    withDefaultFonts: false,
    agent: off,
    mcp: off,
    hideSearch: true,
    // Try-it-out calls this deployment, not a proxy, and stores no token.
    proxyUrl: "",
    persistAuth: false,
    // Disables the button that opens the vendor's web site, and the tool bar that sends the document there.
    hideClientButton: true,
    showDeveloperTools: "never",
    externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
    metaData: { title: "API reference · Crossdock" },
    customCss,
  };
  return reply
    .headers(strictHeaders)
    .type("text/javascript; charset=utf-8")
    .send(`${startScript}\nstartReference(${JSON.stringify(configuration, null, 2)});\n`);
}

interface Script {
  readonly zipped: Buffer;
  readonly etag: string;
}

let script: Promise<Script> | undefined;

/** Scalar's script: 4.3 MB, 1.3 MB compressed. */
export async function sendScalar(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  script ??= readScript();
  const { zipped, etag } = await script;
  reply
    .headers({ ...strictHeaders, "Cache-Control": "public, max-age=3600", ETag: etag, Vary: "Accept-Encoding" })
    .type("text/javascript; charset=utf-8");
  if (isAtHand(request, etag)) return reply.code(304).send();
  if (acceptsGzip(request)) return reply.header("Content-Encoding", "gzip").send(zipped);
  return reply.send(await promisify(gunzip)(zipped));
}

/**
 * Loading takes 0.2 to 0.4 s and 43 MB, so it happens on the first request. The package exposes the script to a Fastify
 * server only, so a server that does not listen receives it.
 */
async function readScript(): Promise<Script> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  const holder = Fastify();
  await holder.register(apiReference, { routePrefix: "/scalar", configuration: { url: "/" } });
  const { rawPayload } = await holder.inject("/scalar/js/scalar.js");
  await holder.close();
  const etag = `"${createHash("sha256").update(rawPayload).digest("base64url").slice(0, 22)}"`;
  return { zipped: await promisify(gzip)(rawPayload), etag };
}
