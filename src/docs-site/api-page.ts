// The API reference of all services in one page (docs/decisions/0015-api-reference.md).
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { documentPath, type JsonObject, type PublishedDocument, type ServiceDocument } from "#/http/openapi/openapi.ts";
import { contentPolicy, escapeHtml, strictHeaders } from "#/http/requests/page.ts";

/**
 * Scripts come from here only, and none stands in the page. Its components make style elements and set style attributes,
 * pictures as data, and send requests to this very deployment.
 */
const policy = contentPolicy({
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data: blob:",
  "font-src": "'self' data:",
  "connect-src": "'self'",
  // It shows a document that was answered, such as a label.
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
<header class="reference-head"><a href="/docs">Crossdock documentation</a></header>
<div id="reference"></div>
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

/** Where the reference reads a document: as it is published, but for what a form is filled in with. */
export const referencePath = (name: string): string => `/docs/api/${name}.json`;

type Parameter = JsonObject & { readonly required?: boolean; readonly example?: unknown };

/**
 * The reference fills its forms in with examples and would send them all: the cursor of another list, a filter that finds
 * nothing, an If-Match. So those of optional parameters are shown and switched off, until the reader switches them on.
 */
export function sendReferenceDocument(reply: FastifyReply, document: PublishedDocument): FastifyReply {
  const { paths, components, ...rest } = document.read();
  const { parameters = {}, ...otherComponents } = components as JsonObject;
  return reply.headers(strictHeaders).send({
    ...rest,
    paths: mapped(paths, (path) => mapped(path, withQuietForm)),
    components: { ...otherComponents, parameters: mapped(parameters, (it) => quietParameter(it as Parameter)) },
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

/** Its colours are variables of the reference, which follow the switch between light and dark; its height is one that it asks for. */
const customCss = `
:root { --scalar-custom-header-height: 41px; }
body { margin: 0; }
.scalar-app { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
.reference-head {
  position: sticky; top: 0; z-index: 1; box-sizing: border-box; height: 41px; padding: 10px 18px;
  border-bottom: 1px solid var(--scalar-border-color); background: var(--scalar-background-1);
  font: 600 14px/20px system-ui, sans-serif;
}
.reference-head a { color: var(--scalar-color-1); }
`;

/** The script that starts the reference, with every way out of this deployment closed. */
export function sendStartScript(reply: FastifyReply, documents: readonly ServiceDocument[]): FastifyReply {
  const configuration = {
    // The agent is asked for by each document, and is on by itself where the page is looked at on localhost.
    sources: documents.map(({ name, title }) => ({ title, slug: name, url: referencePath(name), agent: off })),
    telemetry: false,
    withDefaultFonts: false,
    agent: off,
    mcp: off,
    // Try-it-out asks this deployment, not a proxy, and keeps no token behind the page's back.
    proxyUrl: "",
    persistAuth: false,
    // A button that opens the service's own web site, and a tool bar that sends the document there.
    hideClientButton: true,
    showDeveloperTools: "never",
    externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
    metaData: { title: "API reference · Crossdock" },
    customCss,
  };
  return reply
    .headers(strictHeaders)
    .type("text/javascript; charset=utf-8")
    .send(`Scalar.createApiReference("#reference", ${JSON.stringify(configuration, null, 2)});\n`);
}

interface Script {
  readonly zipped: Buffer;
  readonly etag: string;
}

let script: Promise<Script> | undefined;

/** Scalar's own script: 4.3 MB, 1.3 MB on the wire. */
export async function sendScalar(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  script ??= readScript();
  const { zipped, etag } = await script;
  reply
    .headers({ ...strictHeaders, "Cache-Control": "public, max-age=3600", ETag: etag, Vary: "Accept-Encoding" })
    .type("text/javascript; charset=utf-8");
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0+)?(?:,|$))/.test(accepted)) {
    return reply.header("Content-Encoding", "gzip").send(zipped);
  }
  return reply.send(await promisify(gunzip)(zipped));
}

/**
 * Loading it takes 0.2 to 0.4 s and 43 MB, so it waits for the first reader. The package gives the script to a Fastify
 * server only: one that listens nowhere takes it.
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
