import type { FastifyRequest } from "fastify";
import type { HttpServer } from "#/http/server/server.ts";

/** Whether the sender has the answer with this tag already: a 304. Tags are compared weakly (RFC 9110 §13.1.2). */
export function isAtHand({ headers }: Pick<FastifyRequest, "headers">, tag: string): boolean {
  const known = headers["if-none-match"];
  return known?.split(",").some((part) => ["*", tag, `W/${tag}`].includes(part.trim())) === true;
}

/**
 * Answers a read of a record with 304 where the sender has its version. What the version does not count, such as a
 * promised day, comes with the next version, or with a read without the header (rest.md §2).
 */
export function answerUnchanged(scope: HttpServer): void {
  scope.addHook("onSend", async (request, reply, payload) => {
    const tag = reply.getHeader("etag");
    const isRecord = request.method === "GET" && reply.statusCode === 200 && typeof tag === "string";
    if (!isRecord || !isAtHand(request, tag)) return payload;
    reply.code(304).removeHeader("content-type").removeHeader("content-length");
    return "";
  });
}
