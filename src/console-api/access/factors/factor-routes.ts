import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { session } from "#/console-api/access/contract.ts";
import type { FactorName } from "#/console-api/access/domain.ts";
import { factorsMax, proofMsMax } from "#/console-api/access/domain.ts";
import { completeStep } from "#/console-api/access/factors/complete-step.ts";
import {
  enrolled,
  factorDeleted,
  factorPath,
  factorRenaming,
  firstCode,
  newPasskey,
  newRecoveryCodes,
  newTotp,
  ownFactors,
  passkeyCreation,
  passkeyRequest,
  proof,
} from "#/console-api/access/factors/contract.ts";
import * as repository from "#/console-api/access/factors/factor-repository.ts";
import * as factors from "#/console-api/access/factors/own-factors.ts";
import { challengeMsMax, creationOptions, passkeyOf, requestOptions } from "#/console-api/access/factors/passkeys.ts";
import { base32Of, makeTotpSecret, qrCodeOf, stepOfCode, totpAddress } from "#/console-api/access/factors/totp.ts";
import { sessionHash, setSessionCookie } from "#/console-api/access/sign-in/cookie.ts";
import { ownSession, sendSession, sessionEnded, shownSession } from "#/console-api/access/sign-in/session-answers.ts";
import { noteProof, setChallenge, takeChallenge } from "#/console-api/access/sign-in/session-repository.ts";
import { badField, refuse } from "#/console-api/access/sign-in/session-routes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { type OperatorRoute, operatorOf } from "#/http/access/operator.ts";
import { rateLimitHeaders } from "#/http/access/rate-limit.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem, type Refused } from "#/http/problems/problem.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";

const ownRoute = { role: "viewer", isPlatform: true, partition: "none" } as const satisfies OperatorRoute;
/** Operations of a sign-in whose user must enrol a factor; in a complete session they require a proof. */
const enrols = {
  ...ownRoute,
  steps: ["ENROLMENT"],
  takesProof: true,
  isOfLocalUser: true,
} as const satisfies OperatorRoute;
const changes = { ...ownRoute, takesProof: true } as const satisfies OperatorRoute;

const setupContext = "totp setup";
const setupMsMax = 15 * minuteMs;

/** Sealed data that the browser keeps between the QR code and the first code. */
interface Setup {
  readonly userName: string;
  readonly secret: string;
  readonly untilMs: number;
}

/** The second step of a sign-in, and a user's own factors (decision 0039). */
export function addFactorRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, clock, ids, secretBox, environment, signIn, secondFactor, signInMethods } = context;
  const isRequired = (request: FastifyRequest) => signInMethods.secondFactorOf.includes(operatorOf(request).role);

  /** The answer after a proved factor: the session that waited for it, or the continued session. */
  async function sendProved(request: FastifyRequest, reply: FastifyReply, factor: FactorName | null) {
    const { userName, step } = operatorOf(request);
    const sessionId = ownSession(request);
    const change = changeOf(context, request);
    if (step !== "FACTOR") {
      await database.transaction(async (tx) => noteProof(tx, sessionHash(sessionId), factor, change.at));
      return sendSession(context, request, reply);
    }
    if (factor === null) return refused(sessionEnded);
    const opened = await database.transaction((tx) => completeStep(tx, clock, change, { userName, sessionId, factor }));
    if (!opened) return refused(sessionEnded);
    setSessionCookie(reply, opened.sessionId);
    return reply.send(shownSession(context, opened.user, opened.sessionId, opened.endsAt));
  }

  /** Enrols a factor in the session of the request, and completes the session where the sign-in waited for it. */
  async function enrol(
    request: FastifyRequest,
    reply: FastifyReply,
    added: Pick<repository.Factor, "kind" | "name">,
    insert: (tx: Transaction, change: Change, factorId: string) => Promise<boolean>,
  ): Promise<FastifyReply | Refused> {
    const { userName, step } = operatorOf(request);
    const sessionId = ownSession(request);
    const sha256 = sessionHash(sessionId);
    const change = changeOf(context, request);
    const factorId = ids.next(clock.now());
    const outcome = await database
      .transaction(async (tx): Promise<Result<object, Problem | Refusal>> => {
        const made = await factors.addFactor(tx, change, { ...added, factorId, userName, sha256 }, () =>
          insert(tx, change, factorId),
        );
        if (!made.ok) return refused(sentenceOf(made.fault));
        const factor = added.kind;
        if (step !== "ENROLMENT") {
          noteProof(tx, sha256, factor, change.at);
          return ok({ ...made.value, session: null });
        }
        const opened = await completeStep(tx, clock, change, { userName, sessionId, factor });
        // The hooks saw a waiting sign-in, but it has ended since. Operations that end it keep the user's row, which this
        // transaction has locked. The rollback also undoes the factor.
        if (!opened) throw new EndedMeanwhileError();
        setSessionCookie(reply, opened.sessionId);
        return ok({ ...made.value, session: shownSession(context, opened.user, opened.sessionId, opened.endsAt) });
      })
      .catch((error: unknown) => {
        if (error instanceof EndedMeanwhileError) return refused(sessionEnded);
        throw error;
      });
    return outcome.ok ? reply.send(outcome.value) : refused(outcome.fault);
  }

  async function keepChallenge(request: FastifyRequest, challenge: string): Promise<void> {
    const endsAt = new Date(clock.now() + challengeMsMax).toISOString();
    const sha256 = sessionHash(ownSession(request));
    await database.transaction(async (tx) => setChallenge(tx, sha256, challenge, endsAt));
  }

  service.post(
    "/session/prove",
    {
      schema: {
        operationId: "proveUser",
        summary: "Prove the identity",
        description:
          "Completes the second step of a sign-in, or renews the proof of identity within a session, which changes of factors require every 10 minutes. A user with a second factor proves that factor, any other user the password. Ten attempts of a user are free, then one every 20 seconds. After 100 wrong codes without a right one, no code of the app is accepted.",
        body: proof,
        response: { 200: session },
      } as const,
      config: { ...answers(409, 422), ...ownRoute, steps: ["FACTOR"], isOfLocalUser: true },
    },
    async (request, reply) => {
      const { userName, step } = operatorOf(request);
      const { password, ...proofName } = request.body;
      const change = changeOf(context, request);
      const has = step === "FACTOR" || (await repository.listFactors(database, userName, 1)).length > 0;
      if (password === undefined && has) {
        const proved = await secondFactor.prove(
          { userName, address: request.ip, sha256: sessionHash(ownSession(request)) },
          proofName,
          change,
        );
        if (proved.ok) return sendProved(request, reply, proved.value);
        const { fault } = proved;
        if (fault.kind === "wrong") return refused(badField(fault.field, fault.detail));
        reply.headers(rateLimitHeaders(fault.take));
        return refused(problem("rate-limited", "Too many attempts; wait before the next one."));
      }
      if (password === undefined || has) {
        const proofName = Object.keys(request.body)[0] ?? "password";
        return refused(badField(proofName, has ? "is not enough: prove the second factor" : noFactor));
      }
      const proved = await signIn.checkPassword({ userName, password, address: request.ip }, change);
      if (proved.ok) return sendProved(request, reply, null);
      if (proved.fault.kind === "refused") return refused(wrongPasswordHere);
      return refuse(reply, proved.fault);
    },
  );

  service.post(
    "/session/challenge",
    {
      schema: {
        operationId: "challengePasskey",
        summary: "Get a challenge for a passkey",
        description:
          "For `session/prove`: valid once, for five minutes, in this session. 409 for a user without a passkey.",
        response: { 200: passkeyRequest },
      } as const,
      config: { ...answers(409), ...ownRoute, steps: ["FACTOR"] },
    },
    async (request, reply) => {
      const party = context.relyingParty();
      const passkeys = await repository.listPasskeys(database, operatorOf(request).userName, factorsMax);
      if (!party || passkeys.length === 0) return refused(noPasskeys);
      const options = await requestOptions(party, passkeys);
      await keepChallenge(request, options.challenge);
      return reply.send({ ...options });
    },
  );

  service.get(
    "/factor/list",
    {
      schema: {
        operationId: "listOwnFactors",
        summary: "The user's own second factors",
        description: "The factors and recovery codes of the user, and whether the role requires a factor.",
        response: { 200: ownFactors },
      } as const,
      config: { ...answers(), ...ownRoute, steps: ["ENROLMENT"] },
    },
    async (request) => {
      const { userName, authenticatedAt } = operatorOf(request);
      const [items, recoveryCodesLeft] = await Promise.all([
        factors.listOwn(database, userName),
        repository.countRecoveryCodes(database, userName),
      ]);
      const isProofRecent = clock.now() - Date.parse(authenticatedAt) <= proofMsMax;
      const passkeyOrigin = context.relyingParty()?.origin ?? null;
      return { items, recoveryCodesLeft, passkeyOrigin, isRequired: isRequired(request), isProofRecent };
    },
  );

  service.post(
    "/factor/beginTotp",
    {
      schema: {
        operationId: "beginTotp",
        summary: "Set up an authenticator app",
        description:
          "A secret for the app (RFC 6238: SHA-1, 6 digits, 30 s). Nothing is stored until `factor/confirmTotp` receives the first code.",
        response: { 200: newTotp },
      } as const,
      config: { ...answers(409), ...enrols },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const secret = makeTotpSecret();
      const setup: Setup = { userName, secret: secret.toString("base64"), untilMs: clock.now() + setupMsMax };
      const issuer = environment === "production" ? "Crossdock" : `Crossdock ${environment}`;
      const address = totpAddress(secret, { issuer, userName });
      return reply.send({
        setup: secretBox.seal(JSON.stringify(setup), setupContext),
        secret: base32Of(secret),
        address,
        qrCode: qrCodeOf(address),
      });
    },
  );

  service.post(
    "/factor/confirmTotp",
    {
      schema: {
        operationId: "confirmTotp",
        summary: "Enrol an authenticator app",
        description:
          "Replaces the previous app. The first factor comes with the recovery codes and ends the user's other sessions; a sign-in that waited for it is complete.",
        body: firstCode,
        response: { 200: enrolled },
      } as const,
      config: { ...answers(409, 422), ...enrols },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const opened = secretBox.open(request.body.setup, setupContext);
      const setup = opened === undefined ? undefined : (JSON.parse(opened) as Setup);
      const nowMs = clock.now();
      if (setup?.userName !== userName || setup.untilMs < nowMs) return refused(staleSetup);
      const step = stepOfCode(Buffer.from(setup.secret, "base64"), request.body.code, { nowMs, lastStep: 0 });
      if (step === undefined) return refused(wrongFirstCode);
      const name = "Authenticator app";
      return enrol(request, reply, { kind: "TOTP", name }, async (tx, { at }, factorId) => {
        const secretSealed = secretBox.seal(setup.secret, repository.totpContext(factorId));
        repository.insertTotp(tx, { factorId, userName, name, secretSealed, step, at });
        return true;
      });
    },
  );

  service.post(
    "/factor/beginPasskey",
    {
      schema: {
        operationId: "beginPasskey",
        summary: "Get a challenge for a new passkey",
        description:
          "Valid once, for five minutes, in this session. Passkeys need a public https address, or localhost: 409 otherwise.",
        response: { 200: passkeyCreation },
      } as const,
      config: { ...answers(409), ...enrols },
    },
    async (request, reply) => {
      const party = context.relyingParty();
      if (!party) return refused(nowhere);
      const { userName } = operatorOf(request);
      const passkeys = await repository.listPasskeys(database, userName, factorsMax);
      const options = await creationOptions(party, { userName, passkeys });
      await keepChallenge(request, options.challenge);
      return reply.send({ ...options });
    },
  );

  service.post(
    "/factor/confirmPasskey",
    {
      schema: {
        operationId: "confirmPasskey",
        summary: "Enrol a passkey",
        description:
          "The first factor comes with the recovery codes and ends the user's other sessions; a sign-in that waited for it is complete.",
        body: newPasskey,
        response: { 200: enrolled },
      } as const,
      config: { ...answers(409, 422), ...enrols },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const at = new Date(clock.now()).toISOString();
      const challenge = await takeChallenge(database, sessionHash(ownSession(request)), at);
      const party = context.relyingParty();
      const response = request.body.credential as unknown as RegistrationResponseJSON;
      const passkey = party && challenge !== undefined ? await passkeyOf(party, challenge, response) : undefined;
      if (!passkey) return refused(wrongPasskey);
      const name = request.body.name.trim();
      return enrol(request, reply, { kind: "PASSKEY", name }, (tx, change, factorId) =>
        repository.insertPasskey(tx, { ...passkey, factorId, userName, name, at: change.at }),
      );
    },
  );

  service.post(
    "/factor/rename/:factorId",
    {
      schema: {
        operationId: "renameFactor",
        summary: "Rename an own factor",
        params: factorPath,
        body: factorRenaming,
        response: { 200: enrolled.properties.factor },
      } as const,
      config: { ...answers(404), ...changes },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const named = { userName, factorId: request.params.factorId, name: request.body.name.trim() };
      const renamed = await database.transaction((tx) => factors.renameFactor(tx, changeOf(context, request), named));
      return renamed.ok ? reply.send(renamed.value) : refused(sentenceOf(renamed.fault));
    },
  );

  service.delete(
    "/factor/delete/:factorId",
    {
      schema: {
        operationId: "deleteFactor",
        summary: "Remove an own factor",
        description:
          "Removing the last one also removes the recovery codes. 409 for the last one where the role requires a second factor.",
        params: factorPath,
        response: { 204: factorDeleted },
      } as const,
      config: { ...answers(404, 409), ...changes },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const which = { userName, factorId: request.params.factorId, isRequired: isRequired(request) };
      const removed = await database.transaction((tx) => factors.removeFactor(tx, changeOf(context, request), which));
      return removed.ok ? reply.code(204).send(null) : refused(sentenceOf(removed.fault));
    },
  );

  service.post(
    "/factor/renewRecoveryCodes",
    {
      schema: {
        operationId: "renewRecoveryCodes",
        summary: "Create new recovery codes",
        description: "The previous ones are void. 409 for a user without a second factor.",
        response: { 200: newRecoveryCodes },
      } as const,
      config: { ...answers(409), ...changes },
    },
    async (request, reply) => {
      const { userName } = operatorOf(request);
      const made = await database.transaction((tx) =>
        factors.renewRecoveryCodes(tx, changeOf(context, request), userName),
      );
      return made.ok ? reply.send({ recoveryCodes: [...made.value] }) : refused(sentenceOf(made.fault));
    },
  );
}

class EndedMeanwhileError extends Error {
  override readonly name = "EndedMeanwhileError";
}

const noPasskeys = problem("conflict", "The user has no passkey for this console.");
const nowhere = problem(
  "conflict",
  "Passkeys are not available here: they need a public https address, CROSSDOCK_BASE_URL, or localhost.",
);
const wrongPasskey = badField("credential", "does not answer the challenge; start again");
const noFactor = "is not possible for this user: send the password";
const wrongPasswordHere = badField("password", "is not the password of the user");
const staleSetup = badField("setup", "is not of this user, or older than 15 minutes; start again");
const wrongFirstCode = badField("code", "is not the current code; check the clock of the device");

function sentenceOf({ kind, detail }: Refusal): Refusal {
  return { kind, detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.` };
}
