import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Caller } from "#/http/access/caller.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import type { BodyAccount } from "#/http/server/body-budget.ts";
import { assert } from "#/kernel/assert.ts";
import type { Deadline } from "#/kernel/concurrency/deadline.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { durationSince } from "#/kernel/telemetry/log.ts";

/** One request and its answer: the fields of its log line, and what is known about its sender. */
export interface Exchange {
  /** Correlation token: request id, header `X-Correlation-Token`, and for feeds the token of the ACK. */
  readonly token: string;
  readonly startedMs: number;
  /** By when the request is answered. The time in which its body arrives does not count. */
  readonly deadline: Deadline;
  /** Pattern of the route, such as `/v1/orderService/order/get/:orderId`; undefined when none matches. */
  route: string | undefined;
  /** How long the request has waited for a change on its sender's wish: no time of the server. */
  waitedMs: number;
  /** A list that clients poll every second: its answer is logged at level debug only. */
  isPolled: boolean;
  /** The server itself sends it: it did not come in through the listener. */
  isInjected: boolean;
  /** An injected write whose transaction is rolled back (`requests/idempotency.ts`). */
  isDryRun: boolean;
  /** Set as soon as the sender has proved that it may act for this client. */
  clientId: string | undefined;
  caller: Caller | undefined;
  /** The user of the console. */
  operator: Operator | undefined;
  /** The objects of the request, as far as they are known. */
  readonly about: ExchangeSubject;
  /**
   * For a request with several parts, such as the reports of a batch: a log line for each part, under the request's
   * token.
   */
  readonly parts: ExchangePart[];
  /** The share of the budget that the body holds, until the exchange is over. */
  body: BodyAccount | undefined;
  /** Status of an answer that was written to the socket directly, without the response object. */
  rawStatus: number | undefined;
  /** The request after its head was read; undefined for one that was refused before. */
  request: FastifyRequest | undefined;
  /** The owner of the feed key, also where the key may not do what the request asks for. */
  feedKey: { readonly clientId: string; readonly credentialId: string } | undefined;
  /** Why the request was refused. */
  problem: ExchangeProblem | undefined;
  /** The body of a request in JSON, as received. */
  bodyText: string | undefined;
  /** The answer for a body that arrives too slowly, where it must not be problem details (feeds answer an ACK). */
  timeoutAnswer: (() => { readonly contentType: string; readonly body: string | Buffer }) | undefined;
}

/** Fields of the log line that say what a request concerns: ids and codes, never content. */
export interface ExchangeSubject {
  objectId?: string | undefined;
  feedType?: string;
  /** The outcome of a document or a report, where the status does not show it. */
  outcome?: string;
  /** Size of a document as received. */
  bytes?: number;
}

/** A refusal as its answer states it. The code is that of the problem details, or of the ACK of a feed. */
export interface ExchangeProblem {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly RequestFault[];
}

export interface ExchangePart {
  readonly clientId: string | undefined;
  readonly objectId: string | undefined;
  readonly outcome: string;
  readonly durationMs: number;
}

/** Time for an answer, besides the body of the request; a route may declare a longer one. */
export const answerMsMaxDefault = 5_000;

/** For documents that threads read, such as catalogues: clients take turns at the threads. */
export const documentAnswerMsMax = 120_000;
/** For requests that do the work of many, and those that wait for a receiver: a proxy usually allows thirty seconds. */
export const longAnswerMsMax = 30_000;

export const correlationHeader = "X-Correlation-Token";

const exchangeKey: unique symbol = Symbol("exchange");

type Carrier = IncomingMessage & { [exchangeKey]?: Exchange };

export function openExchange(raw: IncomingMessage, token: string): Exchange {
  const startedMs = performance.now();
  const exchange: Exchange = {
    token,
    startedMs,
    deadline: { atMs: startedMs + answerMsMaxDefault, holder: () => holderOf(exchange) },
    route: undefined,
    waitedMs: 0,
    isPolled: false,
    isInjected: false,
    isDryRun: false,
    clientId: undefined,
    caller: undefined,
    operator: undefined,
    about: {},
    parts: [],
    body: undefined,
    rawStatus: undefined,
    request: undefined,
    feedKey: undefined,
    problem: undefined,
    bodyText: undefined,
    timeoutAnswer: undefined,
  };
  (raw as Carrier)[exchangeKey] = exchange;
  return exchange;
}

/** The exchange of a request that came in through `createHttpServer`. */
export function exchangeOf(request: FastifyRequest): Exchange {
  return exchangeOfRaw(request.raw);
}

/** Whose shares the request uses: the client where there is one, otherwise the sender. */
export function holderOf({ caller, operator, feedKey, request }: Exchange): string {
  if (operator) return `user ${operator.userName}`;
  if (feedKey) return `client ${feedKey.clientId}`;
  if (!caller) return `address ${request?.ip}`;
  if (caller.facilityCode !== undefined) return `facility ${caller.facilityCode}`;
  const [clientId, ...others] = caller.clientIds;
  return clientId === undefined || others.length > 0 ? `credential ${caller.credentialId}` : `client ${clientId}`;
}

/** Gives a request this much time from now on, because of its content. */
export function putOffDeadline(request: FastifyRequest, ms: number): void {
  exchangeOf(request).deadline.atMs = performance.now() + ms;
}

export function exchangeOfRaw(raw: IncomingMessage): Exchange {
  const exchange = (raw as Carrier)[exchangeKey];
  assert(exchange, "the request did not come in through the listener");
  return exchange;
}

/** The fields of the one log line of a request: no payloads, no keys, no addresses, and no path with ids in it. */
export function logFieldsOf(exchange: Exchange, raw: IncomingMessage, res: ServerResponse): Record<string, unknown> {
  const isAnswered = exchange.rawStatus !== undefined || res.headersSent;
  return {
    token: exchange.token,
    method: raw.method,
    route: exchange.route ?? null,
    status: isAnswered ? (exchange.rawStatus ?? res.statusCode) : null,
    durationMs: durationSince(exchange.startedMs),
    ...(exchange.clientId === undefined ? {} : { clientId: exchange.clientId }),
    ...(exchange.caller?.facilityCode === undefined ? {} : { facilityCode: exchange.caller.facilityCode }),
    ...exchange.about,
    ...(exchange.rawStatus === undefined && !res.writableFinished ? { isAborted: true } : {}),
  };
}
