import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createOutboundConsumer } from "#/delivery/outbound/consumer.ts";
import * as repository from "#/delivery/outbound/repository.ts";
import { findOutbound } from "#/delivery/outbound/repository.ts";
import { createOutcomeConsumer } from "#/intake/feeds/outcome.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql } from "#/store/db/sql.ts";
import { createOutboxWriter, type EventDraft } from "#/store/outbox/append.ts";
import { type Consumer, startRelay } from "#/store/outbox/relay.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { patient, testDatabase } from "../../../tests/support/postgres/database.ts";
import * as samples from "../../../tests/support/webhooks/outbound.ts";

const { database } = await testDatabase();
const ids = createIds();
const writer = createOutboxWriter(ids);

const statusEvent = (orderId: string, more: Partial<EventDraft> = {}): EventDraft => ({
  topic: "order:allocated",
  objectType: "order",
  objectId: orderId,
  facilityCode: "DC1",
  data: {},
  outbound: { type: "OS", objectId: orderId, content: { ...samples.orderStatus, orderId } },
  ...more,
});

function append(clientId: string, ...drafts: readonly EventDraft[]): Promise<void> {
  return database.transaction(async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), drafts));
}

/** Publishes the waiting rows, with the given consumers followed by the one under test. */
async function publish(clientId: string, ...before: readonly Consumer[]): Promise<void> {
  const relay = startRelay({
    database,
    clock: systemClock,
    ids,
    pollMs: 10,
    consumers: [...before, createOutboundConsumer(ids)],
    onError: () => {},
  });
  try {
    const rows = () =>
      database.query<{ n: number }>(
        sql`select count(*) as n from outbox where client_id = ${clientId} and state = 'PENDING'`,
      );
    for (const until = Date.now() + 60_000; (await rows())[0]?.n !== 0 && Date.now() < until; ) await sleep(10);
  } finally {
    await relay.stop();
  }
}

const listed = async (clientId: string, after = 0) =>
  (await repository.listPending(database.of(clientId), after, undefined, 1_000)).map(({ objectId }) => objectId);

test("documents are in the order of the events, followed by those of events that consumers cause", async () => {
  const { clientId } = await insertClient(database, { clientId: "ORDER" });
  const silent = statusEvent("silent", { outbound: undefined });
  await append(clientId, statusEvent("1"), silent, statusEvent("2"), statusEvent("1"));
  await publish(clientId, { consume: async () => [statusEvent("caused")] });
  assert.deepEqual(await listed(clientId), ["1", "2", "1", "caused"]);
});

test("all documents of many large events are stored", async () => {
  const { clientId } = await insertClient(database, { clientId: "LARGE" });
  const view = database.of(clientId);
  const [line] = samples.orderStatus.lines;
  const lines = Array.from({ length: 1_000 }, (_, i) => ({ ...line, lineNumber: i + 1 }));
  const orderIds = Array.from({ length: 40 }, (_, i) => `L-${i}`);
  await append(
    clientId,
    ...orderIds.map((orderId) =>
      statusEvent(orderId, {
        outbound: { type: "OS", objectId: orderId, content: { ...samples.orderStatus, orderId, lines } },
      }),
    ),
  );
  await publish(clientId);
  const rows = await repository.listPending(view, 0, "OS", 1_000);
  assert.deepEqual(
    rows.map(({ objectId }) => objectId),
    orderIds,
  );
  for (const { messageId, objectId, size } of rows) {
    const xml = await repository.findPayload(view, messageId);
    assert.equal(xml?.byteLength, size);
    assert.ok(xml?.includes(`<messageId>${messageId}</messageId>`) && xml.includes(`<orderId>${objectId}</orderId>`));
    assert.ok(xml?.includes("<lineNumber>1000</lineNumber>"));
  }
});

test("an event whose publication is retried makes one document", async () => {
  const { clientId } = await insertClient(database, { clientId: "AGAIN" });
  await append(clientId, statusEvent("1"), statusEvent("2"));
  let failuresLeft = 2;
  const failing: Consumer = {
    async consume() {
      if (failuresLeft-- > 0) throw new Error("made to fail");
      return [];
    },
  };
  await publish(clientId, failing);
  assert.deepEqual(await listed(clientId), ["1", "2"]);
});

test("a document whose processing fails for good has an ACK with the reason", async () => {
  const { clientId } = await insertClient(database, { clientId: "GIVEUP" });
  const view = database.of(clientId);
  const token = ids.next(Date.now());
  const data = { token, feedType: "NO", objectId: "1001", errors: [] };
  await append(clientId, { topic: "feed:accepted", objectType: "feed", objectId: token, feedToken: token, data });
  const failing: Consumer = {
    async consume(_tx, _at, rows) {
      if (rows.some(({ topic }) => topic === "feed:accepted")) throw new Error("made to fail");
      return [];
    },
  };
  const statusOf = async () => new Map([[token, { status: "RECEIVED", facilityCode: "DC1" }]]);
  await publish(
    clientId,
    failing,
    createOutcomeConsumer(() => {}, statusOf),
  );
  const [ack, ...others] = await findOutbound(view, token);
  assert.deepEqual([ack?.type, others], ["ACK", []]);
  const xml = String(await repository.findPayload(view, ack?.messageId as string));
  assert.match(xml, /<result>FAILED<\/result>\s*<errors>\s*<error>Asynchronous processing of the document failed/);
  assert.match(xml, /<distributionCentre>DC1<[\s\S]*<objectId>1001<[\s\S]*<status>RECEIVED</);
});

test("positions of the list become visible in order with overlapping writers", async () => {
  const { clientId } = await insertClient(database, { clientId: "PLACES" });
  const taken: number[] = [];
  const write = (name: string, pauseMs: number) =>
    database.transaction(async (tx) => {
      const view = tx.of(clientId);
      const position = await repository.takePositions(view, 1);
      await sleep(pauseMs);
      const payload = Buffer.from("<x/>");
      const document = {
        type: "OS",
        objectId: name,
        facilityCode: "DC1",
        feedToken: null,
        part: 1,
        parts: 1,
      } as const;
      const messageId = ids.next(Date.now());
      repository.insertDocuments(view, new Date().toISOString(), position, [
        { ...document, messageId, payload, channels: { isHttp: true, isSftp: false } },
      ]);
      taken.push(position);
    }, patient);
  let cursor = 0;
  const seen: string[] = [];
  let isWriting = true;
  const reading = (async () => {
    while (isWriting) {
      const rows = await repository.listPending(database.of(clientId), cursor, undefined, 1_000);
      seen.push(...rows.map(({ objectId }) => objectId));
      cursor = rows.at(-1)?.listPosition ?? cursor;
    }
  })();
  const names = Array.from({ length: 12 }, (_, i) => `W-${i}`);
  await Promise.all(names.slice(0, 6).map((name, i) => write(name, 30 - i * 5)));
  await Promise.all(names.slice(6).map((name, i) => write(name, i * 5)));
  isWriting = false;
  await reading;
  seen.push(...(await listed(clientId, cursor)));
  assert.deepEqual(seen.toSorted(), names.toSorted());
  assert.deepEqual(
    taken,
    names.map((_, i) => i),
  );
});
