// outbound.md, Delivery: a client's pending documents are listed, fetched, acknowledged and sent again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sampleBody, type Topic, topics } from "#/delivery/webhooks/index.ts";
import { createXmlEngine, element, text } from "#/intake/xml/index.ts";
import { createIds, isUuidV7 } from "#/kernel/values/ids.ts";
import { createOutboxWriter, type EventDraft, type OutboundDraft } from "#/store/outbox/append.ts";
import { type TestClient, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import * as samples from "../../support/webhooks/outbound.ts";
import { fetchXml, type Item, list, post, readOn, waitFor } from "../../support/webhooks/outbound-list.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const writer = createOutboxWriter(createIds());
const engine = await createXmlEngine();
const allocated = topics.find(({ topicName }) => topicName === "order:allocated") as Topic;

/** Writes events with outbound content to the outbox, as services do, and waits until their documents are listed. */
async function publish(client: TestClient, ...drafts: readonly OutboundDraft[]): Promise<readonly Item[]> {
  const { clientId } = client.credentials;
  const { nextCursor } = await readOn(client);
  const events = drafts.map(
    (outbound): EventDraft => ({
      topic: "order:allocated",
      objectType: "order",
      objectId: outbound.objectId,
      facilityCode: "DC1",
      data: sampleBody(allocated).data,
      outbound,
    }),
  );
  await server.database.transaction(async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), events));
  return waitFor(client, nextCursor, drafts.length);
}

const status = (orderId: string): OutboundDraft => ({
  type: "OS",
  objectId: orderId,
  content: { ...samples.orderStatus, orderId },
});

test("each event with an outbound feed makes one document, in the order of the events, valid and with its own bytes", async () => {
  const orderIds = Array.from({ length: 60 }, (_, i) => `A-${i}`);
  const items = await publish(demo, ...orderIds.map(status));
  assert.deepEqual(
    items.map(({ objectId }) => objectId),
    orderIds,
  );
  assert.equal(new Set(items.map(({ messageId }) => messageId)).size, orderIds.length);
  const [first] = items as [Item];
  assert.ok(isUuidV7(first.messageId));
  assert.deepEqual(Object.keys(first), ["messageId", "type", "objectId", "createdAt", "size"]);
  const xml = await fetchXml(demo, first.messageId);
  assert.equal(Buffer.byteLength(xml), first.size);
  const schema = engine.compile(readFileSync(new URL("../../../schemas/xsd/OS.xsd", import.meta.url)));
  const shape = element({ children: { messageId: text, clientId: text, distributionCentre: text, orderId: text } });
  const read = engine.read(Buffer.from(xml), { schema, shape });
  assert.ok(read.ok, xml);
  assert.deepEqual(
    { ...read.value },
    { messageId: first.messageId, clientId: "DEMO", distributionCentre: "DC1", orderId: "A-0" },
  );
  assert.match(xml, new RegExp(`<creationTimeStamp>${first.createdAt}</creationTimeStamp>`));
});

test("the list is paged and has a cursor at its end, after which later documents follow", async () => {
  const before = await readOn(demo);
  await publish(demo, status("B-1"), status("B-2"), status("B-3"));
  const page = await list(demo, `?cursor=${before.nextCursor}&limit=2`);
  assert.deepEqual(
    page.items.map(({ objectId }) => objectId),
    ["B-1", "B-2"],
  );
  const rest = await list(demo, `?cursor=${page.nextCursor}&limit=2`);
  assert.deepEqual(
    rest.items.map(({ objectId }) => objectId),
    ["B-3"],
  );
  const end = await list(demo, `?cursor=${rest.nextCursor}`);
  assert.deepEqual(end, { items: [], nextCursor: rest.nextCursor });
  const [later] = await publish(demo, status("B-4"));
  assert.deepEqual((await list(demo, `?cursor=${end.nextCursor}`)).items, [later]);
});

test("the list can be of one type, with its own cursors", async () => {
  const draft: OutboundDraft = { type: "RS", objectId: "RMA-4711", content: samples.returnStatus };
  const [, returned] = await publish(demo, status("C-1"), draft, status("C-2"));
  const page = await list(demo, "?type=RS");
  assert.deepEqual(page.items, [returned]);
  assert.deepEqual((await list(demo, `?type=RS&cursor=${page.nextCursor}`)).items, []);
  for (const query of [`?cursor=${page.nextCursor}`, `?type=OS&cursor=${page.nextCursor}`, "?cursor=abc"]) {
    const response = await demo.request(`/feeds/DEMO/outbound${query}`);
    assert.equal(response.status, 400, query);
    const { errors } = (await response.json()) as { errors: object[] };
    assert.deepEqual(errors, [{ pointer: "/query/cursor", message: "is not a nextCursor of this list and sort" }]);
  }
});

test("an acknowledged document leaves the list, once and for all, and stays readable", async () => {
  const [first, second] = (await publish(demo, status("D-1"), status("D-2"))) as [Item, Item];
  const xml = await fetchXml(demo, first.messageId);
  for (const _ of ["first", "again"]) {
    const response = await post(demo, `${first.messageId}/ack`);
    assert.equal(response.status, 204);
    assert.equal(await response.text(), "");
  }
  const listed = (await readOn(demo)).items.map(({ messageId }) => messageId);
  assert.ok(!listed.includes(first.messageId) && listed.includes(second.messageId));
  assert.equal(await fetchXml(demo, first.messageId), xml);
});

test("a body that comes with an acknowledgement is not looked at", async () => {
  const [{ messageId }] = (await publish(demo, status("D-3"))) as [Item];
  for (const [type, body] of [
    ["application/x-www-form-urlencoded", ""],
    ["application/json", ""],
    ["application/xml", "<received/>"],
    ["text/plain", "thank you"],
  ] as const) {
    const path = `/feeds/DEMO/outbound/${messageId}/ack`;
    const response = await demo.request(path, { method: "POST", headers: { "content-type": type }, body });
    assert.equal(response.status, 204, type);
  }
});

test("a resent document is in the list again, after every cursor, with the same bytes", async () => {
  const [sent] = (await publish(demo, status("E-1"))) as [Item];
  const xml = await fetchXml(demo, sent.messageId);
  assert.equal((await post(demo, `${sent.messageId}/ack`)).status, 204);
  const { nextCursor } = await readOn(demo);
  for (const _ of ["acknowledged", "not acknowledged yet"]) {
    assert.equal((await post(demo, `${sent.messageId}/resend`)).status, 204);
    assert.deepEqual((await list(demo, `?cursor=${nextCursor}`)).items, [sent]);
    assert.equal((await readOn(demo)).items.filter(({ messageId }) => messageId === sent.messageId).length, 1);
  }
  assert.equal(await fetchXml(demo, sent.messageId), xml);
});

test("a document is answered 304 to the one that has it", async () => {
  const [{ messageId }] = (await publish(demo, status("F-1"))) as [Item];
  const path = `/feeds/DEMO/outbound/${messageId}`;
  const etag = (await demo.request(path)).headers.get("etag") as string;
  const known = await demo.request(path, { headers: { "if-none-match": `"x", W/${etag}` } });
  assert.equal(known.status, 304);
  assert.equal(known.headers.get("etag"), etag);
  assert.equal((await demo.request(path, { headers: { "if-none-match": '"x"' } })).status, 200);
});

test("another client's document, an unknown one and a text that is not an identifier are the same 404", async () => {
  const [{ messageId }] = (await publish(other, status("G-1"))) as [Item];
  const unknown = messageId.replace(/.{4}$/, "0000");
  for (const wrong of [messageId, unknown, "abc", messageId.toUpperCase(), "1'or'1'='1"]) {
    const path = encodeURIComponent(wrong);
    for (const response of [
      await demo.request(`/feeds/DEMO/outbound/${path}`),
      await post(demo, `${path}/ack`),
      await post(demo, `${path}/resend`),
    ]) {
      assert.equal(response.status, 404, wrong);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
    }
  }
  assert.equal((await list(other)).items.length, 1);
});

test("every call requires the client's own key", async () => {
  const id = createIds().next(Date.now());
  const calls = [
    ["GET", "outbound"],
    ["GET", `outbound/${id}`],
    ["POST", `outbound/${id}/ack`],
    ["POST", `outbound/${id}/resend`],
    ["POST", "outbound/request"],
  ] as const;
  for (const [method, path] of calls) {
    const anonymous = await fetch(`${server.url}/feeds/DEMO/${path}`, { method });
    assert.equal(anonymous.status, 401, path);
    assert.equal(anonymous.headers.get("www-authenticate"), "ApiKey");
    assert.match(((await anonymous.json()) as { type: string }).type, /feed-key-invalid$/);
    const foreign = await other.request(`/feeds/DEMO/${path}`, { method });
    assert.equal(foreign.status, 403, path);
  }
});

test("all errors of a request are reported at once", async () => {
  const response = await demo.request("/feeds/DEMO/outbound?type=NO&limit=501&x=1");
  assert.equal(response.status, 400);
  const { errors } = (await response.json()) as { errors: { pointer: string }[] };
  assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), ["/query/limit", "/query/type", "/query/x"]);
});

test("a snapshot can be requested, and has the announced messageId; a statement follows it", async () => {
  const { nextCursor } = await readOn(demo);
  const promised = new Set<string>();
  for (const type of ["INV", "IMS"]) {
    const response = await post(demo, "request", { type, distributionCentre: "DC2" });
    assert.equal(response.status, 202);
    const answer = (await response.json()) as { messageId: string };
    assert.deepEqual(Object.keys(answer), ["messageId"]);
    promised.add(answer.messageId);
  }
  const items = await waitFor(demo, nextCursor, 3);
  assert.deepEqual(items.map(({ type }) => type).sort(), ["IMS", "IMS", "INV"]);
  assert.deepEqual(promised.difference(new Set(items.map(({ messageId }) => messageId))), new Set());
  for (const { messageId, type } of items) {
    const xml = await fetchXml(demo, messageId);
    assert.match(xml, type === "INV" ? /^<inventorySnapshot /m : /^<inventoryMovementStatement /m);
    assert.match(xml, /<distributionCentre>DC2<\/distributionCentre>/);
  }
});

test("a wrong request for a snapshot is refused with its errors", async () => {
  const refusals: [body: object, status: number, pointers: string[]][] = [
    [{ type: "INV", distributionCentre: "DC9" }, 422, ["#/distributionCentre"]],
    [{ type: "INV", distributionCentre: "DC3" }, 422, ["#/distributionCentre"]],
    [{ type: "OS", distributionCentre: "DC1" }, 400, ["#/type"]],
    [{ type: "INV" }, 400, ["#/distributionCentre"]],
    [{ type: "IMS", distributionCentre: "DC1", colour: "red" }, 400, ["#/colour"]],
  ];
  for (const [body, status, pointers] of refusals) {
    const response = await post(demo, "request", body);
    assert.equal(response.status, status, JSON.stringify(body));
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      pointers,
    );
  }
});

test("the outcome of a feed document goes out as an ACK, which the status call names", async () => {
  const { nextCursor } = await readOn(demo);
  const sent = [
    await demo.accept("CAT", catalogue("DEMO", ["A"])),
    await demo.accept("PO", purchaseOrder("DEMO", "P-1", ["A"])),
    await demo.accept("RMA", authorisation("DEMO", "R-1", ["A"])),
    await demo.accept("NO", order("DEMO", "O-1", ["A"])),
  ];
  for (const { token, feedType, objectId } of sent) {
    const { outbound, state } = (await demo.outcome(token)) as { outbound: Item[]; state: string };
    assert.equal(state, "PROCESSED");
    const [ack, ...others] = outbound.filter(({ type }) => type === "ACK");
    assert.deepEqual([ack?.type, others], ["ACK", []], feedType);
    const xml = await fetchXml(demo, (ack as Item).messageId);
    const schema = engine.compile(readFileSync(new URL("../../../schemas/xsd/ACK.xsd", import.meta.url)));
    const parts = ["token", "feedType", "objectId", "result", "status", "distributionCentre"] as const;
    const shape = element({ children: Object.fromEntries(parts.map((part) => [part, text])) });
    const read = engine.read(Buffer.from(xml), { schema, shape });
    assert.ok(read.ok, xml);
    const fields: Record<string, unknown> = { ...read.value };
    assert.deepEqual([fields.token, fields.feedType, fields.objectId], [token, feedType, objectId]);
    assert.equal(fields.result, "PROCESSED");
    const isCatalogue = feedType === "CAT";
    assert.equal(fields.distributionCentre, isCatalogue ? undefined : "DC1");
    assert.equal(fields.status === undefined, isCatalogue, xml);
  }
  assert.ok((await list(demo, `?cursor=${nextCursor}`)).items.length >= sent.length);
});

test("a parked document that is reprocessed has an ACK with either result", async () => {
  const parking = await server.onboard("PARK", { settings: { parkUnknownSkus: "true" } });
  const good = await parking.refuse("NO", order("PARK", "1", ["NEW"]), /UNKNOWN_SKU/);
  const units = [{ sku: "NEW", qtyUom: "CS" }];
  const bad = await parking.refuse("RMA", authorisation("PARK", "2", units), /UNKNOWN_SKU/);
  await parking.accept("CAT", catalogue("PARK", ["NEW"]));
  await parking.becomes(good.token, "PROCESSED");
  await parking.becomes(bad.token, "REJECTED");
  const outboundOf = (token: string) =>
    until("its ACK", async () => {
      const { outbound } = (await parking.status(token)) as { outbound: Item[] };
      return outbound.length > 0 && outbound;
    });
  const [healed] = (await outboundOf(good.token)) as [Item];
  assert.match(await fetchXml(parking, healed.messageId), /<result>PROCESSED<\/result>/);
  const rejected = await outboundOf(bad.token);
  assert.equal(rejected.length, 1);
  const xml = await fetchXml(parking, (rejected[0] as Item).messageId);
  assert.match(xml, /<distributionCentre>DC1<\/distributionCentre>/);
  assert.match(xml, /<objectId>2<\/objectId>\s*<result>REJECTED<\/result>\s*<errors>\s*<error>\[VALUE\] [^<]*CS[^<]*</);
});
