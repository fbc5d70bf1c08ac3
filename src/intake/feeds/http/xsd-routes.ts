import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isAtHand } from "#/http/requests/if-none-match.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { feedTypes, outboundTypes } from "#/kernel/feed-types.ts";

export const publishedXsds = [...feedTypes, "ApiResponse", ...outboundTypes] as const;

/** The first version of each XSD. New versions only add (operations.md §7): what was valid stays valid. */
const firstVersion = "1.0";
/** XSDs with later versions, oldest first; earlier versions are in folders of `schemas/xsd`. */
const laterVersions: Readonly<Record<string, readonly string[]>> = {
  CAT: ["1.2"],
  GR: ["1.2"],
  NO: ["1.2"],
  OS: ["1.1", "1.2"],
  PO: ["1.2"],
  RS: ["1.1"],
};

/** The newest version of each XSD, by its name. */
export const newestXsds: Readonly<Record<string, string>> = Object.fromEntries(
  publishedXsds.map((name) => [name, laterVersions[name]?.at(-1) ?? firstVersion]),
);

const oneHour = "public, max-age=3600";
const forEver = "public, max-age=31536000, immutable";

/**
 * `/xsd/NAME.xsd` for the newest version; `/xsd/1.0/NAME.xsd` and so on for ever with the same rules, of which only the
 * annotations change; no authentication (feeds.md §3).
 */
export function registerXsdRoutes(app: HttpServer, readXsd: (name: string) => Uint8Array): void {
  for (const name of publishedXsds) {
    const versions = [firstVersion, ...(laterVersions[name] ?? [])];
    const newest = versions.at(-1);
    for (const version of versions) {
      const file = version === newest ? `${name}.xsd` : `${version}/${name}.xsd`;
      const document = documentOf(readXsd(file));
      app.get(`/xsd/${version}/${name}.xsd`, document(forEver));
      if (version === newest) app.get(`/xsd/${name}.xsd`, document(oneHour));
    }
  }
}

/** Handlers that answer these bytes, or 304 where the caller has them. */
function documentOf(content: Uint8Array) {
  const bytes = Buffer.from(content);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return (cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("etag", etag).header("cache-control", cacheControl);
    if (isAtHand(request, etag)) return reply.code(304).send();
    return reply.header("content-type", "application/xml").send(bytes);
  };
}
