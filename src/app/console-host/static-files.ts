// The console's pages and files below /console (contract operations.md §5: strict CSP without inline script).
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fastifyStatic } from "@fastify/static";
import type { FastifyReply } from "fastify";
import { prepareConsole } from "#/app/console-host/site.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { cachedForEver, hashed, isFileIn, sendPage } from "#/http/requests/page.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";

const headers = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
};

/** Serves the console: its built files, and `index.html` for every route within it. */
export function registerConsole(app: HttpServer, log: Logger): void {
  app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false, dotfiles: "deny" });

    const answer = async (file: string, reply: FastifyReply) => {
      const folder = await prepareConsole(log);
      if (folder === undefined) return sendHowToBuild(reply.code(503));
      const isFile = file !== "index.html" && isFileIn(folder, file);
      if (isFile) {
        const cache = file.startsWith(hashed) ? cachedForEver : "no-cache";
        return reply.headers({ ...headers, "Cache-Control": cache }).sendFile(file, folder);
      }
      if (file.startsWith(hashed)) return sendProblem(reply, problem("no-such-path", "The console has no such file."));
      return sendIndex(reply, folder);
    };
    scope.get("/console", (_request, reply) => answer("", reply));
    scope.get<{ Params: { "*": string } }>("/console/*", (request, reply) => answer(request.params["*"], reply));
    if (!app.hasRoute({ method: "GET", url: "/" })) {
      scope.get("/", (_request, reply) => reply.redirect("/console", 302));
    }
  });
}

/** Sends the one file that differs each time, because it contains the nonce of its policy. */
function sendIndex(reply: FastifyReply, folder: string): FastifyReply {
  const file = path.join(folder, "index.html");
  if (!existsSync(file)) return sendHowToBuild(reply.code(503));
  const nonce = randomBytes(16).toString("base64");
  return reply
    .headers({ ...headers, "Cache-Control": "no-cache", "Content-Security-Policy": contentSecurityPolicy(nonce) })
    .type("text/html; charset=utf-8")
    .send(readFileSync(file, "utf8").replaceAll(styleNoncePlaceholder, nonce));
}

function sendHowToBuild(reply: FastifyReply): FastifyReply {
  const body =
    "<h1>The console is not built</h1>\n<p>Build it with <code>npm run build -w @crossdock/console</code> in the project's folder, and load this page again.</p>";
  return sendPage(reply.header("Retry-After", "30"), { title: "The console is not built", body });
}

/**
 * Placeholder for the nonce of the response in `console/dist/index.html`. That file is sent uncached with a fresh nonce
 * each time. All other files below `console/dist` are sent unchanged.
 */
const styleNoncePlaceholder = "__STYLE_NONCE__";

/**
 * The console's Content-Security-Policy. Scripts load from files only. The component library creates a few `style`
 * elements at run time, which carry the nonce. It sets styles of single elements through the DOM, to which no policy
 * applies. So neither needs 'unsafe-inline'.
 * @param nonce at least 128 random bits as base64, fresh for each response of `index.html`
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Images in the library's style sheet, and documents loaded by fetch.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
