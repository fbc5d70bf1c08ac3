import type { FastifyRequest } from "fastify";
import { callerOf } from "#/http/access/bearer.ts";
import { actorOf, operatorPrefix } from "#/http/access/operator.ts";
import { exchangeOf } from "#/http/server/exchange.ts";

/** For whom an agent acts: a client, by a token of its credentials, or a user of the console. */
interface AgentSender {
  readonly kind: "client" | "user" | "warehouse" | "carrier";
  readonly clientIds: readonly string[];
  readonly credentialId: string;
  /** The user as the audit log has it; null: the client itself. */
  readonly proposedBy: string | null;
  readonly mayPropose: boolean;
  /** Whether it may read what became of proposals: they concern all facilities of a client. */
  readonly seesProposals: boolean;
  /** The address of an operation for this sender. */
  urlOf(url: string, clientId: string): string;
}

/** @param request one that has passed the hooks of `/mcp`. */
export function agentSenderOf(request: FastifyRequest): AgentSender {
  const { operator } = exchangeOf(request);
  if (operator?.agent === undefined) {
    const { kind, clientIds, credentialId } = callerOf(request);
    const sender = { kind, clientIds, credentialId, proposedBy: null };
    return { ...sender, mayPropose: true, seesProposals: true, urlOf: (url) => url };
  }
  const { tokenId, clientId, mayPropose } = operator.agent;
  return {
    kind: "user",
    clientIds: [clientId],
    credentialId: tokenId,
    proposedBy: actorOf(operator),
    mayPropose,
    seesProposals: operator.facilityCodes === null,
    urlOf: urlOfConsole,
  };
}

/** The same operation below the console's service, whose hooks know the limits of the user. */
function urlOfConsole(url: string, clientId: string): string {
  const target = new URL(url.replace(/^\/v1\/\w+/, `${operatorPrefix}/client`), "http://agents");
  target.searchParams.set("clientId", clientId);
  return target.pathname + target.search;
}
