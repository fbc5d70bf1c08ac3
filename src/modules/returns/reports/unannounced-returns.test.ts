import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf, topics } from "../../../../tests/support/app/intake.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

const returnedOf = async (w: World, orderId: string) =>
  (await w.read(orderId)).lines.map(({ returned }) => returned / 1000);

test("a return to sender is compared with the contents of the parcel", async () => {
  const w = await intakeWorld("RET6");
  await w.items(["A", "B"]);
  await w.despatched("O-1", "P-1", [
    ["A", 3],
    ["B", 1],
  ]);
  const first = accepted(
    await w.takeBack({
      olpnId: "P-1",
      lines: [
        { sku: "A", qty: 2, disposition: "RESELLABLE" },
        { sku: "B", qty: 1, disposition: "SCRAP" },
      ],
    }),
  );
  assert.deepEqual(
    first.events.map(({ topic, objectId, outbound }) => [topic, objectId, outbound?.objectId]),
    [
      ["return:received", "P-1", "P-1"],
      ["carrier:trackAndTrace", "O-1", "O-1"],
    ],
  );
  const graded = (disposition: string, qty: number) => ({ disposition, qty });
  assert.deepEqual(contents(first.events.slice(0, 1)), [
    {
      olpnId: "P-1",
      returnType: "RETURN_TO_SENDER",
      orderId: "O-1",
      status: "RECEIVED",
      lines: [
        {
          lineNumber: 1,
          sku: "A",
          discrepancy: "NONE",
          dispositions: [graded("RESELLABLE", 2)],
          quantityReturned: 3,
          quantityReceived: 2,
        },
        {
          lineNumber: 2,
          sku: "B",
          discrepancy: "NONE",
          dispositions: [graded("SCRAP", 1)],
          quantityReturned: 1,
          quantityReceived: 1,
        },
      ],
    },
  ]);
  assert.deepEqual([first.answer.rmaNumber, first.answer.olpnId], [null, "P-1"]);
  const second = accepted(await w.takeBack({ olpnId: "P-1", lines: [{ sku: "A", qty: 2, disposition: "DAMAGED" }] }));
  assert.deepEqual(
    second.answer.lines.map(({ lineNumber, qtyReceived, qtyTotal, discrepancy }) => [
      ...[lineNumber, qtyReceived, qtyTotal, discrepancy],
    ]),
    [[1, 2, 4, "OVER"]],
    "what came before is remembered",
  );
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 2", "A GOOD: 2"]);
  assert.deepEqual(await returnedOf(w, "O-1"), [3, 1]);
  assert.deepEqual(
    (await w.exceptions()).map(({ kind, object_id }) => [kind, object_id]),
    [["OVER_RETURN", "P-1"]],
  );
  const third = { olpnId: "P-1", lines: [{ sku: "A", qty: 2, disposition: "RESELLABLE" as const }] };
  const { answer } = accepted(await w.takeBack(third));
  assert.deepEqual(answer.lines[0]?.booked, [{ disposition: "QUARANTINE", condition: "QUARANTINE", qty: 2 }]);
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 2", "A GOOD: 2", "A QUARANTINE: 2"]);
  const references = await w.query<{ r: string }>(
    sql`select distinct reference_type || ' ' || reference_id as r from stock_movement
      where client_id = ${tenant} and facility_code = 'DC1' and position > 0 limit 10`,
  );
  assert.deepEqual(references, [{ r: "parcel P-1" }]);
  await w.assertSound();

  const goods = { lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" as const }] };
  await w.despatched("O-2", "P-2", [["A", 3]], "LOADED");
  const early = await w.takeBack({ olpnId: "P-2", ...goods });
  assert.equal(refusalOf(early), "409 Parcel P-2 is LOADED: a parcel that has not left cannot come back.");
  assert.match(refusalOf(await w.takeBack({ olpnId: "P-9", ...goods })), /^404 The client has no parcel P-9/);
  assert.match(refusalOf(await w.takeBack({ olpnId: "P-1", ...goods }, { facilityCode: "DC2" })), /^404 /);
});

test("a blind return of any grade goes to quarantine and raises an exception", async () => {
  const w = await intakeWorld("RET7");
  await w.items(["A"]);
  const lines = [
    { lineNumber: 3, sku: "A", qty: 2, disposition: "RESELLABLE" as const, note: "no letter" },
    { sku: "A", qty: 1, disposition: "SCRAP" as const, batchRef: "B1", returnReasonCode: "REFUSED" },
  ];
  const { answer, events: drafts } = accepted(await w.takeBack({ returnId: "RET-1", lines, close: true }));
  assert.deepEqual(await w.stockOf(), ["A QUARANTINE: 2", "A QUARANTINE B1: 1"]);
  assert.deepEqual(
    answer.lines.map(({ lineNumber, qtyReceived, discrepancy }) => [lineNumber, qtyReceived, discrepancy]),
    [[null, 3, "UNPLANNED"]],
  );
  assert.deepEqual(topics(drafts), ["return:received"]);
  const dispositions = [
    { disposition: "QUARANTINE", qty: 2, note: "no letter" },
    { disposition: "QUARANTINE", qty: 1, batchRef: "B1", returnReasonCode: "REFUSED" },
  ];
  const status = (quantityReceived: number, graded: readonly object[]) => ({
    returnId: "RET-1",
    returnType: "BLIND",
    status: "RECEIVED",
    lines: [{ sku: "A", discrepancy: "UNPLANNED", dispositions: graded, quantityReturned: 0, quantityReceived }],
  });
  assert.deepEqual(contents(drafts), [status(3, dispositions)]);
  assert.equal(drafts[0]?.objectId, "RET-1");
  const [raised, ...others] = await w.exceptions();
  assert.deepEqual(others, []);
  assert.deepEqual([raised?.kind, raised?.object_id], ["BLIND_RETURN", "RET-1"]);
  assert.equal(raised?.summary, "Return RET-1: unannounced goods are in QUARANTINE: A");
  assert.deepEqual((raised?.detail.lines as object[] | undefined)?.[0], {
    sku: "A",
    qty: 2,
    reportedDisposition: "RESELLABLE",
    stockPool: "DEFAULT",
    note: "no letter",
  });
  const further = accepted(
    await w.takeBack({ returnId: "RET-1", lines: [{ sku: "A", qty: 1, disposition: "QUARANTINE" }] }),
  );
  const more = { disposition: "QUARANTINE", qty: 1 };
  assert.deepEqual(contents(further.events), [status(4, [...dispositions, more])], "what came before is remembered");
  assert.equal(further.answer.lines[0]?.qtyTotal, 4);
  const elsewhere = accepted(
    await w.takeBack(
      { returnId: "RET-1", lines: [{ sku: "A", qty: 1, disposition: "QUARANTINE" }] },
      { facilityCode: "DC2" },
    ),
  );
  assert.deepEqual(
    contents(elsewhere.events),
    [status(1, [more])],
    "the same identifier in another facility is another return",
  );
  const unnamed = accepted(await w.takeBack({ lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }] }));
  assert.match(unnamed.events[0]?.objectId as string, /^[0-9a-f-]{36}$/);
  await w.assertSound();
});
