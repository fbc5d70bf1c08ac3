// A receiver of webhooks that answers on command and records the requests. Real sockets, HTTP or HTTPS, on loopback.
//
//   const receiver = await startReceiver();                 // answers 200; atEnd(() => receiver.close()) is the caller's
//   receiver.url                                            // http://127.0.0.1:40123
//   receiver.answer = 500;                                  // from now on; also { status, headers, body, delayMs }
//   receiver.answer = ({ path, number }) => (number < 3 ? "reset" : 200);   // by request; number counts from 1
//   await receiver.waitFor(4);                              // until four requests have come; throws after 30 s
//   receiver.requests[0].headers["webhook-id"]; receiver.requests[0].body;  // the very bytes
//   receiver.connections; receiver.togetherMax;             // TCP connections so far; concurrent requests
//
//   await startReceiver({ tls: "trusted" });   // https://localhost:…, by an authority that this process trusts
//   await startReceiver({ tls: "self-signed" | "wrong-name" | "expired" });
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Certificate, makeCertificate, trustedCertificate } from "../app/certificates.ts";

export interface ReceivedRequest {
  /** Counts from 1, in the order of complete receipt. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** TCP connection of the request, counted from 1. */
  readonly connection: number;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Delay before the response begins. */
  readonly delayMs?: number;
}

/**
 * A status with an empty body; a full response; a redirect (default 302); a body whose pieces come `pauseMs` apart
 * (endless without `pieces`); raw bytes, after which the connection is closed; `reset`: the connection is reset before
 * a response; `cut`: in the middle of the body of a 200; `hang`: no response.
 */
export type Answer =
  | number
  | PlainAnswer
  | { readonly redirect: string; readonly status?: number }
  | { readonly drip: string; readonly pauseMs: number; readonly pieces?: number; readonly status?: number }
  | { readonly raw: string | Buffer }
  | "reset"
  | "cut"
  | "hang";

export type Script = Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>);

export type TlsKind = "trusted" | "self-signed" | "wrong-name" | "expired";

export interface ReceiverOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
  readonly tls?: TlsKind;
  readonly answer?: Script;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  readonly connections: number;
  /** Maximum number of concurrent requests. */
  readonly togetherMax: number;
  answer: Script;
  /** Waits for a number of requests. @throws after `msMax`, default 30 s. */
  waitFor(count: number, msMax?: number): Promise<void>;
  /** Closes all connections, idle ones too. New ones are accepted. */
  breakConnections(): void;
  /** Stops at once, whatever is under way. */
  close(): Promise<void>;
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = "127.0.0.1", tls } = options;
  const requests: ReceivedRequest[] = [];
  const sockets = new Map<number, Socket>();
  const numbersByPort = new Map<number, number>();
  const ending = new AbortController();
  let connections = 0;
  let together = 0;
  let togetherMax = 0;

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    togetherMax = Math.max(togetherMax, ++together);
    response.once("close", () => together--);
    receive(request, response).catch(() => request.socket.destroy());
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = numbersByPort.get(request.socket.remotePort ?? 0) ?? 0;
    const body = await buffer(request);
    const received: ReceivedRequest = {
      number: requests.length + 1,
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
      atMs: Date.now(),
      connection,
    };
    requests.push(received);
    const { answer } = receiver;
    await give(typeof answer === "function" ? await answer(received) : answer, response, ending.signal);
  }

  const certificate = tls === undefined ? undefined : certificateOf(tls, host);
  // Idle connections stay open; a test closes them explicitly.
  const settings = { keepAliveTimeout: 60_000, requestTimeout: 0 };
  const server = certificate
    ? createTlsServer({ ...settings, ...certificate }, listener)
    : createServer(settings, listener);
  server.on("connection", (socket: Socket) => {
    const number = ++connections;
    sockets.set(number, socket);
    const port = socket.remotePort ?? 0;
    numbersByPort.set(port, number);
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(number);
      if (numbersByPort.get(port) === number) numbersByPort.delete(port);
    });
  });
  server.on("tlsClientError", () => {});
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const breakConnections = (): void => {
    for (const socket of sockets.values()) socket.destroy();
  };

  const receiver: Receiver = {
    url: tls === undefined ? `http://${host.includes(":") ? `[${host}]` : host}:${port}` : `https://localhost:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    get togetherMax() {
      return togetherMax;
    },
    answer: options.answer ?? 200,
    async waitFor(count, msMax = 30_000) {
      const until = Date.now() + msMax;
      while (requests.length < count) {
        if (Date.now() > until) throw new Error(`${requests.length} of ${count} requests came within ${msMax} ms`);
        await sleep(5);
      }
    },
    breakConnections,
    async close() {
      ending.abort();
      breakConnections();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

async function give(answer: Answer, response: ServerResponse, ending: AbortSignal): Promise<void> {
  if (answer === "hang") return;
  if (answer === "reset") return void response.socket?.resetAndDestroy();
  if (answer === "cut") {
    response.writeHead(200, { "content-length": "1000" }).write("half of");
    await sleep(20);
    return void response.socket?.resetAndDestroy();
  }
  if (typeof answer === "number") return void response.writeHead(answer, { "content-length": "0" }).end();
  if ("raw" in answer) return void response.socket?.end(answer.raw);
  if ("redirect" in answer) {
    return void response.writeHead(answer.status ?? 302, { location: answer.redirect, "content-length": "0" }).end();
  }
  if ("drip" in answer) {
    response.writeHead(answer.status ?? 200);
    for (let i = 0; i < (answer.pieces ?? Number.POSITIVE_INFINITY) && !response.destroyed; i++) {
      response.write(answer.drip);
      await sleep(answer.pauseMs, undefined, { signal: ending });
    }
    return void response.end();
  }
  if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { signal: ending });
  const body = Buffer.from(answer.body ?? "");
  response.writeHead(answer.status, { "content-length": String(body.length), ...answer.headers }).end(body);
}

function certificateOf(kind: TlsKind, host: string): Certificate {
  const names = ["localhost", host];
  switch (kind) {
    case "trusted":
      return trustedCertificate({ names });
    case "wrong-name":
      return trustedCertificate({ names: ["elsewhere.example"] });
    case "expired":
      return trustedCertificate({ names, until: new Date(Date.now() - 3_600_000) });
    case "self-signed":
      return makeCertificate({ names });
  }
}
