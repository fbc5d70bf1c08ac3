import { readFileSync } from "node:fs";
import { sendApiPage, sendReferenceDocument, sendScalar, sendStartScript } from "#/docs-site/api-page.ts";
import { type Addresses, deploymentOf } from "#/docs-site/deployment.ts";
import { registerPages } from "#/docs-site/pages.ts";
import { registerSamples } from "#/docs-site/samples.ts";
import { publishedDocuments } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { strictHeaders } from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
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
