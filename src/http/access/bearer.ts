import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, TokenFault } from "#/http/access/caller.ts";
import { type RateLimit, type RateLimiter, rateLimitHeaders } from "#/http/access/rate-limit.ts";
import { invalidRequest, type Problem, problem, sendProblem, unauthorised } from "#/http/problems/problem.ts";
import { problemKinds } from "#/http/problems/problem-codes.ts";
import type { ServiceHooks } from "#/http/routes/service.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

/** The dependencies of a service that accepts bearer tokens. */
export interface BearerContext {
  /** Checks a token, its credential and its clients. */
  verify(token: string): Promise<Result<Caller, TokenFault>>;
  readonly limiter: RateLimiter;
  /** The deployment's limit, for clients without their own limit. */
  readonly rateLimit: RateLimit | "off";
}

export type BearerHooks = ServiceHooks;

export type Guests = Readonly<Partial<Record<Caller["kind"], readonly string[]>>>;

/**
 * The hooks of a service, in the order of checks of contract rest.md §2.
 *
 * @param audience the callers of the service: clients, or the warehouses' port.
 * @param guests other callers that may use single operations of the service, by the patterns of their routes.
 */
export function createBearerHooks(
  context: BearerContext,
  audience: Caller["kind"] = "client",
  guests: Guests = {},
): BearerHooks {
  const clientOf = (request: FastifyRequest, caller: Caller) => {
    const isGuest = guests[caller.kind]?.includes(request.routeOptions.url ?? "") === true;
    return resolveClient(caller, request, isGuest ? caller.kind : audience);
  };
  return {
    async onRequest(request, reply) {
      const token = readBearer(request);
      if (!token.ok) return sendProblem(reply, unauthorised(token.fault.code, token.fault.detail));
      const verified = await context.verify(token.value);
      if (!verified.ok) return sendProblem(reply, unauthorised(verified.fault.code, verified.fault.detail));
      const caller = verified.value;
      exchangeOf(request).caller = caller;
      return limitRate(context, caller, reply);
    },
    async preValidation(request, reply) {
      if (request.is404) return;
      const exchange = exchangeOf(request);
      const client = clientOf(request, callerOf(request));
      if (!client.ok) return sendProblem(reply, client.fault);
      exchange.clientId = client.value;
    },
    refusalWithoutBody(request) {
      const { caller } = exchangeOf(request);
      const client = caller && clientOf(request, caller);
      // The body may name the client. A request that leaves the client unclear is not a fault of its readable part.
      return client && !client.ok && problemKinds[client.fault.code].status === 403 ? client.fault : undefined;
    },
  };
}

/** The caller of a request that passed the hooks. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = exchangeOf(request);
  assert(caller, "the route is not behind the bearer hooks");
  return caller;
}

/** The client of the request; `platformClient` where an operator's request concerns the platform itself. */
export function clientIdOf(request: FastifyRequest): string {
  const { clientId } = exchangeOf(request);
  assert(clientId !== undefined, "the route is not behind the hooks of a service that is about a client");
  return clientId;
}

function readBearer({ raw }: FastifyRequest): Result<string, TokenFault> {
  const missing = (detail: string) => refused<TokenFault>({ code: "token-missing", detail });
  // An injected request has one value for each header.
  const { authorization } = raw.headers;
  const lines = raw.headersDistinct?.authorization ?? (authorization === undefined ? [] : [authorization]);
  if (lines.length > 1) return missing("The header Authorization is present twice.");
  const [line] = lines;
  if (line === undefined) return missing("The header Authorization is missing.");
  const match = /^bearer(?: +(.*))?$/i.exec(line.trim());
  if (!match) return missing("The header Authorization does not have the scheme Bearer.");
  const token = match[1]?.trim() ?? "";
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
    return refused({ code: "token-invalid", detail: "The value after Bearer is not an access token." });
  }
  return ok(token);
}

function limitRate(context: BearerContext, caller: Caller, reply: FastifyReply): FastifyReply | undefined {
  const limit = caller.rateLimit ?? context.rateLimit;
  if (limit === "off") return undefined;
  const take = context.limiter.take(`credential ${caller.credentialId}`, limit);
  reply.headers(rateLimitHeaders(take));
  if (take.isAllowed) return undefined;
  const detail = `The credential may send ${limit.perSecond} requests a second, ${limit.burst} at once.`;
  return sendProblem(reply, problem("rate-limited", detail));
}

/**
 * Undefined for a warehouse, which acts for all clients of its facility, and for a carrier, which knows parcels only.
 */
function resolveClient(
  caller: Caller,
  request: FastifyRequest,
  audience: Caller["kind"],
): Result<string | undefined, Problem> {
  if (caller.kind !== audience) {
    return refused(
      problem("token-kind-forbidden", `The token is a ${caller.kind}'s; this is a ${audience}'s service.`),
    );
  }
  if (audience !== "client") return ok(undefined);
  const requested = [textOf(request.query), textOf(request.body)].filter((text) => text !== undefined);
  const foreign = requested.find((clientId) => !caller.clientIds.includes(clientId));
  if (foreign !== undefined) {
    return refused(problem("client-forbidden", "The token is not for the client that the request names."));
  }
  const [inQuery, inBody = inQuery] = requested;
  if (inQuery !== inBody) {
    return refused(
      invalidRequest([
        { pointer: "/query/clientId", message: "differs from the clientId in the body; send one of them" },
      ]),
    );
  }
  const clientId = inQuery ?? (caller.clientIds.length === 1 ? caller.clientIds[0] : undefined);
  if (clientId === undefined) {
    return refused(
      invalidRequest([{ pointer: "/query/clientId", message: "is required: the token is for several clients" }]),
    );
  }
  if (caller.suspendedClientIds.includes(clientId)) {
    return refused(problem("client-suspended", `Client ${clientId} is suspended.`));
  }
  return ok(clientId);
}

/** A clientId that is not a text has no meaning here; the schema checks it. */
function textOf(holder: unknown): string | undefined {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, "clientId")) return undefined;
  const { clientId } = holder as { clientId?: unknown };
  return typeof clientId === "string" ? clientId : undefined;
}
