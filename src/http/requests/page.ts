import { statSync } from "node:fs";
import path from "node:path";
import type { FastifyReply } from "fastify";

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);
}

/** Headers of every page of the documentation, and of every file that belongs to it. */
export const strictHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "public, max-age=300",
};

/** The content security policy: the allowed sources, and the directives that are always `none`. */
export function contentPolicy(allowed: Readonly<Record<string, string>>): string {
  const directives = Object.entries(allowed).map(([directive, sources]) => `${directive} ${sources}`);
  return ["default-src 'none'", ...directives, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    "; ",
  );
}

const policy = contentPolicy({ "style-src": "'self'", "font-src": "'self'", "img-src": "'self' data:" });

/** Links of the page header. */
const mainPages = [
  { path: "/docs/api", title: "API reference" },
  { path: "/docs/sending-feeds", title: "Feeds" },
  { path: "/docs/events", title: "Events" },
  { path: "/problems", title: "Problems" },
] as const;

interface Page {
  readonly title: string;
  /** HTML below the page header; it starts with an `h1`. */
  readonly body: string;
}

/** The head line of every page of the program, to the others; empty without the documentation. */
export function pageHead(reply: FastifyReply): string {
  const here = reply.request.routeOptions.url;
  const link = (path: string, text: string) =>
    `<a href="${path}"${path === here ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a>`;
  // A process links only to pages that it serves, which depend on its roles. The guides have one route.
  const hasRoute = (url: string) => reply.server.hasRoute({ method: "GET", url });
  const isServed = (path: string) => hasRoute(path) || (path.startsWith("/docs/") && hasRoute("/docs/*"));
  const links = mainPages.filter(({ path }) => isServed(path)).map(({ path, title: text }) => link(path, text));
  return isServed("/docs")
    ? `<header><nav aria-label="Documentation">${[link("/docs", "Crossdock"), ...links, link("/docs?search", "Search")].join("\n")}</nav></header>\n`
    : "";
}

/**
 * Sends a page of the documentation, with the status of the reply: no script, and no external resource. The style sheet
 * is the documentation's; without it pages are plain.
 */
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
${pageHead(reply)}<main id="content">
${body}
</main>
</body>
</html>
`;
  // A page that is missing now may exist a moment later.
  const caching = reply.statusCode === 200 ? {} : { "Cache-Control": "no-store" };
  return reply
    .headers({ ...strictHeaders, ...caching, "Content-Security-Policy": policy })
    .type("text/html; charset=utf-8")
    .send(html);
}

/** Files below this folder of a build have content hashes in their names. */
export const hashed = "assets/";

/** For a file with a content hash in its name. */
export const cachedForEver = "public, max-age=31536000, immutable";

/** A path of a build. No segment begins with a dot, so no path leaves the folder. */
const filePath = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/;

export function isFileIn(folder: string, file: string): boolean {
  if (!filePath.test(file)) return false;
  return statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true;
}
