import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, {
  errorCodes,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preValidationAsyncHookHandler,
} from "fastify";
import Type from "typebox";
import { isUnavailable, TooBroadError } from "#/db/errors.ts";
import { invalidRequest, type Problem, pathOf, problem, sendProblem } from "#/http/problems/problem.ts";
import { registerProblemPages } from "#/http/problems/problem-pages.ts";
import { createRouteTable } from "#/http/routes/route-table.ts";
import { type BodyBudget, createBodyBudget, OverBudgetError } from "#/http/server/body-budget.ts";
import { exchangeOf, exchangeOfRaw, openExchange } from "#/http/server/exchange.ts";
import {
  closeGently,
  createClientErrorHandler,
  createListener,
  type ListenerContext,
  type ListenerLimits,
  notFound,
  strictTransport,
} from "#/http/server/listener.ts";
import { createTextReader } from "#/http/server/text-body.ts";
import { compileValidator, setUpTypeBox } from "#/http/server/validation.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";

/** Fastify, with TypeBox schemas as the types of its requests. */
export type HttpServer = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface HttpServerOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Addresses and CIDRs whose `X-Forwarded-*` are believed. */
  readonly trustedProxies: readonly string[];
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Browsers are to come by https alone. */
  readonly isStrict?: boolean;
  readonly limits?: Partial<ListenerLimits>;
  /** What is to be said of a path that other nodes serve. */
  readonly absenceOf?: (path: string) => string | undefined;
  /** The process is about to stop: each answer closes its connection. */
  readonly isDraining?: () => boolean;
  /** What bodies may hold of memory, shared by all that takes them. */
  readonly bodies?: BodyBudget;
  /** How long running requests may take after `close()`, in milliseconds. */
  readonly closeGraceMs?: number;
}

/** What a PATCH takes (RFC 7396 §4); `application/json` says the same here. */
export const mergePatchMediaType = "application/merge-patch+json";

const jsonBytesMax = 1024 * 1024;
const noParameters = Type.Object({}, { additionalProperties: false });
/** Of the five seconds of a stop, so that what ends behind the listener has its time too. */
const closeGraceMsDefault = 3_500;

/** What a client should wait before it asks again, when the store is away: it is back within 5 s of its return. */
const retryAfterSeconds = 2;

/**
 * The HTTP server, without routes but the pages of its problems. Every answer has a correlation token, every refusal is
 * problem details (contract rest.md §2), and the routes' TypeBox schemas judge requests whole: all faults at once, unknown
 * fields refused.
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
  };
  const settings: FastifyHttpOptions<Server> = {
    serverFactory: (handler) => createListener(handler as RequestListener, listening),
    clientErrorHandler: createClientErrorHandler(listening),
    // The listener opens an exchange for what comes over the wire; Fastify's inject comes past it.
    genReqId: (raw) => tokenOf(raw as IncomingMessage, () => ids.next(clock.now())),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: jsonBytesMax,
    // A request that arrives on a living connection while the server closes is served, and its connection closed.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply as unknown as FastifyReply, problem("malformed-request", frameworkDetail(error)));
    },
    // Identifiers are judged by their schemas; the header bound keeps a path from growing beyond this.
    routerOptions: { maxParamLength: 16 * 1024 },
  };
  // The server is made above; this only makes `listen` answer an address with the right scheme.
  const scheme = options.tls ? { https: {} } : {};
  const app: HttpServer = Fastify({ ...settings, ...scheme }).withTypeProvider<TypeBoxTypeProvider>();

  app.removeContentTypeParser("text/plain");
  const readJson = app.getDefaultJsonParser("error", "error");
  const readText = createTextReader(options.bodies ?? createBodyBudget());
  app.addContentTypeParser(mergePatchMediaType, (request, payload, done) => {
    if (request.method === "PATCH") readText(request, payload, done, (body) => readJson(request, body, done));
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(mergePatchMediaType));
  });
  // Many programs name the type of a body that they do not send: nothing was said is no broken JSON.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", (request, payload, done) => {
    const { isBodyOptional } = request.routeOptions.config as OptionalBodyRoute;
    readText(request, payload, done, (body) => {
      if (body === "" && isBodyOptional) done(null, undefined);
      else readJson(request, body, done);
    });
  });
  app.decorate(listeningKey, listening);
  app.addHook("onRoute", (route) => {
    routes.add(route.method, route.url);
    // Of a service unknown parameters are refused, where there are none to be known too.
    const isService = route.url.startsWith("/v1/") && route.schema !== undefined;
    const validate = compileValidator(isService ? { querystring: noParameters, ...route.schema } : route.schema);
    if (!validate) return;
    const { isBodyOptional } = (route.config ?? {}) as OptionalBodyRoute;
    // Last among the hooks of its kind: who may not do this at all learns nothing of what is wrong with the request.
    const hook: preValidationAsyncHookHandler = async (request, reply) => {
      if (isBodyOptional) request.body ??= {};
      const faults = validate(request);
      if (faults.length > 0) return sendProblem(reply, invalidRequest(faults));
    };
    route.preValidation = [route.preValidation ?? [], hook].flat() as (typeof hook)[];
  });
  app.setValidatorCompiler(() => () => true);
  app.addHook("onRequest", (request, reply, done) => {
    if (options.isStrict && request.protocol === "https") reply.headers(strictTransport);
    if (!request.is404) {
      const exchange = exchangeOf(request);
      exchange.route = request.routeOptions.url;
      exchange.isPolled = (request.routeOptions.config as PolledRoute).isPolled === true;
    }
    done();
  });
  // Last before the work, and of known senders only: a stranger puts no words of his own into the log.
  app.addHook("preHandler", (request, _reply, done) => {
    const { about, caller, operator, clientId } = exchangeOf(request);
    if (caller ?? operator ?? clientId) about.objectId ??= objectIdOf(request.params);
    done();
  });
  // Whether the path exists is said after who asks (the hooks of the service have run) and before the body is read.
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (request.is404) answerNotFound(request, reply);
    else done(null, payload);
  });
  app.setNotFoundHandler(answerNotFound);
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log));
  app.addHook("preClose", () => closeGently(app.server, options.closeGraceMs ?? closeGraceMsDefault));
  registerProblemPages(app as unknown as FastifyInstance);
  return app;
}

/** Whose objects these are, or what kind they are of, is no object; users of the console are people. */
const noObjects: ReadonlySet<string> = new Set(["clientId", "facilityCode", "type", "token", "userName", "file"]);

/** The last id in the path, such as the order's, or undefined. */
function objectIdOf(params: unknown): string | undefined {
  const found = Object.entries((params ?? {}) as Record<string, unknown>).findLast(([name]) => !noObjects.has(name));
  return typeof found?.[1] === "string" ? found[1] : undefined;
}

/** `config` of a route whose body may be left out, because nothing in it must be said: it is `{}` then. */
export interface OptionalBodyRoute {
  readonly isBodyOptional?: boolean;
}

/** `config` of a route that is polled. */
export interface PolledRoute {
  readonly isPolled?: boolean;
}

const listeningKey = "crossdockListening";

function tokenOf(raw: IncomingMessage, make: () => string): string {
  try {
    return exchangeOfRaw(raw).token;
  } catch {
    return openExchange(raw, make()).token;
  }
}

/** 404, or 405 where the path takes other methods. A service with hooks of its own sets this as its not-found handler. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const listening = request.server.getDecorator<Pick<ListenerContext, "methodsOf" | "absenceOf">>(listeningKey);
  return sendProblem(reply, notFound(request.method, pathOf(request.url), listening));
}

/** What was thrown becomes a problem; the unexpected is logged with its cause and reveals nothing. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  // The sender went away in the middle of its body: nobody is left to be answered, and nothing failed here.
  if (request.raw.errored) {
    sendProblem(reply, problem("malformed-request", "The body is cut short."));
    return;
  }
  const it = problemOfError(error);
  if (it.code === "unavailable" || it.code === "too-broad" || it.code === "internal-error") {
    const { token, route, clientId } = exchangeOf(request);
    const level = it.code === "internal-error" ? "error" : "warn";
    log[level]({ token, method: request.method, route: route ?? null, clientId, err: error }, "request failed");
  }
  sendProblem(reply, it);
}

function problemOfError(error: FastifyError): Problem {
  if (error instanceof TooBroadError) {
    return problem(
      "too-broad",
      "The answer takes longer than 5 s: ask for one client, one facility or a shorter time.",
      {
        headers: { "Retry-After": String(retryAfterSeconds) },
      },
    );
  }
  if (isUnavailable(error)) {
    return problem("unavailable", "The store cannot be reached at the moment.", {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
  if ((error as Error) instanceof OverBudgetError) {
    const { share, message, retryAfterSeconds } = error as Error as OverBudgetError;
    return problem(share === "holder" ? "rate-limited" : "unavailable", `${message}.`, {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
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
  return problem("internal-error", "Something went wrong here; it has been logged under the correlationToken.");
}

function frameworkDetail(error: FastifyError): string {
  return error.code === "FST_ERR_BAD_URL" ? "The path has an escape that cannot be decoded." : "The path is not valid.";
}
