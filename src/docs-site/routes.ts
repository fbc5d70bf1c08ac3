import { readFileSync } from "node:fs";
import { sendApiPage, sendReferenceDocument, sendScalar, sendStartScript } from "#/docs-site/api-page.ts";
import { registerPages } from "#/docs-site/pages.ts";
import { publishedXsds } from "#/feeds/http/xsd-routes.ts";
import { operatorPrefix, sessionCookie } from "#/http/access/operator.ts";
import { documentPath, publishedDocuments } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { escapeHtml, sendPage, strictHeaders } from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readSamples } from "#/kernel/shipped-files.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";

const noDocument = problem("not-found", "There is no document with this name; /openapi lists them.");

/** The documentation below `/docs`, public like its source. @param addresses known once the server listens. */
export function registerReference(app: HttpServer, addresses: () => Addresses, log: Logger): void {
  const css = readFileSync(new URL("docs.css", import.meta.url));

  // The style sheet of the pages that the program makes.
  app.get("/docs/docs.css", (_request, reply) =>
    reply.headers(strictHeaders).type("text/css; charset=utf-8").send(css),
  );
  app.get("/docs/deployment.json", (request, reply) =>
    reply
      .headers({ ...strictHeaders, "Cache-Control": "private, no-store" })
      .send(deploymentOf(app, addresses(), request.headers.cookie)),
  );

  app.get("/docs/api", (_request, reply) => sendApiPage(reply, publishedDocuments(app)));
  app.get("/docs/api/", (_request, reply) => reply.redirect("/docs/api", 301));
  app.get("/docs/api/start.js", (_request, reply) => sendStartScript(reply, publishedDocuments(app)));
  app.get("/docs/api/scalar.js", sendScalar);
  app.get<{ Params: { file: string } }>("/docs/api/:file", (request, reply) => {
    const document = publishedDocuments(app).find(({ name }) => `${name}.json` === request.params.file);
    return document ? sendReferenceDocument(reply, document) : sendProblem(reply, noDocument);
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

/**
 * What the pages cannot know when they are built: the addresses of the deployment, the files for generators and
 * validators that this process serves, according to its roles, and whether its operator service may know the reader.
 * @param cookies of the request
 */
function deploymentOf(app: HttpServer, addresses: Addresses, cookies = "") {
  const files: readonly ServedFile[] = [
    ...publishedXsds.map((name) => ({ kind: "XSD", title: name, path: `/xsd/${name}.xsd` })),
    { kind: "Events", title: "AsyncAPI", path: "/asyncapi.json" },
    ...publishedDocuments(app).map(({ name, title }) => ({ kind: "OpenAPI", title, path: documentPath(name) })),
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
