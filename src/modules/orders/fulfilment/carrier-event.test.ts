import assert from "node:assert/strict";
import { test } from "node:test";
import { type CarrierEventReport, clientsOfCarrierEvent } from "#/modules/orders/fulfilment/carrier-event.ts";
import { database, feedsOf } from "../../../../tests/support/builders/stocked-orders.ts";
import { accepted, assertRefused, eventsBy, floor, parcelOf } from "../../../../tests/support/warehouse/floor.ts";

const hour = (n: number) => new Date(Date.UTC(2026, 10, 3, n)).toISOString();

async function stocked(clientId: string) {
  const made = await floor(clientId);
  await made.items(["A"]);
  await made.stock([{ sku: "A", qty: 9 }]);
  const tell = (olpnId: string, eventCode: number, at: string, fields: Partial<CarrierEventReport> = {}) =>
    made.carrier({ olpnId, eventCode, occurredAt: at, ...fields });
  return { ...made, tell };
}

test("the delivery of the last parcel delivers the order, and its lines by the contents", async () => {
  const { shipped, tell, read, parcels, clean } = await stocked("DELIVER");
  const [firstOlpn = "", secondOlpn = ""] = await shipped("1", "A", 1, 2);
  const transit = await tell(firstOlpn, 120, hour(1), { location: "Leeds", text: "on its way" });
  assert.deepEqual(eventsBy(transit), ["1 120"]);
  const { data } = accepted(transit).events[0] ?? {};
  assert.deepEqual(data, {
    eventCode: 120,
    eventName: "In Transit",
    occurredAt: hour(1),
    orderId: "1",
    olpnId: firstOlpn,
    trackingNumber: firstOlpn,
    trackingUrl: null,
    carrierCode: "ANY",
    location: "Leeds",
    text: "on its way",
  });
  assert.deepEqual(feedsOf(accepted(transit).events), []);
  const first = await tell(firstOlpn, 200, hour(2));
  assert.deepEqual(eventsBy(first), ["1 200"]);
  assert.deepEqual([(await read("1")).status, (await read("1")).lines[0]?.delivered], ["DESPATCHED", 1000]);
  const last = await tell(secondOlpn, 210, hour(3));
  assert.deepEqual(eventsBy(last), ["1 order:delivered", "1 210"]);
  const [status] = feedsOf(accepted(last).events);
  const content = status?.content as { status: string; lines: { qtyDelivered: number }[] };
  assert.deepEqual([content.status, content.lines[0]?.qtyDelivered], ["DELIVERED", 3]);
  assert.deepEqual(accepted(last).answer, {
    eventCode: 210,
    eventName: "Collected by Recipient",
    isRepeat: false,
    olpns: [{ olpnId: secondOlpn, status: "DELIVERED", orderId: "1", orderStatus: "DELIVERED" }],
  });
  assert.deepEqual(
    (await parcels("1")).map(({ status: of }) => of),
    ["DELIVERED", "DELIVERED"],
  );
  await clean();
});

test("a repeat changes nothing; the same code at another time is another event", async () => {
  const { shipped, tell, read } = await stocked("REPEAT");
  const [olpnId = ""] = await shipped("1", "A", 1);
  accepted(await tell(olpnId, 120, hour(1)));
  const { version } = await read("1");
  const repeat = await tell(olpnId, 120, "2026-11-03T03:00:00+02:00");
  assert.deepEqual([eventsBy(repeat), (await read("1")).version], [[], version]);
  assert.equal((accepted(repeat).answer as { isRepeat: boolean }).isRepeat, true);
  assert.deepEqual(eventsBy(await tell(olpnId, 120, hour(2))), ["1 120"]);
});

test("a late code is published, and sets no earlier state", async () => {
  const { shipped, tell, parcels } = await stocked("LATE");
  const [olpnId = ""] = await shipped("1", "A", 1);
  accepted(await tell(olpnId, 160, hour(5)));
  for (const [code, at] of [
    [120, 4],
    [165, 3],
    [130, 6],
    [215, 7],
  ] as const) {
    assert.deepEqual(eventsBy(await tell(olpnId, code, hour(at))), [`1 ${code}`]);
    assert.equal((await parcels("1"))[0]?.status, "OUT_FOR_DELIVERY");
  }
});

test("codes before the despatch take effect at the despatch", async () => {
  const { picked, packOne, load, despatch, tell, parcels, read, clean } = await stocked("EARLY");
  await picked("1", "A", 1);
  const olpnId = await packOne("1", 1);
  accepted(await load({ loadId: "L", olpnIds: [olpnId] }));
  assert.deepEqual(eventsBy(await tell(olpnId, 110, hour(1))), ["1 110"]);
  assert.deepEqual(eventsBy(await tell(olpnId, 200, hour(9))), ["1 200"]);
  assert.equal((await parcels("1"))[0]?.status, "LOADED");
  accepted(await despatch({ loadId: "L" }));
  const [parcel] = await parcels("1");
  const { status, lines } = await read("1");
  assert.deepEqual([parcel?.status, status, lines[0]?.delivered], ["DELIVERED", "DELIVERED", 1000]);
  await clean();
});

test("parcels end as lost, partly delivered and returned to sender", async () => {
  const { shipped, tell, read } = await stocked("ENDS");
  const stateOf = async (orderId: string) => {
    const { status, statusReason } = await read(orderId);
    return [status, statusReason];
  };
  const [first = "", second = ""] = await shipped("1", "A", 1, 1);
  accepted(await tell(first, 195, hour(1)));
  accepted(await tell(second, 195, hour(1)));
  assert.deepEqual(await stateOf("1"), ["DESPATCHED", "LOST"]);
  accepted(await tell(second, 120, hour(2)));
  assert.deepEqual(await stateOf("1"), ["DESPATCHED", undefined]);
  accepted(await tell(second, 200, hour(3)));
  assert.deepEqual(await stateOf("1"), ["DELIVERED", "PARTIALLY_DELIVERED"]);
  accepted(await tell(second, 250, hour(4)));
  assert.deepEqual(await stateOf("1"), ["DELIVERED", "PARTIALLY_DELIVERED"]);
  accepted(await tell(second, 300, hour(5)));
  assert.deepEqual(await stateOf("1"), ["DESPATCHED", undefined]);
  assert.equal((await read("1")).lines[0]?.delivered, 0);
  const [third = ""] = await shipped("2", "A", 1);
  accepted(await tell(third, 220, hour(1)));
  const back = await tell(third, 300, hour(2));
  assert.deepEqual(eventsBy(back), ["2 order:returnedToSender", "2 300"]);
  assert.deepEqual(await stateOf("2"), ["RETURNED_TO_SENDER", undefined]);
});

test("a carrier's own code is mapped by the reporting carrier, then by the parcel's carrier, else kept as 399", async () => {
  const { picked, pack, despatch, carrier, clientId } = await stocked("WORDS");
  await picked("1", "A", 2);
  const olpns = [1, 2].map(() => parcelOf(1, { carrierCode: "KARRIO", trackingNumber: "T-WORDS" }));
  accepted(await pack({ orderId: "1", olpns }));
  assert.deepEqual(await clientsOfCarrierEvent(database, { trackingNumber: "T-WORDS" }), [clientId]);
  const { answer } = accepted(
    await carrier({ trackingNumber: "T-WORDS", carrierEventCode: "delivery_delayed", occurredAt: hour(1) }),
  );
  const known = answer as { eventCode: number; olpns: { olpnId: string }[] };
  assert.deepEqual([known.eventCode, known.olpns.length], [165, 2]);
  const [parcel] = known.olpns;
  accepted(await despatch({ olpnIds: known.olpns.map(({ olpnId }) => olpnId) }));
  const word = (carrierEventCode: string, carrierCode?: string) =>
    carrier({ olpnId: parcel?.olpnId, carrierEventCode, occurredAt: hour(2) }, { carrierCode });
  assert.deepEqual(eventsBy(await word("Exception_003", "AFTERSHIP")), ["1 220"]);
  assert.deepEqual(eventsBy(await word("Beamed up")), ["1 399"]);
  assert.deepEqual(eventsBy(await word("Beamed down")), ["1 399"]);
  assert.deepEqual(eventsBy(await word("Beamed up")), []);
  const number = await carrier({ olpnId: parcel?.olpnId, eventCode: 999, occurredAt: hour(3) });
  assert.deepEqual(eventsBy(number), ["1 399"]);
});

test("codes of the platform and unknown parcels are refused", async () => {
  const { shipped, tell, carrier } = await stocked("CARNO");
  const [olpnId = ""] = await shipped("1", "A", 1);
  for (const code of [10, 60, 100])
    assertRefused(await tell(olpnId, code, hour(1)), "unprocessable", /raised by the platform/);
  assertRefused(await tell("106141412345678908", 120, hour(1)), "notFound", /no parcel 106141412345678908/);
  assertRefused(await carrier({ trackingNumber: "T", eventCode: 120, occurredAt: hour(1) }), "notFound", /no parcel T/);
  assertRefused(await carrier({ eventCode: 120, occurredAt: hour(1) }), "unprocessable", /by olpnId or trackingNumber/);
  assertRefused(await carrier({ olpnId, occurredAt: hour(1) }), "unprocessable", /by eventCode or carrierEventCode/);
  const elsewhere = await carrier({ olpnId, eventCode: 120, occurredAt: hour(1) }, { facilityCode: "DC2" });
  assertRefused(elsewhere, "notFound", /no parcel/);
});
