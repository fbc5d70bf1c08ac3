import type { FastifyReply, FastifyRequest } from "fastify";
import { agentTokenHash, agentTokenIn, tokenIdOf } from "#/console-api/access/agent-tokens/token.ts";
import { idleMsMax, mayActAs, proofMsMax, stepDetails } from "#/console-api/access/domain.ts";
import { refusalOfFacility, refusalOfObject, refusalOfOperation } from "#/console-api/access/facility-guard.ts";
import { openLocalOwner } from "#/console-api/access/local-owner.ts";
import { namedIn } from "#/console-api/access/request-names.ts";
import { csrfHeader, isCsrfTokenOf, sessionHash, sessionIdOf } from "#/console-api/access/sign-in/cookie.ts";
import { findSession, noteUse, type Session } from "#/console-api/access/sign-in/session-repository.ts";
import { findUser } from "#/console-api/access/user-repository.ts";
import { isLocalOwner, leastRoleOf, type OperatorRoute, operatorOf, operatorPrefix } from "#/http/access/operator.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import { type RateLimit, type RateLimiter, rateLimitHeaders } from "#/http/access/rate-limit.ts";
import {
  invalidRequest,
  type Problem,
  problem,
  sendProblem,
  signedOut,
  unauthorised,
} from "#/http/problems/problem.ts";
import type { ServiceHooks } from "#/http/routes/service.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { platformClient } from "#/store/db/audit.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

/** By a password, by the identity provider, or both. */
export type SignInMethods = Config["signIn"];

export interface AccessContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  /** Limit of each user. */
  readonly rateLimit: RateLimit | "off";
  /** Whether a client of this name exists. */
  isClient(clientId: string): Promise<boolean>;
  /** Public address of the console, where it differs from that of the request. */
  readonly baseUrl: string | undefined;
  readonly signInMethods: SignInMethods;
  readonly secretBox: SecretBox;
}

/** Minimum time between two records of a session's use. */
const notedEveryMs = minuteMs;

/** The hooks of the console's operations (contract operations.md §5), in the order of checks of rest.md §2. */
export function createSessionHooks(context: AccessContext): ServiceHooks {
  const { database, clock } = context;

  async function open(request: FastifyRequest): Promise<Result<Operator, Problem>> {
    const owner = openLocalOwner(context.secretBox, request.headers.authorization, clock.now());
    if (owner) return isOfAccount.test(request.routeOptions.url ?? "") ? refused(withoutAccount) : ok(owner);
    const token = agentTokenIn(request.headers.authorization);
    if (token !== undefined && exchangeOf(request).isInjected) {
      const opened = await openAgentToken(context, token);
      return opened.ok && !isOpenToAgent(request, opened.value) ? refused(closedToAgents) : opened;
    }
    const sessionId = sessionIdOf(request);
    if (sessionId === undefined) {
      return refused(signedOut("session-missing", "The request has no session of the console."));
    }
    const nowMs = clock.now();
    const at = new Date(nowMs).toISOString();
    const sha256 = sessionHash(sessionId);
    const row = await findSession(database, sha256, { at, idleSince: new Date(nowMs - idleMsMax).toISOString() });
    if (!row || row.agentClientId !== null || !isOpenTo(context.signInMethods, row)) {
      return refused(signedOut("session-ended", "The session has ended; sign in again."));
    }
    const { step } = row;
    if (step !== "DONE" && !configOf(request).steps?.includes(step)) {
      return refused(signedOut("session-missing", stepDetails[step]));
    }
    if (nowMs - Date.parse(row.lastUsedAt) > notedEveryMs) await noteUse(database, sha256, at);
    const { userName, role, clientIds, facilityCodes, authenticatedAt } = row;
    return ok({ userName, role, clientIds, facilityCodes, step, authenticatedAt });
  }

  return {
    async onRequest(request, reply) {
      if (configOf(request).isOpen) return;
      const opened = await open(request);
      if (!opened.ok) return sendProblem(reply, opened.fault);
      exchangeOf(request).operator = opened.value;
      return limitRate(context, opened.value.userName, reply);
    },
    async preValidation(request, reply) {
      if (request.is404) return;
      const refusal = refusalOf(request, context.baseUrl) ?? refusalOfProof(request, clock.now());
      if (refusal) return sendProblem(reply, refusal);
      if (configOf(request).isOpen) return;
      const client = await resolveClient(request, context);
      if (!client.ok) return sendProblem(reply, client.fault);
      exchangeOf(request).clientId = client.value;
      const fault = refusalOfFacility(request);
      if (fault) return sendProblem(reply, fault);
    },
    async preHandler(request, reply) {
      if (request.is404 || configOf(request).isOpen) return;
      const refusal = (await refusalOfObject(database, request)) ?? (await refusalOfUser(database, request));
      if (refusal) return sendProblem(reply, refusal);
    },
    refusalWithoutBody: (request) => {
      if (request.is404) return undefined;
      return refusalOf(request, context.baseUrl) ?? refusalOfProof(request, clock.now());
    },
  };
}

type AgentContext = Pick<AccessContext, "database" | "clock" | "limiter" | "rateLimit" | "signInMethods">;

/** Opens a token for an agent at `/mcp`: in the place of the hook for tokens of clients. */
export function createAgentHook(context: AgentContext): ServiceHooks["onRequest"] {
  return async (request, reply) => {
    const opened = await openAgentToken(context, agentTokenIn(request.headers.authorization) ?? "");
    if (!opened.ok) return sendProblem(reply, opened.fault);
    exchangeOf(request).operator = opened.value;
    return limitRate(context, opened.value.userName, reply);
  };
}

/** The user for whom the agent acts, with the rights that the user has now, as far as the token goes. */
async function openAgentToken({ database, clock, signInMethods }: AgentContext, token: string) {
  const nowMs = clock.now();
  const at = new Date(nowMs).toISOString();
  const sha256 = agentTokenHash(token);
  const row = await findSession(database, sha256, { at, idleSince: "-infinity" });
  if (!row || row.agentClientId === null || !isOpenTo(signInMethods, row)) return refused(tokenEnded);
  const { userName, role, clientIds, facilityCodes, step, authenticatedAt, agentClientId: clientId } = row;
  if (clientIds !== null && !clientIds.includes(clientId)) return refused(tokenEnded);
  if (nowMs - Date.parse(row.lastUsedAt) > notedEveryMs) await noteUse(database, sha256, at);
  const mayPropose = row.agentProposes === true && facilityCodes === null;
  const most = mayPropose ? "operator" : "viewer";
  return ok<Operator>({
    userName,
    role: mayActAs(role, most) ? most : role,
    clientIds: [clientId],
    facilityCodes,
    step,
    authenticatedAt,
    agent: { tokenId: tokenIdOf(sha256), clientId, mayPropose },
  });
}

const tokenEnded = unauthorised("token-invalid", "The token for an agent has ended: its user issues another one.");

/** An agent reads what the clients' operations answer, and tries their changes without effect. */
function isOpenToAgent(request: FastifyRequest, { agent }: Operator): boolean {
  const config = configOf(request);
  const reads = mayActAs("viewer", leastRoleOf(config, request.method));
  return config.isOfClient === true && (reads || (exchangeOf(request).isDryRun && agent?.mayPropose === true));
}

const closedToAgents = problem("role-forbidden", "The operation is not open to a token for an agent.");

/**
 * A session ends when its way of sign-in ends: local accounts are switched off, or the provider has changed. A session
 * without a second step, wherever it was opened, ends when its user has a factor or needs one by now.
 */
function isOpenTo({ isLocal, provider, secondFactorOf }: SignInMethods, session: Session): boolean {
  const { identityProvider, step, factor, hasFactor, role } = session;
  if (identityProvider !== null) return identityProvider === provider?.issuer;
  return isLocal && (step !== "DONE" || factor !== null || !(hasFactor || secondFactorOf.includes(role)));
}

/** Operations on the account of the user: its session, password, factors, tokens for agents and saved views. */
const isOfAccount = new RegExp(`^${operatorPrefix}/(?:session|factor|view|agentToken)/`);

const withoutAccount = problem("role-forbidden", "The owner of the data directory has no account of the console.");

/**
 * A person who finds an open console must not be able to lock out its user: changes of factors require a recent proof.
 */
function refusalOfProof(request: FastifyRequest, nowMs: number): Problem | undefined {
  if (!configOf(request).takesProof) return undefined;
  const { step, authenticatedAt } = operatorOf(request);
  if (step !== "DONE" || nowMs - Date.parse(authenticatedAt) <= proofMsMax) return undefined;
  return problem("proof-required", "The last proof of identity is more than 10 minutes old.");
}

/** Why the user cannot have second factors here; undefined where the operation is open to the user. */
async function refusalOfUser(tx: Tx, request: FastifyRequest): Promise<Refusal | undefined> {
  if (!configOf(request).isOfLocalUser) return undefined;
  const row = await findUser(tx, operatorOf(request).userName);
  return row?.identityProvider == null ? undefined : byProvider;
}

const byProvider = conflict("The user signs in by the identity provider, which asks for second factors itself.");

function configOf(request: FastifyRequest): OperatorRoute {
  return request.routeOptions.config as OperatorRoute;
}

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";

function limitRate(
  context: Pick<AccessContext, "limiter" | "rateLimit">,
  userName: string,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { rateLimit, limiter } = context;
  if (rateLimit === "off") return undefined;
  const take = limiter.take(`user ${userName}`, rateLimit);
  reply.headers(rateLimitHeaders(take));
  if (take.isAllowed) return undefined;
  const detail = `The user may send ${rateLimit.perSecond} requests a second, ${rateLimit.burst} at once.`;
  return sendProblem(reply, problem("rate-limited", detail));
}

/** The 403 that does not depend on the body. */
function refusalOf(request: FastifyRequest, baseUrl: string | undefined): Problem | undefined {
  const { isOpen, isPlatform, isForDevelopers } = configOf(request);
  if (!isRead(request) && !isFromHere(request, baseUrl)) {
    return problem("csrf-refused", "The request comes from a page of another address.");
  }
  if (isOpen) return undefined;
  const { role, clientIds, facilityCodes } = operatorOf(request);
  const least = leastRoleOf(configOf(request), request.method);
  const isDeveloper = role === "developer";
  if (isDeveloper && !(isForDevelopers && clientIds?.length === 1)) {
    return problem("role-forbidden", "This is not open to developers of brands.");
  }
  if (!isDeveloper && !mayActAs(role, least)) {
    return problem("role-forbidden", `This requires the role ${least}; the user is ${role}.`);
  }
  if (isPlatform && least === "admin" && !isDeveloper && (clientIds ?? facilityCodes) !== null) {
    return problem(
      "role-forbidden",
      "This requires an admin without limits; the user is limited to clients or facilities.",
    );
  }
  const closed = refusalOfOperation(request);
  if (closed || isRead(request)) return closed;
  // A browser sends the header of a local owner, or of an agent, for no page.
  if (isLocalOwner(operatorOf(request)) || operatorOf(request).agent) return undefined;
  const sessionId = sessionIdOf(request);
  if (sessionId !== undefined && isCsrfTokenOf(sessionId, request.headers[csrfHeader])) return undefined;
  return problem("csrf-refused", "The header X-CSRF-Token does not carry the csrfToken of the session.");
}

/**
 * Browsers send the origin of a request: `Sec-Fetch-Site` over https and on this machine, `Origin` with every method
 * except GET. A request without both comes from no browser, and needs the token of the session.
 */
function isFromHere({ headers, host, protocol }: FastifyRequest, baseUrl: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = headers;
  if (origin === undefined) return true;
  const from = originOf(origin);
  return from !== undefined && [`${protocol}://${host}`, baseUrl ?? ""].some((here) => originOf(here) === from);
}

/** Scheme, host and port; undefined where the text is not an address, for example the `null` of a sandboxed page. */
function originOf(text: string): string | undefined {
  return URL.parse(text)?.origin;
}

/** The client of a request; undefined for a read over several. */
async function resolveClient(
  request: FastifyRequest,
  context: AccessContext,
): Promise<Result<string | undefined, Problem>> {
  const { clientIds, facilityCodes } = operatorOf(request);
  const { isOfClient = false, isPlatform = false } = configOf(request);
  const named = namedIn(request, "clientId");
  const foreign = named.find(({ text }) => clientIds !== null && !clientIds.includes(text));
  if (foreign) return refused(clientForbidden);
  const [first, second] = named;
  if (first && second && first.text !== second.text) {
    const message = `differs from ${second.pointer}; send one of them`;
    return refused(invalidRequest([{ pointer: first.pointer, message }]));
  }
  if (isPlatform) return ok(platformClient);
  if (first) {
    // The operation itself looks up objects in the path, and answers 404.
    const facilityCode = facilityOfTenant(first.text);
    if (facilityCode !== undefined) {
      const isOpen = configOf(request).takesFacility && (facilityCodes?.includes(facilityCode) ?? true);
      // A facility without webhooks needs no check: the operation answers 404.
      return isOpen ? ok(first.text) : refused(clientForbidden);
    }
    const isKnown = first.pointer.startsWith("/path") || (await context.isClient(first.text));
    return isKnown ? ok(first.text) : refused(clientForbidden);
  }
  if (!isOfClient && isRead(request)) return ok(undefined);
  if (clientIds?.length === 1) return ok(clientIds[0]);
  return refused(invalidRequest([{ pointer: "/query/clientId", message: "is required: it names the client" }]));
}

const clientForbidden = problem("scope-forbidden", "There is no such client, or it is not open to the user.");
