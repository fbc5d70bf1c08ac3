import {
  refusalCursor,
  refusalPage,
  refusalQuery,
  sessionsMax,
  sessionsToRevoke,
  type UserPatch,
  user,
  userCreate,
  userCursors,
  userListQuery,
  userPage,
  userPatch,
  userPath,
  userSessions,
  userWithPassword,
} from "#/console-api/access/contract.ts";
import { idleMsMax } from "#/console-api/access/domain.ts";
import { resetFactors } from "#/console-api/access/factors/own-factors.ts";
import { listRefusals } from "#/console-api/access/refusal-repository.ts";
import { sessionHash, sessionIdOf } from "#/console-api/access/sign-in/cookie.ts";
import { listLiveSessions } from "#/console-api/access/sign-in/session-repository.ts";
import { listUsers } from "#/console-api/access/user-repository.ts";
import * as users from "#/console-api/access/users.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";

const byAdmins = { role: "admin", isPlatform: true } as const;

/** Users of the console: only an admin without limits may use these routes. */
export function addUserRoutes(service: HttpServer, context: OperatorContext): void {
  const { database } = context;

  service.get(
    "/user/list",
    {
      schema: {
        operationId: "listUsers",
        summary: "The users of the console",
        description: "Sorted by name. Requires an admin without limits.",
        querystring: userListQuery,
        response: { 200: userPage },
      } as const,
      config: { ...answers(), ...byAdmins },
    },
    (request) =>
      readPage(request.query, {
        cursors: userCursors,
        read: (after, limit) => listUsers(database, after?.name ?? "", limit),
        placeOf: ({ userName }) => ({ name: userName.toLowerCase() }),
      }),
  );

  service.get(
    "/user/get/:userName",
    {
      schema: {
        operationId: "getUser",
        summary: "One user of the console",
        description: "Requires an admin without limits.",
        params: userPath,
        response: { 200: user },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request) => {
      const shown = await users.showUser(database, request.params.userName);
      return shown.ok ? shown : refused(sentenceOf(shown.fault));
    },
  );

  service.get(
    "/user/sessions/:userName",
    {
      schema: {
        operationId: "listUserSessions",
        summary: "The open sessions of a user",
        description: "Requires an admin without limits.",
        params: userPath,
        response: { 200: userSessions },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request) => {
      const shown = await users.showUser(database, request.params.userName);
      if (!shown.ok) return refused(sentenceOf(shown.fault));
      const nowMs = context.clock.now();
      const ownSession = sessionIdOf(request);
      const ownId = ownSession && sessionHash(ownSession).toString("base64url");
      const sessions = await listLiveSessions(database, shown.value.userName, {
        at: new Date(nowMs).toISOString(),
        idleSince: new Date(nowMs - idleMsMax).toISOString(),
        limit: sessionsMax,
      });
      return { items: sessions.map((session) => ({ ...session, isOwn: session.sessionId === ownId })) };
    },
  );

  service.get(
    "/user/refusals",
    {
      schema: {
        operationId: "listSignInRefusals",
        summary: "Refused sign-ins, counted by day and user",
        description: "Those of the last 90 days. Requires an admin without limits.",
        querystring: refusalQuery,
        response: { 200: refusalPage },
      } as const,
      config: { ...answers(), ...byAdmins },
    },
    (request) =>
      readPage(request.query, {
        cursors: refusalCursor,
        read: (before, limit) => listRefusals(database, { of: request.query.userName, before, limit }),
        placeOf: ({ day, userName, reason }) => ({ day, userName: userName ?? "", reason }),
      }),
  );

  service.post(
    "/user/revokeSessions/:userName",
    {
      schema: {
        operationId: "revokeUserSessions",
        summary: "End a session of a user, or all of them",
        description: "The user is signed out there at once, and may sign in again. Requires an admin without limits.",
        params: userPath,
        headers: createHeaders,
        body: sessionsToRevoke,
        response: { 200: user },
      } as const,
      config: { ...answers(404), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { sessionId } = request.body;
        const sha256 = sessionId === undefined ? undefined : Buffer.from(sessionId, "base64url");
        const revoked = await users.revokeSessions(tx.plain, tx.change, request.params.userName, sha256);
        if (!revoked.ok) return refused(sentenceOf(revoked.fault));
        return answered(revoked.value);
      }),
  );

  service.post(
    "/user/create",
    {
      schema: {
        operationId: "createUser",
        summary: "Create a user of the console",
        description:
          "The server generates the password and shows it in this answer only. Requires an admin without limits.",
        headers: createHeaders,
        body: userCreate,
        response: { 201: userWithPassword },
      } as const,
      config: { ...answers(409, 422), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { userName, role, clientIds, facilityCodes } = request.body;
        const limits = { clientIds: limitOf(clientIds), facilityCodes: limitOf(facilityCodes) };
        const made = await users.createUser(tx.plain, tx.change, { userName, role, ...limits });
        if (!made.ok) return refused(sentenceOf(made.fault));
        const location = `${service.prefix}/user/get/${encodeURIComponent(userName)}`;
        const { body, keptBody } = withPassword(made.value);
        return answered(body, { status: 201, headers: { Location: location }, keptBody });
      }),
  );

  service.patch(
    "/user/patch/:userName",
    {
      schema: {
        operationId: "patchUser",
        summary: "Change the rights of a user; suspend or resume the user",
        description:
          "Ends the user's sessions. The last admin without limits cannot be changed, and users cannot suspend themselves. Role and limits of a user of the identity provider come from the groups there: changing them is a 409. Requires an admin without limits.",
        params: userPath,
        headers: createHeaders,
        body: userPatch,
        response: { 200: user },
      } as const,
      config: { ...answers(404, 409, 422), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { userName } = request.params;
        const isOwn = userName.toLowerCase() === operatorOf(request).userName.toLowerCase();
        if (isOwn && request.body.isSuspended) {
          return refused(problem("conflict", "Users cannot suspend themselves; another admin can do it."));
        }
        const changed = await users.changeUser(tx.plain, tx.change, userName, changesOf(request.body));
        if (!changed.ok) return refused(sentenceOf(changed.fault));
        return answered(changed.value);
      }),
  );

  service.post(
    "/user/resetFactors/:userName",
    {
      schema: {
        operationId: "resetFactors",
        summary: "Remove all second factors of a user",
        description:
          "For a user who has lost them: removes factors and recovery codes, and ends the user's sessions. Where the role requires a second factor, the next sign-in enrols one. 409 for the own user, and for users of the identity provider, who have no factors here. Requires an admin without limits.",
        params: userPath,
        headers: createHeaders,
        response: { 200: user },
      } as const,
      config: { ...answers(404, 409), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { userName } = request.params;
        if (userName.toLowerCase() === operatorOf(request).userName.toLowerCase()) {
          return refused(problem("conflict", "Users cannot reset their own factors; another admin can do it."));
        }
        const reset = await resetFactors(tx.plain, tx.change, userName);
        if (!reset.ok) return refused(sentenceOf(reset.fault));
        return answered(reset.value);
      }),
  );

  service.post(
    "/user/resetPassword/:userName",
    {
      schema: {
        operationId: "resetPassword",
        summary: "Set a new password of a user",
        description:
          "The server generates the password and shows it in this answer only; the user's sessions end. 409 for users of the identity provider, who have no password here. Requires an admin without limits.",
        params: userPath,
        headers: createHeaders,
        response: { 200: userWithPassword },
      } as const,
      config: { ...answers(404, 409), ...byAdmins },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const made = await users.resetPassword(tx.plain, tx.change, request.params.userName);
        if (!made.ok) return refused(sentenceOf(made.fault));
        const { body, keptBody } = withPassword(made.value);
        return answered(body, { keptBody });
      }),
  );
}

/** An empty list removes a limit: a user who may see nothing must be suspended instead. */
const limitOf = (names: readonly string[] | undefined) => (names && names.length > 0 ? names : null);

function changesOf({ clientIds, facilityCodes, ...rest }: UserPatch): users.UserChanges {
  return {
    ...rest,
    ...(clientIds === undefined ? {} : { clientIds: limitOf(clientIds) }),
    ...(facilityCodes === undefined ? {} : { facilityCodes: limitOf(facilityCodes) }),
  };
}

const withPassword = (made: users.MadeUser) => ({ body: made, keptBody: { ...made, password: "***" } });

function sentenceOf({ kind, detail, field }: users.UserRefusal): Refusal {
  const sentence = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
  const errors = kind === "unprocessable" && field ? [{ pointer: `#/${field}`, message: detail }] : [];
  return { kind, detail: sentence, errors };
}
