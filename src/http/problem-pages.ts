import type { FastifyInstance } from "fastify";
import { problem, sendProblem } from "#/http/problem.ts";
import { isProblemCode, type ProblemCode, problemCodes, problemKinds } from "#/http/problem-codes.ts";

/** The pages that the `type` of problem details leads to. */
export function registerProblemPages(app: FastifyInstance): void {
  const page = (title: string, body: string) =>
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body></html>\n`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=3600",
  };

  app.get("/problems", (_request, reply) => {
    const items = problemCodes.map(
      (code) =>
        `<li>${problemKinds[code].status} <a href="/problems/${code}">${code}</a>: ${problemKinds[code].title}</li>`,
    );
    return reply.headers(headers).send(page("Problems", `<h1>Problems</h1>\n<ul>\n${items.join("\n")}\n</ul>`));
  });

  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const { code } = request.params;
    if (!isProblemCode(code)) {
      return sendProblem(reply, problem("not-found", "There is no problem of this code; /problems lists them."));
    }
    return reply.headers(headers).send(page(problemKinds[code].title, describe(code)));
  });
}

function describe(code: ProblemCode): string {
  const { status, title, meaning, cure } = problemKinds[code];
  return `<h1>${title}</h1>
<p>Status ${status}, type <code>/problems/${code}</code></p>
<h2>What it means</h2>
<p>${toHtml(meaning)}</p>
<h2>What to do</h2>
<p>${toHtml(cure)}</p>
<p><a href="/problems">All problems</a></p>`;
}

function toHtml(text: string): string {
  return text
    .replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign)
    .replace(/`([^`]*)`/g, "<code>$1</code>");
}
