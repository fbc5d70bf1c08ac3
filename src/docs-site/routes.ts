import { readFileSync } from "node:fs";
import path from "node:path";
import { absentPage } from "#/docs-site/absent-page.ts";
import { sendApiPage, sendReferenceDocument, sendScalar, sendStartScript } from "#/docs-site/api-page.ts";
import { withContents } from "#/docs-site/contents.ts";
import { eventsPage } from "#/docs-site/events-page.ts";
import type { Addresses } from "#/docs-site/first-steps.ts";
import { renderMarkdown } from "#/docs-site/markdown.ts";
import { registerSamples } from "#/docs-site/samples.ts";
import { guides, startPage } from "#/docs-site/start-page.ts";
import { publishedXsds } from "#/feeds/http/xsd-routes.ts";
import { publishedDocuments } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { sendPage, strictHeaders } from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readGuide } from "#/kernel/shipped-files.ts";

const noDocument = problem("not-found", "There is no document with this name; /openapi lists them.");

/** The documentation below `/docs`, public like its source. @param addresses known once the server listens. */
export function registerReference(app: HttpServer, addresses: () => Addresses): void {
  const css = readFileSync(new URL("docs.css", import.meta.url));
  const isServed = (url: string) => app.hasRoute({ method: "GET", url });

  app.get("/docs", (_request, reply) => {
    const body = startPage({
      documents: publishedDocuments(app),
      xsds: publishedXsds,
      addresses: addresses(),
      isServed,
    });
    return sendPage(reply, { title: "Documentation", body });
  });
  app.get("/docs/", (_request, reply) => reply.redirect("/docs", 301));
  app.get("/docs/docs.css", (_request, reply) =>
    reply.headers(strictHeaders).type("text/css; charset=utf-8").send(css),
  );

  app.get("/docs/api", (_request, reply) => sendApiPage(reply, publishedDocuments(app)));
  app.get("/docs/api/start.js", (_request, reply) => sendStartScript(reply, publishedDocuments(app)));
  app.get("/docs/api/scalar.js", sendScalar);
  app.get<{ Params: { file: string } }>("/docs/api/:file", (request, reply) => {
    const document = publishedDocuments(app).find(({ name }) => `${name}.json` === request.params.file);
    return document ? sendReferenceDocument(reply, document) : sendProblem(reply, noDocument);
  });

  app.get("/docs/contract", (_request, reply) => reply.redirect("/docs/contract/README", 301));
  // Its content has moved to the guide to ACKs.
  app.get("/docs/feed-errors", (_request, reply) => reply.redirect("/docs/acknowledgements", 301));
  app.get("/docs/events", (_request, reply) => sendPage(reply, { title: "Events", body: eventsPage() }));
  for (const { name, title } of guides) {
    app.get(`/docs/${name}`, (_request, reply) =>
      sendPage(reply, { title, body: withContents(renderMarkdown(readGuide(name), (target) => linkOf(name, target))) }),
    );
  }
  registerSamples(app);
  const names = ["api", "events", ...guides.map(({ name }) => name)];
  app.get<{ Params: { "*": string } }>("/docs/*", (request, reply) =>
    sendPage(reply.code(404), { title: "No such page", body: absentPage(request.params["*"], names) }),
  );
}

/** Guides link to each other as files with relative paths. A file without a page here is shown as text. */
function linkOf(page: string, target: string): string | undefined {
  if (target.startsWith("#")) return target;
  const [, file, place = ""] = /^([^#]+)\.md(#.*)?$/.exec(target) ?? [];
  if (file === undefined) return undefined;
  const name = path.posix.join(path.posix.dirname(page), file);
  return guides.some((guide) => guide.name === name) ? `/docs/${name}${place}` : undefined;
}
