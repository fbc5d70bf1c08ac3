import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpServer } from "#/http/server/server.ts";

/** The version of the published XSDs; new versions only add optional elements (operations.md §7). */
export const xsdVersion = "1.0";
export const publishedXsds = [
  ...["CAT", "PO", "RMA", "NO", "ApiResponse"],
  ...["GR", "OS", "RS", "ADJ", "INV", "IMS", "ACK"],
] as const;

const oneHour = "public, max-age=3600";
const forEver = "public, max-age=31536000, immutable";

/**
 * `/xsd/NAME.xsd` for the newest version, `/xsd/1.0/NAME.xsd` for permanently unchanged bytes; no authentication
 * (feeds.md §3).
 */
export function registerXsdRoutes(app: HttpServer, readXsd: (name: string) => Uint8Array): void {
  for (const name of publishedXsds) {
    const bytes = Buffer.from(readXsd(`${name}.xsd`));
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    const answer = (cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) => {
      reply.header("etag", etag).header("cache-control", cacheControl);
      const known = request.headers["if-none-match"];
      if (known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*")) {
        return reply.code(304).send();
      }
      return reply.header("content-type", "application/xml").send(bytes);
    };
    app.get(`/xsd/${name}.xsd`, answer(oneHour));
    app.get(`/xsd/${xsdVersion}/${name}.xsd`, answer(forEver));
  }
}
