// One sender's bodies neither end the process nor block others: a real process with the memory budget for 1 GiB.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createIds } from "#/kernel/values/ids.ts";
import { onboardClient } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { watchMachine } from "../support/app/machine.ts";
import { makeDataDir, spawnProcess, urlIn } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { type FeedAnswer, readAcknowledgement } from "../support/oracles/acknowledgement.ts";
import { testDatabase } from "../support/postgres/database.ts";

const mebibyte = 1024 * 1024;
const attempts = 150;
const residentMiBMax = 600;

const { url: databaseUrl, database } = await testDatabase();
const stretch = watchMachine();
const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids: createIds() };
const keyOf = (clientId: string) =>
  database.transaction(async (tx) => {
    const client = { clientId, name: clientId, facilities: ["DC1"], environment: "sandbox" };
    const onboarded = await onboardClient(tx, change, client);
    assert.ok(onboarded.ok);
    return onboarded.value.feed.apiKey;
  });
await database.transaction((tx) =>
  createFacility(tx, change, { facilityCode: "DC1", name: "DC1", country: "GB", timezone: "Europe/London" }),
);
const keys = { FLOOD: await keyOf("FLOOD"), CALM: await keyOf("CALM") };

const node = spawnProcess(makeDataDir(), {
  DATABASE_URL: databaseUrl,
  CROSSDOCK_SECRET: "a master key for tests, long enough",
  CROSSDOCK_ROLES: "feeds",
  CROSSDOCK_SEED_DEMO: "false",
  // An eighth of the containers' 1 GiB.
  CROSSDOCK_BODY_MEMORY: "128",
});
const url = await until("the node", () => urlIn(node.output()), 200_000);

async function send(clientId: keyof typeof keys, type: string, body: string | Uint8Array, headers = {}) {
  const response = await fetch(`${url}/feeds/${clientId}/${type}`, {
    method: "POST",
    headers: { "content-type": "application/xml", "x-api-key": keys[clientId], ...headers },
    body: body as string,
  });
  const answer = readAcknowledgement(response.status, response.headers, await response.bytes());
  return { ...answer, retryAfter: response.headers.get("retry-after") };
}

function residentMiB(): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${node.pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) / 1024;
}

let orders = 0;

/**
 * Sends 150 bodies at once while another client sends orders. @returns the outcome of the bodies, and the duration of
 * the orders
 */
async function flood(
  body: Uint8Array,
): Promise<{ refused: (FeedAnswer & { retryAfter: string | null })[]; medianMs: number }> {
  let isOver = false;
  const sending = Promise.all(
    Array.from({ length: attempts }, () => send("FLOOD", "CAT", body, { "content-encoding": "gzip" })),
  ).finally(() => {
    isOver = true;
  });
  const durations: number[] = [];
  while (!isOver || durations.length < 5) {
    const beganMs = performance.now();
    const answer = await send("CALM", "NO", order("CALM", `CALM-${++orders}`, ["A"]));
    durations.push(performance.now() - beganMs);
    assert.ok(answer.isAccepted, answer.body);
  }
  const refused = (await sending).filter(({ status }) => status !== 200);
  durations.sort((left, right) => left - right);
  return { refused, medianMs: durations[Math.floor(durations.length / 2)] as number };
}

test("150 gzip bodies of 20 kB that unfold to 20 MiB are refused before they have, and others are served", async () => {
  assert.ok((await send("CALM", "CAT", catalogue("CALM", ["A"]))).isAccepted);
  const bomb = gzipSync(Buffer.alloc(20 * mebibyte, 0x20));
  assert.ok(bomb.length < 21_000);
  const { refused, medianMs } = await flood(bomb);
  assert.equal(refused.length, attempts);
  for (const { status, errors } of refused) {
    assert.ok(status === 413 || status === 429);
    assert.match(
      errors[0] as string,
      status === 413 ? /^\[TOO_LARGE\] The gzip stream unfolds/ : /^\[RATE\] The bodies/,
    );
  }
  assert.ok(residentMiB() < residentMiBMax, `${residentMiB()} MiB`);
  assert.ok(medianMs < 1_000 * stretch(), `an order took ${medianMs} ms`);
});

test("150 bodies that unfold less steeply get 429 beyond the client's share, and others are served", async () => {
  const line = () => randomBytes(8).toString("hex").padEnd(1024);
  const steep = gzipSync(Array.from({ length: 20 * 1024 }, line).join(""));
  const { refused, medianMs } = await flood(steep);
  assert.ok(refused.length > attempts / 2, `${refused.length} were refused`);
  for (const { status, errors, retryAfter } of refused) {
    assert.equal(status, 429);
    assert.match(errors[0] as string, /^\[RATE\] The bodies in progress from this sender use 42 MiB/);
    assert.equal(retryAfter, "2");
  }
  assert.ok(residentMiB() < residentMiBMax, `${residentMiB()} MiB`);
  assert.ok(medianMs < 1_000 * stretch(), `an order took ${medianMs} ms`);
  // The reserved memory is free again.
  assert.equal((await send("FLOOD", "CAT", steep, { "content-encoding": "gzip" })).status, 200);
});
