// One SFTP session over a channel: handles its requests in the order of arrival, as OpenSSH's own server does.
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerChannel } from "ssh2";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { createHandleOperations, protocolLimits } from "#/intake/sftp/server/handle-operations.ts";
import { createHandles, type OpenThing } from "#/intake/sftp/server/handles.ts";
import { createOutput, type Wire } from "#/intake/sftp/server/output.ts";
import { createPathOperations } from "#/intake/sftp/server/path-operations.ts";
import { statusReply, versionReply } from "#/intake/sftp/server/replies.ts";
import {
  createUnframer,
  initType,
  MalformedPacketError,
  type RequestKind,
  readRequest,
  type SftpRequest,
} from "#/intake/sftp/server/requests.ts";
import { createTree } from "#/intake/sftp/server/tree.ts";
import type { Clock } from "#/kernel/clock.ts";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { markStep } from "#/kernel/telemetry/loop-watch.ts";
import { isUnavailable } from "#/store/db/errors.ts";

/** Time for the answer to a log-in or a request, as of a request over HTTP. */
export const answerMsMax = 5_000;
/** For requests that commit a document, as of a document over HTTP. */
const documentAnswerMsMax = 120_000;

interface SessionContext {
  readonly channel: ServerChannel;
  readonly wire: Wire;
  readonly folders: ReadonlyMap<string, Folder>;
  /** Returns the milliseconds until the next attempt where the rate is used up, else 0. */
  takeRate(): Promise<number>;
  readonly clock: Clock;
  /** With fields that identify this session. */
  readonly log: Logger;
}

export interface Session {
  /** When the last request came. */
  readonly lastRequestMs: number;
  /** Whether a file is in transfer. */
  readonly isTransferring: boolean;
  readonly counts: {
    readonly requests: number;
    readonly bytesWritten: number;
    readonly bytesRead: number;
    /** Milliseconds in which requests waited because the rate of the login was used up. */
    readonly rateWaitMs: number;
  };
  /** Ends the session after the request in progress; the client receives the reason. */
  end(reason: string): void;
  /** Resolves when the session has released everything. */
  readonly ended: Promise<void>;
}

/** The bytes of waiting requests at which reading from the client pauses, and at which the session ends. */
const queuedBytesRest = 512 * 1024;
const queuedBytesMax = 4 * 1024 * 1024;
/** The same limits for the number of requests, of which clients that read ahead send thousands. */
const queuedRequestsRest = 1_024;
const queuedRequestsMax = 16_384;
const requestOverheadBytes = 64;
const sharedAtATimeMax = 8;

/** Read-only requests may run concurrently: a client that reads ahead does not wait for each. */
const sharedKinds: ReadonlySet<RequestKind> = new Set(["read", "stat", "fstat", "realpath", "expandPath"]);

/** Each counts as one HTTP request; requests on an open handle belong to its opening. */
const countedKinds: ReadonlySet<RequestKind> = new Set(["open", "stat", "setstat", "opendir", "remove", "rename"]);

const keepingKinds: ReadonlySet<RequestKind> = new Set(["open", "write", "close", "rename"]);
/** They commit a document, and have the time of one over HTTP. */
const committingKinds: ReadonlySet<RequestKind> = new Set(["close", "rename"]);
const awayOfFile = "The database cannot be reached; nothing was stored: send the file again.";
const awayElse = "The database cannot be reached; try again in a minute.";
const brokenHere = "An internal error occurred; it has been logged.";

export function startSession(context: SessionContext): Session {
  const { channel, wire, clock, log } = context;
  const beganMs = clock.now();
  const handles = createHandles();
  const tree = createTree(context.folders);
  const operations = {
    ...createPathOperations({ tree, handles, clock, beganMs }),
    ...createHandleOperations({ handles, clock }),
  };
  const output = createOutput(channel, wire);
  const queue: Buffer[] = [];
  const inProgress = new Set<Promise<void>>();
  const counts = { requests: 0, bytesWritten: 0, bytesRead: 0, rateWaitMs: 0 };
  let queuedBytes = 0;
  let lastRequestMs = beganMs;
  let hasInit = false;
  let isInputOver = false;
  /** Why the server ends the session. */
  let endReason: string | undefined;
  const ending = new AbortController();
  let wake = () => {};
  let release = () => {};

  function regulate(): void {
    if (queuedBytes > queuedBytesMax || queue.length > queuedRequestsMax) end("Too many requests at once.");
    // While output waits for the client, its window adjustments must be read.
    const isFull = queuedBytes > queuedBytesRest || queue.length > queuedRequestsRest;
    wire.hold(channel, isFull && !output.isWaiting() && endReason === undefined);
  }

  const unframer = createUnframer(protocolLimits.packetBytesMax + 1_024, (packet) => {
    queue.push(packet);
    queuedBytes += packet.length + requestOverheadBytes;
  });

  function end(reason: string): void {
    if (endReason !== undefined || isInputOver) return;
    endReason = reason;
    ending.abort();
    output.stopWaiting();
    wake();
  }

  channel.on("data", (chunk: Buffer) => {
    if (endReason !== undefined) return;
    lastRequestMs = clock.now();
    const fault = unframer.take(chunk);
    if (fault !== undefined) end(`This is not SFTP: ${fault}.`);
    regulate();
    wake();
  });
  const endInput = () => {
    isInputOver = true;
    wake();
  };
  channel.on("end", endInput);
  channel.on("close", () => {
    output.stopWaiting();
    endInput();
  });
  // An error of writing to a client that is gone: the close event reports its end.
  channel.on("error", () => {});

  /** A client that exceeds the rate waits: a refusal means a file that was not put. */
  async function waitForRate(): Promise<void> {
    for (let ms = await context.takeRate(); ms > 0 && endReason === undefined; ms = await context.takeRate()) {
      const sinceMs = performance.now();
      await sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
      counts.rateWaitMs += Math.round(performance.now() - sinceMs);
    }
  }

  async function answer(request: SftpRequest): Promise<void> {
    let reply: Buffer;
    try {
      if (countedKinds.has(request.kind)) await waitForRate();
      if (request.kind === "write") counts.bytesWritten += request.bytes.length;
      const atMs = performance.now() + (committingKinds.has(request.kind) ? documentAnswerMsMax : answerMsMax);
      markStep(undefined);
      reply = await withDeadline({ atMs, route: `sftp ${request.kind}` }, async () =>
        operations[request.kind](request as never),
      );
      if (request.kind === "read") counts.bytesRead += reply.length;
    } catch (error) {
      const isAway = isUnavailable(error);
      log[isAway ? "warn" : "error"]({ err: error, request: request.kind }, "an SFTP request failed");
      const away = keepingKinds.has(request.kind) ? awayOfFile : awayElse;
      reply = statusReply(request.id, "FAILURE", isAway ? away : brokenHere);
    }
    output.send(reply);
  }

  async function take(packet: Buffer): Promise<void> {
    if (!hasInit) {
      if (packet[0] !== initType) return end("This is not SFTP: it does not start with a version.");
      hasInit = true;
      output.send(versionReply);
      return;
    }
    let request: SftpRequest;
    try {
      request = readRequest(packet);
    } catch (error) {
      if (!(error instanceof MalformedPacketError)) throw error;
      return end(`This is not SFTP: ${error.message}.`);
    }
    counts.requests++;
    if (!sharedKinds.has(request.kind)) {
      await Promise.all(inProgress);
      await answer(request);
      return;
    }
    if (inProgress.size >= sharedAtATimeMax) await Promise.race(inProgress);
    const answering = answer(request).finally(() => inProgress.delete(answering));
    inProgress.add(answering);
  }

  async function leave(thing: OpenThing): Promise<void> {
    try {
      if (thing.kind === "reading") await thing.file.close();
      if (thing.kind === "writing") await thing.file.abandon();
    } catch (error) {
      log.warn({ err: error }, "a file could not be closed cleanly");
    }
  }

  async function run(): Promise<void> {
    while (endReason === undefined) {
      const packet = queue.shift();
      if (packet === undefined) {
        if (isInputOver) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      queuedBytes -= packet.length + requestOverheadBytes;
      if (output.isFull()) {
        const waiting = output.room();
        regulate();
        await waiting;
      }
      regulate();
      await take(packet);
    }
    await Promise.all(inProgress);
    queue.length = 0;
    await Promise.all(handles.takeAll().map(leave));
    if (endReason === undefined) output.finish(0);
    else output.finish(1, endReason);
  }

  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  run()
    .catch((error: Error) => {
      log.error({ err: error }, "an SFTP session failed");
      output.finish(1, brokenHere);
    })
    .finally(() => {
      wire.hold(channel, false);
      release();
    });

  return {
    get lastRequestMs() {
      return lastRequestMs;
    },
    get isTransferring() {
      return handles.hasFile();
    },
    counts,
    end,
    ended,
  };
}
