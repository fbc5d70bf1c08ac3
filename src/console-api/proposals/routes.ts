import type { FastifyRequest } from "fastify";
import { csrfHeader, csrfTokenOf, sessionIdOf } from "#/console-api/access/sign-in/cookie.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import type { NewestPlace } from "#/console-api/newest-first.cross-client.ts";
import {
  proposal,
  proposalApproval,
  proposalCursor,
  proposalListQuery,
  proposalPage,
  proposalPath,
  proposalQuery,
  proposalRejection,
} from "#/console-api/proposals/contract.ts";
import { findReachOfProposals, listProposals } from "#/console-api/proposals/proposals.cross-client.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { actorOf, operatorOf, operatorPrefix, scopeOf, sessionCookie } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { type HttpServer, injectedTokenHeader } from "#/http/server/server.ts";
import { ok, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { decideProposal, findProposal, type Proposal, settleProposal } from "#/modules/proposals/index.ts";
import { repeatKnownMs } from "#/store/db/answer-once.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/** Proposals of agents: a person approves or rejects them (docs/agents.md). */
export function addProposalRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across, clock } = context;
  const now = () => new Date(clock.now()).toISOString();

  const find = async (request: FastifyRequest, proposalId: string): Promise<Proposal | undefined> =>
    isUuidV7(proposalId) ? findProposal(database.of(clientIdOf(request)), proposalId, now()) : undefined;

  function record(tx: UnitOfWork, action: string, proposal: Proposal): void {
    const { proposalId, tool, objectId, agent, credentialId, proposedBy } = proposal;
    const detail = { tool, object: objectId, agent, credentialId, ...(proposedBy === null ? {} : { proposedBy }) };
    recordAudit(tx, { action, objectType: "agentProposal", objectId: proposalId, detail });
  }

  /** Sends the request as the person, under the proposal's id as its key: it acts once, however often it is sent. */
  function execute(request: FastifyRequest, { method, path, body, clientId, proposalId }: Proposal) {
    const url = new URL(`${operatorPrefix}/client${path}`, "http://proposal");
    url.searchParams.set("clientId", clientId);
    const sessionId = sessionIdOf(request);
    return service.inject({
      method,
      url: url.pathname + url.search,
      remoteAddress: request.ip,
      headers: {
        ...(sessionId === undefined
          ? { authorization: request.headers.authorization }
          : { cookie: `${sessionCookie}=${sessionId}`, [csrfHeader]: csrfTokenOf(sessionId) }),
        "idempotency-key": proposalId,
        [injectedTokenHeader]: exchangeOf(request).token,
      },
      payload: body,
    });
  }

  service.get(
    "/proposal/list",
    {
      schema: {
        operationId: "listProposals",
        summary: "Proposals of agents, the newest first",
        querystring: proposalListQuery,
        response: { 200: proposalPage },
      } as const,
    },
    async (request) => {
      const { clientIds } = scopeOf(request);
      const { status: statuses } = request.query;
      return readSearchedPage(request.query, {
        cursors: proposalCursor,
        search: (position, limit) =>
          lookThrough({
            after: position,
            limit,
            placeOf: ({ createdAt, clientId, proposalId }): NewestPlace => ({
              at: createdAt,
              client: clientId,
              id: proposalId,
            }),
            list: (after, reach, most) =>
              listProposals(across, { clientIds, statuses, now: now(), after, reach, limit: most }),
            findReach:
              clientIds === null && statuses === undefined
                ? undefined
                : (after, looked) => findReachOfProposals(across, after, looked),
          }),
        positionOf: (reach) => reach,
      });
    },
  );

  service.get(
    "/proposal/get/:proposalId",
    {
      schema: {
        operationId: "getProposal",
        summary: "A proposal of an agent, with what it would change",
        params: proposalPath,
        querystring: proposalQuery,
        response: { 200: proposal },
      } as const,
      config: { ...answers(404), isOfClient: true },
    },
    async (request) => (await find(request, request.params.proposalId)) ?? refused(unknownProposal),
  );

  service.post(
    "/proposal/approve/:proposalId",
    {
      schema: {
        operationId: "approveProposal",
        summary: "Approve a proposal: its request is sent with the rights of the user",
        description:
          "A repeat by the same user answers what became of it, or sends the request again with the same Idempotency-Key where the outcome is unknown. Where the operation refuses, the proposal is FAILED.",
        params: proposalPath,
        querystring: proposalQuery,
        body: proposalApproval,
        response: { 200: proposal },
      } as const,
      config: { ...answers(404, 409, 503), isBodyOptional: true },
    },
    async (request) => {
      const { proposalId } = request.params;
      const by = actorOf(operatorOf(request));
      const found = await find(request, proposalId);
      if (found === undefined) return refused(unknownProposal);
      const change = changeOf(context, request);
      const view = <T>(work: (tx: UnitOfWork) => Promise<T>) =>
        database.transaction((tx) => work(tx.of(found.clientId, change)));
      if (found.status === "PENDING") {
        await view(async (tx) => {
          const decision = { status: "APPROVED", by, at: change.at, reason: undefined } as const;
          if (await decideProposal(tx, proposalId, decision)) record(tx, "approve", found);
        });
      }
      const approved = (await find(request, proposalId)) ?? found;
      if (approved.decidedBy !== by || !["APPROVED", "EXECUTED", "FAILED"].includes(approved.status)) {
        return refused(problem("conflict", decidedAs(approved)));
      }
      if (approved.status !== "APPROVED") return ok(approved);
      if (clock.now() - Date.parse(approved.decidedAt ?? "") >= repeatKnownMs) return refused(tooLate);
      const answer = await execute(request, approved);
      const { statusCode: status } = answer;
      // Nothing is known, or the user may not: a repeat sends it again.
      if (status >= 500 || [401, 403, 429].includes(status)) {
        const retryAfter = String(answer.headers["retry-after"] ?? 2);
        return refused(problem("unavailable", unknownOutcome(status), { headers: { "Retry-After": retryAfter } }));
      }
      const detail = status < 400 ? null : String(answer.json<{ readonly detail?: string }>().detail ?? "");
      await view(async (tx) => settleProposal(tx, proposalId, { status, detail }));
      return (await find(request, proposalId)) ?? refused(unknownProposal);
    },
  );

  service.post(
    "/proposal/reject/:proposalId",
    {
      schema: {
        operationId: "rejectProposal",
        summary: "Reject a proposal",
        params: proposalPath,
        querystring: proposalQuery,
        body: proposalRejection,
        response: { 200: proposal },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request) => {
      const { proposalId } = request.params;
      const { reason } = request.body;
      const found = await find(request, proposalId);
      if (found === undefined) return refused(unknownProposal);
      const change = changeOf(context, request);
      await database.transaction(async (whole) => {
        const tx = whole.of(found.clientId, change);
        const decision = { status: "REJECTED", by: change.actor, at: change.at, reason } as const;
        if (await decideProposal(tx, proposalId, decision)) record(tx, "reject", found);
      });
      const rejected = (await find(request, proposalId)) ?? found;
      return rejected.status === "REJECTED" && rejected.decidedBy === change.actor
        ? rejected
        : refused(problem("conflict", decidedAs(rejected)));
    },
  );
}

const unknownProposal = problem("not-found", "The client has no proposal of this proposalId.");
const tooLate = problem(
  "conflict",
  "It was approved more than seven days ago, and its outcome is unknown: look at the object.",
);

function decidedAs({ status, decidedBy }: Proposal): string {
  if (status === "EXPIRED") return "The proposal has expired.";
  return `The proposal is ${status} by ${decidedBy ?? "another user"}.`;
}

const unknownOutcome = (status: number) =>
  `The operation answered ${status}. Approve it again: its request acts at most once.`;
