// The waits of an upload for the database: each is a part of the time of a session that uploads file after file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { views } from "#/store/db/client-view.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import type { Statement } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { order } from "../../../../tests/support/builders/documents.ts";
import { catalogueXml, isAccepted, startExchange } from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);

/** The statements of transactions in the order in which they were sent and answered. */
const steps: string[] = [];

function noted(tx: Transaction): Transaction {
  const note = (step: string, { text }: Statement) => steps.push(`${step} ${text.replaceAll(/\s+/g, " ")}`);
  return new Proxy(tx, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name);
      return async (statement: Statement) => {
        note("sent", statement);
        const rows = await target.query(statement);
        note("answered", statement);
        return rows;
      };
    },
  });
}

/** The latency of reads outside transactions. */
let reading: Promise<void> = Promise.resolve();

const observed: Database = {
  ...database,
  reads: {
    ...views,
    query: async (statement) => {
      await reading;
      return database.reads.query(statement);
    },
  },
  transaction: (work, options) => database.transaction((tx) => work(noted(tx)), options),
};
const node = await startExchange({ database: observed, clients: [client] });
const session = node.open();
await session.exchange("CAT", "items.xml", catalogueXml("R-1"));

const stepOf = (start: RegExp) => {
  const at = steps.findIndex((step) => start.test(step));
  assert.ok(at >= 0, `${start} is among ${steps.join("\n")}`);
  return at;
};

test("a file is looked up by its name and validated in one round trip", async () => {
  steps.length = 0;
  const ack = await session.exchange("NO", "one.xml", order("DEMO", "RT-1", ["R-1"]));
  assert.ok(isAccepted(ack));
  const answered = stepOf(/^answered .* left join lateral .* from feed_file /);
  assert.ok(stepOf(/^sent select sku, .* from item /) < answered, "items are looked up without a wait for the name");
  assert.ok(stepOf(/^sent .* from sales_order /) < answered, "orders as well");
});

test("a repeated file beside a new one in a transaction is answered from the first, and takes effect once", async () => {
  const file = order("DEMO", "RT-2", ["R-1"]);
  const ack = await session.exchange("NO", "two.xml", file);
  const others = ["a", "b", "c"].map((name) =>
    node.open().put("NO", `${name}.xml`, order("DEMO", `RT-2${name}`, ["R-1"])),
  );
  assert.equal(await node.open().exchange("NO", "two.xml", file), ack);
  assert.deepEqual(await Promise.all(others), [undefined, undefined, undefined]);
  for (const name of ["a", "b", "c"])
    assert.ok(isAccepted((await session.get("/acks", `${name}.xml.ack.xml`)).toString()));
});

test("a session that sends file after file opens the next one without a wait for the database", async () => {
  const reads = Promise.withResolvers<void>();
  await session.exchange("NO", "three.xml", order("DEMO", "RT-3", ["R-1"]));
  reading = reads.promise;
  const open = await session.open("NO", "four.xml");
  assert.ok((await open.write(0, Buffer.from(order("DEMO", "RT-4", ["R-1"])))).ok);
  let isClosed = false;
  const closing = open.close().finally(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(!isClosed, "the close waits for the check of the open");
  reads.resolve();
  assert.ok((await closing).ok);
  assert.ok(isAccepted((await session.get("/acks", "four.xml.ack.xml")).toString()));
});

test("a refusal that is found after the open comes with the close, and the next open waits again", async () => {
  await session.exchange("NO", "five.xml", order("DEMO", "RT-5", ["R-1"]));
  reading = Promise.reject(new StoreUnavailableError("away"));
  reading.catch(() => {});
  const open = await session.open("NO", "six.xml");
  const closed = await open.close();
  assert.ok(!closed.ok);
  assert.match(closed.fault.message, /database cannot be reached/);
  const next = await session.folder("/inbound/NO").openWrite?.("seven.xml", { isExclusive: false, isTruncating: true });
  assert.ok(next && !next.ok);
  reading = Promise.resolve();
  assert.deepEqual(await session.names("/inbound/NO"), []);
});

test("an interrupted upload is replaced by the file of its name, also where the open does not wait", async () => {
  await session.exchange("NO", "eight.xml", order("DEMO", "RT-8", ["R-1"]));
  const cut = await session.open("NO", "nine.xml");
  assert.ok((await cut.write(0, Buffer.from("<order"))).ok);
  await cut.abandon();
  assert.deepEqual(await session.names("/inbound/NO"), ["nine.xml"]);
  await session.exchange("NO", "nine.xml", order("DEMO", "RT-9", ["R-1"]));
  assert.deepEqual(await session.names("/inbound/NO"), []);
});
