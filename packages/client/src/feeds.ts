import { type FeedDocuments, roots } from "./generated/feeds.ts";
import { type Fetch, type RetryOptions, retryDefault, sendPatiently } from "./retry.ts";
import { childText, readXml, writeXml, type XmlElement } from "./xml.ts";

/** CAT, PO, RMA or NO. */
export type FeedType = keyof FeedDocuments;

/** An error of an acknowledgement. */
export interface FeedFault {
  /** Programs react to it: `UNKNOWN_SKU`. */
  readonly code: string;
  readonly message: string;
  /** The line of the document as it was sent, where the message names it. */
  readonly line?: number;
}

/** The answer to a feed document (contract feeds.md §3). */
export interface Acknowledgement {
  /** Correlation token of the document. */
  readonly token: string;
  /** Whether the document was accepted. */
  readonly success: boolean;
  readonly feedType: string;
  /** Each begins with its code in brackets, as `[UNKNOWN_SKU]`; empty if the document was accepted. */
  readonly errors: readonly string[];
  /** The same in parts. */
  readonly faults: readonly FeedFault[];
  readonly missingSkus: readonly string[];
  readonly objectId: string | undefined;
}

export interface FeedClientOptions {
  /** The base address of the feeds, such as `https://feeds.example.com`. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** The client's key for feeds. */
  readonly apiKey: string;
  /** Timeout of each attempt; 35 000 by default, because the server ends a request after 30 s. */
  readonly timeoutMs?: number;
  /** By default at most five attempts, as the key of the document makes a repeat harmless. */
  readonly retry?: Partial<RetryOptions> | false;
  /** The platform's own `fetch` by default. */
  readonly fetch?: Fetch;
}

export interface SendOptions {
  /**
   * Identifies the document: it counts once, however often it is sent. The order number for a new order, the order
   * number and a revision for an update. Without it a document is not sent again after a lost answer.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A feed was refused before its document was validated: the key, the address or the size is wrong. */
export class FeedError extends Error {
  override readonly name = "FeedError";
  readonly status: number;
  /** The answer as it came. */
  readonly answer: string;

  constructor(status: number, answer: string) {
    super(`the feed was refused with ${status}: ${answer.slice(0, 500)}`);
    this.status = status;
    this.answer = answer;
  }
}

export interface FeedClient {
  /**
   * Sends a document, and waits for its acknowledgement: `success` says whether it was accepted.
   * @param document XML as text, which is sent in UTF-8, or as bytes in its encoding; or the object for `feedXml`
   * @throws {FeedError} when the request was refused before the document was validated.
   */
  send<Type extends FeedType>(
    type: Type,
    document: string | Uint8Array<ArrayBuffer> | FeedDocuments[Type],
    options?: SendOptions,
  ): Promise<Acknowledgement>;
  /** The acknowledgement that the document would get; stores nothing. */
  validate<Type extends FeedType>(
    type: Type,
    document: string | Uint8Array<ArrayBuffer> | FeedDocuments[Type],
    options?: Pick<SendOptions, "signal">,
  ): Promise<Acknowledgement>;
}

/** The XML of a document. Elements without a value are left out. @throws {TypeError} names a value that XML cannot carry. */
export function feedXml<Type extends FeedType>(type: Type, document: FeedDocuments[Type]): string {
  return writeXml(roots[type], document);
}

/** Reads an acknowledgement. @throws {SyntaxError} where the text is none. */
export function readAcknowledgement(text: string): Acknowledgement {
  const root = readXml(text);
  if (root.name !== "apiResponse") throw new SyntaxError(`<${root.name}> is not an acknowledgement`);
  const errors = textsIn(root, "errors");
  return {
    token: childText(root, "token") ?? "",
    success: childText(root, "success") === "true",
    feedType: childText(root, "feedType") ?? "",
    errors,
    faults: errors.map(faultOf),
    missingSkus: textsIn(root, "missingSkus"),
    objectId: childText(root, "objectId"),
  };
}

function faultOf(text: string): FeedFault {
  const [, code = "", message = text] = /^\[(\w+)\] ([\s\S]*)$/.exec(text) ?? [];
  const line = /\bLine (\d+)/.exec(message)?.[1];
  return { code, message, ...(line === undefined ? {} : { line: Number(line) }) };
}

const textsIn = ({ children }: XmlElement, name: string): string[] =>
  children.filter((child) => child.name === name).flatMap((child) => child.children.map(({ text }) => text.trim()));

const timeoutMsDefault = 35_000;

/** A client of the XML feeds over HTTP. */
export function createFeedClient(options: FeedClientOptions): FeedClient {
  const { timeoutMs = timeoutMsDefault, clientId, apiKey } = options;
  const retry =
    options.retry === false
      ? { ...retryDefault, attemptsMax: 1 }
      : { ...retryDefault, attemptsMax: 5, backoffMs: 1_000, ...options.retry };
  const context = { fetch: options.fetch ?? ((request: Request) => fetch(request)), clock: { now: Date.now }, retry };
  const base = `${options.baseUrl.replace(/\/+$/, "")}/feeds/${encodeURIComponent(clientId)}`;

  async function post(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    { idempotencyKey, signal }: SendOptions,
    isRepeatable: boolean,
  ) {
    const headers = {
      "x-api-key": apiKey,
      "content-type": "application/xml",
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    };
    const make = async () => {
      const limit = AbortSignal.timeout(timeoutMs);
      const signals = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      return new Request(`${base}/${path}`, { method: "POST", headers, body, signal: signals });
    };
    const response = await sendPatiently(make, isRepeatable, signal === undefined ? context : { ...context, signal });
    const text = await response.text();
    if (response.ok || response.status === 422) {
      try {
        return readAcknowledgement(text);
      } catch {
        // A proxy answered.
      }
    }
    throw new FeedError(response.status, text);
  }

  const xmlOf = <Type extends FeedType>(
    type: Type,
    document: string | Uint8Array<ArrayBuffer> | FeedDocuments[Type],
  ) => (typeof document === "string" || document instanceof Uint8Array ? document : feedXml(type, document));

  return {
    send: (type, document, send = {}) => post(type, xmlOf(type, document), send, send.idempotencyKey !== undefined),
    validate: (type, document, send = {}) => post(`${type}/validate`, xmlOf(type, document), send, true),
  };
}
