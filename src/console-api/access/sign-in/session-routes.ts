import type { FastifyReply } from "fastify";
import {
  newSession,
  passwordChange,
  session,
  sessionDeleted,
  signInMethods,
  signInStep,
} from "#/console-api/access/contract.ts";
import { stepDetails } from "#/console-api/access/domain.ts";
import { methodsOf } from "#/console-api/access/factors/next-step.ts";
import { clearSessionCookie, csrfTokenOf, sessionHash, setSessionCookie } from "#/console-api/access/sign-in/cookie.ts";
import {
  findOwnSession,
  ownSession,
  sendSession,
  sessionEnded,
  shownSession,
} from "#/console-api/access/sign-in/session-answers.ts";
import * as sessions from "#/console-api/access/sign-in/session-repository.ts";
import type { SignInRefusal } from "#/console-api/access/sign-in/sign-in.ts";
import { findUser } from "#/console-api/access/user-repository.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { rateLimitHeaders } from "#/http/access/rate-limit.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem, sendProblem, signedOut } from "#/http/problems/problem.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";

/** Sign-in, sign-out, and a user's own password (contract operations.md §5). */
export function addSessionRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock, ids, signIn, environment, signInMethods: signInConfig } = context;

  service.get(
    "/session/methods",
    {
      schema: {
        operationId: "getSignInMethods",
        summary: "How users sign in",
        description: "Works without a session.",
        response: { 200: signInMethods },
      } as const,
      config: { ...answers(), isOpen: true },
    },
    async () => ({ isPasswordOpen: signInConfig.isLocal, providerName: signInConfig.provider?.name ?? null }),
  );

  service.post(
    "/session/create",
    {
      schema: {
        operationId: "createSession",
        summary: "Sign in",
        description:
          "Sets the cookie of the session. Ten attempts for a name from an IPv4 address or an IPv6 /64 network are free, then one every 20 seconds, right or wrong. After 30 wrong attempts for a name from any address, each answer for that name takes 2 seconds longer. Production requires https. If a second factor is needed, the answer is the 401 `step-missing`; its cookie gives access to the second step only, which `session/step` describes.",
        body: newSession,
        response: { 201: session },
      } as const,
      config: { ...answers(), isOpen: true },
    },
    async (request, reply) => {
      if (environment === "production" && request.protocol !== "https") {
        return refused(problem("https-required", "In production, sign-in requires https."));
      }
      if (!signInConfig.isLocal) return refused(signedOut("sign-in-refused", noPasswords));
      const change: Change = {
        actor: "anonymous",
        origin: request.ip,
        ids,
        at: new Date(clock.now()).toISOString(),
      };
      const signedIn = await signIn.signIn({ ...request.body, address: request.ip }, change);
      if (!signedIn.ok) return refuse(reply, signedIn.fault);
      const { user, sessionId, endsAt, step } = signedIn.value;
      setSessionCookie(reply, sessionId);
      if (step !== "DONE") return refused(signedOut("step-missing", stepDetails[step]));
      return reply
        .code(201)
        .header("Location", `${service.prefix}/session/get`)
        .send(shownSession(context, user, sessionId, endsAt));
    },
  );

  service.get(
    "/session/step",
    {
      schema: {
        operationId: "getSignInStep",
        summary: "State of the sign-in",
        description: "The missing step, and the proofs that `session/prove` accepts.",
        response: { 200: signInStep },
      } as const,
      config: { ...answers(), partition: "none", steps: ["FACTOR", "ENROLMENT"] },
    },
    async (request, reply) => {
      const { userName, step } = operatorOf(request);
      const sessionId = ownSession(request);
      const row = await findOwnSession(context, sessionId);
      if (!row) return refused(sessionEnded);
      const methods = step === "ENROLMENT" || row.identityProvider !== null ? [] : await methodsOf(database, userName);
      const passkeyOrigin = context.relyingParty()?.origin ?? null;
      return reply.send({
        step,
        methods,
        passkeyOrigin,
        csrfToken: csrfTokenOf(sessionId),
        expiresAt: row.expiresAt,
      });
    },
  );

  service.get(
    "/session/get",
    {
      schema: {
        operationId: "getSession",
        summary: "The signed-in user",
        description: "The user of the session, what the user may see and do, and the csrfToken.",
        response: { 200: session },
      } as const,
      config: { ...answers(), partition: "none" },
    },
    async (request, reply) => sendSession(context, request, reply),
  );

  service.delete(
    "/session/delete",
    {
      schema: {
        operationId: "deleteSession",
        summary: "Sign out",
        description: "Ends the session, in all servers at once.",
        response: { 204: sessionDeleted },
      } as const,
      config: {
        ...answers(),
        role: "viewer",
        isPlatform: true,
        partition: "none",
        steps: ["FACTOR", "ENROLMENT"],
      },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      await database.transaction(async (tx) => {
        sessions.deleteSession(tx, sessionHash(ownSession(request)));
        const entry = { action: "sign-out", objectType: "user", objectId: userName };
        recordAudit(tx.of(platformClient, changeOf(context, request)), entry);
      });
      clearSessionCookie(reply);
      return reply.code(204).send(null);
    },
  );

  service.post(
    "/session/changePassword",
    {
      schema: {
        operationId: "changeOwnPassword",
        summary: "Change the own password",
        description: "This session continues; all other sessions of the user end.",
        body: passwordChange,
        response: { 200: session },
      } as const,
      config: { ...answers(422), role: "viewer", isPlatform: true, partition: "none" },
    },
    async (request, reply) => {
      const { currentPassword, newPassword } = request.body;
      const { userName } = operatorOf(request);
      const row = await findUser(database, userName);
      if (row?.identityProvider) return refused(noPasswordHere);
      const proof = { userName, password: currentPassword, address: request.ip };
      const change = changeOf(context, request);
      const changed = await signIn.changePassword(proof, newPassword, ownSession(request), change);
      // A signed-in caller is known: the wrong password is a fault of the request, and ends no session.
      if (!changed.ok && changed.fault.kind === "refused") return refused(wrongPassword);
      if (!changed.ok) return refuse(reply, changed.fault);
      return sendSession(context, request, reply);
    },
  );
}

const noPasswords = "Passwords are switched off here: sign in through the identity provider.";
const noPasswordHere = badField("currentPassword", "does not exist: the user signs in through the identity provider");
const wrongPassword = badField("currentPassword", "is not the password of the user");

export function badField(field: string, message: string): Problem {
  const errors = [{ pointer: `#/${field}`, message }];
  return problem("unprocessable", `${field} ${message}`, { errors });
}

export function refuse(reply: FastifyReply, refusal: SignInRefusal): FastifyReply {
  switch (refusal.kind) {
    case "throttled": {
      reply.headers(rateLimitHeaders(refusal.take));
      return sendProblem(reply, problem("rate-limited", "Too many attempts; wait before the next one."));
    }
    case "bad-password":
      return sendProblem(reply, badField("newPassword", refusal.detail));
    case "refused": {
      const detail = "User name and password do not belong together, or the user is suspended.";
      return sendProblem(reply, signedOut("sign-in-refused", detail));
    }
  }
}
