// lifecycle.md §1: client, warehouse and carrier act at the same moment. The second one gets a clear refusal; no
// operation happens twice or partially.
import assert from "node:assert/strict";
import { test } from "node:test";
import { holdOrder } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { untilTaken } from "../../support/app/until.ts";
import { cancelOrder } from "../../support/builders/documents.ts";
import { lifeOf, parcel } from "../../support/builders/life.ts";
import type { Answer } from "../../support/http/call.ts";
import { carrierOf, type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const node = await server.startNode();
const dc1 = await warehouseOf(server);
const other = await warehouseOf({ ...server, url: node.url });
const carrier = await carrierOf(server, "RM");
const rounds = ["1", "2", "3", "4", "5", "6"];
const accepted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

test.after(() => node.stop());

test("a cancellation and a pick at once: one is first, and the other is judged by it", async () => {
  const life = await lifeOf(server, dc1, "CANPICK");
  await life.stock([{ sku: "A", qty: rounds.length }]);
  for (const orderId of rounds) await life.place(orderId, ["A"]);
  for (const orderId of rounds) {
    const pick = { clientId: "CANPICK", orderId, lines: [{ lineNumber: 1, qtyPicked: 1 }] };
    const [picked, cancelled] = await Promise.all([
      other.post("/pick/report", pick),
      life.client.send("NO", cancelOrder("CANPICK", orderId)),
    ]);
    assert.equal(cancelled.isAccepted, true, cancelled.body);
    await life.quiet();
    if (picked.status === 200) {
      assert.equal(await life.stands(orderId), "PICKING Picked 1");
      assert.equal(await life.work("CANCEL_REQUEST", orderId), "v1: A 1");
    } else {
      assert.equal(picked.status, 409);
      assert.equal((await life.shown(orderId)).status, "CANCELLED");
    }
  }
  await life.assertSound();
});

test("the same step reported twice at once happens once", async () => {
  const life = await lifeOf(server, dc1, "TWICE");
  const clientId = "TWICE";
  await life.stock([{ sku: "A", qty: rounds.length }]);
  for (const orderId of rounds) await life.place(orderId, ["A"]);
  for (const orderId of rounds) {
    const both = async (kind: string, body: object) => {
      const answers = await Promise.all([dc1.post(kind, body), other.post(kind, body)]);
      assert.deepEqual(
        answers.map(({ status }) => status).sort(),
        [200, 409],
        JSON.stringify(answers.map((a) => a.body)),
      );
      return answers.find(({ status }) => status === 200)?.body ?? {};
    };
    await both("/pick/report", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked: 1 }] });
    const olpns = [parcel([{ lineNumber: 1, qty: 1 }])];
    const { olpns: made } = await both("/pack/report", { clientId, orderId, olpns });
    const [{ olpnId }] = made as [{ olpnId: string }];
    await both("/load/report", { loadId: `L-${orderId}`, olpnIds: [olpnId] });
    await both("/despatch/report", { loadId: `L-${orderId}` });
    const delivered = { olpnId, eventCode: 200, occurredAt: new Date().toISOString() };
    const reportAnswers = await Promise.all([1, 2, 3].map(() => carrier.report("carrierEvent", delivered)));
    assert.deepEqual(reportAnswers.map(({ isRepeat }) => isRepeat).sort(), [false, true, true]);
    assert.deepEqual(await life.signals(orderId), [
      ...["order:received", 10, 20, "order:allocated", 40, 50, "order:picking", 52, 55],
      ...["parcel:packed", "order:packed", 60, 70, 75, "parcel:load", 80, "order:despatched", 100],
      ...["order:delivered", 200],
    ]);
    assert.deepEqual(
      (await life.documents(orderId)).map(({ status }) => status),
      ["ALLOCATED", "PICKING", "PACKED", "DESPATCHED", "DELIVERED"],
    );
  }
  assert.equal(await life.stockOf("A"), "");
  await life.assertSound();
});

test("a despatch and a void of one parcel at once: it left, or it was taken apart", async () => {
  const life = await lifeOf(server, dc1, "LEFT");
  await life.stock([{ sku: "A", qty: rounds.length }]);
  for (const orderId of rounds) {
    await life.place(orderId, ["A"]);
    await life.pick(orderId, 1);
    const [olpnId = ""] = await life.pack(orderId, 1);
    const answers = await Promise.all([
      dc1.post("/despatch/report", { olpnIds: [olpnId] }),
      other.post("/parcel/void", { clientId: "LEFT", olpnId }),
    ]);
    assert.equal(accepted(answers), 1);
    assert.equal(
      await life.stands(orderId),
      answers[0].status === 200 ? "DESPATCHED Despatched 1" : "PICKING Picked 1",
    );
  }
  await life.assertSound();
});

test("a hold and the acceptance of the task at once: the order is held, and known to be the warehouse's or not", async () => {
  const life = await lifeOf(server, dc1, "HOLDTAKE");
  await life.stock([{ sku: "A", qty: rounds.length }]);
  for (const orderId of rounds.slice(0, 3)) {
    await life.place(orderId, ["A"]);
    const task = await life.task("PICK", orderId);
    const [{ body }] = await Promise.all([
      other.post("/task/accept", { taskIds: [task?.taskId] }),
      life.serve((tx, change) =>
        holdOrder(tx.of("HOLDTAKE", change), { orderId, type: "CLIENT_REQUEST", reason: "wait" }),
      ),
    ]);
    const [{ status }] = body.results as [{ status: string }];
    assert.equal(await life.stands(orderId), "ON_HOLD (CLIENT_REQUEST: wait) Allocated 1");
    assert.equal(await life.work("HOLD", orderId), status === "ACCEPTED" ? "v1: A 1" : undefined);
    assert.equal(await life.work("PICK", orderId), "v2 withdrawn");
  }
  await life.assertSound();
});

test("many orders of one lot, worked on by two nodes at once, leave the books right", async () => {
  const life = await lifeOf(server, dc1, "MANY");
  const orderIds = Array.from({ length: 16 }, (_, i) => `M-${i}`);
  await life.stock([
    { sku: "A", qty: 24 },
    { sku: "B", qty: 24 },
  ]);
  for (const orderId of orderIds)
    await life.place(orderId, [
      { sku: "A", qty: 2 },
      { sku: "B", qty: 1 },
    ]);
  const work = async (orderId: string, i: number): Promise<void> => {
    const port = i % 2 === 0 ? dc1 : other;
    const body = { clientId: "MANY", orderId };
    if ((await life.shown(orderId)).status !== "ALLOCATED") return;
    if (i % 5 === 4) {
      const key = { "idempotency-key": orderId };
      const cancelled = await untilTaken(() => life.client.send("NO", cancelOrder("MANY", orderId), key));
      assert.ok(cancelled.isAccepted, cancelled.body);
      return;
    }
    const report = (by: Port, kind: string, content: object, part = 1) =>
      untilTaken(() => by.post(`/${kind}/report`, { ...content, reportId: `${kind} ${orderId} ${part}` }));
    const lines = [
      { lineNumber: 1, qtyPicked: 2 },
      { lineNumber: 2, qtyPicked: i % 3 === 0 ? 0 : 1, ...(i % 3 === 0 ? { qtyShort: 1 } : {}) },
    ];
    assert.equal((await report(port, "pick", { ...body, lines })).status, 200);
    const olpns = [parcel([{ lineNumber: 1, qty: 1 }]), parcel([{ lineNumber: 1, qty: 1 }])];
    const packed = await report(port, "pack", { ...body, olpns });
    assert.equal(packed.status, 200, JSON.stringify(packed.body));
    const olpnIds = (packed.body.olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId);
    const gone = await Promise.all([
      report(port, "despatch", { olpnIds: olpnIds.slice(0, 1) }, 1),
      report(other, "despatch", { olpnIds: olpnIds.slice(1) }, 2),
    ]);
    assert.equal(accepted(gone), 2, JSON.stringify(gone.map((answer) => answer.body)));
  };
  const adjust = async (port: Port, sku: string): Promise<void> => {
    const { body } = life.adjust([{ sku, qty: 5 }]);
    const answer = await untilTaken(() => port.post("/adjustment/report", body));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  await Promise.all([...orderIds.map(work), adjust(dc1, "A"), adjust(other, "B")]);
  await life.assertSound();
  for (const orderId of orderIds) {
    const { lines, status } = await life.shown(orderId);
    await life.statuses(orderId);
    const last = (await life.documents(orderId)).at(-1);
    if (status !== "PICKING") assert.equal(last?.status, status, "the last OS says where the order stands");
    for (const line of lines) {
      const parts = ["Open", "Backordered", "Allocated", "Picked", "Packed", "Despatched", "Cancelled"];
      const sum = parts.reduce((all, part) => all + Number(line[`qty${part}`]), 0);
      assert.equal(sum, line.qtyOrdered);
    }
  }
});
