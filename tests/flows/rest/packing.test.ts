// warehouse.md and carriers.md: the carrier is determined when an order is packed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseOrder } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../../support/carriers/carriers.ts";
import { carriers, cheap, dear, type Packed, packingWorld, serviceIn } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const worldOf = packingWorld.bind(undefined, { server, dc1 });

const codesOf = (parcel: Readonly<Record<string, unknown>>) =>
  (parcel.events as { code: number }[]).map(({ code }) => code);

test("without a named carrier the data choose one; the decision is kept with the parcel, and stays readable", async () => {
  const life = await worldOf("CHOSEN");
  await life.picked("1");
  const parcel = await life.packOne("1", { weight: 2, length: 30, width: 20, height: 10, dimensionsUomCode: "CM" });
  assert.deepEqual(serviceIn(parcel), ["RM", "RM48"]);
  await life.quiet();
  const { body: olpn } = await life.orders.get(`/olpn/get/${parcel.olpnId}`);
  assert.deepEqual(
    [olpn.carrierCode, olpn.carrierServiceCode, olpn.decisionId, olpn.trackingUrl, codesOf(olpn)],
    ["RM", "RM48", parcel.decisionId, null, [70]],
  );
  const decided = await life.decision(parcel.decisionId);
  assert.deepEqual([decided.orderId, decided.olpnId, decided.dataOwner], ["1", parcel.olpnId, "CLIENT"]);
  const chosen = decided.chosen as { serviceCode: string; price: { total: object } };
  assert.deepEqual([chosen.serviceCode, chosen.price.total], ["RM48", { amount: 3, currency: "GBP" }]);
  assert.deepEqual(
    (decided.alternatives as { serviceCode: string }[]).map(({ serviceCode }) => serviceCode),
    ["DX-EXP"],
  );
  const packed = (await goodsOf(server, life.client).events("order", "1")).find(
    ({ topic }) => topic === "parcel:packed",
  );
  assert.deepEqual([packed?.data.carrierCode, packed?.data.carrierServiceCode], ["RM", "RM48"]);
  assert.deepEqual((await life.signals("1")).slice(-5), ["parcel:packed", "order:packed", 60, 70, 75]);
  const [shipment] = (await life.documents("1")).at(-1)?.shipments ?? [];
  assert.equal(shipment?.carrierCode, "RM");
});

test("the shipping method is taken for what the data say, as it was changed last; an unmapped one is warned of", async () => {
  const life = await worldOf("METHOD");
  await life.picked("FAST", 1, { shippingMethod: "FAST" });
  assert.deepEqual(serviceIn(await life.packOne("FAST")), ["DX", "DX-EXP"]);
  await life.picked("CHANGED", 1, { shippingMethod: "FAST" });
  const { status } = await life.rest("PATCH", "/orderService/order/update/CHANGED", { shippingMethod: "STD" });
  assert.equal(status, 200);
  assert.deepEqual(serviceIn(await life.packOne("CHANGED")), ["RM", "RM48"]);
  await life.picked("SLOW", 1, { shippingMethod: "SLOW" });
  const { olpns, warnings } = await dc1.report("pack", life.bodyOf("SLOW", {}));
  assert.deepEqual((olpns as Packed[]).map(serviceIn), [["RM", "RM48"]]);
  assert.match(String(warnings), /^shippingMethod "SLOW" is not mapped: STANDARD/);
});

test("a carrier that the order names is the only one asked, by its alias, too; one that the data do not know is taken as given", async () => {
  const life = await worldOf("NAMED");
  await life.picked("ALIAS", 1, { carrierCode: "RoyalMail" });
  const alias = await life.packOne("ALIAS");
  assert.deepEqual(serviceIn(alias), ["RM", "RM48"]);
  const { rejected } = await life.decision(alias.decisionId);
  assert.deepEqual(
    (rejected as { serviceCode: string; reasons: { code: string }[] }[]).map((candidate) => [
      candidate.serviceCode,
      ...candidate.reasons.map(({ code }) => code),
    ]),
    [["DX-EXP", "CARRIER"]],
  );
  await life.picked("DEAR", 1, { carrierCode: "DX" });
  assert.deepEqual(serviceIn(await life.packOne("DEAR")), ["DX", "DX-EXP"]);
  await life.picked("OTHER", 1, { carrierCode: "NOBODY" });
  const other = await life.packOne("OTHER");
  assert.deepEqual(serviceIn(other), ["NOBODY", null]);
  const chosen = (await life.decision(other.decisionId)).chosen as { carrierCode: string; price: unknown };
  assert.deepEqual([chosen.carrierCode, chosen.price], ["NOBODY", null]);
});

test("what the warehouse names is taken as given, by its alias; each parcel may name its own", async () => {
  const life = await worldOf("FLOOR");
  await life.picked("1", 7, { carrierCode: "DX" });
  const named = await life.pack(
    "1",
    { carrierCode: "ROYALMAIL", carrierServiceCode: "RM-OTHER", trackingNumber: "RM1GB" },
    { carrierServiceCode: "RM48" },
    { carrierCode: "RM" },
    { carrierCode: "RM", weight: 25 },
    { carrierServiceCode: "UNKNOWN" },
    {},
  );
  assert.deepEqual(named.map(serviceIn), [
    ["RM", "RM-OTHER"],
    ["RM", "RM48"],
    // The platform chooses a service of the given carrier, if one accepts the parcel. These two parcels are one
    // shipment; none of the carrier's services accepts their total weight.
    ["RM", null],
    ["RM", null],
    ["DX", "UNKNOWN"],
    ["DX", "DX-EXP"],
  ]);
  assert.deepEqual(
    named.map(({ decisionId }) => decisionId !== null),
    [false, false, true, true, false, true],
  );
  assert.equal(named[0]?.trackingNumber, "RM1GB");
  assert.deepEqual(serviceIn(await life.packOne("1", { carrierCode: "RM" })), ["RM", "RM48"]);
  await life.picked("2");
  const unknown = life.bodyOf("2", { carrierServiceCode: "UNKNOWN" });
  assert.match(await dc1.refuse("pack", unknown, 422), /do not have service UNKNOWN: name its carrierCode/);
});

test("a parcel with a number of its carrier's says where it can be followed; a number of ours leads nowhere", async () => {
  const life = await worldOf("FOLLOWED");
  await life.picked("1", 2);
  const [first, second] = await life.pack("1", { trackingNumber: "RM 1/GB" }, {});
  await life.quiet();
  const urls = await Promise.all(
    [first, second].map(async (parcel) => (await life.orders.get(`/olpn/get/${parcel?.olpnId}`)).body.trackingUrl),
  );
  assert.deepEqual(urls, ["https://track.rm.example/?number=RM%201%2FGB", null]);
  const { body: status } = await life.orders.get("/order/status/1");
  assert.deepEqual(
    (status.parcels as { trackingUrl: string | null }[]).map((parcel) => parcel.trackingUrl),
    urls,
  );
  const [document] = (await goodsOf(server, life.client).outbound("OS", "1")).slice(-1);
  assert.match(document?.xml ?? "", /<trackingUrl>https:\/\/track\.rm\.example\/\?number=RM%201%2FGB<\/trackingUrl>/);
  const olpnIds = [first, second].map((parcel) => parcel?.olpnId as string);
  await dc1.report("load", { loadId: "L-FOLLOWED", olpnIds });
  await dc1.report("despatch", { loadId: "L-FOLLOWED" });
  await life.quiet();
  const events = await goodsOf(server, life.client).events("order", "1");
  const dataOf = (topic: string) => events.filter((event) => event.topic === topic).map(({ data }) => data);
  assert.deepEqual(
    dataOf("parcel:packed").map((data) => data.trackingUrl),
    urls,
  );
  const left = dataOf("order:despatched")[0]?.parcels as { olpnId: string; trackingUrl: string | null }[];
  assert.deepEqual(
    left.map(({ olpnId, trackingUrl }) => [olpnId, trackingUrl]),
    olpnIds.map((olpnId, i) => [olpnId, urls[i]]),
  );
  const loaded = dataOf("carrier:trackAndTrace").find(
    ({ eventCode, olpnId }) => eventCode === 80 && olpnId === olpnIds[0],
  );
  assert.equal(loaded?.trackingUrl, urls[0]);
});

test("the parcels of a report are one shipment: one decision, each priced apart and summed", async () => {
  const life = await worldOf("SEVERAL");
  await life.picked("1", 4);
  const [first, second, third] = await life.pack("1", { weight: 1 }, { weight: 2 }, { weight: 25 });
  // The third parcel is too heavy for the cheaper carrier, so none of the three goes with it.
  assert.deepEqual(
    [first, second, third].map((parcel) => parcel && serviceIn(parcel)),
    [
      ["DX", "DX-EXP"],
      ["DX", "DX-EXP"],
      ["DX", "DX-EXP"],
    ],
  );
  assert.deepEqual(new Set([first, second, third].map((parcel) => parcel?.decisionId)).size, 1);
  const { chosen, olpnId } = await life.decision(first?.decisionId ?? "");
  assert.deepEqual(
    [(chosen as { price: { total: object } }).price.total, olpnId],
    [{ amount: 27, currency: "GBP" }, first?.olpnId],
  );
  const four = await life.packOne("1");
  assert.deepEqual(serviceIn(four), ["RM", "RM48"]);
  assert.notEqual(four.decisionId, first?.decisionId);
});

test("without a suitable service the pack is refused with every reason, the order is held, and nothing else changes", async () => {
  const life = await worldOf("UNSUITED");
  await life.picked("1", 2);
  const before = [await life.stockOf("A"), await life.papers("1")];
  const count = (await life.signals("1")).length;
  const heavy = { ...life.bodyOf("1", { weight: 40 }), reportId: "R-1" };
  const detail = await dc1.refuse("pack", heavy, 409);
  assert.match(detail, /^No carrier service fits order 1, decision [0-9a-f-]{36}; the hold CARRIER_UNAVAILABLE is set/);
  assert.match(detail, /RM48 of RM: OVER_WEIGHT, the heaviest parcel weighs 40 kg, the maximum is 20 kg/);
  assert.match(detail, /DX-EXP of DX: OVER_WEIGHT, the heaviest parcel weighs 40 kg, the maximum is 30 kg/);
  const { holds } = (await life.shown("1")) as unknown as { holds: { type: string; reason: string; by: string }[] };
  assert.deepEqual(
    holds.map(({ type, by }) => [type, by]),
    [["CARRIER_UNAVAILABLE", "warehouse:DC1"]],
  );
  assert.equal(await life.stands("1"), `PICKING (CARRIER_UNAVAILABLE: ${holds[0]?.reason}) Picked 2`);
  assert.deepEqual([await life.stockOf("A"), await life.papers("1")], before);
  assert.deepEqual((await life.signals("1")).slice(count), ["order:held", 30]);
  assert.equal(await life.work("HOLD", "1"), "v1: A 2");
  // The stored decision shows the reasons to an operator who looks for a carrier.
  const decisionId = /decision ([0-9a-f-]{36})/.exec(detail)?.[1] ?? "";
  const decided = await life.decision(decisionId);
  assert.deepEqual([decided.chosen, decided.orderId, (decided.rejected as object[]).length], [null, "1", 2]);
  assert.ok(holds[0]?.reason.includes(decisionId));
  const exceptions = await goodsOf(server, life.client).exceptions("1");
  assert.deepEqual(
    exceptions.map(({ kind, state }) => [kind, state]),
    [["REPORT_REFUSED", "OPEN"]],
  );
  // A held order cannot be packed at any weight, and gets no second hold.
  assert.match(await dc1.refuse("pack", life.bodyOf("1", { weight: 1 }), 409), /on hold: CARRIER_UNAVAILABLE/);
  assert.match(await dc1.refuse("pack", heavy, 409), /on hold: CARRIER_UNAVAILABLE/);
  assert.equal((await life.shown("1")).holds.length, 1);
  const release = { orderId: "1", types: ["CARRIER_UNAVAILABLE"] } as const;
  assert.equal(await life.serve((tx, change) => releaseOrder(tx.of("UNSUITED", change), release)), undefined);
  // Its reportId is free again, and a suitable carrier now exists.
  await saveCarriers(server.database, carrierDataOf(cheap, dear, serviceOf("HEAVY", "LTL", 80)), "UNSUITED");
  const { olpns } = await dc1.report("pack", heavy);
  assert.deepEqual((olpns as Packed[]).map(serviceIn), [["LTL", "HEAVY"]]);
  assert.deepEqual((await goodsOf(server, life.client).exceptions("1")).map(({ state }) => state).sort(), [
    "OPEN",
    "RESOLVED",
  ]);
  await life.assertSound();
});

test("an order that its carrier does not take is held; a rule that excludes every service is named", async () => {
  const rule = {
    ruleId: "no-leeds",
    priority: 1,
    when: { field: "shipment.zip", op: "prefix", value: "LS" },
    // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
    then: { exclude: true, reason: "no service to Leeds" },
  };
  const life = await worldOf("RULED", { ...carriers, rules: [rule] });
  await life.picked("1", 1, { carrierCode: "RM" });
  const detail = await dc1.refuse("pack", life.bodyOf("1", {}), 409);
  assert.match(detail, /RM48 of RM: RULE no-leeds, no service to Leeds/);
  assert.match(detail, /DX-EXP of DX: CARRIER, its carrier is DX, requested is RM; RULE no-leeds/);
  assert.equal((await life.shown("1")).holds[0]?.type, "CARRIER_UNAVAILABLE");
});

test("without any carrier data a named carrier is enough, and without a name there is none", async () => {
  const life = await worldOf("NODATA", { services: [], rateCards: [] });
  await life.picked("1", 1, { carrierCode: "RM" });
  assert.deepEqual(serviceIn(await life.packOne("1")), ["RM", null]);
  await life.picked("2", 2);
  assert.deepEqual(serviceIn(await life.packOne("2", { carrierCode: "DX", carrierServiceCode: "D1" })), ["DX", "D1"]);
  assert.match(await dc1.refuse("pack", life.bodyOf("2", {}), 409), /There are no carrier data/);
  assert.equal((await life.shown("2")).holds[0]?.type, "CARRIER_UNAVAILABLE");
});

test("a shipment that cannot be is a 422 with the place, and holds nothing", async () => {
  const life = await worldOf("ABSURD");
  await life.picked("1");
  const detail = await dc1.refuse("pack", life.bodyOf("1", { weight: 20_000 }), 422);
  assert.match(detail, /^The carrier cannot be determined: parcels\/0\/weight is 20000/);
  assert.deepEqual((await life.shown("1")).holds, []);
});

test("a report that is repeated answers the same parcels, decision and papers, and makes no more", async () => {
  const life = await worldOf("REPEATED");
  await life.picked("1", 2);
  const body = { ...life.bodyOf("1", {}), reportId: "R-1" };
  const first = await dc1.report("pack", body);
  const seen = [await life.papers("1"), await life.signals("1")];
  assert.deepEqual(await dc1.report("pack", body), first);
  assert.deepEqual([await life.papers("1"), await life.signals("1")], seen);
  const decisions = () =>
    server.rows("select decision_id from carrier_decision where client_id = 'REPEATED' and order_id = '1'");
  assert.equal((await decisions()).length, 1);
  // Each report of a batch is validated separately; reports after a refusal on the same order are not tried.
  const { results } = await dc1.report("pack", {
    reports: [life.bodyOf("1", { weight: 40 }), life.bodyOf("1", {})],
  });
  const [refused, next] = results as { status: string; problem?: { detail: string } }[];
  assert.deepEqual([refused?.status, next?.status], ["REJECTED", "NOT_TRIED"]);
  assert.match(refused?.problem?.detail ?? "", /CARRIER_UNAVAILABLE is set.*OVER_WEIGHT/);
  assert.equal((await life.shown("1")).holds.length, 1);
});
