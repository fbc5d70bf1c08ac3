import type { FastifyReply } from "fastify";

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);
}

/** Of every page and every file below `/docs`. */
export const strictHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "public, max-age=300",
};

/** What a policy allows besides nothing, and what none allows. */
export function contentPolicy(allowed: Readonly<Record<string, string>>): string {
  const own = Object.entries(allowed).map(([directive, sources]) => `${directive} ${sources}`);
  return ["default-src 'none'", ...own, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join("; ");
}

const policy = contentPolicy({ "style-src": "'self'", "img-src": "'self' data:" });

export interface Page {
  readonly title: string;
  /** HTML of what stands below the head line; it starts with an `h1`. */
  readonly body: string;
}

/** A page of the documentation: no script, and nothing from elsewhere. */
export function sendPage(reply: FastifyReply, { title, body }: Page): FastifyReply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Crossdock</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><nav aria-label="Documentation"><a href="/docs">Crossdock documentation</a> <a href="/docs/api">API reference</a></nav></header>
<main id="content">
${body}
</main>
</body>
</html>
`;
  return reply
    .headers({ ...strictHeaders, "Content-Security-Policy": policy })
    .type("text/html; charset=utf-8")
    .send(html);
}
