import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import compileWriter from "fast-json-stringify";
import Fastify, {
  errorCodes,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyTypeProvider,
  type preValidationAsyncHookHandler,
  type RouteHandlerMethod,
} from "fastify";
import Type, { type Static, type TSchema } from "typebox";
import { invalidRequest, type Problem, pathOf, problem, sendProblem } from "#/http/problems/problem.ts";
import { registerProblemPages } from "#/http/problems/problem-pages.ts";
import { createRouteTable } from "#/http/routes/route-table.ts";
import { closed } from "#/http/routes/schema.ts";
import { type BodyBudget, createBodyBudget, OverBudgetError } from "#/http/server/body-budget.ts";
import { answerMsMaxDefault, exchangeOf, exchangeOfRaw, openExchange } from "#/http/server/exchange.ts";
import { labelsOf } from "#/http/server/exchange-telemetry.ts";
import {
  closeGently,
  createClientErrorHandler,
  createListener,
  type ListenerContext,
  type ListenerLimits,
  notFound,
  strictTransport,
} from "#/http/server/listener.ts";
import { createTextReader, type JsonBounds, JsonBoundsError } from "#/http/server/text-body.ts";
import { compileValidator, fieldsMax, setUpTypeBox } from "#/http/server/validation.ts";
import type { Clock } from "#/kernel/clock.ts";
import { withDeadline, within } from "#/kernel/concurrency/deadline.ts";
import { createShare, type Share, ShareError } from "#/kernel/concurrency/share.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { asideOfSteps, markStep } from "#/kernel/telemetry/loop-watch.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { DeadlineError, isContention, isUnavailable, TooBroadError } from "#/store/db/errors.ts";

/**
 * Requests have the types of their TypeBox schemas. A handler returns what the schema of its answer says, or the `Result`
 * of it: a refusal is answered as a problem.
 */
interface RouteTypes extends FastifyTypeProvider {
  readonly validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  readonly serializer: this["schema"] extends TSchema ? Answer<Static<this["schema"]>> : unknown;
}
type Answer<Value> = Value | Result<Value, Problem | Refusal>;

export type HttpServer = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, RouteTypes>;

export interface HttpServerOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Addresses and CIDRs whose `X-Forwarded-*` are trusted. */
  readonly trustedProxies: readonly string[];
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Browsers must use HTTPS only. */
  readonly isStrict?: boolean;
  readonly limits?: Partial<ListenerLimits>;
  /** The detail for a path that other nodes serve. */
  readonly absenceOf?: (path: string) => string | undefined;
  /** The process is about to stop: each answer closes its connection. */
  readonly isDraining?: () => boolean;
  /** Takes each request when it is over; it must not throw. */
  readonly onEnd?: ListenerContext["onEnd"];
  /** The memory budget of bodies, shared by all readers of bodies. */
  readonly bodies?: BodyBudget;
  /** How long running requests may take after `close()`, in milliseconds. */
  readonly closeGraceMs?: number;
}

/** The media type of a PATCH (RFC 7396 §4); `application/json` has the same meaning here. */
export const mergePatchMediaType = "application/merge-patch+json";

const jsonBytesMax = 1024 * 1024;
/** Of a route with a higher limit: a draft of carrier data, or a document as one text. */
const largeJson: JsonBounds = { valuesMax: 200_000, fieldsMax };
const noParameters = Type.Object({}, closed);
/** A part of the five seconds of a stop, so that the services that end after the listener have time too. */
const closeGraceMsDefault = 3_500;

/**
 * How long a client should wait before its retry, when the store is unavailable: the service is back within 5 s of the
 * store's return.
 */
const retryAfterSeconds = 2;

/**
 * The HTTP server, without routes except the pages of its problems. Every answer has a correlation token, and every
 * refusal is problem details (contract rest.md §2). The routes' TypeBox schemas validate whole requests: they report
 * all faults at once, and reject unknown fields.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  setUpTypeBox();
  const { log, clock, ids, trustedProxies } = options;
  const routes = createRouteTable();
  const listening: ListenerContext = {
    log,
    clock,
    ids,
    tls: options.tls,
    isStrict: options.isStrict,
    limits: options.limits ?? {},
    methodsOf: routes.methodsOf,
    absenceOf: options.absenceOf,
    isDraining: options.isDraining,
    onEnd: options.onEnd,
  };
  const settings: FastifyHttpOptions<Server> = {
    serverFactory: (handler) => createListener(handler as RequestListener, listening),
    clientErrorHandler: createClientErrorHandler(listening),
    // The listener opens an exchange for each request from the network; Fastify's inject bypasses the listener.
    genReqId: (raw) => tokenOf(raw as IncomingMessage, () => ids.next(clock.now())),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: jsonBytesMax,
    // The server serves a request that arrives on an open connection while it closes, and then closes that connection.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply as unknown as FastifyReply, problem("malformed-request", frameworkDetail(error)));
    },
    // Schemas validate identifiers; the header bound limits the length of a path.
    routerOptions: { maxParamLength: 16 * 1024 },
  };
  // The server is created above; this only makes `listen` return an address with the right scheme.
  const scheme = options.tls ? { https: {} } : {};
  const app: HttpServer = Fastify({ ...settings, ...scheme }).withTypeProvider<RouteTypes>();

  app.removeContentTypeParser("text/plain");
  const readJson = app.getDefaultJsonParser("error", "error");
  const readText = createTextReader(options.bodies ?? createBodyBudget(), (bytesMax) =>
    bytesMax > jsonBytesMax ? largeJson : undefined,
  );
  app.addContentTypeParser(mergePatchMediaType, (request, payload, done) => {
    if (request.method === "PATCH") readText(request, payload, done, (body) => void readJson(request, body, done));
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(mergePatchMediaType));
  });
  // Many clients send the content type without a body. An empty body is not invalid JSON.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", (request, payload, done) => {
    const { isBodyOptional } = request.routeOptions.config as OptionalBodyRoute;
    readText(request, payload, done, (body) => {
      if (body === "" && isBodyOptional) done(null, undefined);
      else void readJson(request, body, done);
    });
  });
  app.decorate(listeningKey, listening);
  const heavyWork = createShare(heavyShare);
  const lists = createShare(listShare);
  app.addHook("onRoute", (route) => {
    routes.add(route.method, route.url);
    // A service rejects unknown parameters, also on routes without any parameters.
    const isService = route.url.startsWith("/v1/") && route.schema !== undefined;
    if (hasDeadline(route.url)) {
      const share = isHeavyRoute((route.config ?? {}) as TimedRoute)
        ? heavyWork
        : isListRoute(route)
          ? lists
          : undefined;
      route.handler = answerInTime(share ? answerInShare(route.handler, share) : route.handler);
    }
    const validate = compileValidator(isService ? { querystring: noParameters, ...route.schema } : route.schema, {
      isPatch: route.method === "PATCH",
    });
    if (!validate) return;
    const { isBodyOptional } = (route.config ?? {}) as OptionalBodyRoute;
    // Last among the hooks of its kind: a caller without permission learns nothing about the faults of the request.
    const hook: preValidationAsyncHookHandler = async (request, reply) => {
      if (isBodyOptional) request.body ??= {};
      const faults = validate(request);
      if (faults.length > 0) return sendProblem(reply, invalidRequest(faults));
    };
    route.preValidation = [route.preValidation ?? [], hook].flat() as (typeof hook)[];
  });
  app.setValidatorCompiler(() => () => true);
  // Compiled at the first answer: all routes take 0.25 s of processor time, which a start need not wait for.
  app.setSerializerCompiler(({ schema }) => {
    let write: ReturnType<typeof compileWriter> | undefined;
    return (value) => {
      write ??= asideOfSteps(() => compileWriter(schema));
      return write(value);
    };
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (options.isStrict && request.protocol === "https") reply.headers(strictTransport);
    const exchange = exchangeOf(request);
    exchange.request = request;
    if (!request.is404) {
      exchange.route = request.routeOptions.url;
      exchange.deadline.route = labelsOf(exchange.route).route;
      // The time before belongs to other work.
      markStep(undefined);
      exchange.isPolled = (request.routeOptions.config as PolledRoute).isPolled === true;
      exchange.deadline.atMs = exchange.startedMs + answerMsMaxOf(request);
    }
    withDeadline(exchange.deadline, done);
  });
  // The body has a separate time limit. Its reader does not run in the context of the request.
  const bodySince = new WeakMap<FastifyRequest, number>();
  app.addHook("preParsing", (request, _reply, payload, done) => {
    bodySince.set(request, performance.now());
    done(null, payload);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    const { deadline } = exchangeOf(request);
    markStep(deadline.route);
    const sinceMs = bodySince.get(request);
    if (sinceMs !== undefined) deadline.atMs += performance.now() - sinceMs;
    withDeadline(deadline, done);
  });
  // Last before the work, and for known senders only: an unknown sender must not put text into the log.
  app.addHook("preHandler", (request, _reply, done) => {
    const { about, caller, operator, clientId } = exchangeOf(request);
    if (caller ?? operator ?? clientId) about.objectId ??= objectIdOf(request.params);
    done();
  });
  // The server reveals whether the path exists after it has authenticated the caller (the hooks of the service have
  // run) and before it reads the body.
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (request.is404) answerNotFound(request, reply);
    else done(null, payload);
  });
  app.setNotFoundHandler(answerNotFound);
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log));
  app.addHook("onSend", (request, _reply, _payload, done) => {
    markStep(exchangeOf(request).deadline.route);
    done();
  });
  app.addHook("preClose", () => closeGently(app.server, options.closeGraceMs ?? closeGraceMsDefault));
  registerProblemPages(app as unknown as FastifyInstance);
  return app;
}

/** Path parameters that name an owner or a type name no object; users of the console are people. */
const noObjects: ReadonlySet<string> = new Set(["clientId", "facilityCode", "type", "token", "userName", "file"]);

/** The last id in the path, such as the order's, or undefined. */
function objectIdOf(params: unknown): string | undefined {
  const found = Object.entries((params ?? {}) as Record<string, unknown>).findLast(([name]) => !noObjects.has(name));
  return typeof found?.[1] === "string" ? found[1] : undefined;
}

/** `config` of a route whose body may be omitted because it has no required field: the body is then `{}`. */
export interface OptionalBodyRoute {
  readonly isBodyOptional?: boolean;
}

/** `config` of a route that is polled. */
export interface PolledRoute {
  readonly isPolled?: boolean;
  /** It waits for news, within its own bounds: it has no share of lists. */
  readonly waits?: true;
}

/** `config` of a route that may take longer than others to answer, in milliseconds. */
export interface TimedRoute {
  readonly answerMsMax?: number;
  /** Its work occupies a processor, a thread or a connection for long: a sender does it within its share. */
  readonly isHeavy?: boolean;
}

/** The share of a sender of heavy requests: simulations, imports, reports, batches of papers. */
const heavyShare = {
  what: "heavy requests",
  placesMax: Number.POSITIVE_INFINITY,
  runningMax: 2,
  heldMax: 32,
  onLate: () => new DeadlineError(),
} as const;

/** A route that may take long to answer is heavy, unless it declares otherwise. */
export const isHeavyRoute = ({ isHeavy, answerMsMax = answerMsMaxDefault }: TimedRoute) =>
  isHeavy ?? answerMsMax > answerMsMaxDefault;

/** The share of a sender of lists of a service: a filter that few objects meet reads many. */
const listShare = { ...heavyShare, what: "lists", runningMax: 4, heldMax: 64 } as const;

/**
 * Lists of the console over several clients have another share; those of one client are the lists of the services,
 * mounted there.
 */
const isListRoute = ({ url, config }: { readonly url: string; readonly config?: unknown }) =>
  /^(?!\/v1\/operatorService\/(?!client\/)).*\/list$/.test(url) && (config as PolledRoute)?.waits !== true;

/** Health, metrics and documentation have no deadline: they read nothing for a client. */
const hasDeadline = (url = ""): boolean => /^\/(?:v1|feeds)\//.test(url);

function answerMsMaxOf({ routeOptions: { url, config } }: FastifyRequest): number {
  return hasDeadline(url) ? ((config as TimedRoute).answerMsMax ?? answerMsMaxDefault) : Number.POSITIVE_INFINITY;
}

/** Answers by the deadline, also where the work waits for something other than the store. */
function answerInTime(handle: RouteHandlerMethod): RouteHandlerMethod {
  return function (this: FastifyInstance, request, reply) {
    const answer: unknown = handle.call(this, request, reply);
    const answered = answerWith(reply);
    if (!(answer instanceof Promise)) return answered(answer);
    // Read after the call: the handler may put off the deadline by what it sees in the request.
    const ms = exchangeOf(request).deadline.atMs - performance.now();
    return within(answer.then(answered), ms, () => new DeadlineError());
  };
}

/** The payload of a handler's answer: the value of a `Result`, or the problem of a refusal. */
function answerWith(reply: FastifyReply): (outcome: unknown) => unknown {
  return (outcome) => {
    if (!isResult(outcome)) return outcome;
    return outcome.ok ? outcome.value : sendProblem(reply, outcome.fault as Problem | Refusal);
  };
}

function isResult(value: unknown): value is Result<unknown, unknown> {
  return typeof value === "object" && value !== null && "ok" in value && ("value" in value || "fault" in value);
}

function answerInShare(handle: RouteHandlerMethod, share: Share): RouteHandlerMethod {
  return function (this: FastifyInstance, request, reply) {
    return share(async () => handle.call(this, request, reply));
  };
}

const listeningKey = "crossdockListening";

/** The correlation token of an injected request; requests from the network get theirs from the listener. */
export const injectedTokenHeader = "x-injected-token";
/** Of an injected write whose effects are rolled back: it answers what the write would answer. */
export const dryRunHeader = "x-injected-dry-run";

/** @param make the token of an injected request that does not have that of the request for which it is made. */
function tokenOf(raw: IncomingMessage, make: () => string): string {
  try {
    return exchangeOfRaw(raw).token;
  } catch {
    const { [injectedTokenHeader]: token, [dryRunHeader]: isDryRun } = raw.headers;
    const exchange = openExchange(raw, typeof token === "string" ? token : make());
    exchange.isInjected = true;
    exchange.isDryRun = isDryRun !== undefined;
    return exchange.token;
  }
}

/** 404, or 405 where the path takes other methods. A service with its own hooks sets this as its not-found handler. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const listening = request.server.getDecorator<Pick<ListenerContext, "methodsOf" | "absenceOf">>(listeningKey);
  return sendProblem(reply, notFound(request.method, pathOf(request.url), listening));
}

/** Converts an error to a problem; an unexpected error is logged with its cause and reveals nothing to the client. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  // The sender disconnected in the middle of its body: no client is left to answer, and the server did not fail.
  if (request.raw.errored) {
    sendProblem(reply, problem("malformed-request", "The body is cut short."));
    return;
  }
  const answer = problemOfError(error);
  const { deadline, token, route, clientId } = exchangeOf(request);
  const isFailure = answer.code === "unavailable" || answer.code === "too-broad" || answer.code === "internal-error";
  // Work whose sender has hung up is left out: the line of the request says `isAborted`.
  const isLeftOut = (error as Error) instanceof DeadlineError && deadline.isOver === true;
  if (isFailure && !isLeftOut) {
    const level = answer.code === "internal-error" ? "error" : "warn";
    log[level]({ token, method: request.method, route: route ?? null, clientId, err: error }, "request failed");
  }
  sendProblem(reply, answer);
}

function problemOfError(error: FastifyError): Problem {
  const retryLater = (
    code: "too-broad" | "unavailable" | "rate-limited",
    detail: string,
    seconds = retryAfterSeconds,
  ) => problem(code, detail, { headers: { "Retry-After": String(seconds) } });
  const failure: Error = error;
  if (failure instanceof TooBroadError) {
    const detail = "The answer takes longer than 5 s: ask for one client, one facility or a shorter time.";
    return retryLater("too-broad", detail);
  }
  if (failure instanceof DeadlineError) {
    return retryLater("unavailable", "The request was not done in time; its work may be done all the same.");
  }
  if (isContention(failure)) return retryLater("unavailable", "Other requests work on the same records at the moment.");
  if (isUnavailable(failure)) return retryLater("unavailable", "The database cannot be reached at the moment.");
  if (failure instanceof ShareError)
    return retryLater("rate-limited", `${failure.message}.`, failure.retryAfterSeconds);
  if (failure instanceof OverBudgetError) {
    const code = failure.share === "holder" ? "rate-limited" : "unavailable";
    return retryLater(code, `${failure.message}.`, failure.retryAfterSeconds);
  }
  if (failure instanceof JsonBoundsError) {
    const { valuesMax } = largeJson;
    return problem(
      "body-too-large",
      `The body has over ${valuesMax} values, or an object of over ${fieldsMax} fields.`,
    );
  }
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return problem("media-type", "The body's content type is not application/json.");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return problem("body-too-large", "The body is larger than this path takes.");
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return problem("malformed-request", "The content type says JSON, and the body is empty.");
  }
  const { statusCode } = error;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return problem("malformed-request", "The body cannot be read: it is cut short, or not well-formed JSON.");
  }
  return problem("internal-error", "An internal error occurred. It is logged under the correlationToken.");
}

function frameworkDetail(error: FastifyError): string {
  return error.code === "FST_ERR_BAD_URL" ? "The path has an escape that cannot be decoded." : "The path is not valid.";
}
