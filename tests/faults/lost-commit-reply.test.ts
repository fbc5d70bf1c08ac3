// The reply to a COMMIT is lost: the document is looked up, and its sender gets the answer of what became of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { CommitUnknownError, StoreUnavailableError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../support/app/at-end.ts";
import { insertClient } from "../support/builders/client.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { testDatabase } from "../support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const ids = createIds();
const unknown = () => new CommitUnknownError("the outcome of the commit is unknown");

type Fault = "none" | "reply lost" | "rolled back" | "reply lost, store away";
let fault: Fault = "none";
const faulty: Database = {
  ...database,
  async transaction(work, options) {
    if (fault === "none") return database.transaction(work, options);
    if (fault === "rolled back") {
      await database.transaction(async (tx) => {
        await work(tx);
        throw unknown();
      }, options);
    }
    await database.transaction(work, options);
    throw unknown();
  },
  query(statement) {
    if (fault === "reply lost, store away") throw new StoreUnavailableError("away");
    return database.query(statement);
  },
};
const stack = await createFeedStack({ database: faulty, clock: systemClock, ids });
atEnd(() => stack.close());

function receive(type: "CAT" | "NO", xml: string) {
  return stack.receiver.receive({
    client,
    type,
    token: ids.next(Date.now()),
    channel: "HTTP",
    contentType: "application/xml",
    charset: undefined,
    idempotencyKey: undefined,
    bytes: Buffer.from(xml),
  });
}

const kept = async (orderId: string) => {
  const rows = await database.query(sql`select from sales_order where client_id = 'DEMO' and order_id = ${orderId}`);
  return rows.length;
};

test("a committed document is answered with its ACK although the reply to its COMMIT was lost", async () => {
  await receive("CAT", catalogue("DEMO", ["A"]));
  fault = "reply lost";
  const receipt = await receive("NO", order("DEMO", "O-1", ["A"]));
  assert.ok(receipt.kind === "validated" && receipt.isAccepted);
  assert.match(receipt.ack.toString(), /<success>true<\/success>/);
  const rejected = await receive("NO", order("DEMO", "O-1", ["A"]));
  assert.ok(rejected.kind === "validated" && !rejected.isAccepted);
  assert.equal(await kept("O-1"), 1);
});

test("a document that was not committed, or cannot be looked up, is answered as unavailable", async () => {
  fault = "rolled back";
  await assert.rejects(receive("NO", order("DEMO", "O-2", ["A"])), StoreUnavailableError);
  assert.equal(await kept("O-2"), 0);
  fault = "reply lost, store away";
  await assert.rejects(receive("NO", order("DEMO", "O-3", ["A"])), StoreUnavailableError);
  assert.equal(await kept("O-3"), 1);
});
