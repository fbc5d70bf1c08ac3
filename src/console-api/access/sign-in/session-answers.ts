// The answer that describes a session, at its start and later.
import type { FastifyReply, FastifyRequest } from "fastify";
import { idleMsMax } from "#/console-api/access/domain.ts";
import { csrfTokenOf, sessionHash, sessionIdOf } from "#/console-api/access/sign-in/cookie.ts";
import { findSession, type Session } from "#/console-api/access/sign-in/session-repository.ts";
import type { User } from "#/console-api/access/user-repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { sendProblem, signedOut } from "#/http/problems/problem.ts";
import { assert } from "#/kernel/assert.ts";

type Shows = Pick<OperatorContext, "environment" | "isMailMissing" | "addresses">;

/** @param user the signed-in one. */
export function shownSession(
  { environment, isMailMissing, addresses }: Shows,
  user: Pick<User, "userName" | "role" | "clientIds" | "facilityCodes" | "identityProvider">,
  sessionId: string,
  expiresAt: string,
) {
  const csrfToken = csrfTokenOf(sessionId);
  return { ...user, csrfToken, environment, isMailMissing, addresses: addresses(), expiresAt };
}

/** The session of the request, in its current state. */
export function findOwnSession({ database, clock }: OperatorContext, sessionId: string): Promise<Session | undefined> {
  const nowMs = clock.now();
  return findSession(database, sessionHash(sessionId), {
    at: new Date(nowMs).toISOString(),
    idleSince: new Date(nowMs - idleMsMax).toISOString(),
  });
}

export async function sendSession(
  context: OperatorContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sessionId = ownSession(request);
  const session = await findOwnSession(context, sessionId);
  if (!session) return sendProblem(reply, sessionEnded);
  return reply.send(shownSession(context, session, sessionId, session.expiresAt));
}

export const sessionEnded = signedOut("session-ended", "The session has ended; sign in again.");

export function ownSession(request: FastifyRequest): string {
  const sessionId = sessionIdOf(request);
  assert(sessionId, "the hooks have found the session");
  return sessionId;
}
