// feeds.md §1 Durability, §4: concurrent documents take effect in any order, one at a time per object.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestClient, testServer } from "../../support/app/server.ts";
import { untilTaken } from "../../support/app/until.ts";
import { cancelOrder, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import type { FeedAnswer } from "../../support/oracles/acknowledgement.ts";

const server = await testServer();
const node = await server.startNode();
const names = ["ONE", "TWO", "THREE", "FOUR", "FIVE"];
const clients = await Promise.all(names.map((name) => server.onboard(name)));
const [first] = clients as [(typeof clients)[0], ...(typeof clients)[0][]];
await Promise.all(clients.map((client, i) => client.accept("CAT", catalogue(names[i] as string, ["A", "B"]))));

let keys = 0;
/** With a key, the document has one effect, however often it is sent. */
function sendOften(sender: TestClient, type: string, document: string): Promise<FeedAnswer> {
  const key = `often-${++keys}`;
  return untilTaken(() => sender.send(type, document, { "idempotency-key": key }));
}

test("two senders of one order at the same moment: exactly one is accepted, the other is a duplicate", async () => {
  for (let round = 0; round < 20; round++) {
    const orderId = `RACE-${round}`;
    const senders = [first, first.at(round % 2 ? node.url : server.url)];
    const answers = await Promise.all(
      senders.map((sender, i) => sender.send("NO", order("ONE", orderId, [i ? "A" : "B"]))),
    );
    const [winner, loser] = answers.sort((a, b) => Number(b.isAccepted) - Number(a.isAccepted));
    assert.ok(winner?.isAccepted && loser?.isAccepted === false);
    assert.match(loser.errors[0] as string, new RegExp(`^\\[DUPLICATE\\] Order ${orderId} .*${winner.token} at 2`));
  }
});

test("two hundred documents of several clients at once: each has its own effect, none another's", async () => {
  const sent = Array.from({ length: 200 }, (_, i) => {
    const client = clients[i % clients.length] as (typeof clients)[0];
    const name = names[i % names.length] as string;
    const sender = i % 3 === 0 ? client.at(node.url) : client;
    const kind = i % 4;
    if (kind === 0) return { sender, i, type: "PO", isGood: true, document: purchaseOrder(name, `P-${i}`, ["A", "B"]) };
    if (kind === 1) return { sender, i, type: "NO", isGood: false, document: order(name, `N-${i}`, ["A", "X"]) };
    if (kind === 2) return { sender, i, type: "CAT", isGood: true, document: catalogue(name, ["A", `S-${i}`, "B"]) };
    return { sender, i, type: "NO", isGood: true, document: order(name, `N-${i}`, ["B", "A"]) };
  });
  const answers = await Promise.all(sent.map(({ sender, type, document }) => sendOften(sender, type, document)));
  for (const [at, answer] of answers.entries()) assert.equal(answer.isAccepted, sent[at]?.isGood, answer.body);
  assert.equal(new Set(answers.map(({ token }) => token)).size, 200);
  const orders = await server.rows<{ n: number }>("select count(*) as n from sales_order where order_id like 'N-%'");
  assert.equal(orders[0]?.n, sent.filter(({ type, isGood }) => type === "NO" && isGood).length);
  for (const [at, { sender, isGood }] of sent.entries()) {
    if (isGood) assert.equal((await sender.outcome(answers[at]?.token as string)).state, "PROCESSED");
  }
  const gaps = await server.rows(
    "select client_id from event group by client_id having max(position) <> count(*) or min(position) <> 1",
  );
  assert.deepEqual(gaps, [], "each client's events have positions without gaps");
});

test("changes of one order at once take effect one at a time; what is sent after an ACK sees its effect", async () => {
  await first.accept("NO", order("ONE", "BUSY", ["A"]));
  const updates = Array.from({ length: 20 }, (_, i) =>
    sendOften(
      first.at(i % 2 ? node.url : server.url),
      "NO",
      order("ONE", "BUSY", [{ sku: "A", qty: i + 1 }, "B"], { actionType: "UPDATE" }),
    ),
  );
  for (const answer of await Promise.all(updates)) assert.ok(answer.isAccepted, answer.body);
  const busy = (await first.order("BUSY")) as { version: number; lines: unknown[] };
  // The version counts the documents, and the attempts to allocate stock.
  assert.ok(busy.version >= 21, `version ${busy.version}`);
  assert.equal(busy.lines.length, 2);
  await first.accept("NO", cancelOrder("ONE", "BUSY"));
  await first.at(node.url).refuse("NO", cancelOrder("ONE", "BUSY"), /^\[STATE\]/);
});

test("a NEW, an UPDATE and a CANCEL of one order in flight together leave a whole order, or none", async () => {
  for (let round = 0; round < 10; round++) {
    const orderId = `TRIO-${round}`;
    const [created] = await Promise.all([
      first.send("NO", order("ONE", orderId, ["A"])),
      first.at(node.url).send("NO", order("ONE", orderId, ["B", "A"], { actionType: "UPDATE" })),
      first.send("NO", cancelOrder("ONE", orderId)),
    ]);
    assert.ok(created.isAccepted, created.body);
    const { status, lines } = (await first.order(orderId)) as { status: string; lines: { status: string }[] };
    assert.ok(lines.length >= 1);
    for (const line of lines) assert.equal(line.status, status);
  }
});

test("an order sent after the catalogue's ACK knows its SKUs, on any node", async () => {
  for (let round = 0; round < 10; round++) {
    await first.accept("CAT", catalogue("ONE", [`FRESH-${round}`]));
    await first.at(node.url).accept("NO", order("ONE", `FRESH-${round}`, [`FRESH-${round}`]));
  }
  await node.stop();
});
