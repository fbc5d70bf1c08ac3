// The clock of the store jumps past the months that were made ahead: each row's month is made when the row needs it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { monthSuffix, partitionedTables } from "#/store/db/schema/partitions.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { clearOfMidnight } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

await clearOfMidnight("UTC");
const server = await testServer();
const client = await server.onboard("MONTHS", { facilities: ["DC1"] });
const dc1 = await warehouseOf(server);
const suffix = monthSuffix(Date.now(), 0);

/** As after a jump of the clock: the month of today is not there. */
async function dropMonth(tables: readonly string[]): Promise<void> {
  for (const table of tables) await server.rows(`drop table ${table}_${suffix}`);
}

/** On a busy machine the month may take longer than the sender waits: the sender tries again. */
const taken = (type: string, xml: string) =>
  until(`${type} to be taken`, async () => {
    const answer = await client.send(type, xml);
    assert(answer.isAccepted || answer.status === 503, `${answer.status}`);
    return answer.isAccepted;
  });

const made = () => server.logged.filter((line) => line.includes("partitions of a month were missing, and were made"));

test("documents, reports and events whose month is missing are taken, and nothing is left to repair", async () => {
  await dropMonth(partitionedTables.map(({ table }) => table));
  await taken("CAT", catalogue("MONTHS", ["TEE"]));
  const first = made().length;
  assert(first > 0);
  // The warehouse's report needs the ledger's month, and its events need the month of outbound documents.
  await dropMonth(["stock_movement", "outbound_document"]);
  const adjustment = { clientId: "MONTHS", adjustmentId: "OPENING", reasonCode: "INITIAL" };
  await until("the report to be taken", async () => {
    const { status } = await dc1.post("/adjustment/report", { ...adjustment, lines: [{ sku: "TEE", qty: 5 }] });
    assert([200, 503].includes(status), `${status}`);
    return status === 200;
  });
  await taken("NO", order("MONTHS", "MONTHS-1", ["TEE"], { distributionCentre: "DC1" }));
  await until("the order to be allocated", async () => (await client.order("MONTHS-1"))?.status === "ALLOCATED");
  await until(
    "all is published",
    async () => (await server.rows("select from outbox where state = 'PENDING' limit 1")).length === 0,
  );
  assert.deepEqual(await server.rows("select from outbox limit 1"), []);
  assert(made().length > first);
});

test("deliveries whose month is missing are written", async () => {
  const before = made().length;
  await dropMonth(["webhook_delivery"]);
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const desk = await webhookDesk(server, client);
  await desk.create({ url: receiver.url, topicName: "order:*" });
  await taken("NO", order("MONTHS", "MONTHS-2", ["TEE"], { distributionCentre: "DC1" }));
  await receiver.waitFor(1);
  assert(made().length > before);
});
