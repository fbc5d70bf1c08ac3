// lifecycle.md §5 and §9: a parcel from its packing to its end, by the codes of its carrier; the consequences for its
// order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventCodes } from "#/kernel/event-codes.ts";
import { testServer } from "../../support/app/server.ts";
import { type Life, lifeOf, parcel } from "../../support/builders/life.ts";
import { carrierOf, type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const carrier = await carrierOf(server, "KARRIO");
/** Hours after a moment in the past. */
const start = Date.now() - 48 * 3_600_000;
const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();

interface Answered {
  readonly eventCode: number;
  readonly isRepeat: boolean;
  readonly olpns: readonly { readonly olpnId: string; readonly status: string; readonly orderStatus: string }[];
}

async function tell(olpnId: string, eventCode: number, hours: number, more: object = {}): Promise<string> {
  const body = { olpnId, eventCode, occurredAt: at(hours), ...more };
  const { olpns } = (await carrier.report("carrierEvent", body)) as unknown as Answered;
  return olpns[0]?.status ?? "none";
}

const say = (olpnId: string, carrierEventCode: string, hours: number, by: Port = carrier) =>
  by.report("carrierEvent", { olpnId, carrierEventCode, occurredAt: at(hours) }) as unknown as Promise<Answered>;

/** Despatched parcels of a stocked client, each of a separate order. */
async function shipped(clientId: string, count: number): Promise<{ life: Life; olpnIds: string[] }> {
  const life = await lifeOf(server, dc1, clientId);
  await life.stock([{ sku: "A", qty: 100 }]);
  const olpnIds: string[] = [];
  for (let i = 1; i <= count; i++) olpnIds.push(...(await life.ship(String(i), "A", 1)));
  return { life, olpnIds };
}

test("every code of carriers leads where the table says, and is reported once with its name", async () => {
  const table: Readonly<Record<string, readonly number[]>> = {
    DESPATCHED: [105, 215, 399],
    IN_TRANSIT: [110, 120, 125, 130, 140, 145, 150, 155],
    OUT_FOR_DELIVERY: [160],
    AVAILABLE_FOR_COLLECTION: [175],
    DELIVERED: [200, 205, 210],
    EXCEPTION: [148, 165, 170, 180, 185, 190, 220, 230, 390],
    LOST: [195],
    RETURNING: [250, 260, 270],
    RETURNED_TO_SENDER: [300],
  };
  const codes = Object.values(table).flat();
  const known = Object.keys(eventCodes).map(Number);
  assert.deepEqual(new Set(codes), new Set(known.filter((code) => code > 100)));
  const life = await lifeOf(server, dc1, "TABLE");
  await life.stock([{ sku: "A", qty: 100 }]);
  await life.place("1", [{ sku: "A", qty: codes.length }]);
  await life.pick("1", codes.length);
  const olpnIds = await life.pack("1", ...codes.map(() => 1));
  await life.despatch(...olpnIds);
  for (const [status, led] of Object.entries(table)) {
    for (const code of led) assert.equal(await tell(olpnIds.pop() as string, code, 1), status, `code ${code}`);
  }
  const carrierCodes = (await life.signals("1")).filter((signal) => typeof signal === "number" && signal > 100);
  assert.deepEqual(
    carrierCodes,
    codes.toSorted((left, right) => codes.indexOf(left) - codes.indexOf(right)),
  );
  const rows = await server.rows<{ data: Record<string, unknown> }>(
    "select data from event where client_id = 'TABLE' and topic = 'carrier:trackAndTrace'",
  );
  const ofCarriers = rows.filter(({ data }) => data.olpnId !== null && (data.eventCode as number) > 100);
  assert.ok(ofCarriers.length > 0);
  for (const { data } of ofCarriers) {
    const { eventCode, eventName, occurredAt, orderId } = data;
    assert.deepEqual([eventName, occurredAt, orderId], [eventCodes[eventCode as number]?.name, at(1), "1"]);
  }
  await life.assertSound();
});

test("a delivered parcel is left by 250 to 300 only; its order stays delivered until it is back", async () => {
  const { life, olpnIds } = await shipped("BACK", 1);
  const [olpnId = ""] = olpnIds;
  assert.equal(await tell(olpnId, 200, 1), "DELIVERED");
  for (const code of [110, 160, 175, 165, 195, 215, 220, 390]) assert.equal(await tell(olpnId, code, 2), "DELIVERED");
  assert.equal(await tell(olpnId, 250, 3), "RETURNING");
  assert.equal(await life.stands("1"), "DELIVERED Despatched 1 Delivered 1");
  assert.equal(await tell(olpnId, 120, 4), "RETURNING");
  assert.equal(await tell(olpnId, 300, 5), "RETURNED_TO_SENDER");
  assert.equal(await life.stands("1"), "RETURNED_TO_SENDER Despatched 1");
  for (const code of [110, 200, 250, 195]) assert.equal(await tell(olpnId, code, 6), "RETURNED_TO_SENDER");
  assert.deepEqual((await life.statuses("1")).slice(4), [
    "DELIVERED 200: Despatched 1 Delivered 1",
    "RETURNED_TO_SENDER 300: Despatched 1",
  ]);
  const signals = await life.signals("1");
  for (const topic of ["order:delivered", "order:returnedToSender"]) {
    assert.equal(signals.filter((signal) => signal === topic).length, 1, topic);
  }
  await life.assertSound();
});

test("a lost parcel comes back with any moving code; when all are lost the order says so, and that they are found", async () => {
  const life = await lifeOf(server, dc1, "LOST");
  await life.stock([{ sku: "A", qty: 9 }]);
  const [first = "", second = ""] = await life.ship("1", "A", 1, 2);
  assert.equal(await tell(first, 195, 1), "LOST");
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3");
  assert.equal(await tell(second, 195, 1), "LOST");
  assert.equal(await life.stands("1"), "DESPATCHED (LOST) Despatched 3");
  assert.equal(await tell(second, 165, 2), "LOST");
  assert.equal(await tell(second, 120, 3), "IN_TRANSIT");
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3");
  assert.equal(await tell(second, 205, 4), "DELIVERED");
  assert.equal(await life.stands("1"), "DELIVERED (PARTIALLY_DELIVERED) Despatched 3 Delivered 2");
  assert.equal(await tell(first, 200, 5), "DELIVERED");
  assert.equal(await life.stands("1"), "DELIVERED Despatched 3 Delivered 3");
  assert.deepEqual((await life.statuses("1")).slice(3), [
    "DESPATCHED 100: Despatched 3",
    "DESPATCHED 100 (LOST): Despatched 3",
    "DESPATCHED 100: Despatched 3",
    "DELIVERED 200 (PARTIALLY_DELIVERED): Despatched 3 Delivered 2",
    "DELIVERED 200: Despatched 3 Delivered 3",
  ]);
  await life.assertSound();
});

test("late and repeated reports are kept with their own time, and the state never goes back", async () => {
  const { life, olpnIds } = await shipped("LATE", 1);
  const [olpnId = ""] = olpnIds;
  assert.equal(await tell(olpnId, 160, 10), "OUT_FOR_DELIVERY");
  assert.equal(await tell(olpnId, 120, 4), "OUT_FOR_DELIVERY");
  assert.equal(await tell(olpnId, 165, 9), "OUT_FOR_DELIVERY");
  assert.equal(await tell(olpnId, 195, 9), "OUT_FOR_DELIVERY");
  assert.equal(await tell(olpnId, 170, 11), "EXCEPTION");
  assert.equal(await tell(olpnId, 120, 10), "EXCEPTION");
  assert.equal(await tell(olpnId, 160, 12), "OUT_FOR_DELIVERY");
  assert.equal(await tell(olpnId, 200, 13), "DELIVERED");
  // The parcel was on its way back, but is delivered after all.
  assert.equal(await tell(olpnId, 250, 12.5), "DELIVERED");
  const seen = [await life.shown("1"), await life.signals("1"), await life.documents("1")];
  for (const [code, hours] of [
    [160, 10],
    [120, 4],
    [200, 13],
  ] as const) {
    const body = { olpnId, eventCode: code, occurredAt: at(hours) };
    const { isRepeat } = (await carrier.report("carrierEvent", body)) as unknown as Answered;
    assert.equal(isRepeat, true);
  }
  assert.deepEqual([await life.shown("1"), await life.signals("1"), await life.documents("1")], seen);
  const codes = (await life.signals("1")).filter((signal) => typeof signal === "number" && signal > 100);
  assert.deepEqual(codes, [160, 120, 165, 195, 170, 120, 160, 200, 250]);
  const rows = await server.rows<{ data: { eventCode?: number; occurredAt: string } }>(
    "select data from event where client_id = 'LATE' order by position",
  );
  const times = rows.flatMap(({ data }) => (data.eventCode === 120 ? data.occurredAt : []));
  assert.deepEqual(times, [at(4), at(10)]);
  assert.deepEqual((await life.statuses("1")).slice(4), ["DELIVERED 200: Despatched 1 Delivered 1"]);
  await life.assertSound();
});

test("codes for a loaded parcel wait for its despatch, and the order has been despatched all the same", async () => {
  const life = await lifeOf(server, dc1, "EARLY");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.pick("1", 2);
  const [first = "", second = ""] = await life.pack("1", 1, 1);
  await dc1.report("load", { loadId: "L-EARLY", olpnIds: [first, second] });
  assert.equal(await tell(first, 200, 5), "LOADED");
  assert.equal(await tell(first, 160, 4), "LOADED");
  assert.equal(await tell(second, 110, 3), "LOADED");
  assert.equal(await life.stands("1"), "PACKED Packed 2");
  await dc1.report("despatch", { loadId: "L-EARLY" });
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 2 Delivered 1");
  assert.equal(await tell(second, 200, 6), "DELIVERED");
  // An order whose only parcel was delivered before the warehouse reported its despatch.
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.place("2", ["A"]);
  await life.pick("2", 1);
  const [third = ""] = await life.pack("2", 1);
  await dc1.report("load", { loadId: "L-EARLY-2", olpnIds: [third] });
  await tell(third, 200, 5);
  await dc1.report("despatch", { loadId: "L-EARLY-2" });
  assert.equal(await life.stands("2"), "DELIVERED Despatched 1 Delivered 1");
  assert.deepEqual((await life.signals("2")).slice(-3), [200, "order:despatched", "order:delivered"]);
  assert.deepEqual((await life.statuses("2")).slice(3), ["DELIVERED 200: Despatched 1 Delivered 1"]);
  await life.assertSound();
});

test("parcels end one by one: delivered when all have ended and one came there", async () => {
  const life = await lifeOf(server, dc1, "ENDS");
  await life.stock([{ sku: "A", qty: 9 }]);
  const [first = "", second = ""] = await life.ship("1", "A", 1, 1);
  await tell(first, 300, 1);
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 2");
  await tell(second, 210, 1);
  assert.equal(await life.stands("1"), "DELIVERED (PARTIALLY_DELIVERED) Despatched 2 Delivered 1");
  const [third = "", fourth = ""] = await life.ship("2", "A", 1, 1);
  await tell(third, 195, 1);
  await tell(fourth, 300, 1);
  assert.equal(await life.stands("2"), "DESPATCHED Despatched 2");
  const [five = "", six = ""] = await life.ship("3", "A", 1, 1);
  await tell(five, 300, 1);
  await tell(six, 300, 2);
  assert.equal(await life.stands("3"), "RETURNED_TO_SENDER Despatched 2");
  assert.deepEqual((await life.signals("3")).slice(-3), [300, "order:returnedToSender", 300]);
  // A partly despatched order is not at an end, whatever its parcels report.
  await life.place("4", [{ sku: "A", qty: 2 }]);
  await life.pick("4", 2);
  const [seven = "", eight = ""] = await life.pack("4", 1, 1);
  await life.despatch(seven);
  await tell(seven, 200, 3);
  assert.equal(await life.stands("4"), "PARTIALLY_DESPATCHED Packed 1 Despatched 1 Delivered 1");
  await life.despatch(eight);
  assert.equal(await life.stands("4"), "DESPATCHED Despatched 2 Delivered 1");
  // Until the rest is cancelled: then everything to despatch is despatched and delivered.
  const partly = await lifeOf(server, dc1, "ENDS-PART", { settings: { backorder: "SHIP_AND_WAIT" } });
  await partly.stock([{ sku: "A", qty: 1 }]);
  await partly.place("1", [{ sku: "A", qty: 2 }]);
  await partly.pick("1", 1);
  const [ten = ""] = await partly.pack("1", 1);
  await partly.despatch(ten);
  await tell(ten, 200, 3);
  assert.equal(await partly.stands("1"), "PARTIALLY_DESPATCHED Backordered 1 Despatched 1 Delivered 1");
  await partly.cancel("1");
  assert.equal(await partly.stands("1"), "DELIVERED Despatched 1 Cancelled 1 Delivered 1");
  assert.deepEqual((await partly.signals("1")).slice(-2), [200, "order:delivered"]);
  await partly.assertSound();
  await life.assertSound();
});

test("a carrier's own words are mapped; those that no one knows are 399 with the word kept", async () => {
  const { life, olpnIds } = await shipped("WORDS", 1);
  const [olpnId = ""] = olpnIds;
  assert.deepEqual(
    [(await say(olpnId, "in_transit", 1)).eventCode, (await say(olpnId, "OUT_FOR_DELIVERY", 2)).eventCode],
    [120, 160],
  );
  const unknown = await say(olpnId, "Zur Post gebracht", 3);
  assert.deepEqual([unknown.eventCode, unknown.olpns[0]?.status], [399, "OUT_FOR_DELIVERY"]);
  assert.equal(await tell(olpnId, 999, 4), "OUT_FOR_DELIVERY");
  const raw = await server.rows<{ raw_code: string }>(
    "select raw_code from order_milestone where client_id = 'WORDS' and code = 399 order by at",
  );
  assert.deepEqual(raw, [{ raw_code: "Zur Post gebracht" }, { raw_code: "999" }]);
  assert.equal((await say(olpnId, "delivered", 5, dc1)).eventCode, 200, "the warehouse may say it as well");
  for (const code of [10, 52, 100]) {
    const early = { olpnId, eventCode: code, occurredAt: at(6) };
    assert.match(await carrier.refuse("carrierEvent", early, 422), /up to 100/);
  }
  assert.deepEqual(
    (await life.signals("1")).filter((signal) => typeof signal === "number" && signal > 100),
    [120, 160, 399, 399, 200],
  );
  await life.assertSound();
});

test("a tracking number names the parcel as its OLPN does, and is in what the client is sent", async () => {
  const life = await lifeOf(server, dc1, "TRACK");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.pick("1", 2);
  const body = { clientId: "TRACK", orderId: "1" };
  const contents = [{ lineNumber: 1, qty: 1 }];
  const labelled = parcel(contents, { carrierCode: "RM", carrierServiceCode: "RM48", trackingNumber: "RM123456785GB" });
  const { olpns } = await dc1.report("pack", { ...body, olpns: [labelled, parcel(contents)] });
  const [first, second] = olpns as { olpnId: string; trackingNumber: string; carrierCode: string | null }[];
  assert.deepEqual([first?.trackingNumber, first?.carrierCode, second?.carrierCode], ["RM123456785GB", "RM", "ANY"]);
  // The carrier gives no number: the platform uses the SSCC.
  assert.equal(second?.trackingNumber, second?.olpnId);
  assert.match(second?.olpnId ?? "", /^\d{18}$/);
  await life.despatch(first?.olpnId ?? "", second?.olpnId ?? "");
  const report = { trackingNumber: "RM123456785GB", eventCode: 200, occurredAt: at(1) };
  const { olpns: moved } = (await carrier.report("carrierEvent", report)) as unknown as Answered;
  assert.deepEqual(
    moved.map(({ olpnId, status }) => [olpnId, status]),
    [[first?.olpnId, "DELIVERED"]],
  );
  const last = (await life.documents("1")).at(-1);
  assert.deepEqual(
    last?.shipments?.map(({ olpnId, trackingNumber, carrierCode }) => [olpnId, trackingNumber, carrierCode]).sort(),
    [
      [first?.olpnId, "RM123456785GB", "RM"],
      [second?.olpnId, second?.olpnId, "ANY"],
    ].sort(),
  );
  await life.assertSound();
});
