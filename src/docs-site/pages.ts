// The built pages and files of the documentation below /docs (docs/decisions/0046-documentation-site.md).
import { fastifyStatic } from "@fastify/static";
import type { FastifyReply } from "fastify";
import { pageNames, prepareDocs } from "#/docs-site/site.ts";
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
import type { Logger } from "#/kernel/telemetry/log.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/**
 * Scripts load from this deployment only, and none is inline. Colours of code are style attributes of the pages, and
 * icons are data URLs of the style sheet.
 */
const policy = contentPolicy({
  "script-src": "'self'",
  "style-src": "'self'",
  "style-src-attr": "'unsafe-inline'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
});

/** Pages of the program below `/docs`, beside those of the site. */
const programPages = ["api", "samples"];

/** Serves the site: its files, and the page NAME.html for the path NAME. */
export function registerPages(app: HttpServer, log: Logger): void {
  app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false, dotfiles: "deny" });

    const answer = async (name: string, reply: FastifyReply) => {
      const folder = await prepareDocs(log);
      if (folder === undefined) return sendHowToBuild(reply.code(503));
      const send = (file: string, headers: Readonly<Record<string, string>>) =>
        reply.headers({ ...strictHeaders, ...headers }).sendFile(file, folder);
      if (isFileIn(folder, name) && !name.endsWith(".html")) {
        return send(name, name.startsWith(hashed) ? { "Cache-Control": cachedForEver } : {});
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
      const body = absentPage(name, [...programPages, ...pageNames(folder)]);
      return sendPage(reply.code(404), { title: "No such page", body });
    };
    scope.get("/docs", (_request, reply) => answer("", reply));
    scope.get<{ Params: { "*": string } }>("/docs/*", (request, reply) => answer(request.params["*"], reply));
  });
}

function sendHowToBuild(reply: FastifyReply): FastifyReply {
  const body =
    "<h1>The documentation is not built</h1>\n<p>Build it with <code>npm run build -w @crossdock/docs-site</code> in the project's folder, and load this page again.</p>";
  return sendPage(reply.header("Retry-After", "30"), { title: "The documentation is not built", body });
}

/**
 * The page for an unknown path: a link to the page with the nearest name, and a way back. @param names of all pages
 * below `/docs`.
 */
function absentPage(name: string, names: readonly string[]): string {
  const nearest = nearestName(name.toLowerCase().replace(/(?:\.md|\/)$/, ""), names);
  const guess = nearest === undefined ? "" : `\n<p>Did you mean <a href="/docs/${nearest}">/docs/${nearest}</a>?</p>`;
  return `<h1>There is no such page</h1>
<p>The documentation has no page <code>/docs/${escapeHtml(name)}</code>.</p>${guess}
<p><a href="/docs">All pages of the documentation</a></p>`;
}
