import type { FastifyReply, FastifyRequest } from "fastify";
import * as contract from "#/console-api/access/invitations/contract.ts";
import { listInvitations } from "#/console-api/access/invitations/invitation-repository.ts";
import * as invitations from "#/console-api/access/invitations/invitations.ts";
import { refuse } from "#/console-api/access/sign-in/session-routes.ts";
import { triesOfNetwork } from "#/console-api/access/sign-in/sign-in.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { readPage } from "#/http/requests/paging.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { Change } from "#/store/db/audit.ts";

const byAdmins = { role: "admin", isPlatform: true } as const;
const secretOnce =
  "The link goes by mail. Without a mail server, and where the server does not accept the mail, the answer has it, once. Requires an admin without limits.";

/** Invitations of brands' developers: made by an admin without limits, accepted by the link. */
export function addInvitationRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock, ids, limiter, environment, signInMethods } = context;

  /** Refuses where no account with a password can be made. */
  const refusalOfPasswords = () =>
    signInMethods.isLocal
      ? undefined
      : problem("conflict", "Passwords are switched off here: give the developer a group of the identity provider.");

  service.get(
    "/invitation/list",
    {
      schema: {
        operationId: "listInvitations",
        summary: "Invitations that were not accepted",
        description: "Expired ones are kept for 30 days. Requires an admin without limits.",
        querystring: contract.invitationListQuery,
        response: { 200: contract.invitationPage },
      } as const,
      config: { ...answers(), ...byAdmins },
    },
    (request) =>
      readPage(request.query, {
        cursors: contract.invitationCursor,
        read: (before, limit) => listInvitations(database, before?.id, limit),
        placeOf: ({ invitationId }) => ({ id: invitationId }),
      }),
  );

  service.post(
    "/invitation/create",
    {
      schema: {
        operationId: "createInvitation",
        summary: "Invite a developer of a client",
        description: `The developer chooses user name and password by a link that is valid once, for three days. ${secretOnce}`,
        body: contract.invitationCreate,
        response: { 201: contract.sentInvitation },
      } as const,
      config: { ...answers(409, 422), ...byAdmins },
    },
    async (request, reply) => {
      const closed = refusalOfPasswords();
      if (closed) return refused(closed);
      const invitedBy = operatorOf(request).userName;
      const sent = await invitations.invite(context, changeOf(context, request), { ...request.body, invitedBy });
      return sent.ok ? reply.code(201).header("Location", `${service.prefix}/invitation/list`).send(sent.value) : sent;
    },
  );

  service.post(
    "/invitation/resend/:invitationId",
    {
      schema: {
        operationId: "resendInvitation",
        summary: "Send another link of an invitation",
        description: `The old link is no longer valid. ${secretOnce}`,
        params: contract.invitationPath,
        response: { 200: contract.sentInvitation },
      } as const,
      config: { ...answers(404, 409), ...byAdmins },
    },
    async (request) => {
      const closed = refusalOfPasswords();
      if (closed) return refused(closed);
      const { invitationId } = request.params;
      const invitedBy = operatorOf(request).userName;
      const sent = await invitations.inviteAgain(context, changeOf(context, request), { invitationId, invitedBy });
      return sent.ok ? sent.value : sent;
    },
  );

  service.delete(
    "/invitation/delete/:invitationId",
    {
      schema: {
        operationId: "withdrawInvitation",
        summary: "Withdraw an invitation",
        description: "The link is no longer valid. Requires an admin without limits.",
        params: contract.invitationPath,
        headers: createHeaders,
        response: { 204: contract.invitationDeleted },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const gone = await invitations.withdraw(tx.plain, tx.change, request.params.invitationId);
        return gone.ok ? answered(null, { status: 204 }) : gone;
      }),
  );

  /** The link has 256 random bits: the limit protects the store, not the link. */
  function throttle(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    if (environment === "production" && request.protocol !== "https") {
      return sendProblem(reply, problem("https-required", "In production, an invitation requires https."));
    }
    const take = limiter.take(logInKey("invitation network", networkOf(request.ip)), triesOfNetwork);
    return take.isAllowed ? undefined : refuse(reply, { kind: "throttled", take });
  }

  service.post(
    "/invitation/open",
    {
      schema: {
        operationId: "openInvitation",
        summary: "What a link invites to",
        description: "Works without a session, and changes nothing. 404: the link is not valid, or no longer.",
        body: contract.invitationOpen,
        response: { 200: contract.openedInvitation },
      } as const,
      config: { ...answers(404), isOpen: true, isAnonymous: true },
    },
    async (request, reply) => {
      const refusal = throttle(request, reply);
      if (refusal) return refusal;
      const opened = await invitations.openInvitation(context, request.body.token, nowOf());
      if (!opened.ok) return opened;
      const { clientId, clientName, address, expiresAt } = opened.value;
      return reply.send({ clientId, clientName, address, expiresAt });
    },
  );

  service.post(
    "/invitation/accept",
    {
      schema: {
        operationId: "acceptInvitation",
        summary: "Accept an invitation",
        description:
          "Works without a session. Creates the user, who then signs in by `session/create`. The link is no longer valid.",
        body: contract.invitationAccept,
        response: { 201: contract.acceptedInvitation },
      } as const,
      config: { ...answers(404, 409, 422), isOpen: true, isAnonymous: true },
    },
    async (request, reply) => {
      const refusal = throttle(request, reply);
      if (refusal) return refusal;
      const closed = refusalOfPasswords();
      if (closed) return refused(closed);
      const change: Change = { actor: "anonymous", origin: request.ip, ids, at: nowOf() };
      const accepted = await invitations.accept(context, change, request.body);
      if (!accepted.ok) return accepted;
      return reply.code(201).header("Location", `${service.prefix}/session/get`).send(accepted.value);
    },
  );

  function nowOf(): string {
    return new Date(clock.now()).toISOString();
  }
}
