import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Problem, pathOf, problem, problemBody, problemMediaType } from "#/http/problems/problem.ts";
import { problemKinds } from "#/http/problems/problem-codes.ts";
import { correlationHeader, type Exchange, exchangeOfRaw, logFieldsOf, openExchange } from "#/http/server/exchange.ts";
import { noteBegin, noteEnd, noteRefused } from "#/http/server/exchange-telemetry.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";

export interface ListenerContext {
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Browsers must use HTTPS only: HTTPS answers carry `Strict-Transport-Security`. */
  readonly isStrict?: boolean | undefined;
  /** For tests of the time-outs and bounds; omitted limits have their value of operations.md §5. */
  readonly limits?: Partial<ListenerLimits>;
  readonly methodsOf: (path: string) => readonly string[];
  /** The detail for a path that other nodes serve. */
  readonly absenceOf?: ((path: string) => string | undefined) | undefined;
  /** The process is about to stop: each answer closes its connection, so that the next request goes to another node. */
  readonly isDraining?: (() => boolean) | undefined;
  /** Takes each request when it is over. */
  readonly onEnd?: ((exchange: Exchange, raw: IncomingMessage, res: ServerResponse) => void) | undefined;
}

export interface ListenerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly headerBytesMax: number;
  readonly connectionsMax: number;
}

const limitsDefault: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  headerBytesMax: 16 * 1024,
  // Below the 4 096 open files that containers usually get, with room for the database and files.
  connectionsMax: 3_500,
};

/**
 * Longer than the 60 s after which common load balancers close an idle connection, so that this server never closes
 * first.
 */
const keepAliveTimeoutMs = 65_000;

/** How long a refused connection stays open for its answer to be read: an immediate close loses the answer. */
const lingerMs = 1_000;

/** The HTTP server below Fastify: bounds, the correlation token of every answer, and one log line for each request. */
export function createListener(handle: RequestListener, context: ListenerContext): Server {
  const limits = { ...limitsDefault, ...context.limits };
  const settings = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    // By default Node checks for slow connections every 30 s only.
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    // A missing Host is refused below, with a correlation token.
    requireHostHeader: false,
    noDelay: true,
  };
  const onRequest = (raw: IncomingMessage, res: ServerResponse) => {
    // The request follows one whose answer closes the connection. Its sender can never receive an answer, so it is not
    // run.
    if (leaving.has(raw.socket)) return;
    open(raw, res, context);
    if (context.isDraining?.()) {
      leaving.add(raw.socket);
      res.shouldKeepAlive = false;
    }
    const hosts = countHosts(raw);
    if (hosts > 1 || (hosts === 0 && raw.httpVersionMinor > 0)) {
      const detail = hosts > 1 ? "The header Host is present more than once." : "The header Host is missing.";
      answerRaw(raw, res, problem("malformed-request", detail));
      return;
    }
    dropUnbelievable(raw);
    handle(raw, res);
  };
  const server = context.tls
    ? (createTlsServer({ ...settings, ...context.tls, handshakeTimeout: limits.headersTimeoutMs }, onRequest) as Server)
    : createServer(settings, onRequest);
  server.maxConnections = limits.connectionsMax;
  // Node calls this as soon as the server closes. Without the delay it cuts off a request whose bytes have arrived and
  // are not read yet.
  const closeIdleNow = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => void setImmediate(closeIdleNow);
  server.on("checkExpectation", (raw: IncomingMessage, res: ServerResponse) => {
    open(raw, res, context);
    answerRaw(raw, res, problem("expectation-failed", "Only 100-continue can be expected."));
  });
  // Without this, Node closes the connection of a CONNECT without an answer.
  server.on("connect", (raw: IncomingMessage, socket: Duplex) => {
    refuse(socket, notAllowed("CONNECT", []), { context, method: "CONNECT", path: pathOf(raw.url ?? "") });
  });
  return server;
}

/**
 * Node keeps the first Host and drops the others, but a proxy in front of this server may have checked the last (RFC
 * 9112 §3.2).
 */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === "host").length;
}

/** A value that is not an address must not be logged, audited and counted as one. */
function dropUnbelievable({ headers }: IncomingMessage): void {
  const header = headers["x-forwarded-for"];
  if (header === undefined) return;
  const believable = believableAddresses(String(header));
  if (believable === undefined) delete headers["x-forwarded-for"];
  else headers["x-forwarded-for"] = believable;
}

const latestAnswer = new WeakMap<Duplex, ServerResponse>();
/** Connections that the current answer closes. */
const leaving = new WeakSet<Duplex>();

/** Answers hold data unless their route says otherwise: no cache stores them, and no browser guesses another type. */
const dataHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;
/**
 * A year, the minimum of the browsers' own preload lists. Subdomains are not included, because they may belong to
 * others.
 */
export const strictTransport = { "Strict-Transport-Security": "max-age=31536000" } as const;

/** Whether a proxy was reached over HTTPS is only known later, where its headers are checked. */
function commonHeaders({ tls, isStrict }: ListenerContext, token: string): Readonly<Record<string, string>> {
  return { [correlationHeader]: token, ...dataHeaders, ...(tls && isStrict ? strictTransport : {}) };
}

function open(raw: IncomingMessage, res: ServerResponse, context: ListenerContext): void {
  const { log, clock, ids } = context;
  const exchange = openExchange(raw, ids.next(clock.now()));
  for (const [name, value] of Object.entries(commonHeaders(context, exchange.token))) res.setHeader(name, value);
  latestAnswer.set(raw.socket, res);
  noteBegin();
  res.once("close", () => {
    exchange.deadline.atMs = Number.POSITIVE_INFINITY;
    exchange.deadline.isOver = true;
    exchange.body?.close();
    noteEnd(exchange, raw, res);
    for (const part of exchange.parts) log.info({ token: exchange.token, route: exchange.route, ...part }, "report");
    const isRoutine = exchange.isPolled && res.statusCode < 400;
    log[isRoutine ? "debug" : "info"](logFieldsOf(exchange, raw, res), "request");
    context.onEnd?.(exchange, raw, res);
  });
}

function answerRaw(raw: IncomingMessage, res: ServerResponse, problem: Problem): void {
  const body = Buffer.from(problemBody(problem, pathOf(raw.url ?? ""), exchangeOfRaw(raw).token));
  const headers = { "Content-Type": problemMediaType, "Content-Length": body.byteLength, Connection: "close" };
  res.writeHead(problemKinds[problem.code].status, headers).end(body);
}

type ParserError = Error & { readonly code?: string | undefined; readonly rawPacket?: unknown };

/** Answers requests that the HTTP parser itself rejected, or that arrived too slowly. */
export function createClientErrorHandler(context: ListenerContext): (error: ParserError, socket: Socket) => void {
  return (error, socket) => {
    const latest = latestAnswer.get(socket);
    const inProgress = latest !== undefined && !latest.writableFinished ? latest : undefined;
    // No client is connected, or half an answer has been sent already and must not be mixed with another.
    if (error.code === "ECONNRESET" || !socket.writable || inProgress?.headersSent) {
      socket.destroy();
      return;
    }
    const exchange = inProgress === undefined ? undefined : exchangeOfRaw(inProgress.req);
    const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0);
    const line = /^([A-Za-z-]{1,32}) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packet.toString("latin1", 0, 2048));
    refuse(socket, problemOf(error, line, context), {
      context,
      exchange,
      method: line?.[1],
      path: pathOf(inProgress?.req.url ?? line?.[2] ?? ""),
      isTimeout: error.code === "ERR_HTTP_REQUEST_TIMEOUT",
    });
  };
}

function problemOf(error: ParserError, line: RegExpExecArray | null, context: ListenerContext): Problem {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return problem("request-timeout", "The request did not arrive in time.");
    case "HPE_HEADER_OVERFLOW":
      return problem("headers-too-large", "Request line and header lines have more than 16 KiB.");
    case "HPE_INVALID_METHOD":
      if (!line) break;
      return notFound(line[1] as string, pathOf(line[2] as string), context);
  }
  return problem("malformed-request", "The request is not well-formed HTTP/1.1.");
}

/** A 405 when the path is known, otherwise a 404, which says so where another node serves the path. */
export function notFound(
  method: string,
  path: string,
  { methodsOf, absenceOf }: Pick<ListenerContext, "methodsOf" | "absenceOf">,
): Problem {
  const allowed = methodsOf(path);
  const absence = allowed.length === 0 ? absenceOf?.(path) : undefined;
  return absence === undefined ? notAllowed(method, allowed) : problem("no-such-path", absence);
}

/** A 405 when the path is known, otherwise a 404; a CONNECT has no path. */
function notAllowed(method: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0 && method !== "CONNECT") return problem("no-such-path", "No operation has this path.");
  const detail = allowed.length === 0 ? "" : `; it takes ${allowed.join(", ")}`;
  return problem("method-not-allowed", `The path does not take ${method}${detail}.`, {
    headers: { Allow: allowed.join(", ") },
  });
}

interface Refusal {
  readonly context: ListenerContext;
  readonly method?: string | undefined;
  readonly path: string;
  /** The current exchange, whose response object can no longer answer. */
  readonly exchange?: Exchange | undefined;
  readonly isTimeout?: boolean;
}

function refuse(socket: Duplex, problem: Problem, refusal: Refusal): void {
  const { context, exchange } = refusal;
  const token = exchange?.token ?? context.ids.next(context.clock.now());
  const { status } = problemKinds[problem.code];
  const timeoutAnswer = refusal.isTimeout ? exchange?.timeoutAnswer?.() : undefined;
  const body = Buffer.from(timeoutAnswer?.body ?? problemBody(problem, refusal.path, token));
  const headers: Readonly<Record<string, string>> = {
    ...problem.headers,
    "Content-Type": timeoutAnswer?.contentType ?? problemMediaType,
    "Content-Length": String(body.byteLength),
    ...commonHeaders(context, token),
    Date: new Date(context.clock.now()).toUTCString(),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => {});
  socket.end(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\n${lines.join("")}\r\n`), body]),
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
  if (exchange) {
    exchange.rawStatus = status;
    exchange.problem = problem;
  } else {
    noteRefused(refusal.method, status);
    context.log.info({ token, method: refusal.method ?? null, route: null, status }, "request");
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/**
 * Lets running requests end, and ends the remaining ones after `graceMs`. To be called when the server begins to close.
 * Resolves when connections that were opened before, and requests that were sent before, have been processed.
 */
export async function closeGently(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  // A connection becomes idle when its running request has been answered; otherwise it stays alive for a minute.
  const sweep = setInterval(() => server.closeIdleConnections(), 25);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  server.once("close", () => {
    clearInterval(sweep);
    clearTimeout(end);
  });
  // One turn accepts the pending connections, and one reads the data that came with them.
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * The trustworthy addresses of an `X-Forwarded-For`: those after the last entry that is not an address, since each proxy
 * appends to the header that it received. A port after an address, as some proxies write it, is removed.
 *
 * @returns undefined where no address is left.
 */
export function believableAddresses(header: string): string | undefined {
  const entries = header.split(",").map(withoutPort);
  const kept = entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
  return kept.length === 0 ? undefined : kept.join(", ");
}

function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry.trim();
}
