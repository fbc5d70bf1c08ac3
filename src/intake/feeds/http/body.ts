import type { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import type { BodyAccount } from "#/http/server/body-budget.ts";

/** Maximum size of a body, decompressed (feeds.md §1). */
export const bodyBytesMax = 20 * 1024 * 1024;

/** Why a body was refused; the code is that of the ACK. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly code: "TOO_LARGE" | "TIMEOUT" | "REQUEST";

  constructor(code: BodyError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const largeBytesMin = 256 * 1024;
/** XML expands to some thirty times its gzip size; a compression bomb expands up to a thousand times. */
const unfoldRatioMax = 200;
const unfoldedBytesFree = 1024 * 1024;

export interface Collector {
  /** A small chunk is kept without a copy, and must not be changed any more. */
  add(chunk: Buffer): void;
  /** For a large body, the result has its own memory, which can be moved to another thread. */
  whole(): Buffer;
  /** Frees the memory at once, without waiting for the garbage collector. */
  drop(): void;
}

/**
 * Collects a body. A large body moves into one growing buffer. The network chunks are thus freed at once (chunks that
 * live to the end are promoted to the old heap), and the receiver can free the whole buffer when it is done.
 */
export function createCollector(bytesMax: number): Collector {
  const chunks: Buffer[] = [];
  let large: ArrayBuffer | undefined;
  let bytes = 0;
  return {
    add(chunk) {
      if (!large && bytes + chunk.length < largeBytesMin) {
        chunks.push(chunk);
        bytes += chunk.length;
        return;
      }
      const pieces = large ? [chunk] : [...chunks.splice(0), chunk];
      if (!large) bytes = 0;
      large ??= new ArrayBuffer(0, { maxByteLength: bytesMax });
      for (const piece of pieces) {
        large.resize(bytes + piece.length);
        new Uint8Array(large, bytes, piece.length).set(piece);
        bytes += piece.length;
      }
    },
    whole() {
      if (large) return Buffer.from(large, 0, bytes);
      return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes);
    },
    drop() {
      chunks.length = 0;
      large?.resize(0);
    },
  };
}

const readPastMsMax = 1_000;

/**
 * Waits until the rest of a body has been received and discarded, for at most a second. To be awaited before an answer
 * that ends the connection: a connection that is closed with unread bytes is reset, and the reset can overtake the
 * answer.
 */
export function readPast(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stream.off("end", end).off("close", end).off("error", end);
      resolve();
    };
    const timer = setTimeout(end, readPastMsMax);
    stream.on("end", end).on("close", end).on("error", end);
    stream.resume();
  });
}

/**
 * Reads a body to its end and decompresses it on the way. It gives up as soon as the body is too large or too slow:
 * unwanted data is never held. Rejects with BodyError, with OverBudgetError, or with the stream's own error when the
 * sender disconnected; in that case the account is closed.
 */
export function readBody(
  stream: Readable,
  options: {
    readonly isGzip: boolean;
    readonly timeoutMs: number;
    readonly bytesMax?: number;
    readonly account?: BodyAccount;
  },
): Promise<Buffer> {
  const bytesMax = options.bytesMax ?? bodyBytesMax;
  return new Promise((resolve, reject) => {
    const body = createCollector(bytesMax);
    let bytes = 0;
    const source = options.isGzip ? stream.pipe(createGunzip()) : stream;
    let hasEnded = false;
    const end = (error?: Error) => {
      // A body that was given up also reaches its own end.
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      source.removeAllListeners("data");
      if (error) {
        body.drop();
        options.account?.close();
        stream.unpipe();
        // The rest of the body is discarded, so that the answer is not lost in a reset connection.
        stream.resume();
        if (options.isGzip) source.destroy();
        reject(error);
      } else {
        resolve(body.whole());
      }
    };
    const timer = setTimeout(
      () => end(new BodyError("TIMEOUT", `the body was not complete after ${options.timeoutMs / 1000} s`)),
      options.timeoutMs,
    );
    source.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) return end(new BodyError("TOO_LARGE", `the body is over ${bytesMax} bytes`));
      if (options.isGzip && bytes > unfoldedBytesFree && bytes > unfoldRatioMax * (source as Gunzip).bytesWritten) {
        const text = `the gzip stream unfolds to more than ${unfoldRatioMax} times its size; send the document without gzip`;
        return end(new BodyError("TOO_LARGE", text));
      }
      try {
        options.account?.take(chunk.length);
        body.add(chunk);
      } catch (error) {
        end(error as Error);
      }
    });
    source.on("end", () => end());
    if (options.isGzip)
      source.on("error", (error) => end(new BodyError("REQUEST", `the gzip stream is malformed: ${error.message}`)));
    stream.on("error", (error) => end(error));
    stream.on("close", () => {
      if (!stream.readableEnded) end(new Error("the sender closed the connection before the body's end"));
    });
  });
}

/** The charset parameter of a content type. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
}
