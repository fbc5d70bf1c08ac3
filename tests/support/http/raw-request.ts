// Requests that `fetch` cannot send: no body, chunks without a declared length, a declared length without the bytes.
import http from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface RawRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Written in order; without `content-length` as HTTP chunks. */
  readonly chunks?: Iterable<string | Uint8Array>;
  /** Pause between two chunks. */
  readonly pauseMs?: number;
}

/**
 * Sends the request on a new connection and returns as soon as the response arrives, even if the request is incomplete.
 * With a declared length and no chunks, no part of the body is sent.
 */
export function sendRaw(
  url: string,
  { path, method = "POST", headers, chunks, pauseMs }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const request = http.request(url + path, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        isAnswered = true;
        request.destroy();
        const pairs = Object.entries(response.headersDistinct).map(([name, values]) => [name, values?.join(", ")]);
        const all = new Headers(pairs as [string, string][]);
        resolve({ status: response.statusCode as number, headers: all, body: Buffer.concat(parts) });
      });
    });
    request.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    void write();

    async function write(): Promise<void> {
      request.flushHeaders();
      for (const chunk of chunks ?? []) {
        if (isAnswered || request.destroyed) return;
        if (!request.write(chunk)) await Promise.race([new Promise((go) => request.once("drain", go)), sleep(1_000)]);
        if (pauseMs !== undefined) await sleep(pauseMs);
      }
      if (chunks || headers["content-length"] === undefined) request.end();
    }
  });
}

/**
 * Sends the text unchanged, and returns all received data until the connection ends.
 *
 * @param isKeptOpen false: the sender half-closes after the text; true: it waits for the server to close the
 * connection.
 */
export async function sendText(url: string, text: string, isKeptOpen = false): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  if (isKeptOpen) socket.write(text);
  else socket.end(text);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("latin1");
}
