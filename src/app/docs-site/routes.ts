import { readFileSync } from "node:fs";
import { fastifyStatic } from "@fastify/static";
import type { FastifyReply } from "fastify";
import { referenceText, sendApiPage, sendScalar, sendStartScript } from "#/app/docs-site/api-page.ts";
import { collections, type PublishedJourney, registerCollections, registerJourneys } from "#/app/docs-site/arazzo.ts";
import { prepareDocs } from "#/app/docs-site/site.ts";
import { operatorPrefix, sessionCookie } from "#/http/access/operator.ts";
import { documentPath, publishedDocuments } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import {
  cachedForEver,
  contentPolicy,
  escapeHtml,
  hashed,
  isFileIn,
  sendPage,
  strictHeaders,
} from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { publishedXsds } from "#/intake/feeds/http/xsd-routes.ts";
import { readSamples } from "#/kernel/shipped-files.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";

const noDocument = problem("not-found", "There is no document with this name; /openapi lists them.");

/** The documentation below `/docs`, public like its source. @param addresses known once the server listens. */
export function registerReference(app: HttpServer, addresses: () => Addresses, log: Logger): void {
  const journeys = registerJourneys(app);
  registerCollections(app, addresses);
  const css = readFileSync(new URL("docs.css", import.meta.url));

  // The style sheet of the pages that the program makes.
  app.get("/docs/docs.css", (_request, reply) =>
    reply.headers(strictHeaders).type("text/css; charset=utf-8").send(css),
  );
  app.get("/docs/deployment.json", (request, reply) =>
    reply
      .headers({ ...strictHeaders, "Cache-Control": "private, no-store" })
      .send(deploymentOf(app, { addresses: addresses(), journeys, cookies: request.headers.cookie })),
  );

  app.get("/docs/api", (_request, reply) => sendApiPage(reply, publishedDocuments(app)));
  app.get("/docs/api/", (_request, reply) => reply.redirect("/docs/api", 301));
  app.get("/docs/api/start.js", (_request, reply) => sendStartScript(reply, publishedDocuments(app)));
  app.get("/docs/api/scalar.js", sendScalar);
  const texts = new Map<string, string>();
  app.get<{ Params: { file: string } }>("/docs/api/:file", (request, reply) => {
    const document = publishedDocuments(app).find(({ name }) => `${name}.json` === request.params.file);
    if (document === undefined) return sendProblem(reply, noDocument);
    const text = texts.get(document.name) ?? asideOfSteps(() => referenceText(document));
    texts.set(document.name, text);
    return reply.headers(strictHeaders).type("application/json").send(text);
  });

  app.get("/docs/contract", (_request, reply) => reply.redirect("/docs/contract/README", 301));
  // Its content has moved to the guide to ACKs.
  app.get("/docs/feed-errors", (_request, reply) => reply.redirect("/docs/acknowledgements", 301));
  // The navigation of the site leads only to paths below /docs.
  app.get("/docs/samples", (_request, reply) => reply.redirect("/samples", 301));
  registerSamples(app);
  registerPages(app, log);
}

/** URLs without a trailing slash. */
interface Addresses {
  readonly feed: string;
  readonly auth: string;
  readonly base: string;
}

interface ServedFile {
  readonly kind: string;
  readonly title: string;
  readonly path: string;
}

interface DeploymentFacts {
  readonly addresses: Addresses;
  readonly journeys: readonly PublishedJourney[];
  /** Of the request. */
  readonly cookies?: string | undefined;
}

/**
 * Values that are unknown when the pages are built: the addresses of the deployment, the files for generators and
 * validators that this process serves, according to its roles, and whether its operator service may know the reader.
 */
function deploymentOf(app: HttpServer, { addresses, journeys, cookies = "" }: DeploymentFacts) {
  const files: readonly ServedFile[] = [
    ...publishedXsds.map((name) => ({ kind: "XSD", title: name, path: `/xsd/${name}.xsd` })),
    { kind: "Events", title: "AsyncAPI", path: "/asyncapi.json" },
    ...publishedDocuments(app).map(({ name, title }) => ({ kind: "OpenAPI", title, path: documentPath(name) })),
    ...journeys.map(({ title, url }) => ({ kind: "Arazzo", title, path: url })),
    ...collections,
  ];
  const hasConsole = app.hasRoute({ method: "GET", url: `${operatorPrefix}/session/get` });
  // Only the presence: a page without a session then sends no request that is refused.
  const hasSession = hasConsole && cookies.includes(`${sessionCookie}=`);
  return { addresses, hasSession, files: files.filter(({ path }) => app.hasRoute({ method: "GET", url: path })) };
}

const folders = [
  {
    name: "accepted",
    title: "Documents that are accepted",
    about:
      "CAT, PO, NO and RMA use every element and attribute of their feed, the minimal ones as few as possible; UPDATE and CANCEL change earlier documents.",
  },
  {
    name: "refused",
    title: "Documents that are refused",
    about: "Each is named after its error. The file that ends with .ack.xml is its acknowledgement.",
  },
  {
    name: "outbound",
    title: "Documents that a client receives",
    about: "One of each type with every element that the type has.",
  },
] as const;

/** The sample documents of the repository at `/samples/{folder}/{file}`. Only files found at the start are served. */
function registerSamples(app: HttpServer): void {
  const listed = folders.map((folder) => ({ ...folder, files: readSamples(folder.name) }));
  const documents: ReadonlyMap<string, Buffer> = new Map(
    listed.flatMap(({ name, files }) => [...files].map(([file, bytes]) => [`${name}/${file}`, bytes] as const)),
  );
  const body = samplesPage(listed);
  app.get("/samples", (_request, reply) => sendPage(reply, { title: "Sample documents", body }));
  app.get("/samples/", (_request, reply) => reply.redirect("/samples", 301));
  app.get<{ Params: { "*": string } }>("/samples/*", (request, reply) => {
    const name = request.params["*"];
    const bytes = documents.get(name);
    if (!bytes) return sendPage(reply.code(404), { title: "No such sample", body: absentSample(name) });
    // Some samples use encodings other than UTF-8. Their XML declaration names it, and a charset here overrides that.
    return reply.headers(strictHeaders).header("content-type", "application/xml").send(bytes);
  });
}

type Listed = (typeof folders)[number] & { readonly files: ReadonlyMap<string, Buffer> };

function samplesPage(listed: readonly Listed[]): string {
  const sections = listed.map(({ name, title, about, files }) => {
    const links = [...files.keys()].map(
      (file) => `<li><a href="/samples/${name}/${file}">${escapeHtml(file)}</a></li>`,
    );
    return `<h2 id="${name}">${title}</h2>\n<p>${about}</p>\n<ul>\n${links.join("\n")}\n</ul>`;
  });
  return `<h1>Sample documents</h1>
<p>The documents that the guides and the tests use, as in the folder <code>samples</code> of the repository. All are of client
<code>DEMO</code> and facility <code>DC1</code>; the acknowledgements of the refused ones hold for a system that has accepted
<code>CAT.xml</code>, <code>PO.xml</code>, <code>NO.xml</code> and <code>RMA.xml</code>.</p>
${sections.join("\n")}`;
}

function absentSample(name: string): string {
  return `<h1>There is no such sample</h1>
<p>There is no document <code>/samples/${escapeHtml(name)}</code>.</p>
<p><a href="/samples">All sample documents</a></p>`;
}

// The built pages and files of the documentation below /docs (docs/decisions/0046-documentation-site.md).

/**
 * Scripts load from this deployment only, and none is inline. Colours of code are style attributes of the pages, and
 * icons are data URLs of the style sheet.
 */
const policy = contentPolicy({
  "script-src": "'self'",
  "style-src": "'self'",
  "style-src-attr": "'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
});

/** The default is short: the text may change with the next release. The font hardly does, and has no hash in its name. */
function cachingOf(name: string): Readonly<Record<string, string>> {
  if (name.startsWith(hashed)) return { "Cache-Control": cachedForEver };
  return name === "inter.woff2" ? { "Cache-Control": "public, max-age=86400" } : {};
}

/** Serves the site: its files, and the page NAME.html for the path NAME. */
function registerPages(app: HttpServer, log: Logger): void {
  app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false, dotfiles: "deny" });

    const answer = async (name: string, reply: FastifyReply) => {
      const folder = await prepareDocs(log);
      if (folder === undefined) return sendHowToBuild(reply.code(503));
      const send = (file: string, headers: Readonly<Record<string, string>>) =>
        reply.headers({ ...strictHeaders, ...headers }).sendFile(file, folder);
      if (isFileIn(folder, name) && !name.endsWith(".html")) {
        return send(name, cachingOf(name));
      }
      if (name.startsWith(hashed)) {
        return sendProblem(reply, problem("no-such-path", "The documentation has no such file."));
      }
      const bare = name.replace(/\/+$/, "");
      const isKnown = isFileIn(folder, `${bare}.html`) || app.hasRoute({ method: "GET", url: `/docs/${bare}` });
      if (bare !== name && isKnown) return reply.redirect(`/docs/${bare}`, 301);
      const page = name === "" ? "index" : name;
      if (page !== "404" && isFileIn(folder, `${page}.html`)) {
        return send(`${page}.html`, { "Content-Security-Policy": policy });
      }
      // A page that is missing now may exist a moment later.
      reply.code(404);
      return send("404.html", { "Content-Security-Policy": policy, "Cache-Control": "no-store" });
    };
    for (const name of ["llms.txt", "llms-full.txt"]) scope.get(`/${name}`, (_request, reply) => answer(name, reply));
    scope.get("/docs", (_request, reply) => answer("", reply));
    scope.get<{ Params: { "*": string } }>("/docs/*", (request, reply) => answer(request.params["*"], reply));
  });
}

function sendHowToBuild(reply: FastifyReply): FastifyReply {
  const body =
    "<h1>The documentation is not built</h1>\n<p>Build it with <code>npm run build -w @crossdock/docs-site</code> in the project's folder, and load this page again.</p>";
  return sendPage(reply.header("Retry-After", "30"), { title: "The documentation is not built", body });
}
