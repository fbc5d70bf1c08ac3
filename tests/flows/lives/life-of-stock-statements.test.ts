// outbound.md, INV and IMS: each facility's midnight in its own time zone, and books that a client can prove, day by
// day.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { takeMidnightSnapshots, writeSnapshots } from "#/delivery/outbound/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";
import { clearOfMidnight } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf, type OutboundXml } from "../../support/builders/goods.ts";
import { type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { post } from "../../support/webhooks/outbound-list.ts";

const zones = { AKL: "Pacific/Auckland", LAX: "America/Los_Angeles" } as const;
// The server's own worker takes the snapshots of real midnights: none of them may come before those of the tests.
await clearOfMidnight(...Object.values(zones));
const server = await testServer();
type Zone = keyof typeof zones;
const codes = Object.keys(zones) as Zone[];
await server.operate(async (tx, change) => {
  for (const code of codes) {
    await createFacility(tx, change, { facilityCode: code, name: code, country: "GB", timezone: zones[code] });
  }
});
const demo = await server.onboard("DEMO", { facilities: codes, settings: { stockPools: "B2B" } });
const goods = goodsOf(server, demo);
// In sequence: the second call must find the carriers that the first one saves.
const ports: Partial<Record<Zone, Port>> = {};
for (const code of codes) ports[code] = await warehouseOf(server, code);
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "KIT", "NEVER"]));
afterEach(() => goods.assertSound());

const ids = createIds();
const clientId = "DEMO";
let number = 0;
const adjust = (code: Zone, sku: string, qty: number, more: object = {}) =>
  (ports[code] as Port).post("/adjustment/report", {
    clientId,
    adjustmentId: `A-${++number}`,
    reasonCode: "OTHER",
    lines: [{ sku, qty, ...more }],
  });

/** Does what a worker does, at a simulated time. */
async function midnightAt(nowMs: number): Promise<void> {
  const job = { database: server.database, clock: { now: () => nowMs }, ids };
  await takeMidnightSnapshots(job);
  while ((await writeSnapshots(job)) > 0);
}

const ofFacility = (documents: readonly OutboundXml[], code: string) =>
  documents.filter(({ root }) => root.text("distributionCentre") === code).map(({ root }) => root);
const numberOf = (text: string | undefined) => Math.round(Number(text) * 1000);

/** Sums a quantity of an INV by SKU, over all pools. */
function sumBySku(root: OutboundXml["root"], quantity: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of root.all("items/item")) {
    const sku = item.text("sku") as string;
    sums.set(sku, (sums.get(sku) ?? 0) + numberOf(item.text(quantity)));
  }
  return sums;
}

/**
 * Checks the chain of a facility's statements: each opens where the INV before closed, and closes with the values of
 * its own INV.
 */
async function assertProved(code: string): Promise<number> {
  const invs = ofFacility(await goods.outbound("INV"), code);
  // The INV and IMS of one snapshot have the same object id; a separately requested document has no counterpart.
  const statements = new Map((await goods.outbound("IMS")).map(({ objectId, root }) => [objectId, root]));
  let opening = new Map<string, number>();
  let position = "0";
  invs.forEach((inv, i) => {
    const ims = statements.get(inv.text("snapshotId") as string) as typeof inv;
    assert.deepEqual(ims.texts("fromPosition", "toPosition"), [position, inv.text("position")], code);
    const closing = new Map(opening);
    for (const item of ims.all("items/item")) {
      const sku = item.text("sku") as string;
      assert.equal(numberOf(item.text("opening")), opening.get(sku) ?? 0, `${code} ${i} ${sku} opening`);
      const moved = item.all("movements/movement").reduce((sum, movement) => sum + numberOf(movement.text("qty")), 0);
      assert.equal(numberOf(item.text("closing")), (opening.get(sku) ?? 0) + moved, `${code} ${i} ${sku} closing`);
      closing.set(sku, numberOf(item.text("closing")));
    }
    const totals = sumBySku(inv, "onHand");
    for (const [sku, qty] of closing) assert.equal(totals.get(sku) ?? 0, qty, `${code} ${i} ${sku}`);
    for (const [sku, qty] of totals) assert.equal(closing.get(sku) ?? 0, qty, `${code} ${i} ${sku}`);
    for (const item of inv.all("items/item")) {
      const [onHand, allocated, onHold, damaged, available] = item
        .texts("onHand", "allocated", "onHold", "damaged", "available")
        .map(numberOf) as [number, number, number, number, number];
      // No item here has a rule beyond the condition and the expiry of its goods.
      assert.equal(available, onHand - allocated - onHold - damaged);
    }
    opening = totals;
    position = inv.text("position") as string;
  });
  return invs.length;
}

/** The next midnight of a zone, up to 15 minutes late. */
function nextMidnight(code: Zone, fromMs: number): number {
  let atMs = fromMs;
  const today = localDate(zones[code], fromMs);
  while (localDate(zones[code], atMs) === today) atMs += 15 * 60_000;
  return atMs;
}

test("each facility's day ends at its own midnight, once; a client without goods there is sent nothing", async () => {
  for (const code of codes) await adjust(code, "A", 10);
  const nowMs = Date.now();
  await midnightAt(nowMs);
  assert.deepEqual(await goods.outbound("INV"), []);
  const [first, second] = codes.toSorted((a, b) => nextMidnight(a, nowMs) - nextMidnight(b, nowMs)) as [Zone, Zone];
  const day = localDate(zones[first], nowMs);
  await midnightAt(nextMidnight(first, nowMs));
  await midnightAt(nextMidnight(first, nowMs) + 1000);
  const [inv, ...others] = await goods.outbound("INV");
  assert.deepEqual(others, []);
  assert.deepEqual(inv?.root.texts("distributionCentre", "snapshotDate", "part", "parts"), [first, day, "1", "1"]);
  await midnightAt(nextMidnight(second, nowMs));
  assert.deepEqual(
    ofFacility(await goods.outbound("INV"), second).map((root) => root.text("snapshotDate")),
    [localDate(zones[second], nowMs)],
  );
  const types = (await goods.outbound("IMS")).map(({ root }) => root.text("distributionCentre"));
  assert.deepEqual(types.toSorted(), [...codes].toSorted());
});

test("what is booked after midnight is of the next day, although the snapshot is taken later", async () => {
  const code = "AKL";
  const before = ofFacility(await goods.outbound("INV"), code).length;
  const [last] = await server.rows<{ ms: number }>(
    "select (extract(epoch from last_booked_at) * 1000)::float8 as ms from stock_book where facility_code = $1",
    code,
  );
  const bookedMs = Number(last?.ms);
  // The last midnight of the book has passed: this adjustment belongs to the day that began then.
  await adjust(code, "B", 4);
  await midnightAt(nextMidnight(code, bookedMs));
  await adjust(code, "B", 3);
  await midnightAt(nextMidnight(code, bookedMs) + 5 * 3_600_000);
  const documents = ofFacility(await goods.outbound("INV"), code).slice(before);
  assert.deepEqual(
    documents.map((root) => sumBySku(root, "onHand").get("B")),
    [4000],
  );
});

test("over random days opening plus movements equals closing for every SKU", async () => {
  const random = generator(4711);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  let nowMs = Date.now() + 3 * dayMs;
  for (let day = 0; day < 6; day++) {
    for (let i = 0; i < 14; i++) await actAnyhow(pick, random);
    // Every second day, the client requests a document in the middle of the day.
    if (day % 2 === 1) {
      const type = day % 4 === 1 ? "INV" : "IMS";
      assert.equal((await post(demo, "request", { type, distributionCentre: "AKL" })).status, 202);
    }
    nowMs += dayMs;
    await midnightAt(nowMs);
  }
  // A separately requested statement has no INV: the next statement opens where the last INV closed.
  const alone =
    ofFacility(await goods.outbound("IMS"), "AKL").length - ofFacility(await goods.outbound("INV"), "AKL").length;
  assert.equal(alone, 1);
  for (const code of codes) assert.ok((await assertProved(code)) >= 6);
  const moved = (await goods.outbound("IMS")).flatMap(({ root }) => root.all("items/item/movements/movement"));
  assert.deepEqual([...new Set(moved.map((movement) => movement.text("type")))].sort(), [
    ...["ADJUSTMENT", "DESPATCH", "HOLD", "RECEIPT", "RELEASE", "RETURN"],
  ]);
});

async function actAnyhow(pick: <T>(of: readonly T[]) => T, random: () => number): Promise<void> {
  const code = pick(codes);
  const port = ports[code] as Port;
  const sku = pick(["A", "B", "C"]);
  const qty = 1 + Math.floor(random() * 6);
  const conditions = ["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"];
  switch (Math.floor(random() * 6)) {
    case 0: {
      const poNumber = `PO-${++number}`;
      await demo.accept("PO", purchaseOrder("DEMO", poNumber, [{ sku, qty }], { distributionCentre: code }));
      const lines = [{ sku, qty, condition: pick(conditions) }];
      await port.report("goodsReceipt", { clientId, poNumber, receiptId: `R-${number}`, lines });
      return;
    }
    case 1:
      await adjust(code, sku, pick([qty, -qty]), { condition: pick(conditions), stockPool: pick(["DEFAULT", "B2B"]) });
      return;
    case 2: {
      const line = { sku, qty, fromCondition: pick(conditions), toCondition: pick(conditions) };
      await port.post("/hold/report", { clientId, reasonCode: "CONDITION", lines: [line] });
      return;
    }
    case 3:
      await port.post("/count/report", { clientId, countId: `C-${++number}`, lines: [{ sku, countedQty: qty }] });
      return;
    case 4: {
      const lines = [{ sku, qty, disposition: pick(["RESELLABLE", "DAMAGED", "QUARANTINE", "SCRAP"]) }];
      await port.report("return", { clientId, returnId: `B-${++number}`, lines });
      return;
    }
    default:
      await despatchSome(port, code, sku);
  }
}

/** Despatches an order of one piece; stops when there is no stock to pick. */
async function despatchSome(port: Port, code: string, sku: string): Promise<void> {
  const orderId = `O-${++number}`;
  await demo.accept("NO", order("DEMO", orderId, [sku], { distributionCentre: code }));
  await goods.outbound("OS", orderId);
  const lines = [{ lineNumber: 1, qtyPicked: 1 }];
  if ((await port.post("/pick/report", { clientId, orderId, lines })).status !== 200) return;
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 1 }] }];
  const packed = await port.report("pack", { clientId, orderId, olpns });
  await port.report("despatch", {
    clientId,
    olpnIds: (packed.olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId),
  });
}

/** Pseudo-random numbers, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
