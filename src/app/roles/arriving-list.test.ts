import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedDefinitions } from "#/app/roles/feed-definitions.ts";
import { createCommitter } from "#/intake/feeds/intake/commit.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { createPieceStream, joinPieces } from "#/intake/feeds/intake/intake-pool.ts";
import {
  type BegunList,
  createReceiver,
  type Intake,
  type PostedPiece,
  takeIn,
} from "#/intake/feeds/intake/receiver.ts";
import { createValidator } from "#/intake/feeds/intake/validator.ts";
import { createXmlEngine } from "#/intake/xml/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { until } from "../../../tests/support/app/until.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { catalogue } from "../../../tests/support/builders/documents.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const ids = createIds();
const client = await insertClient(database);
const definitions = createFeedDefinitions(createCarrierSets());
const validate = createValidator(await createXmlEngine(), definitions, readXsd);

/** Receives one document of which the test decides when its pieces and its end arrive. */
function arrive(document: string, of: FeedClient = client) {
  const posted: PostedPiece[] = [];
  const bytes = Buffer.from(document);
  const intake = takeIn(validate, { type: "CAT", bytes, charset: undefined, client: of }, (piece) =>
    posted.push(piece),
  );
  const pieces = createPieceStream();
  const whole = Promise.withResolvers<Intake>();
  let begin: ((list: BegunList) => void) | undefined;
  const statements: string[] = [];
  const watched: typeof database = {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        statements.push("begin");
        const query: typeof tx.query = (statement) => {
          statements.push(statement.text.trim());
          return tx.query(statement);
        };
        return work({ ...tx, query });
      }, options),
  };
  const receiver = createReceiver({
    clock: systemClock,
    committer: createCommitter({
      database: watched,
      clock: systemClock,
      ids,
      definitions,
      writers: [1, 2, 3].map(() => createOutboxWriter(ids)),
    }),
    takeIn(_input, onBegun) {
      begin = onBegun;
      return whole.promise;
    },
    isStoreDown: () => false,
    isDistributed: false,
  });
  atEnd(() => receiver.close());
  const receipt = receiver.receive({
    client: of,
    type: "CAT",
    channel: "HTTP",
    bytes,
    contentType: "application/xml",
    charset: undefined,
    idempotencyKey: undefined,
    token: ids.next(Date.now()),
  });
  return {
    posted,
    receipt,
    inserts: () => statements.filter((text) => text.startsWith("insert into item")).length,
    transactions: () => statements.filter((text) => text === "begin").length,
    post(count: number) {
      for (const { piece, bodySha256 } of posted.splice(0, count)) {
        pieces.add(piece);
        begin?.({ bodySha256, pieces });
      }
    },
    end() {
      this.post(posted.length);
      whole.resolve(joinPieces(intake, pieces));
      return receipt;
    },
    fail(error: Error) {
      pieces.end(false);
      whole.reject(error);
    },
  };
}

const items = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => ({ sku: `${prefix}-${i}`, name: "n".repeat(200) }));
const document = (prefix: string, more: readonly { sku: string; name: string; eanCode?: string }[] = []) =>
  catalogue("DEMO", [...items(6_000, prefix), ...more]);

async function countItems(prefix: string): Promise<number> {
  const [row] = await database.query<{ n: number }>({
    text: "select count(*)::int as n from item where client_id = 'DEMO' and sku like $1",
    values: [`${prefix}-%`],
    name: "count items",
    isTenant: false,
  });
  return row?.n ?? 0;
}

test("the pieces of a catalogue are written while the rest of it is read, in one transaction", async () => {
  const list = arrive(document("GOOD"));
  const count = list.posted.length;
  assert.ok(count > 2, `${count} pieces`);
  for (let written = 1; written < count; written++) {
    list.post(1);
    await until("a piece to be written", () => list.inserts() >= written);
  }
  assert.equal(await countItems("GOOD"), 0, "no item is visible before the commit");
  const receipt = await list.end();
  assert.ok(receipt.kind === "validated" && receipt.isAccepted);
  assert.deepEqual([await countItems("GOOD"), list.transactions()], [6_000, 1]);
});

test("nothing stays of a catalogue with a fault behind the pieces that are written", async () => {
  const twice = arrive(document("TWICE", [{ sku: "TWICE-0", name: "again" }]));
  const pieceCount = twice.posted.length;
  twice.post(1);
  await until("a piece to be written", () => twice.inserts() === 1);
  const receipt = await twice.end();
  assert.ok(receipt.kind === "validated");
  assert.match(receipt.ack.toString(), /item\[6001\]\/sku: SKU 'TWICE-0' is in the document twice, first as item\[1\]/);
  const broken = arrive(document("BROKEN").replace("</itemMaster>", "<item/></itemMaster>"));
  assert.ok(broken.posted.length > 0 && pieceCount > 1);
  broken.post(1);
  const refusal = await broken.end();
  assert.ok(refusal.kind === "validated" && !refusal.isAccepted);
  assert.match(refusal.ack.toString(), /item\[6001\]: element 'sku' is missing/);
  assert.deepEqual([await countItems("TWICE"), await countItems("BROKEN")], [0, 0]);
});

test("an EAN that moves from a later item to an earlier one is judged with the whole document", async () => {
  await arrive(document("EAN", [{ sku: "EAN-LAST", name: "l", eanCode: "E" }])).end();
  const moved = items(6_000, "EAN").map((item, i) => (i === 0 ? { ...item, eanCode: "E" } : item));
  const list = arrive(catalogue("DEMO", [...moved, { sku: "EAN-LAST", name: "l" }]));
  list.post(1);
  await until("a transaction to begin", () => list.transactions() === 1);
  const receipt = await list.end();
  assert.ok(receipt.kind === "validated" && receipt.isAccepted, String(receipt.kind));
  assert.equal(list.transactions(), 2);
  const held = arrive(
    catalogue(
      "DEMO",
      moved.map((item, i) => (i === 1 ? { ...item, eanCode: "E" } : { ...item, eanCode: "" })),
    ),
  );
  const taken = await held.end();
  assert.ok(taken.kind === "validated" && taken.isAccepted);
});

test("a catalogue whose next piece is late lets go of its items", async () => {
  await arrive(document("LATE")).end();
  const slow = arrive(document("LATE"));
  slow.post(1);
  await until("a piece to be written", () => slow.inserts() === 1);
  const other = await arrive(catalogue("DEMO", [{ sku: "LATE-0", name: "Other" }])).end();
  assert.ok(other.kind === "validated" && other.isAccepted);
  const receipt = await slow.end();
  assert.ok(receipt.kind === "validated" && receipt.isAccepted);
  assert.equal(slow.transactions(), 2);
});

test("a thread that ends in the middle of a catalogue leaves nothing of it", async () => {
  const list = arrive(document("CUT"));
  list.post(1);
  await until("a piece to be written", () => list.inserts() === 1);
  list.fail(new Error("the reading thread ended"));
  await assert.rejects(list.receipt, /the reading thread ended/);
  assert.equal(await countItems("CUT"), 0);
});
