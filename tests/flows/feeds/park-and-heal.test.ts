// feeds.md §1, Park and heal: client setting parkUnknownSkus.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, cancelOrder, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { settings: { parkUnknownSkus: "true" } });
const strict = await server.onboard("STRICT");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

const unknown = (sku: string) => `[UNKNOWN_SKU] The request references unknown SKUs: ${sku}`;

test("a document rejected only for unknown SKUs is answered as rejected, parked, and reprocessed when a CAT brings them", async () => {
  const documents = [
    ["NO", order("DEMO", "1001", ["A", "P1"]), "1001"],
    ["PO", purchaseOrder("DEMO", "PO-1", ["P1"]), "PO-1"],
    ["RMA", authorisation("DEMO", "RMA-1", ["P1"]), "RMA-1"],
  ] as const;
  const tokens: string[] = [];
  for (const [type, document, objectId] of documents) {
    const answer = await demo.refuse(type, document, unknown("P1"));
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.objectId, answer.missingSkus], [objectId, ["P1"]]);
    const status = await demo.status(answer.token);
    assert.deepEqual([status.state, status.missingSkus, status.processedAt], ["PARKED", ["P1"], null]);
    tokens.push(answer.token);
  }
  assert.equal(await demo.order("1001"), undefined);
  await demo.accept("CAT", catalogue("DEMO", ["P1"]));
  for (const token of tokens) {
    const status = await demo.becomes(token, "PROCESSED");
    assert.deepEqual([status.errors, status.missingSkus], [[], []]);
  }
  assert.equal((await demo.order("1001"))?.orderId, "1001");
});

test("the outcome of a reprocessed document is sent under its token", async () => {
  const { token } = await demo.refuse("NO", order("DEMO", "1002", ["P2"]), unknown("P2"));
  await demo.accept("CAT", catalogue("DEMO", ["P2"]));
  await demo.becomes(token, "PROCESSED");
  const events = await server.rows<{ topic: string }>(
    "select topic from event where client_id = 'DEMO' and object_id = $1 order by position",
    token,
  );
  const topics = events.map(({ topic }) => topic);
  assert.equal(topics[0], "feed:rejected");
  assert.ok(topics.includes("feed:accepted"), topics.join());
});

test("a resend of a reprocessed document answers its ACK", async () => {
  for (const [type, document] of [
    ["NO", order("DEMO", "1003", ["P3"])],
    ["PO", purchaseOrder("DEMO", "PO-3", ["P3"])],
    ["RMA", authorisation("DEMO", "RMA-3", ["P3"])],
  ] as const) {
    const parked = await demo.send(type, document);
    if (!parked.isAccepted) {
      await demo.accept("CAT", catalogue("DEMO", ["P3"]));
      await demo.becomes(parked.token, "PROCESSED");
    }
    const resent = await demo.send(type, document);
    if (parked.isAccepted) continue;
    assert.ok(resent.isAccepted, resent.body);
    assert.equal(resent.token, parked.token);
    assert.equal(resent.headers.get("idempotent-replayed"), "true");
    await server.rows("delete from item where sku = 'P3'");
  }
  await demo.accept("CAT", catalogue("DEMO", ["P3"]));
  const different = await demo.send("NO", order("DEMO", "1003", ["P3", "A"]));
  assert.match(different.errors[0] as string, /^\[DUPLICATE\] Order 1003 exists already/);
});

test("a resend of a parked document replaces it", async () => {
  const first = await demo.refuse("NO", order("DEMO", "1004", ["P4"]), unknown("P4"));
  const second = await demo.refuse("NO", order("DEMO", "1004", ["P4", "A"]), unknown("P4"));
  assert.equal((await demo.status(first.token)).state, "REJECTED");
  assert.equal((await demo.status(second.token)).state, "PARKED");
  await demo.accept("CAT", catalogue("DEMO", ["P4"]));
  await demo.becomes(second.token, "PROCESSED");
  assert.equal((await demo.status(first.token)).state, "REJECTED");
  const { lines } = (await demo.order("1004")) as { lines: unknown[] };
  assert.equal(lines.length, 2);
});

test("a corrected document replaces a parked one, which is not reprocessed", async () => {
  const parked = await demo.refuse("NO", order("DEMO", "1005", ["P5"]), unknown("P5"));
  await demo.accept("NO", order("DEMO", "1005", ["A"]));
  await demo.accept("CAT", catalogue("DEMO", ["P5"]));
  const witness = await demo.refuse("NO", order("DEMO", "WITNESS-5", ["P5B"]), unknown("P5B"));
  await demo.accept("CAT", catalogue("DEMO", ["P5B"]));
  await demo.becomes(witness.token, "PROCESSED");
  assert.equal((await demo.status(parked.token)).state, "REJECTED");
  const { lines } = (await demo.order("1005")) as { lines: { sku: string }[] };
  assert.deepEqual(
    lines.map(({ sku }) => sku),
    ["A"],
  );
});

test("a later document that is refused has no effect on a parked one, which is reprocessed", async () => {
  const parked = await demo.refuse("NO", order("DEMO", "1107", ["P107"]), unknown("P107"));
  const wrong = { shipToAddress: { address1: "1", city: "X", zip: "12", country: "GB" } };
  await demo.send("NO", order("DEMO", "1107", ["P107"], wrong));
  await demo.send("NO", order("DEMO", "1107", ["A"], { actionType: "UPDATE" }));
  assert.equal((await demo.status(parked.token)).state, "PARKED");
  await demo.accept("CAT", catalogue("DEMO", ["P107"]));
  await demo.becomes(parked.token, "PROCESSED");
  assert.ok(await demo.order("1107"));
});

test("a CANCEL is refused while its order is parked, and the parked order does not come to life afterwards", async () => {
  const parked = await demo.refuse("NO", order("DEMO", "1108", ["P108"]), unknown("P108"));
  const cancelled = await demo.send("NO", cancelOrder("DEMO", "1108"));
  assert.match(cancelled.errors[0] as string, /^\[NOT_FOUND\]/);
  assert.equal((await demo.status(parked.token)).state, "REJECTED");
});

test("notices of one purchase order are parked each by itself", async () => {
  const notice = (vendorOrderId: string) => purchaseOrder("DEMO", "PO-6", ["P6"], { vendorOrderId });
  const first = await demo.refuse("PO", notice("ASN-1"), unknown("P6"));
  const second = await demo.refuse("PO", notice("ASN-2"), unknown("P6"));
  assert.equal((await demo.status(first.token)).state, "PARKED", "the other notice is not a resend of this one");
  await demo.accept("CAT", catalogue("DEMO", ["P6"]));
  await demo.becomes(first.token, "PROCESSED");
  await demo.becomes(second.token, "PROCESSED");
});

test("parked documents take effect in the order in which they came", async () => {
  const created = await demo.refuse("NO", order("DEMO", "1007", ["P7"]), unknown("P7"));
  const byReference = authorisation("DEMO", "RMA-7", ["P7"]);
  const returned = await demo.refuse("RMA", byReference, unknown("P7"));
  await demo.accept("CAT", catalogue("DEMO", ["P7"]));
  await demo.becomes(created.token, "PROCESSED");
  await demo.becomes(returned.token, "PROCESSED");
  const settled = await server.rows<{ token: string }>(
    "select token from feed_document where token = any($1::uuid[]) order by unparked_at",
    [created.token, returned.token],
  );
  assert.deepEqual(
    settled.map(({ token }) => token),
    [created.token, returned.token],
  );
});

test("a document waits until all its SKUs are known", async () => {
  const { token } = await demo.refuse("NO", order("DEMO", "1008", ["P8", "P8B"]), unknown("P8, P8B"));
  const witness = await demo.refuse("NO", order("DEMO", "WITNESS-8", ["P8"]), unknown("P8"));
  await demo.accept("CAT", catalogue("DEMO", ["P8"]));
  await demo.becomes(witness.token, "PROCESSED");
  assert.equal((await demo.status(token)).state, "PARKED");
  await demo.accept("CAT", catalogue("DEMO", ["P8B"]));
  await demo.becomes(token, "PROCESSED");
});

test("a document that turns out wrong otherwise when its SKUs are known is rejected with the new reason", async () => {
  const halves = order("DEMO", "1009", [{ sku: "P9", qtyUom: "CS" }]);
  const { token } = await demo.refuse("NO", halves, unknown("P9"));
  await demo.accept("CAT", catalogue("DEMO", ["P9"]));
  const status = await demo.becomes(token, "REJECTED");
  assert.deepEqual(status.errors, ["[VALUE] lines/line/qtyUom: 'CS' is not a unit of SKU P9; allowed: EA"]);
  assert.deepEqual(status.missingSkus, []);
});

test("a document with any other fault is not parked, nor is one of a client that did not ask for it", async () => {
  const twice = order("DEMO", "1010", ["P10"], { distributionCentre: "DC9" });
  const { token } = await demo.refuse("NO", twice, /^\[FACILITY\]/, unknown("P10"));
  assert.equal((await demo.status(token)).state, "REJECTED");
  const other = await strict.refuse("NO", order("STRICT", "1010", ["P10"]), unknown("P10"));
  assert.equal((await strict.status(other.token)).state, "REJECTED");
  await strict.accept("CAT", catalogue("STRICT", ["P10"]));
  assert.equal((await strict.status(other.token)).state, "REJECTED");
  await strict.accept("NO", order("STRICT", "1010", ["P10"]));
});

test("another client's catalogue reprocesses nothing", async () => {
  const { token } = await demo.refuse("NO", order("DEMO", "1011", ["P11"]), unknown("P11"));
  const { token: catalogueToken } = await strict.accept("CAT", catalogue("STRICT", ["P11"]));
  assert.equal((await strict.outcome(catalogueToken)).state, "PROCESSED");
  assert.equal((await demo.status(token)).state, "PARKED");
});

test("a dry run parks nothing", async () => {
  const answer = await demo.send("NO", order("DEMO", "1012", ["P12"]), {}, "/validate");
  assert.deepEqual(answer.missingSkus, ["P12"]);
  assert.deepEqual(await server.rows("select from feed_document where object_id = '1012'"), []);
});

test("a document parked in another encoding is read the same when it is reprocessed", async () => {
  const document = order("DEMO", "1013", ["P13"]).replace("Khan", "Größ").replace('encoding="UTF-8"', "");
  const sent = await demo.send("NO", Buffer.from(document, "latin1"), {
    "content-type": 'text/xml;charset="iso-8859-1"',
  });
  assert.deepEqual(sent.missingSkus, ["P13"]);
  await demo.accept("CAT", catalogue("DEMO", ["P13"]));
  await demo.becomes(sent.token, "PROCESSED");
  const { shipToAddress } = (await demo.order("1013")) as { shipToAddress: { lastName: string } };
  assert.equal(shipToAddress.lastName, "Größ");
});

test("a CANCEL of a parked document is rejected as unknown", async () => {
  await demo.refuse("NO", order("DEMO", "1014", ["P14"]), unknown("P14"));
  await demo.refuse("NO", cancelOrder("DEMO", "1014"), "[NOT_FOUND] CANCEL: order 1014 is not known");
});
