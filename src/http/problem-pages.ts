import type { FastifyInstance } from "fastify";
import { problem, sendProblem } from "#/http/problem.ts";
import { isProblemCode, type ProblemCode, problemCodes, problemKinds } from "#/http/problem-codes.ts";

/** The pages that the `type` of problem details leads to. */
export function registerProblemPages(app: FastifyInstance): void {
  const page = (title: string, body: string) =>
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    // The style sheet is the documentation's; without it the pages are plain.
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
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
