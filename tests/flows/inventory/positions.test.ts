// rest.md §4: `position` and the quantities in the same answer are of one state of the ledger, even during concurrent
// bookings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { post } from "../../support/builders/stock.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1"] });
const rest = restCalls(server.url, "/v1", demo.credentials);
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));

interface Told {
  readonly from: string;
  readonly position: number;
  /** Quantities by SKU. */
  readonly onHand: Readonly<Record<string, number>>;
}

type Item = { sku: string; onHand: number; lots?: { qty: number }[]; ours?: number };

async function ask(from: string, method: string, path: string, body?: object): Promise<Told> {
  const answer = await rest(method, `/inventoryService${path}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const items = answer.body.items as Item[];
  for (const { onHand, lots } of items) {
    if (lots)
      assert.equal(
        lots.reduce((sum, { qty }) => sum + qty, 0),
        onHand,
        `${from}: lots and onHand`,
      );
  }
  const onHand = Object.fromEntries(items.map((item) => [item.sku, item.ours ?? item.onHand]));
  return { from, position: answer.body.position as number, onHand };
}

const place = { distributionCentre: "DC1" };
const counts = ["A", "B"].map((sku) => ({ sku, qty: 1 }));
const asks = [
  () => ask("list of SKUs", "POST", "/findInventoryBySkuList", { ...place, products: ["A", "B"] }),
  () => ask("details", "POST", "/findInventoryDetailsBySkuList", { ...place, products: ["A", "B"] }),
  () => ask("one SKU", "GET", "/findInventoryBySku?distributionCentre=DC1&sku=A"),
  () => ask("inventory/list", "GET", "/inventory/list?distributionCentre=DC1"),
  () => ask("reconcile", "POST", "/reconcile", { ...place, counts }),
];

test("quantities are those of the position that is answered with them, while others book", async () => {
  const answers: Told[] = [];
  const statesMin = 6;
  const statesSeen = () => new Set(answers.map(({ position }) => position)).size;
  const roundsMin = 25;
  let rounds = 0;
  let isBooking = true;
  const book = async () => {
    // Continues while readers that are slower than the bookings have seen few states. From then on, each booking waits
    // until readers have seen it, so that all entries fit on one page of the feed.
    for (let n = 0; n < roundsMin || statesSeen() < statesMin; n++) {
      rounds++;
      const seenBefore = statesSeen();
      // Readers see all entries of one transaction or none.
      await post(server.database, "DEMO", [
        { sku: "A", qty: 1000 * (n + 1) },
        { sku: "B", qty: 2000, batchRef: `L${n % 3}` },
        { sku: "A", qty: -500, type: "ADJUSTMENT" },
      ]);
      if (n >= roundsMin) await until("it to be seen", () => statesSeen() > seenBefore);
    }
  };
  const read = async (source: () => Promise<Told>) => {
    while (isBooking) answers.push(await source());
  };
  const booked = Promise.all([book(), book()]).finally(() => {
    isBooking = false;
  });
  await Promise.all([booked, ...asks.map(read)]);

  const first = `/inventoryService/movement/list?distributionCentre=DC1&limit=500`;
  const { body } = await rest("GET", first);
  const entries = body.items as { position: number; sku: string; qty: number }[];
  assert.equal(entries.length, rounds * 3);
  const onHandAt = (sku: string, position: number) =>
    entries.filter((entry) => entry.sku === sku && entry.position <= position).reduce((sum, { qty }) => sum + qty, 0);
  assert.ok(statesSeen() >= statesMin, `${statesSeen()} states were seen`);
  for (const { from, position, onHand } of answers) {
    assert.equal(position % 3, 0, `${from}: position ${position} is in the middle of a transaction`);
    for (const [sku, qty] of Object.entries(onHand))
      assert.equal(qty, onHandAt(sku, position), `${from} at ${position}`);
  }
});
