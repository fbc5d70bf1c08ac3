import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** A body may be this large, decompressed (feeds.md §1). */
export const bodyBytesMax = 20 * 1024 * 1024;

/** Why a body could not be taken; the code is that of the ACK. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly code: "TOO_LARGE" | "TIMEOUT" | "REQUEST";

  constructor(code: BodyError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a body to its end, decompressing it on the way, and gives up as soon as it is too large or too slow: what is not
 * wanted is never held. Rejects with BodyError, or with the stream's own error when the sender went away.
 */
export function readBody(
  stream: Readable,
  options: { readonly isGzip: boolean; readonly timeoutMs: number; readonly bytesMax?: number },
): Promise<Buffer> {
  const bytesMax = options.bytesMax ?? bodyBytesMax;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const source = options.isGzip ? stream.pipe(createGunzip()) : stream;
    const end = (error?: Error) => {
      clearTimeout(timer);
      source.removeAllListeners("data");
      if (error) {
        stream.unpipe();
        // The rest of the body is read past, so that the answer is not lost in a reset connection.
        stream.resume();
        if (options.isGzip) source.destroy();
        reject(error);
      } else {
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes));
      }
    };
    const timer = setTimeout(
      () => end(new BodyError("TIMEOUT", `the body was not complete after ${options.timeoutMs / 1000} s`)),
      options.timeoutMs,
    );
    source.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) end(new BodyError("TOO_LARGE", `the body is over ${bytesMax} bytes`));
      else chunks.push(chunk);
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
