// The cookie of a session and the token against cross-site requests that belongs to it (contract operations.md §5).
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sessionCookie } from "#/http/operator.ts";

export const csrfHeader = "x-csrf-token";

const idBytes = 32;
const idPattern = /^[\w-]{43}$/;

export function makeSessionId(): string {
  return randomBytes(idBytes).toString("base64url");
}

/** What the store knows a session by. */
export function sessionHash(sessionId: string): Buffer {
  return createHash("sha256").update(sessionId).digest();
}

/** Undefined where there is none, or nothing that could be one. */
export function sessionIdOf({ headers, server }: FastifyRequest): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const sessionId = server.parseCookie(headers.cookie)[sessionCookie];
  return sessionId !== undefined && idPattern.test(sessionId) ? sessionId : undefined;
}

/** Derived from the session's own 256 bits: neither the store nor a page of another address knows it. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac("sha256", sessionId).update("crossdock csrf v1").digest("base64url");
}

export function isCsrfTokenOf(sessionId: string, sent: string | readonly string[] | undefined): boolean {
  if (typeof sent !== "string") return false;
  const wanted = Buffer.from(csrfTokenOf(sessionId));
  const given = Buffer.from(sent);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Gone with the browser at the latest; `Secure` by https. */
export function setSessionCookie(reply: FastifyReply, sessionId: string): void {
  reply.header("Set-Cookie", reply.server.serializeCookie(sessionCookie, sessionId, attributesOf(reply)));
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header("Set-Cookie", reply.server.serializeCookie(sessionCookie, "", { ...attributesOf(reply), maxAge: 0 }));
}

function attributesOf({ request }: FastifyReply) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: request.protocol === "https" } as const;
}
