import {
  agentTokenCreate,
  agentTokenDeleted,
  agentTokenPath,
  agentTokens,
  agentTokensMax,
  hoursOf,
  issuedAgentToken,
} from "#/console-api/access/agent-tokens/contract.ts";
import { deleteAgentToken, insertAgentToken, listAgentTokens } from "#/console-api/access/agent-tokens/repository.ts";
import { agentTokenHash, makeAgentToken, tokenIdOf } from "#/console-api/access/agent-tokens/token.ts";
import { mayActAs } from "#/console-api/access/domain.ts";
import { findOwnSession, ownSession, sessionEnded } from "#/console-api/access/sign-in/session-answers.ts";
import { badField } from "#/console-api/access/sign-in/session-routes.ts";
import { findUser, listKnownClients } from "#/console-api/access/user-repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { recordAudit } from "#/store/db/audit.ts";

/** The user's own tokens: a change of them concerns no client's data. */
const ownTokens = { role: "viewer", isPlatform: true, partition: "none" } as const;

/** Tokens by which agents act for the user at `/mcp` (docs/agents.md). */
export function addAgentTokenRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock } = context;

  service.get(
    "/agentToken/list",
    {
      schema: {
        operationId: "listAgentTokens",
        summary: "The own tokens for agents",
        response: { 200: agentTokens },
      } as const,
      config: { ...answers(), partition: "none" },
    },
    async (request) => {
      const at = new Date(clock.now()).toISOString();
      return { items: await listAgentTokens(database, operatorOf(request).userName, at, agentTokensMax) };
    },
  );

  service.post(
    "/agentToken/create",
    {
      schema: {
        operationId: "createAgentToken",
        summary: "Issue a token for an agent",
        description: `The server generates the token and shows it in this answer only. It opens \`/mcp\` for one client, with the rights of the user, and ends with the user's sessions. 409 for a user who has ${agentTokensMax} of them.`,
        headers: createHeaders,
        body: agentTokenCreate,
        response: { 201: issuedAgentToken },
      } as const,
      config: { ...answers(409, 422), ...ownTokens },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { name, clientId, mayPropose = false } = request.body;
        const { userName, role, facilityCodes } = operatorOf(request);
        const { at, origin } = tx.change;
        if ((await listKnownClients(tx.plain, [clientId])).length === 0) {
          return refused(badField("clientId", "does not exist"));
        }
        if (mayPropose && !mayActAs(role, "operator")) {
          return refused(badField("mayPropose", `requires the role operator; the user is ${role}`));
        }
        if (mayPropose && facilityCodes !== null) {
          return refused(badField("mayPropose", "is not open to a user who is limited to facilities"));
        }
        const session = await findOwnSession(context, ownSession(request));
        const row = await findUser(tx.plain, userName);
        if (!session || !row) return refused(sessionEnded);
        if ((await listAgentTokens(tx.plain, userName, at, agentTokensMax)).length >= agentTokensMax) {
          return refused(problem("conflict", `The user has ${agentTokensMax} tokens: revoke one first.`));
        }
        const token = makeAgentToken();
        const sha256 = agentTokenHash(token);
        const tokenId = tokenIdOf(sha256);
        const expiresAt = new Date(Date.parse(at) + hoursOf(request.body) * hourMs).toISOString();
        insertAgentToken(tx.plain, {
          sha256,
          userName,
          accessVersion: row.accessVersion,
          at,
          endsAt: expiresAt,
          origin,
          factor: session.factor,
          name,
          clientId,
          mayPropose,
        });
        const detail = { name, clientId, mayPropose, expiresAt };
        recordAudit(tx, { action: "issue", objectType: "agentToken", objectId: tokenId, detail });
        const agentToken = { tokenId, name, clientId, mayPropose, startedAt: at, lastUsedAt: null, expiresAt };
        const headers = { Location: `${service.prefix}/agentToken/list` };
        return answered({ agentToken, token }, { status: 201, headers, keptBody: { agentToken, token: "***" } });
      }),
  );

  service.delete(
    "/agentToken/delete/:tokenId",
    {
      schema: {
        operationId: "deleteAgentToken",
        summary: "Revoke an own token for an agent",
        description: "The agent's next request is refused.",
        params: agentTokenPath,
        headers: createHeaders,
        response: { 204: agentTokenDeleted },
      } as const,
      config: { ...answers(404), ...ownTokens },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { tokenId } = request.params;
        const sha256 = Buffer.from(tokenId, "base64url");
        if (!(await deleteAgentToken(tx.plain, operatorOf(request).userName, sha256))) {
          return refused(problem("not-found", "The user has no such token; it may have expired."));
        }
        recordAudit(tx, { action: "revoke", objectType: "agentToken", objectId: tokenId });
        return answered(null, { status: 204 });
      }),
  );
}
