// docs/sending-feeds.md: the page itself, and each of its programs under failures.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { startProgram } from "../support/app/program.ts";
import { type TestClient, testServer } from "../support/app/server.ts";
import { catalogue } from "../support/builders/documents.ts";
import { type Fence, fencesOf } from "./fences.ts";
import { environmentOf, guideFolder, isLeftOut, walkGuide } from "./walk.ts";

const page = "docs/sending-feeds.md";
const server = await testServer();
const guide = await server.onboard("GUIDE");

test("the page, from its first block to its last", async (context) => {
  const { client_id, client_secret } = guide.credentials.oauth;
  await walkGuide(context, page, {
    url: server.url,
    values: { FEED_URL: server.url, CLIENT: "GUIDE", KEY: guide.credentials.feed.apiKey },
    environment: environmentOf(server),
    // The reader has these values from the screen.
    prepare(folder) {
      writeFileSync(path.join(folder, "client_id"), client_id);
      writeFileSync(path.join(folder, "client_secret"), client_secret);
    },
  });
  const [stored] = await server.rows<{ n: number }>(
    "select count(*)::int n from sales_order where client_id = 'GUIDE' limit 1",
  );
  assert.equal(stored?.n, 5, "one order of each program");
});

const folder = guideFolder();
for (const { name, source } of fencesOf(page)) if (name !== undefined) writeFileSync(path.join(folder, name), source);

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Program {
  readonly name: string;
  readonly file: string;
  readonly compile?: readonly string[];
  readonly command: readonly string[];
  /** Whether it logs each retry. */
  readonly tells: boolean;
}

const programs: readonly Program[] = [
  { name: "curl", file: "send-order.sh", command: ["sh", "send-order.sh"], tells: false },
  { name: "TypeScript", file: "send-order.ts", command: [process.execPath, "send-order.ts"], tells: true },
  {
    name: "Java",
    file: "SendOrder.java",
    tells: true,
    compile: ["javac", "--release", "11", "-Xlint:-options", "SendOrder.java"],
    command: ["java", "SendOrder"],
  },
  { name: "Python", file: "send_order.py", command: ["python3", "send_order.py"], tells: true },
  {
    name: "C#",
    file: "SendOrder.cs",
    tells: true,
    compile: ["mcs", "-langversion:latest", "-r:System.Net.Http", "-r:System.Xml.Linq", "SendOrder.cs"],
    command: ["mono", "SendOrder.exe"],
  },
];

/** @param hear receives the complete standard error so far, whenever it grows */
async function run(
  command: readonly string[],
  env: Record<string, string>,
  hear: (err: string) => void = () => {},
): Promise<Ran> {
  const program = startProgram(command, {
    cwd: folder,
    env: { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: folder, ...env },
  });
  program.child.stderr.on("data", () => hear(program.stderr()));
  const { code, stdout, stderr } = await program.ended;
  return { code: code as number, out: stdout, err: stderr };
}

/**
 * A server before the real one that handles one request after the other as configured, and then forwards all others.
 */
async function inFront(...manners: readonly Manner[]): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const left = [...manners];
  const bodies: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    bodies.push(body.toString());
    await (left.shift() ?? passOn)(request, response, body);
  };
  const front = createServer((request, response) => void answer(request, response));
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  atEnd(() => closeAll(front));
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, bodies };
}

type Manner = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void> | void;

function closeAll(front: Server): void {
  front.close();
  front.closeAllConnections();
}

async function passOn(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const answer = await ask(request, body);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.bytes());
}

const ask = (request: IncomingMessage, body: Buffer) =>
  fetch(server.url + request.url, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(?:x-|content-type|idemp)/.test(name)),
    ) as Record<string, string>,
    body: new Uint8Array(body),
  });

/** The server accepts the document, but the sender gets no answer. */
const loseAnswer: Manner = async (request, response, body) => {
  await (await ask(request, body)).bytes();
  response.destroy();
};
const answerNothing: Manner = (_request, response) => void response.destroy();
const beAway: Manner = (_request, response) => void response.writeHead(503, { "retry-after": "2" }).end();

/** All characters that a program must escape. */
const lastName = "Ö & <B> \"C\" 'D' ]]>";

test("each program retries temporary failures, with the same key and the same bytes", {
  concurrency: programs.length,
  timeout: 240_000,
}, async (context) => {
  const tried = programs.map((program, i) =>
    context.test(program.name, (subtest) => tryOut(subtest, program, `SENDER${i}`)),
  );
  await Promise.all(tried);
});

async function tryOut(context: TestContext, program: Program, clientId: string): Promise<void> {
  const { compile, command, file, name } = program;
  const fence = fencesOf(page).find((fence) => fence.name === file) as Fence;
  const needs = [compile?.[0], command[0]].filter((tool) => tool !== undefined && tool !== process.execPath);
  if (isLeftOut(context, { ...fence, remark: `needs: ${needs.join(", ")}` })) return;
  if (compile) assert.deepEqual(await run(compile, {}), { code: 0, out: "", err: "" });
  const client = await server.onboard(clientId);
  await client.accept("CAT", catalogue(clientId, ["TEE-M"]));
  const send: Send = (url, orderId, more = {}, hear = () => {}) => {
    const environment = { FEED_URL: url, CLIENT: clientId, KEY: client.credentials.feed.apiKey, ...more };
    return run([...command, `${name}-${orderId}.xml`, orderId, "TEE-M", "2", lastName], environment, hear);
  };
  const givingUp = givesUp(client, send);
  await survivesFailures(program, client, send);
  await heedsRateLimit(program, client, send);
  await comesBackLater(program, client, send);
  await knowsWhenNever(send);
  await givingUp;
}

type Send = (url: string, orderId: string, more?: Record<string, string>, hear?: (err: string) => void) => Promise<Ran>;

async function survivesFailures(program: Program, client: TestClient, send: Send): Promise<void> {
  const front = await inFront(answerNothing, beAway, loseAnswer);
  const startedMs = performance.now();
  const { code, out, err } = await send(front.url, "O-1");
  assert.equal(code, 0, err);
  assert.match(out, /^accepted O-1 as [0-9a-f-]{36}, at an earlier try\n$/);
  assert.equal(front.bodies.length, 4);
  assert.equal(new Set(front.bodies).size, 1, "the bytes are the same each time");
  assert.ok(performance.now() - startedMs > 2_000, "Retry-After is heeded");
  if (program.tells) assert.equal(err.match(/^again in \d+ s: /gm)?.length, 3, err);
  const { shipToAddress } = (await client.order("O-1")) as { shipToAddress: { lastName: string } };
  assert.equal(shipToAddress.lastName, lastName);
}

async function heedsRateLimit(program: Program, client: TestClient, send: Send): Promise<void> {
  await client.set({ rateLimit: "1/s" });
  // Sends the document until the server itself refuses it: the program gets that answer, and its next attempt counts
  // separately.
  let waitSeconds = 0;
  const front = await inFront(async (request, response, body) => {
    let answer = await ask(request, body);
    while (answer.status !== 429) {
      await answer.bytes();
      answer = await ask(request, body);
    }
    waitSeconds = Number(answer.headers.get("retry-after"));
    response.writeHead(429, Object.fromEntries(answer.headers)).end(await answer.bytes());
  });
  const { code, err } = await send(front.url, "O-2");
  assert.equal(code, 0, err);
  assert.ok(waitSeconds >= 1);
  if (program.tells) assert.match(err, /^again in \d+ s: status 429$/m);
  await client.set({ rateLimit: "" });
}

async function comesBackLater(program: Program, client: TestClient, send: Send): Promise<void> {
  // No server listens at this address until the program has logged a failed attempt, however long its start takes.
  const port = await freePort();
  const front = createServer((request, response) => {
    void buffer(request).then((body) => passOn(request, response, body));
  });
  atEnd(() => closeAll(front));
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  const running = send(`http://127.0.0.1:${port}`, "O-3", {}, (output) => /^again in /m.test(output) && resolve());
  await (program.tells ? Promise.race([tried, running]) : sleep(1_500));
  front.listen(port, "127.0.0.1");
  const { code, out, err } = await running;
  assert.equal(code, 0, err);
  assert.match(out, /^accepted O-3 as [0-9a-f-]{36}\n$/);
  if (program.tells) assert.match(err, /^again in 1 s: no answer \(.+\)$/m);
  assert.ok(await client.order("O-3"));
}

async function knowsWhenNever(send: Send): Promise<void> {
  const wrong = await send(server.url, "O-4", { KEY: "cd_sandbox_nobody" });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^refused with status 401: .*\[AUTH\] /s);
  const foreign = await send(server.url, "O-4", { CLIENT: "GUIDE" });
  assert.equal(foreign.code, 2);
  assert.match(foreign.err, /^refused with status 403: .*\[FORBIDDEN\] /s);
}

async function givesUp(client: TestClient, send: Send): Promise<void> {
  const { code, err } = await send(`http://127.0.0.1:${await freePort()}`, "O-5");
  assert.equal(code, 3, err);
  assert.match(err, /^not known after 5 attempts: .+; call it again with the same file$/m);
  assert.equal(await client.order("O-5"), undefined);
}
