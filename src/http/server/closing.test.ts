// The answers of a server between the start of its shutdown and its end.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpServer, type HttpServerOptions } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";

async function listening(options: Partial<HttpServerOptions> = {}) {
  const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
  const app = createHttpServer({ log, clock: systemClock, ids: createIds(), trustedProxies: [], ...options });
  after(() => app.close());
  const names: string[] = [];
  app.get("/things/:name", async (request) => {
    const { name } = request.params as { name: string };
    names.push(name);
    if (name.startsWith("slow")) await sleep(200);
    return { name };
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, asked: names, port: (app.server.address() as AddressInfo).port };
}

interface Connection {
  readonly socket: Socket;
  /** All text received so far. */
  text(): string;
  ask(name: string): void;
  readonly closed: Promise<unknown>;
}

async function connected(port: number): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  return {
    socket,
    closed,
    text: () => text,
    ask: (name) => void socket.write(`GET /things/${name} HTTP/1.1\r\nHost: here\r\n\r\n`),
  };
}

/** Waits until `count` complete answers have arrived. */
async function answers({ text }: Connection, count: number): Promise<void> {
  for (const endMs = performance.now() + 30_000; text().split(/"name":"[^"]*"}/).length <= count; await sleep(5))
    assert(performance.now() < endMs, `${count} answers came: ${text()}`);
}

test("before the stop each answer closes its connection, and idle connections stay until their next request", async () => {
  let isDraining = false;
  const { port, asked } = await listening({ isDraining: () => isDraining });
  const busy = await connected(port);
  const idle = await connected(port);
  for (const connection of [busy, idle]) connection.ask("before");
  await Promise.all([answers(busy, 1), answers(idle, 1)]);
  assert.match(busy.text(), /Connection: keep-alive/i);
  isDraining = true;
  busy.ask("last");
  await busy.closed;
  await answers(busy, 2);
  assert.match(busy.text(), /Connection: close/i);
  await sleep(100);
  assert.equal(idle.socket.readyState, "open");
  idle.ask("late");
  await idle.closed;
  await answers(idle, 2);
  assert.deepEqual(asked, ["before", "before", "last", "late"]);
});

test("a request after an answer that closes the connection is not processed", async () => {
  const { port, asked } = await listening({ isDraining: () => true });
  const connection = await connected(port);
  connection.ask("slow");
  connection.ask("behind");
  await connection.closed;
  assert.deepEqual(asked, ["slow"]);
  await answers(connection, 1);
});

test("a request that has arrived when the server closes is answered, on an old connection and on a new one", async () => {
  const { app, port, asked } = await listening();
  const old = await connected(port);
  old.ask("first");
  await answers(old, 1);
  const fresh = connect({ port, host: "127.0.0.1" });
  let came = "";
  fresh
    .on("error", () => {})
    .on("data", (chunk: Buffer) => {
      came += chunk;
    });
  fresh.write("GET /things/third HTTP/1.1\r\nHost: here\r\n\r\n");
  const gone = once(fresh, "close");
  // The connection is established after this turn.
  await new Promise((resolve) => setImmediate(resolve));
  old.ask("second");
  // The system delivers both to the server, which is this process. The server has read none of it when the test closes
  // it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const closing = app.close();
  await Promise.all([old.closed, gone, closing]);
  await answers(old, 2);
  assert.match(came, /"name":"third"/);
  assert.deepEqual(asked.toSorted(), ["first", "second", "third"]);
});

test("the 404 of a path names the role that serves it, if one does", async () => {
  const { port } = await listening({
    absenceOf: (path) => (path.startsWith("/feeds") ? "Feeds are served elsewhere." : undefined),
  });
  const detailOf = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [response.status, ((await response.json()) as { detail: string }).detail];
  };
  assert.deepEqual(await detailOf("/feeds/ACME/NO", "POST"), [404, "Feeds are served elsewhere."]);
  assert.deepEqual(await detailOf("/feed"), [404, "No operation has this path."]);
  assert.deepEqual(await detailOf("/things/1", "DELETE"), [405, "The path does not take DELETE; it takes GET, HEAD."]);
});
