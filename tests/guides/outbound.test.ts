// docs/outbound.md: the page itself, and its programs when they are killed, refused, throttled, or reach no server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "../support/app/at-end.ts";
import { startProgram } from "../support/app/program.ts";
import { type TestClient, testServer } from "../support/app/server.ts";
import { tellStatuses } from "../support/webhooks/outbound-channels.ts";
import { fetchXml, list, readOn, waitFor } from "../support/webhooks/outbound-list.ts";
import { type Fence, fencesOf } from "./fences.ts";
import { environmentOf, guideFolder, isLeftOut, walkGuide } from "./walk.ts";

const page = "docs/outbound.md";
const server = await testServer();

test("the page, from its first block to its last", async (context) => {
  const client = await server.onboard("GUIDE");
  const { nextCursor } = await readOn(client);
  await tellStatuses(server, "GUIDE", ["O-1", "O-2", "O-3"]);
  await waitFor(client, nextCursor, 3);
  await walkGuide(context, page, {
    url: server.url,
    values: { FEED_URL: server.url, CLIENT: "GUIDE", KEY: client.credentials.feed.apiKey },
    environment: environmentOf(server),
  });
});

const folder = guideFolder();
for (const { name, source } of fencesOf(page)) if (name !== undefined) writeFileSync(path.join(folder, name), source);

const programs = [
  { file: "fetch-outbound.sh", command: ["sh", "fetch-outbound.sh"] },
  { file: "fetch-outbound.ts", command: [process.execPath, "fetch-outbound.ts"] },
  { file: "fetch_outbound.py", command: ["python3", "fetch_outbound.py"] },
] as const;
type Program = (typeof programs)[number];
const documents = 120;

for (const [i, program] of programs.entries()) {
  test(`${program.file} fetches all that waits, also when it is killed on the way`, async (context: TestContext) => {
    const fence = fencesOf(page).find(({ name }) => name === program.file) as Fence;
    const needs = program.command[0] === process.execPath ? "" : program.command[0];
    if (isLeftOut(context, { ...fence, remark: `needs: ${needs}` })) return;
    const client = await server.onboard(`TAKER${i}`);
    const orderIds = Array.from({ length: documents }, (_, number) => `O-${number}`);
    const { nextCursor } = await readOn(client);
    await tellStatuses(server, client.credentials.clientId, orderIds);
    const waiting = await waitFor(client, nextCursor, documents);
    const expected = new Map<string, string>();
    for (const { messageId, type } of waiting)
      expected.set(`${messageId}.${type}.xml`, await fetchXml(client, messageId));

    assert.equal((await run(program, client, "kept", {}, 20)).code, null, "it was killed");
    const left = await restOf(client);
    assert.ok(left > 0 && left < documents, `${left} are left`);
    const { code, out, err } = await run(program, client, "kept");
    assert.equal(code, 0, err);
    assert.equal(out.trim().split("\n").length, left);
    assert.deepEqual((await list(client)).items, []);
    const kept = path.join(folder, client.credentials.clientId, "kept");
    const files = readdirSync(kept).filter((name) => name.endsWith(".xml"));
    assert.deepEqual(files.sort(), [...expected.keys()].sort());
    for (const name of files) assert.equal(readFileSync(path.join(kept, name), "utf8"), expected.get(name), name);

    const refused = await run(program, client, "kept", { KEY: "cd_sandbox_nobody" });
    assert.equal(refused.code, 2);
    assert.match(refused.err, /status 401/);
    assert.equal((await run(program, client, "kept", { FEED_URL: "http://127.0.0.1:1" })).code, 3);
  });
}

test("each program that is asked to wait does, and repeats the call, but not for ever", {
  concurrency: programs.length,
}, async (context) => {
  // In parallel: most of the time is sleep.
  await Promise.all(
    programs.map((program, i) =>
      context.test(program.file, async (context) => {
        const fence = fencesOf(page).find(({ name }) => name === program.file) as Fence;
        const needs = program.command[0] === process.execPath ? "" : program.command[0];
        if (isLeftOut(context, { ...fence, remark: `needs: ${needs}` })) return;
        const client = await server.onboard(`HASTY${i}`);
        const { nextCursor } = await readOn(client);
        await tellStatuses(
          server,
          client.credentials.clientId,
          Array.from({ length: 12 }, (_, number) => `O-${number}`),
        );
        await waitFor(client, nextCursor, 12);
        await heedsRateLimit(program, client);
        await givesUp(program, client);
      }),
    ),
  );
});

/**
 * The server itself refuses: the test repeats the first call many times at once, until the server refuses it, on any
 * machine.
 */
async function heedsRateLimit(program: Program, client: TestClient): Promise<void> {
  await client.set({ rateLimit: "4/s" });
  const statuses: number[] = [];
  const front = await inFront(async (request, response) => {
    const ask = () =>
      fetch(`${server.url}${request.url}`, {
        method: request.method as string,
        headers: { "X-API-KEY": String(request.headers["x-api-key"]) },
      });
    const first = await ask();
    const answers = [first];
    while (!statuses.includes(429) && answers.every(({ status }) => status !== 429))
      answers.push(...(await Promise.all(Array.from({ length: 20 }, ask))));
    const answer = answers.find(({ status }) => status === 429) ?? first;
    await Promise.all(answers.map((other) => other !== answer && other.arrayBuffer()));
    statuses.push(answer.status);
    const wait = answer.headers.get("retry-after");
    response.writeHead(answer.status, wait === null ? {} : { "retry-after": wait });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const { code, out, err } = await run(program, client, "limited", { FEED_URL: front });
  await client.set({ rateLimit: "" });
  assert.equal(code, 0, err);
  assert.ok(statuses.includes(429), statuses.join(" "));
  assert.equal(out.trim().split("\n").length, 12);
  const files = readdirSync(path.join(folder, client.credentials.clientId, "limited"));
  assert.equal(files.filter((name) => name.endsWith(".xml")).length, 12);
  assert.deepEqual((await list(client)).items, []);
}

async function givesUp(program: Program, client: TestClient): Promise<void> {
  const times: number[] = [];
  const front = await inFront((_, response) => {
    times.push(performance.now());
    response.writeHead(503, { "retry-after": "2" }).end();
  });
  const { code, err } = await run(program, client, "away", { FEED_URL: front });
  assert.equal(code, 3, err);
  assert.match(err, /status 503/);
  assert.equal(times.length, 5);
  for (const [i, time] of times.slice(1).entries()) assert.ok(time - (times[i] as number) > 1_900, `attempt ${i + 2}`);
}

/** A separate address that `answer` serves. */
async function inFront(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const front = createServer(answer).listen(0, "127.0.0.1");
  await once(front, "listening");
  atEnd(() => {
    front.closeAllConnections();
    front.close();
  });
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

/**
 * The number of remaining documents after the server has processed all requests of the killed program, which no client
 * observes. It counts as final when several checks agree: on a busy machine, this may take a while.
 */
async function restOf(client: TestClient): Promise<number> {
  const count = async () => (await list(client, "?limit=500")).items.length;
  let left = await count();
  for (let same = 0; same < 5; ) {
    await sleep(500);
    const now = await count();
    same = now === left ? same + 1 : 0;
    left = now;
  }
  return left;
}

/** @param linesMax kills the program after this number of printed lines */
async function run(
  { command }: Program,
  { credentials }: TestClient,
  into: string,
  more: Record<string, string> = {},
  linesMax = Number.POSITIVE_INFINITY,
) {
  const { clientId, feed } = credentials;
  const program = startProgram([...command, path.join(clientId, into)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      FEED_URL: server.url,
      CLIENT: clientId,
      KEY: feed.apiKey,
      PYTHONUNBUFFERED: "1",
      ...more,
    },
    detached: true,
  });
  program.child.stdout.on("data", () => {
    if (program.stdout().split("\n").length > linesMax) void program.kill();
  });
  const { code, stdout: out, stderr: err } = await program.ended;
  return { code, out, err };
}
