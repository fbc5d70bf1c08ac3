import type { FastifyRequest } from "fastify";

/** Whether the sender has the answer with this tag already: a 304. Tags are compared weakly (RFC 9110 §13.1.2). */
export function isAtHand({ headers }: Pick<FastifyRequest, "headers">, tag: string): boolean {
  const known = headers["if-none-match"];
  return known?.split(",").some((part) => ["*", tag, `W/${tag}`].includes(part.trim())) === true;
}
