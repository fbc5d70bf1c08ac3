// The answer that describes a session, at its start and later.
import type { FastifyReply, FastifyRequest } from "fastify";
import { idleMsMax } from "#/console-api/access/domain.ts";
import { csrfTokenOf, sessionHash, sessionIdOf } from "#/console-api/access/sign-in/cookie.ts";
import { findSession, type SessionRow } from "#/console-api/access/sign-in/session-repository.ts";
import type { User } from "#/console-api/access/users.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { sendProblem, signedOut } from "#/http/problems/problem.ts";
import { assert } from "#/kernel/assert.ts";

type Shown = Pick<User, "userName" | "role" | "clientIds" | "facilityCodes" | "identityProvider">;
type Shows = Pick<OperatorContext, "environment" | "isMailMissing" | "addresses">;

/** @param of the signed-in user. */
export function shownSession(
  { environment, isMailMissing, addresses }: Shows,
  of: Shown,
  sessionId: string,
  expiresAt: string,
) {
  return {
    userName: of.userName,
    role: of.role,
    clientIds: of.clientIds === null ? null : [...of.clientIds],
    facilityCodes: of.facilityCodes === null ? null : [...of.facilityCodes],
    identityProvider: of.identityProvider,
    csrfToken: csrfTokenOf(sessionId),
    environment,
    isMailMissing,
    addresses: addresses(),
    expiresAt,
  };
}

/** The session of the request, in its current state. */
export function findOwnSession(
  { database, clock }: OperatorContext,
  sessionId: string,
): Promise<SessionRow | undefined> {
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
  const row = await findOwnSession(context, sessionId);
  if (!row) return sendProblem(reply, sessionEnded);
  const of = { ...operatorOf(request), identityProvider: row.identity_issuer };
  return reply.send(shownSession(context, of, sessionId, row.expires_at));
}

export const sessionEnded = signedOut("session-ended", "The session has ended; sign in again.");

export function ownSession(request: FastifyRequest): string {
  const sessionId = sessionIdOf(request);
  assert(sessionId, "the hooks have found the session");
  return sessionId;
}
