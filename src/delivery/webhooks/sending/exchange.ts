/** One request and its answer, as undici reports them, with their times. */

import { once } from "node:events";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { Client, type Dispatcher } from "undici";
import {
  BlockedError,
  ExpiredError,
  type Failure,
  failureOfError,
  keptHeaders,
  type Stage,
} from "#/delivery/webhooks/sending/answer.ts";
import { type FoundAddress, findAddresses, type Lookup } from "#/delivery/webhooks/sending/lookup.ts";
import { type AddressPolicy, refusalOfAddress } from "#/kernel/security/address-policy.ts";

/** The number of bytes of an answer that are kept (contract/webhooks.md §1). */
const keptBytesMaxOfPush = 8 * 1_024;
/** The number of bytes that are read to keep the connection; a longer answer closes it. */
const readBytesMax = 64 * 1_024;

/** Milliseconds; phases that the exchange did not reach, or skipped on an open connection, are absent. */
export interface Phases {
  readonly lookup?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly send?: number;
  readonly wait?: number;
  readonly receive?: number;
}

export interface Exchanged {
  /** Why the answer is missing or incomplete; undefined for a complete answer. */
  readonly failure: Failure | undefined;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  /** The first 8 KiB. */
  readonly body: Buffer;
  readonly address: string | undefined;
  readonly phases: Phases;
}

/** One connection at a time to one origin; it records the progress of its setup. */
export class Line extends Client {
  readonly #latest: { progress: Progress | undefined };

  constructor(origin: URL | string, options: Client.Options, rules: ConnectionRules) {
    const latest: { progress: Progress | undefined } = { progress: undefined };
    super(origin, {
      ...options,
      connect: ({ hostname, protocol, port }, done) => {
        const progress = beginning();
        latest.progress = progress;
        const isTls = protocol === "https:";
        openConnection(rules, { hostname, port: Number(port) || (isTls ? 443 : 80), isTls }, progress).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        );
      },
    });
    this.#latest = latest;
  }

  get progress(): Progress | undefined {
    return this.#latest.progress;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.line = this;
    return super.dispatch(options, handler);
  }
}

/** Follows one request; `ended` is settled once, and never rejects. */
export class Exchange implements Dispatcher.DispatchHandler {
  line: Line | undefined;
  readonly ended: Promise<Exchanged>;
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #controller: Dispatcher.DispatchController | undefined;
  #sendingMs: number | undefined;
  #sentMs: number | undefined;
  #answeredMs: number | undefined;
  #status: number | undefined;
  #headers: Record<string, string> = {};
  #parts: Buffer[] = [];
  #bytes = 0;

  readonly #keptBytesMax: number;
  readonly #readBytesMax: number;

  /**
   * @param wholeMsMax from now to the last byte of the answer.
   * @param keptBytesMax of the answer; a longer one is cut off.
   */
  constructor(wholeMsMax: number, keptBytesMax = keptBytesMaxOfPush) {
    this.#keptBytesMax = keptBytesMax;
    this.#readBytesMax = Math.max(keptBytesMax, readBytesMax);
    const { promise, resolve } = Promise.withResolvers<Exchanged>();
    this.ended = promise;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => {
      this.#end(failureOfError(new ExpiredError(`not ended within ${wholeMsMax} ms`), "exchange"));
      this.#controller?.abort(new ExpiredError("the timeout expired"));
    }, wholeMsMax);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time limit was exceeded while it waited for a connection: it must not be sent after its own end.
    if (this.#isOver) {
      controller.abort(new ExpiredError("the timeout expired"));
      return;
    }
    this.#controller = controller;
    this.#sendingMs = performance.now();
  }

  onRequestSent(): void {
    this.#sentMs = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#answeredMs = performance.now();
    this.#status = status;
    this.#headers = keptHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#keptBytesMax - this.#bytes;
    // A copy: the chunk is a view of memory that is reused.
    if (room > 0) this.#parts.push(Buffer.from(chunk.subarray(0, room)));
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#readBytesMax) return;
    this.#end(undefined);
    controller.abort(new Error("the answer is larger than the limit"));
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#end(failureOfError(error, this.#sendingMs === undefined ? (this.#own?.stage ?? "exchange") : "exchange"));
  }

  /**
   * The progress of the connection, if it was made for this request; a connection that was already open has cost it no
   * time.
   */
  get #own(): Progress | undefined {
    const progress = this.line?.progress;
    return progress !== undefined && progress.startedMs >= this.#startedMs ? progress : undefined;
  }

  #end(failure: Failure | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve({
      failure,
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#parts),
      address: this.line?.progress?.address,
      phases: this.#phases(performance.now()),
    });
  }

  #phases(endedMs: number): Phases {
    const [sending, sent, answered] = [this.#sendingMs, this.#sentMs, this.#answeredMs];
    const all: Record<string, number | undefined> = { ...this.#own?.phases };
    if (sending !== undefined) {
      all.send = (sent ?? endedMs) - sending;
      if (sent !== undefined) all.wait = Math.max(0, (answered ?? endedMs) - sent);
      if (answered !== undefined) all.receive = endedMs - answered;
    }
    const kept = Object.entries(all).map(([phase, ms]) => [phase, Math.round((ms as number) * 10) / 10]);
    return Object.fromEntries(kept) as Phases;
  }
}

export interface ConnectionRules {
  readonly policy: AddressPolicy;
  readonly lookup: Lookup;
  /** For the lookup, the connection and the TLS handshake together. */
  readonly connectMsMax: number;
  /** Aborts connections that are being opened. */
  readonly closing: AbortSignal;
}

export interface ConnectionTarget {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** The state of a connection, during its setup and afterwards. */
export interface Progress {
  /** Of the monotonic clock. */
  readonly startedMs: number;
  stage: Stage;
  /** The address connected to, or the last one attempted. */
  address: string | undefined;
  /** Milliseconds. */
  readonly phases: { lookup?: number; connect?: number; tls?: number };
}

export const beginning = (): Progress => ({
  startedMs: performance.now(),
  stage: "lookup",
  address: undefined,
  phases: {},
});

/**
 * Opens a connection for an HTTP request, with a verified certificate.
 *
 * @param progress is kept up to date, so that a failure shows the stage reached.
 * @throws BlockedError, ExpiredError, or the error of the lookup, the network or TLS.
 */
export async function openConnection(
  rules: ConnectionRules,
  target: ConnectionTarget,
  progress: Progress,
): Promise<Socket> {
  const { connectMsMax, closing } = rules;
  const expiry = Promise.withResolvers<never>();
  const opening: Opening = { isOver: false, socket: undefined };
  const timer = setTimeout(
    () => expiry.reject(new ExpiredError(`no connection within ${connectMsMax} ms: ${stageWords[progress.stage]}`)),
    connectMsMax,
  );
  const giveUp = (): void => expiry.reject(new Error("the sender was closed"));
  closing.addEventListener("abort", giveUp);
  try {
    return await Promise.race([open(rules, target, progress, opening), expiry.promise]);
  } catch (error) {
    opening.isOver = true;
    opening.socket?.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener("abort", giveUp);
  }
}

interface Opening {
  /** The caller no longer waits for the connection. */
  isOver: boolean;
  socket: Socket | undefined;
}

const stageWords: Readonly<Record<Stage, string>> = {
  lookup: "the name lookup did not end",
  connect: "the receiver did not accept the connection",
  tls: "the TLS handshake did not end",
  exchange: "it was open",
};

async function open(
  { lookup, policy }: ConnectionRules,
  { hostname, port, isTls }: ConnectionTarget,
  progress: Progress,
  opening: Opening,
): Promise<Socket> {
  let sinceMs = progress.startedMs;
  const endPhase = (phase: keyof Progress["phases"], next: Stage): void => {
    const nowMs = performance.now();
    progress.phases[phase] = nowMs - sinceMs;
    progress.stage = next;
    sinceMs = nowMs;
  };
  const found = await findAddresses(lookup, policy, hostname);
  endPhase("lookup", "connect");
  if (opening.isOver) throw new ExpiredError("the timeout expired");
  const plain = connect({ host: hostname, port, lookup: answering(found), autoSelectFamily: true, noDelay: true });
  opening.socket = plain;
  plain.on("connectionAttempt", (address: string) => {
    progress.address = address;
  });
  await whenReady(plain, "connect");
  progress.address = plain.remoteAddress;
  // Checks the address that the system actually connected to.
  const refusal = refusalOfAddress(policy, plain.remoteAddress ?? "");
  if (refusal !== undefined) throw new BlockedError(refusal);
  endPhase("connect", isTls ? "tls" : "exchange");
  if (!isTls) return plain;
  const name = hostname.replace(/\.$/, "");
  // A server name is never an address (RFC 6066 §3); in that case the certificate is checked against `host`.
  const secured = connectTls({ socket: plain, host: name, servername: isIP(name) === 0 ? name : "" });
  opening.socket = secured;
  await whenReady(secured, "secureConnect");
  endPhase("tls", "exchange");
  return secured;
}

async function whenReady(socket: Socket, event: string): Promise<void> {
  // An error between two owners of the socket must not end the process; the close event informs the next owner.
  socket.on("error", () => {});
  await once(socket, event);
}

/** Gives the checked addresses to the socket's own lookup. */
function answering(found: readonly FoundAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    if (options.all) return done(null, [...found]);
    const [{ address, family }] = found as readonly [FoundAddress];
    done(null, address, family);
  };
}
