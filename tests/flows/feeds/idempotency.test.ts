// feeds.md §1, Idempotency: what an Idempotency-Key identifies, and the rules without one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
await demo.accept("CAT", catalogue("DEMO", ["A"]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
const keyed = (key: string) => ({ "idempotency-key": key });

test("the same key and the same bytes answer the original ACK byte for byte, with one effect", async () => {
  const document = order("DEMO", "1001", ["A"]);
  const first = await demo.accept("NO", document, keyed("k-1001"));
  assert.equal(first.headers.get("idempotent-replayed"), null);
  for (const [body, headers] of [
    [document, {}],
    [gzipSync(document), { "content-encoding": "gzip" }],
  ] as const) {
    const again = await demo.send("NO", body, { ...keyed("k-1001"), ...headers });
    assert.equal(again.status, 200);
    assert.equal(again.body, first.body);
    assert.equal(again.headers.get("x-correlation-token"), first.token);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
  }
  const documents = await server.rows("select from feed_document where object_id = '1001'");
  assert.equal(documents.length, 1);
});

test("a catalogue sent again with its key has no second effect", async () => {
  const first = catalogue("DEMO", [{ sku: "TWICE", name: "first" }]);
  await demo.accept("CAT", first, keyed("cat-1"));
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "TWICE", name: "second" }]), keyed("cat-2"));
  assert.equal((await demo.send("CAT", first, keyed("cat-1"))).headers.get("idempotent-replayed"), "true");
  const [item] = await server.rows<{ name: string }>("select name from item where sku = 'TWICE'");
  assert.equal(item?.name, "second");
});

test("the key of an accepted document with another body is 422; with a new key the body is taken", async () => {
  await demo.accept("NO", order("DEMO", "1002", ["A"]), keyed("k-1002"));
  const reused = order("DEMO", "1003", ["A"]);
  const answer = await demo.send("NO", reused, keyed("k-1002"));
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.errors, [
    "[IDEMPOTENCY] This Idempotency-Key was used for an accepted document with other bytes",
  ]);
  assert.equal(await demo.order("1003"), undefined);
  await demo.accept("NO", reused, keyed("k-1003"));
});

test("a key belongs to one client and one feed type", async () => {
  await demo.accept("NO", order("DEMO", "1004", ["A"]), keyed("shared"));
  await demo.accept("PO", purchaseOrder("DEMO", "P-1", ["A"]), keyed("shared"));
  await other.accept("NO", order("OTHER", "1004", ["A"]), keyed("shared"));
});

test("a rejected document leaves its key free: the remedy works with the same key", async () => {
  const document = order("DEMO", "1005", ["LATE"]);
  const rejected = await demo.send("NO", document, keyed("k-1005"));
  assert.deepEqual(rejected.missingSkus, ["LATE"]);
  await demo.accept("CAT", catalogue("DEMO", ["LATE"]));
  const accepted = await demo.accept("NO", document, keyed("k-1005"));
  assert.notEqual(accepted.token, rejected.token);
  assert.equal(accepted.headers.get("idempotent-replayed"), null);
  assert.equal((await demo.send("NO", document, keyed("k-1005"))).body, accepted.body);
});

test("a document refused by the rate leaves its key free", async () => {
  const hasty = await server.onboard("HASTY", { settings: { rateLimit: "1/s" } });
  const document = catalogue("HASTY", ["A"]);
  // Concurrently: in sequence, they may be too slow to reach the rate limit.
  const keys = Array.from({ length: 8 }, (_, i) => `later-${i}`);
  const answers = await Promise.all(keys.map((key) => hasty.send("CAT", document, keyed(key))));
  const refused = keys[answers.findIndex(({ status }) => status === 429)];
  assert.ok(refused !== undefined, answers.map(({ status }) => status).join());
  await hasty.set({ rateLimit: "off" });
  const accepted = await hasty.accept("CAT", document, keyed(refused));
  assert.equal(accepted.headers.get("idempotent-replayed"), null);
});

test("a key is 1 to 255 visible characters", async () => {
  for (const key of ["k", "x".repeat(255), `"quoted"~!`]) {
    await demo.accept("NO", order("DEMO", `KEY-${key.length}`, ["A"]), keyed(key));
  }
  for (const key of ["", "x".repeat(256), "with blank", "tab\tinside", "ümlaut"]) {
    const answer = await demo.send("NO", order("DEMO", "NEVER", ["A"]), keyed(key));
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.errors, ["[REQUEST] Idempotency-Key must be 1 to 255 visible characters"]);
  }
  assert.equal(await demo.order("NEVER"), undefined);
});

test("the key of a document in progress is 409; afterwards it answers the ACK", async () => {
  const document = catalogue("DEMO", [{ sku: "A", name: "held" }]);
  const isLocked = Promise.withResolvers<void>();
  const isSeen = Promise.withResolvers<void>();
  // Another transaction locks the item, so that the document is in progress until the other one is answered.
  const holding = server.database.transaction(async (tx) => {
    const lock = "select from item where client_id = 'DEMO' and sku = 'A' for update";
    await tx.query({ text: lock, values: [], name: "hold", isTenant: false });
    isLocked.resolve();
    await isSeen.promise;
  });
  await isLocked.promise;
  const sent = [1, 2].map(() => demo.send("CAT", document, keyed("busy")));
  // The first to arrive is validated, and waits for the item.
  const early = await Promise.race(sent).finally(isSeen.resolve);
  assert.equal(early.status, 409);
  assert.deepEqual(early.errors, [
    "[IN_PROGRESS] A document with this Idempotency-Key is being processed; try again in a second",
  ]);
  await holding;
  const [processed, ...others] = (await Promise.all(sent)).filter((answer) => answer !== early);
  assert.ok(processed?.isAccepted && others.length === 0, `${processed?.body}`);
  assert.equal((await demo.send("CAT", document, keyed("busy"))).body, processed.body);
});

test("ten senders with one key on two nodes: one effect, one ACK, the others must wait or get that ACK", async (t) => {
  const node = await server.startNode();
  t.after(() => node.stop());
  const document = order("DEMO", "RACE", ["A"]);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => (i % 2 ? demo.at(node.url) : demo).send("NO", document, keyed("race"))),
  );
  const taken = answers.filter(({ status }) => status === 200);
  assert.ok(taken.length >= 1);
  assert.equal(new Set(taken.map(({ body }) => body)).size, 1);
  assert.equal(taken.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
  const documents = await server.rows("select from feed_document where object_id = 'RACE'");
  assert.equal(documents.length, 1);
});

test("after seven days a key is free again", async () => {
  const document = order("DEMO", "OLD-KEY", ["A"]);
  await demo.accept("NO", document, keyed("old"));
  await server.rows(
    "update feed_idempotency set expires_at = now() - interval '1 second' where idempotency_key = 'old'",
  );
  const answer = await demo.send("NO", document, keyed("old"));
  assert.match(answer.errors[0] as string, /^\[DUPLICATE\] Order OLD-KEY exists already/);
  await demo.accept("NO", order("DEMO", "NEW-KEY", ["A"]), keyed("old"));
});

test("without a key an identical NEW is a duplicate, unless the client asked for the original ACK", async () => {
  const documents = [
    ["NO", order("DEMO", "1006", ["A"]), "Order 1006"],
    ["PO", purchaseOrder("DEMO", "P-6", ["A"]), "Purchase order P-6"],
  ] as const;
  for (const [type, document, object] of documents) {
    const first = await demo.accept(type, document);
    const { receivedAt } = await demo.status(first.token);
    const sentence = (bytes: string) =>
      `[DUPLICATE] ${object} exists already: received as document ${first.token} at ${receivedAt}; its bytes are ${bytes}`;
    await demo.refuse(type, document, sentence("identical"));
    await demo.refuse(type, `${document} `, sentence("different"));
    await demo.set({ identicalResend: "REPLAY" });
    const replayed = await demo.accept(type, document);
    assert.equal(replayed.body, first.body);
    assert.equal(replayed.headers.get("idempotent-replayed"), "true");
    await demo.refuse(type, `${document} `, sentence("different"));
    await demo.set({ identicalResend: "REJECT" });
    await demo.refuse(type, document, sentence("identical"));
  }
});

test("an identical document is the same one for seven days only", async () => {
  await demo.set({ identicalResend: "REPLAY" });
  const document = order("DEMO", "1007", ["A"]);
  const { token } = await demo.accept("NO", document);
  const age = "update feed_document set received_at = received_at - interval '8 days' where object_id = '1007'";
  await server.rows(age);
  await demo.refuse("NO", document, new RegExp(`^\\[DUPLICATE\\] Order 1007 .* ${token} .*identical$`));
  await demo.set({ identicalResend: "REJECT" });
});
