import type { FastifyInstance } from "fastify";
import { isProblemCode, type ProblemCode, problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";
import { escapeHtml, sendPage } from "#/http/requests/page.ts";

/** The pages to which the `type` of problem details points. */
export function registerProblemPages(app: FastifyInstance): void {
  app.get("/problems", (_request, reply) => sendPage(reply, { title: "Problems", body: everyProblem() }));
  app.get("/problems/", (_request, reply) => reply.redirect("/problems", 301));

  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const { code } = request.params;
    if (!isProblemCode(code)) {
      return sendPage(reply.code(404), { title: "No such problem", body: absentProblem(code) });
    }
    return sendPage(reply, { title: problemKinds[code].title, body: describe(code) });
  });
}

function absentProblem(code: string): string {
  return `<h1>There is no such problem</h1>
<p>No refusal has the type <code>/problems/${escapeHtml(code)}</code>.</p>
<p><a href="/problems">All problems</a></p>`;
}

function everyProblem(): string {
  const rows = problemCodes.map((code) => {
    const { status, title, cure } = problemKinds[code];
    return `<tr><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${status}</td><td>${escapeHtml(title)}</td><td>${toHtml(cure)}</td></tr>`;
  });
  return `<h1>Problems</h1>
<p>A REST service answers a refused request with <code>application/problem+json</code> (RFC 9457). Its <code>type</code> is one of these, and
<code>errors</code> names every fault of the request. Feeds answer in XML, with other codes.</p>
<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">Type</th><th scope="col">HTTP</th><th scope="col">Means</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table></div>`;
}

function describe(code: ProblemCode): string {
  const { status, title, meaning, cure } = problemKinds[code];
  return `<h1>${escapeHtml(title)}</h1>
<p>Status ${status}, type <code>/problems/${code}</code></p>
<h2>What it means</h2>
<p>${toHtml(meaning)}</p>
<h2>What to do</h2>
<p>${toHtml(cure)}</p>
<p><a href="/problems">All problems</a></p>`;
}

function toHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}
