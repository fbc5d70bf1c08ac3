import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import { listClientsOf } from "#/console-api/feeds/feeds.cross-client.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { findClientOfToken } from "#/intake/feeds/feeds.cross-client.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

const clientsMax = 10_000;

export const feedNotFound = problem("not-found", "No document within the limits of the user has this token.");

/**
 * Clients within a scope; null: all. Data of a client without a facility, such as a received document, belongs to a
 * facility where the facility works for the client.
 */
export async function clientsOfScope(
  { across }: Pick<OperatorContext, "across">,
  {
    clientIds,
    facilityCodes,
  }: { readonly clientIds: readonly string[] | null; readonly facilityCodes: readonly string[] | null },
): Promise<readonly string[] | null> {
  if (facilityCodes === null) return clientIds;
  const served = await listClientsOf(across, facilityCodes, clientsMax);
  return clientIds === null ? served : served.filter((clientId) => clientIds.includes(clientId));
}

/** The client of the document whose token a request names, where the user may see it. */
export async function findRequestedFeed(
  context: Pick<OperatorContext, "across">,
  request: FastifyRequest<{ Params: { token: string } }>,
): Promise<Result<{ readonly clientId: string; readonly token: string }, Problem>> {
  const token = request.params.token.toLowerCase();
  if (!isUuidV7(token)) return refused(feedNotFound);
  const clientId = await findClientOfToken(context.across, token);
  if (clientId === undefined) return refused(feedNotFound);
  const requestedClientId = exchangeOf(request).clientId;
  if (requestedClientId !== undefined && requestedClientId !== clientId) return refused(feedNotFound);
  const open = await clientsOfScope(context, operatorOf(request));
  return open === null || open.includes(clientId) ? ok({ clientId, token }) : refused(feedNotFound);
}
