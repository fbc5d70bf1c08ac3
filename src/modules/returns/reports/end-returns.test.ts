import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { cancelReturn, expireReturns, listClientsWithUnusedReturns, listReturnWork } from "#/modules/returns/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf, topics } from "../../../../tests/support/app/intake.ts";
import { at, changeAt, database } from "../../../../tests/support/builders/stocked-orders.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

const statusOf = async ({ query }: World, rmaNumber: string) =>
  (
    await query<{ status: string }>(
      sql`select status from return_authorisation where client_id = ${tenant} and rma_number = ${rmaNumber} limit 1`,
    )
  )[0]?.status;

const later = (days: number, ms = 0) => new Date(Date.parse(at) + days * dayMs + ms).toISOString();
const goods = [{ sku: "A", qty: 1, disposition: "RESELLABLE" as const }];

test("a client can cancel a return only before its first receipt", async () => {
  const w = await intakeWorld("END1");
  await w.items(["A"]);
  await w.authorise("RMA-1", [["A", 2]]);
  await w.authorise("RMA-2", [["A", 2]]);
  const cancel = (rmaNumber: string) =>
    database.transaction((tx) => cancelReturn(tx.of(w.clientId, changeAt()), { rmaNumber }));
  const refusalOfCancel = async (rmaNumber: string) => {
    const cancelled = await cancel(rmaNumber);
    assert.ok(!cancelled.ok);
    return `${cancelled.fault.kind}: ${cancelled.fault.detail}`;
  };
  const cancelled = await cancel("RMA-1");
  assert.ok(cancelled.ok);
  const drafts = cancelled.value;
  assert.deepEqual(drafts, [
    {
      topic: "return:cancelled",
      objectType: "return",
      objectId: "RMA-1",
      facilityCode: "DC1",
      data: {
        rmaNumber: "RMA-1",
        olpnId: null,
        status: "CANCELLED",
        lines: [{ lineNumber: 1, sku: "A", qtyExpected: 2, qtyReceived: 0, discrepancy: "NONE", dispositions: [] }],
      },
    },
  ]);
  assert.equal(await statusOf(w, "RMA-1"), "CANCELLED");
  assert.deepEqual(await w.audits("RMA-1"), ["cancel"]);
  assert.equal((await listReturnWork(database.of(w.clientId), ["RMA-1"]))[0]?.isWanted, false);
  const again = "conflict: Return RMA-1 is CANCELLED: it can only be cancelled while it is AUTHORISED.";
  assert.equal(await refusalOfCancel("RMA-1"), again);
  assert.match(
    refusalOf(await w.takeBack({ rmaNumber: "RMA-1", lines: [], close: true })),
    /^409 Return RMA-1: it is CANCELLED; only its goods are received/,
  );
  accepted(await w.takeBack({ rmaNumber: "RMA-2", lines: goods }));
  assert.match(await refusalOfCancel("RMA-2"), /^conflict: Return RMA-2 is RECEIVING/);
  assert.equal(await refusalOfCancel("RMA-9"), "notFound: The client has no return RMA-9.");
});

test("goods of a cancelled return are received into quarantine, with an exception, and it stays cancelled", async () => {
  const w = await intakeWorld("END4");
  await w.items(["A"]);
  await w.despatched("O-1", "P-1", [["A", 3]]);
  await w.authorise("RMA-1", [["A", 2]], "O-1");
  assert.ok(
    (await database.transaction((tx) => cancelReturn(tx.of(w.clientId, changeAt()), { rmaNumber: "RMA-1" }))).ok,
  );
  const { answer, events } = accepted(await w.takeBack({ rmaNumber: "RMA-1", lines: goods }));
  assert.equal(answer.status, "CANCELLED");
  assert.deepEqual(answer.lines[0]?.booked, [{ disposition: "QUARANTINE", condition: "QUARANTINE", qty: 1 }]);
  assert.deepEqual(topics(events).slice(0, 1), ["return:received"]);
  const [document] = contents(events) as [{ status: string; rmaNumber: string; lines: object[] }];
  assert.deepEqual([document.rmaNumber, document.status], ["RMA-1", "CANCELLED"]);
  assert.equal(await statusOf(w, "RMA-1"), "CANCELLED");
  assert.deepEqual(await w.stockOf(), ["A QUARANTINE: 1"]);
  assert.deepEqual(
    (await w.exceptions()).map(({ kind, summary }) => [kind, summary]),
    [["BLIND_RETURN", "Return RMA-1: goods of a cancelled return are in QUARANTINE: A"]],
  );
  assert.equal((await w.read("O-1")).lines[0]?.returned, 1000, "the goods are back, whatever becomes of the return");
  await w.assertSound();
});

test("an unused return expires after the client's rmaDays; a receipt reopens it", async () => {
  const w = await intakeWorld("END2");
  await w.items(["A"]);
  const quick = await intakeWorld("END3");
  await database.query(
    sql`update client set settings = '{"rmaDays": 10}' where client_id = ${quick.clientId} returning client_id`,
  );
  await w.authorise("RMA-1", [["A", 2]]);
  await w.authorise("RMA-2", [["A", 2]]);
  await w.authorise("RMA-3", [["A", 2]], undefined, later(1));
  await quick.authorise("RMA-1", [["A", 1]]);
  accepted(await w.takeBack({ rmaNumber: "RMA-2", lines: goods }));
  const due = (now: string) => listClientsWithUnusedReturns(database, now, 100);
  assert.deepEqual(await due(later(10)), []);
  assert.deepEqual(await due(later(10, 1)), [{ clientId: "END3", before: later(0, 1) }]);
  assert.deepEqual(await due(later(90, 1)), [
    { clientId: "END2", before: later(0, 1) },
    { clientId: "END3", before: later(80, 1) },
  ]);
  const expire = () =>
    database.transaction((tx) => expireReturns(tx.of(w.clientId, changeAt(later(90, 1))), later(0, 1)));
  const drafts = await expire();
  assert.deepEqual(topics(drafts), ["return:expired"]);
  assert.equal(drafts[0]?.objectId, "RMA-1");
  const states = await Promise.all(["RMA-1", "RMA-2", "RMA-3"].map((rmaNumber) => statusOf(w, rmaNumber)));
  assert.deepEqual(states, ["EXPIRED", "RECEIVING", "AUTHORISED"]);
  assert.deepEqual(await w.audits("RMA-1"), ["expire"]);
  assert.deepEqual(await expire(), []);
  assert.equal(await statusOf(quick, "RMA-1"), "AUTHORISED", "another client's");

  const reopened = accepted(await w.takeBack({ rmaNumber: "RMA-1", lines: goods }, { at: later(91) }));
  assert.equal(reopened.answer.status, "RECEIVING");
  assert.deepEqual(await w.audits("RMA-1"), ["expire", "receive", "startReceiving"]);
  await w.assertSound();
});
