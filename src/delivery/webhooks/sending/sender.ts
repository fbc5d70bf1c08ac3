/** Sends a push once, and returns the result: contract/webhooks.md §2. */

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Agent, Pool } from "undici";
import type { AttemptOutcome } from "#/delivery/webhooks/lanes/retry-plan.ts";
import {
  answeredOutcome,
  type ErrorClass,
  failureOfStatus,
  readRetryAfter,
} from "#/delivery/webhooks/sending/answer.ts";
import {
  type ConnectionRules,
  Exchange,
  type Exchanged,
  Line,
  type Phases,
} from "#/delivery/webhooks/sending/exchange.ts";
import { createSystemLookup, type Lookup } from "#/delivery/webhooks/sending/lookup.ts";
import { type MessageKey, messageSignature } from "#/delivery/webhooks/sending/message-signature.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type AddressPolicy, refusalOfUrl } from "#/kernel/security/address-policy.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

/** The receiver of a subscription. */
export interface Target {
  readonly url: string;
  readonly contentType: string;
  /** The subscription's own; reserved headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** `whsec_…`, newest first. */
  readonly secrets: readonly string[];
  /** Also signs by RFC 9421. */
  readonly hasHttpSignature?: boolean;
}

export interface PushMessage {
  /** `webhook-id`: the event's id, the same in every attempt. */
  readonly id: string;
  readonly body: string | Buffer;
  /** `crossdock-sequence`; absent where undefined. */
  readonly sequence: number | undefined;
  /** A header of the same name in the subscription has precedence. */
  readonly traceparent?: string | undefined;
}

export interface SendResult {
  readonly outcome: AttemptOutcome;
  /** Undefined for a success. */
  readonly errorClass?: ErrorClass;
  /** For people: the reason of the failure. */
  readonly detail?: string;
  /** The address connected to, or the last one attempted. */
  readonly address?: string;
  readonly phases: Phases;
  /** Also present for an answer that was cut off. */
  readonly status?: number;
  /** The answer's headers, with lower-case names. */
  readonly headers: Record<string, string>;
  /** The first 8 KiB of the answer, unchanged. */
  readonly body: Buffer;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface Sender {
  /** Never rejects because of a receiver. Redirects are not followed, answers are not decompressed. */
  send(target: Target, message: PushMessage): Promise<SendResult>;
  /**
   * Waits for requests in progress and closes the connections.
   *
   * @param waitMsMax longer requests are aborted, and fail as `reset`; default `wholeMsMax`.
   */
  close(waitMsMax?: number): Promise<void>;
}

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly clock: Clock;
  /** Lookup, connection and TLS handshake; default 5 s. */
  readonly connectMsMax?: number;
  /** From the start to the last byte of the answer; default 15 s. */
  readonly wholeMsMax?: number;
  /** Default: the system's. */
  readonly lookup?: Lookup;
  /** The key of HTTP Message Signatures; without it they cannot be asked for. */
  readonly signingKey?: () => Promise<MessageKey>;
}

/**
 * As many as the dispatcher sends at a time: one client's slow path on a host delays no other client of that host here.
 */
const connectionsPerOriginMax = 512;
/** Below the five seconds after which many servers close an idle connection: a push must not meet the close. */
const idleMsMax = 4_000;
const headerBytesMax = 16 * 1_024;

const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
export const userAgent = `Crossdock/${version}`;

/**
 * The headers that a subscription must not set (contract/webhooks.md §1): validation refuses them, and the sender drops
 * them.
 */
const reservedHeaders =
  /^(?:webhook-.*|crossdock-.*|content-.*|signature|signature-input|proxy-.*|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect)$/;

/** Connections that go only where the rules allow; {@link Exchange} limits the time of each request. */
export function openAgent(rules: ConnectionRules): Agent {
  return new Agent({
    connections: connectionsPerOriginMax,
    allowH2: false,
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: minuteMs,
    maxHeaderSize: headerBytesMax,
    // The exchange applies one time limit to the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, settings) =>
      new Pool(origin, {
        ...settings,
        factory: (poolOrigin, clientSettings) => new Line(poolOrigin, clientSettings, rules),
      }),
  });
}

export function createSender(options: SenderOptions): Sender {
  const { policy, clock, connectMsMax = 5_000, wholeMsMax = 15_000, lookup = createSystemLookup() } = options;
  const closing = new AbortController();
  const rules: ConnectionRules = { policy, lookup, connectMsMax, closing: closing.signal };
  const inProgress = new Set<Exchange>();
  const agent = openAgent(rules);
  /** A lane sends a whole window to one target: its URL is parsed and checked once. */
  const places = new WeakMap<Target, Place>();
  let isClosed = false;

  function placeOf(target: Target): Place {
    let place = places.get(target);
    if (place === undefined) {
      place = findPlace(policy, target.url);
      places.set(target, place);
    }
    return place;
  }

  return {
    async send(target, message) {
      assert(!isClosed, "a push after the sender was closed");
      const startedAtMs = clock.now();
      const place = placeOf(target);
      if ("detail" in place) return unsent(place.errorClass, place.detail, startedAtMs);
      const body = typeof message.body === "string" ? Buffer.from(message.body) : message.body;
      const timeSeconds = Math.floor(startedAtMs / 1_000);
      const headers = headersOf(target, { ...message, body }, timeSeconds);
      if (target.hasHttpSignature === true) {
        assert(options.signingKey, "a sender without the key of HTTP Message Signatures");
        const signed = { url: place.origin + place.path, headers, body, createdSeconds: timeSeconds };
        Object.assign(headers, await messageSignature(await options.signingKey(), signed));
      }
      const exchange = new Exchange(wholeMsMax);
      inProgress.add(exchange);
      agent.dispatch(
        {
          origin: place.origin,
          path: place.path,
          method: "POST",
          headers,
          body,
        },
        exchange,
      );
      const exchanged = await exchange.ended;
      inProgress.delete(exchange);
      const result = resultOf(exchanged, startedAtMs, clock.now());
      // undici frees a connection one turn of the event loop after its answer: a caller that sends at once opens
      // another one.
      if (exchanged.failure === undefined) await setImmediate();
      return result;
    },
    async close(waitMsMax = wholeMsMax) {
      isClosed = true;
      const timer = new AbortController();
      const late = setTimeout(waitMsMax, undefined, { signal: timer.signal }).catch(() => {});
      await Promise.race([Promise.all([...inProgress].map(({ ended }) => ended)), late]);
      timer.abort();
      closing.abort();
      await agent.destroy();
    },
  };
}

type Place =
  | { readonly origin: string; readonly path: string }
  | { readonly errorClass: "blocked" | "protocol"; readonly detail: string };

export function findPlace(policy: AddressPolicy, text: string): Place {
  const url = URL.parse(text);
  if (url === null) return { errorClass: "protocol", detail: "its URL is not valid" };
  const refusal = refusalOfUrl(policy, url);
  if (refusal !== undefined) return { errorClass: "blocked", detail: refusal };
  return { origin: url.origin, path: url.pathname + url.search };
}

function headersOf(target: Target, message: PushMessage, timestampSeconds: number): Record<string, string> {
  const headers: Record<string, string> = { "user-agent": userAgent };
  for (const [name, value] of Object.entries(target.headers)) {
    const lowerCase = name.toLowerCase();
    if (!reservedHeaders.test(lowerCase)) headers[lowerCase] = value;
  }
  return {
    ...(message.traceparent === undefined ? {} : { traceparent: message.traceparent }),
    ...headers,
    "content-type": target.contentType,
    ...signatureHeaders(target.secrets, message.id, timestampSeconds, message.body),
    ...(message.sequence === undefined ? {} : { "crossdock-sequence": String(message.sequence) }),
  };
}

function resultOf(exchanged: Exchanged, startedAtMs: number, endedAtMs: number): SendResult {
  const { status, headers, body, address, phases } = exchanged;
  const failure = exchanged.failure ?? failureOfStatus(status as number);
  return {
    outcome: outcomeOf(exchanged, endedAtMs),
    ...(failure === undefined ? {} : failure),
    ...(address === undefined ? {} : { address }),
    ...(status === undefined ? {} : { status }),
    phases,
    headers,
    body,
    startedAtMs,
    endedAtMs,
  };
}

function outcomeOf({ failure, status, headers }: Exchanged, nowMs: number): AttemptOutcome {
  if (failure === undefined) return answeredOutcome(status as number, readRetryAfter(headers["retry-after"], nowMs));
  return failure.errorClass === "blocked" ? { kind: "blocked" } : { kind: "failed" };
}

/** The result where no request was sent: without its secret and its headers it is a different request. */
export const unreadable = (atMs: number): SendResult =>
  unsent("unreadable", "the secret or the headers cannot be decrypted: set them again", atMs);

/** The result of a push without a connection. */
function unsent(errorClass: "blocked" | "protocol" | "unreadable", detail: string, atMs: number): SendResult {
  return {
    outcome: errorClass === "blocked" ? { kind: "blocked" } : { kind: "failed" },
    errorClass,
    detail,
    phases: {},
    headers: {},
    body: Buffer.alloc(0),
    startedAtMs: atMs,
    endedAtMs: atMs,
  };
}

const prefix = "whsec_";

/**
 * @param secrets `whsec_` and base64, newest first; two during a rotation: each signs.
 * @param id the event's, the same in every attempt.
 * @param timestampSeconds Unix seconds of this attempt.
 * @param body as sent.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
): Record<string, string> {
  assert(secrets.length > 0, "a push without a secret");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": secrets.map((secret) => sign(secret, `${id}.${timestampSeconds}.`, body)).join(" "),
  };
}

function sign(secret: string, beginning: string, body: string | Buffer): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  // A signature with an empty key proves nothing: anyone can produce it.
  assert(secret.startsWith(prefix) && key.length > 0, "a signing secret that is not valid");
  return `v1,${createHmac("sha256", key).update(beginning).update(body).digest("base64")}`;
}
