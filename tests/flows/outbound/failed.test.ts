// outbound.md, ACK: when the asynchronous work of a document is given up, its ACK says so; every other document has its
// ACK too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { list, post } from "../../support/webhooks/outbound-list.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const { token: catalogueToken } = await demo.accept("CAT", catalogue("DEMO", ["A"]));
await demo.outcome(catalogueToken);
// The store refuses to create tasks for objects with this name.
await server.rows(`create function refuse_task() returns trigger language plpgsql as $$
  begin raise exception 'no task for %', new.object_id; end $$`);
await server.rows(`create trigger refuse_task before insert on warehouse_task for each row
  when (new.object_id like 'BAD%') execute function refuse_task()`);

interface Told {
  readonly state: string;
  readonly outbound: readonly { readonly messageId: string; readonly type: string }[];
}

test("a document that cannot be processed is FAILED, with an ACK that has the reason and the state of the object; the others are PROCESSED", async () => {
  const bad = await demo.accept("PO", purchaseOrder("DEMO", "BAD-PO", ["A"]));
  const fine = await demo.accept("RMA", authorisation("DEMO", "FINE-RMA", ["A"]));
  const feed = (await demo.becomes(bad.token, "FAILED")) as unknown as Told;
  assert.deepEqual(
    feed.outbound.map(({ type }) => type),
    ["ACK"],
  );
  assert.equal((await demo.becomes(fine.token, "PROCESSED")).state, "PROCESSED");
  const acks = await goods.outbound("ACK");
  const [, ...rows] = acks.map(({ root }) =>
    root.texts("feedType", "objectId", "result", "status", "distributionCentre"),
  );
  assert.deepEqual(rows.toSorted(), [
    ["PO", "BAD-PO", "FAILED", "OPEN", "DC1"],
    ["RMA", "FINE-RMA", "PROCESSED", "AUTHORISED", "DC1"],
  ]);
  const failed = acks.find(({ objectId }) => objectId === "BAD-PO");
  assert.equal(failed?.messageId, feed.outbound[0]?.messageId);
  assert.equal(failed?.root.text("token"), bad.token);
  assert.equal(failed?.root.all("errors/error").length, 1);
  const topics = await goods.topics("feed", bad.token);
  assert.deepEqual(topics, ["feed:failed"]);
});

test("acknowledged documents leave the list, and a catalogue's ACK is of no facility", async () => {
  const acks = await goods.outbound("ACK");
  assert.equal(acks[0]?.root.text("distributionCentre"), undefined);
  for (const { messageId } of acks) assert.equal((await post(demo, `${messageId}/ack`)).status, 204);
  assert.deepEqual((await list(demo, "?type=ACK")).items, []);
});
