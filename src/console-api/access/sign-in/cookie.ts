// The cookie of a session and its token against cross-site requests (contract operations.md §5).
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { secureSessionCookie, sessionCookie } from "#/http/access/operator.ts";

export const csrfHeader = "x-csrf-token";

const idBytes = 32;
const idPattern = /^[\w-]{43}$/;

export function makeSessionId(): string {
  return randomBytes(idBytes).toString("base64url");
}

/** The hash by which the store identifies a session. */
export function sessionHash(sessionId: string): Buffer {
  return createHash("sha256").update(sessionId).digest();
}

/** Undefined where there is no cookie, or an invalid one. */
export function sessionIdOf(request: FastifyRequest): string | undefined {
  const { headers, server } = request;
  if (headers.cookie === undefined) return undefined;
  const sessionId = server.parseCookie(headers.cookie)[nameOf(request)];
  return sessionId !== undefined && idPattern.test(sessionId) ? sessionId : undefined;
}

/** Derived from the session's own 256 bits: neither the store nor a page of another origin knows it. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac("sha256", sessionId).update("crossdock csrf v1").digest("base64url");
}

export function isCsrfTokenOf(sessionId: string, sent: string | readonly string[] | undefined): boolean {
  if (typeof sent !== "string") return false;
  const wanted = Buffer.from(csrfTokenOf(sessionId));
  const sentBytes = Buffer.from(sent);
  return sentBytes.length === wanted.length && timingSafeEqual(sentBytes, wanted);
}

/** The cookie ends with the browser at the latest; `Secure` over https. */
export function setSessionCookie(reply: FastifyReply, sessionId: string): void {
  send(reply, sessionId, {});
}

export function clearSessionCookie(reply: FastifyReply): void {
  send(reply, "", { maxAge: 0 });
}

const isSecure = ({ protocol }: FastifyRequest) => protocol === "https";
const nameOf = (request: FastifyRequest) => (isSecure(request) ? secureSessionCookie : sessionCookie);

function send(reply: FastifyReply, value: string, more: { readonly maxAge?: number }): void {
  const { request, server } = reply;
  const attributes = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(request), ...more } as const;
  reply.header("Set-Cookie", server.serializeCookie(nameOf(request), value, attributes));
}
