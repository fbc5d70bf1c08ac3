import assert from "node:assert/strict";
import { test } from "node:test";
import { listReturnWork } from "#/modules/returns/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf, topics } from "../../../../tests/support/app/intake.ts";
import { database } from "../../../../tests/support/builders/stocked-orders.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

async function returnOf({ query }: World, rmaNumber: string) {
  const [header] = await query<{ status: string; closed_at: string | null }>(
    sql`select status, closed_at from return_authorisation
      where client_id = ${tenant} and rma_number = ${rmaNumber} limit 1`,
  );
  const lines = await query<{ n: number; e: string; r: string; y: string }>(
    sql`select line_number as n, qty_expected as e, qty_received as r, discrepancy as y from return_authorisation_line
      where client_id = ${tenant} and rma_number = ${rmaNumber} order by line_number limit 100`,
  );
  return [header?.status, ...lines.map(({ n, e, r, y }) => `${n}: ${Number(r)}/${Number(e)} ${y}`)];
}

const returnedOf = async (w: World, orderId: string) =>
  (await w.read(orderId)).lines.map(({ returned }) => returned / 1000);

test("returned goods are graded, booked, counted and published; the last ones make the return RECEIVED", async () => {
  const w = await intakeWorld("RET1");
  await w.items(["A", "B"]);
  await w.despatched("O-1", "P-1", [
    ["A", 5],
    ["B", 1],
  ]);
  await w.authorise(
    "RMA-1",
    [
      ["A", 4],
      ["B", 1],
    ],
    "O-1",
  );
  const first = accepted(
    await w.takeBack({
      rmaNumber: "RMA-1",
      returnId: "RET-1",
      occurredAt: "2026-11-01T08:00:00Z",
      lines: [
        { lineNumber: 1, sku: "A", qty: 1, disposition: "RESELLABLE" },
        { lineNumber: 1, sku: "A", qty: 1, disposition: "DAMAGED", note: "box opened" },
        { sku: "A", qty: 1, disposition: "SCRAP" },
      ],
    }),
  );
  assert.deepEqual(first.answer, {
    rmaNumber: "RMA-1",
    olpnId: null,
    returnId: "RET-1",
    status: "RECEIVING",
    lines: [
      {
        lineNumber: 1,
        sku: "A",
        qtyReceived: 3,
        qtyTotal: 3,
        discrepancy: "NONE",
        booked: [
          { disposition: "RESELLABLE", condition: "GOOD", qty: 1 },
          { disposition: "DAMAGED", condition: "DAMAGED", qty: 1 },
          { disposition: "SCRAP", condition: null, qty: 1 },
        ],
      },
    ],
  });
  assert.deepEqual(topics(first.events), ["return:received", "order:updated"]);
  const lineOne = {
    lineNumber: 1,
    sku: "A",
    discrepancy: "NONE",
    dispositions: [
      { disposition: "RESELLABLE", qty: 1 },
      { disposition: "DAMAGED", qty: 1, note: "box opened" },
      { disposition: "SCRAP", qty: 1 },
    ],
  };
  const lineTwo = { lineNumber: 2, sku: "B", discrepancy: "NONE", dispositions: [] };
  assert.deepEqual(contents(first.events.slice(0, 1)), [
    {
      rmaNumber: "RMA-1",
      returnType: "AUTHORISED",
      orderReference: "O-1",
      orderId: "O-1",
      status: "RECEIVING",
      lines: [
        { ...lineOne, quantityReturned: 4, quantityReceived: 3 },
        { ...lineTwo, quantityReturned: 1, quantityReceived: 0 },
      ],
    },
  ]);
  assert.deepEqual(first.events[0]?.data, {
    rmaNumber: "RMA-1",
    olpnId: null,
    status: "RECEIVING",
    lines: [
      { ...lineOne, qtyExpected: 4, qtyReceived: 3 },
      { ...lineTwo, qtyExpected: 1, qtyReceived: 0 },
    ],
  });
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 1", "A GOOD: 1"]);
  assert.deepEqual(await returnedOf(w, "O-1"), [3, 0]);

  const second = accepted(
    await w.takeBack({
      rmaNumber: "RMA-1",
      lines: [
        { sku: "A", qty: 1, disposition: "RESELLABLE" },
        { sku: "B", qty: 1, disposition: "QUARANTINE" },
      ],
    }),
  );
  const [document] = contents(second.events) as [{ status: string; lines: { dispositions: object[] }[] }];
  assert.equal(document.status, "RECEIVED");
  assert.deepEqual(document.lines[0]?.dispositions[0], { disposition: "RESELLABLE", qty: 2 }, "cumulative");
  assert.deepEqual(await returnOf(w, "RMA-1"), ["RECEIVED", "1: 4/4 NONE", "2: 1/1 NONE"]);
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 1", "A GOOD: 2", "B QUARANTINE: 1"]);
  assert.deepEqual(await returnedOf(w, "O-1"), [4, 1]);
  assert.equal((await w.read("O-1")).status, "DESPATCHED", "what came back changes no state of the order");
  const [movement] = await w.query<Record<string, unknown>>(
    sql`select type, reference_type, reference_id, occurred_at from stock_movement
      where client_id = ${tenant} and facility_code = 'DC1' and position = 1 limit 1`,
  );
  assert.deepEqual(movement, {
    type: "RETURN",
    reference_type: "return",
    reference_id: "RMA-1",
    occurred_at: "2026-11-01T08:00:00.000Z",
  });
  assert.deepEqual(await w.audits("RMA-1"), ["receive", "startReceiving", "receive", "complete"]);
  await w.assertSound();
});

test("more than announced and another SKU have a discrepancy; what the order shipped counts for it", async () => {
  const w = await intakeWorld("RET2");
  await w.items(["A", "X"]);
  await w.despatched("O-1", "P-1", [
    ["A", 5],
    ["X", 2],
  ]);
  await w.authorise("RMA-1", [["A", 2]], "O-1");
  const { answer, events: drafts } = accepted(
    await w.takeBack({
      rmaNumber: "RMA-1",
      lines: [
        { lineNumber: 1, sku: "A", qty: 3, disposition: "RESELLABLE" },
        { lineNumber: 1, sku: "X", qty: 1, disposition: "DAMAGED" },
      ],
    }),
  );
  assert.deepEqual(
    answer.lines.map(({ lineNumber, sku, qtyTotal, discrepancy }) => [lineNumber, sku, qtyTotal, discrepancy]),
    [
      [1, "A", 3, "OVER"],
      [null, "X", 1, "UNPLANNED"],
    ],
  );
  const [{ lines }] = contents(drafts) as [{ lines: object[] }];
  assert.deepEqual(lines[1], {
    sku: "X",
    discrepancy: "UNPLANNED",
    dispositions: [{ disposition: "DAMAGED", qty: 1 }],
    quantityReturned: 0,
    quantityReceived: 1,
  });
  assert.deepEqual(await returnOf(w, "RMA-1"), ["RECEIVED", "1: 3/2 OVER"]);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 3", "X DAMAGED: 1"]);
  assert.deepEqual(await returnedOf(w, "O-1"), [3, 1]);
  assert.deepEqual(await w.exceptions(), []);
  await w.assertSound();
});

test("more than an order shipped, over all its returns, is in quarantine and raises an exception", async () => {
  const w = await intakeWorld("RET3");
  await w.items(["A"]);
  await w.despatched("O-1", "P-1", [
    ["A", 2],
    ["A", 1],
  ]);
  for (const [rmaNumber, qty] of [
    ["RMA-1", 1],
    ["RMA-2", 5],
    ["RMA-3", 1],
  ] as const) {
    await w.authorise(rmaNumber, [["A", qty]], "O-1");
    accepted(await w.takeBack({ rmaNumber, lines: [{ sku: "A", qty, disposition: "RESELLABLE" }] }));
  }
  accepted(await w.takeBack({ olpnId: "P-1", lines: [{ sku: "A", qty: 2, disposition: "DAMAGED" }] }));
  assert.deepEqual(await returnedOf(w, "O-1"), [2, 1]);
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 2", "A GOOD: 3", "A QUARANTINE: 4"]);
  const left = "more came back than left with order O-1; what would be sellable is in QUARANTINE: A";
  const raised = await w.exceptions();
  assert.deepEqual(
    raised.map(({ kind, summary }) => [kind, summary]),
    [
      ["OVER_RETURN", `Return RMA-2: ${left}`],
      ["OVER_RETURN", `Return RMA-3: ${left}`],
      ["OVER_RETURN", `Parcel P-1: ${left}`],
    ],
  );
  const line = { lineNumber: 1, sku: "A", qty: 3, reportedDisposition: "RESELLABLE", stockPool: "DEFAULT" };
  assert.deepEqual(raised[0]?.detail, { lines: [line] });
  const reasons = await w.query<{ reason: string | null; qty: string }>(
    sql`select reason, sum(qty) as qty from stock_movement
      where client_id = ${tenant} and facility_code = 'DC1' and position > 0 group by reason order by reason limit 10`,
  );
  assert.deepEqual(
    reasons.map(({ reason, qty }) => [reason, Number(qty)]),
    [
      ["OVER_RETURN", 4],
      [null, 5],
    ],
  );
  await w.assertSound();
});

test("without an order, what is not announced is in quarantine", async () => {
  const w = await intakeWorld("RET11");
  await w.items(["A", "X"]);
  await w.authorise("RMA-1", [["A", 2]]);
  const lines = [
    { sku: "A", qty: 3, disposition: "RESELLABLE" as const },
    { sku: "X", qty: 1, disposition: "RESELLABLE" as const },
  ];
  const { events } = accepted(await w.takeBack({ rmaNumber: "RMA-1", lines }));
  const [{ lines: told }] = contents(events) as [{ lines: { dispositions: object[] }[] }];
  assert.deepEqual(told[0]?.dispositions, [
    { disposition: "RESELLABLE", qty: 2 },
    { disposition: "QUARANTINE", qty: 1 },
  ]);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 2", "A QUARANTINE: 1", "X QUARANTINE: 1"]);
  const [raised] = await w.exceptions();
  assert.match(raised?.summary as string, /^Return RMA-1: more came back than was announced; .* QUARANTINE: A, X$/);
  await w.assertSound();
});

test("two facilities that take back the same goods at once count them once", async () => {
  const w = await intakeWorld("RET12");
  await w.items(["A"]);
  await w.despatched("O-1", "P-1", [["A", 4]]);
  await w.authorise("RMA-1", [["A", 4]], "O-1");
  await w.authorise("RMA-2", [["A", 4]], "O-1");
  await w.query(sql`update return_authorisation set distribution_centre = 'DC2'
    where client_id = ${tenant} and rma_number = 'RMA-2' returning rma_number`);
  const goods = { lines: [{ sku: "A", qty: 3, disposition: "RESELLABLE" as const }] };
  const both = await Promise.all([
    w.takeBack({ rmaNumber: "RMA-1", ...goods }),
    w.takeBack({ rmaNumber: "RMA-2", ...goods }, { facilityCode: "DC2" }),
  ]);
  for (const report of both) accepted(report);
  const balances = await w.query<{ condition: string; qty: string }>(
    sql`select condition, sum(qty) as qty from stock_balance where client_id = ${tenant} and sku = 'A'
      group by condition order by condition limit 10`,
  );
  assert.deepEqual(
    balances.map(({ condition, qty }) => `${condition} ${Number(qty)}`),
    ["GOOD 4", "QUARANTINE 2"],
  );
  assert.deepEqual(await returnedOf(w, "O-1"), [4]);
  await w.assertSound();
});

test("a return is closed short; one report that receives and closes makes one RS", async () => {
  const w = await intakeWorld("RET4");
  await w.items(["A", "B"]);
  await w.authorise("RMA-1", [
    ["A", 2],
    ["B", 1],
  ]);
  const empty = await w.takeBack({ rmaNumber: "RMA-1", lines: [], close: true });
  assert.equal(refusalOf(empty), "409 Return RMA-1: it is AUTHORISED; only a return in receipt can be closed.");
  const { events: drafts } = accepted(
    await w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }], close: true }),
  );
  assert.deepEqual(topics(drafts), ["return:received", "return:closed"]);
  assert.deepEqual(
    drafts.map(({ outbound }) => outbound?.type),
    [undefined, "RS"],
  );
  assert.equal((contents(drafts)[0] as { status: string }).status, "CLOSED");
  assert.deepEqual(await returnOf(w, "RMA-1"), ["CLOSED", "1: 1/2 SHORT", "2: 0/1 SHORT"]);
  const late = await w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }] });
  assert.match(refusalOf(late), /^409 Return RMA-1: it is CLOSED/);

  await w.authorise("RMA-2", [["A", 1]]);
  accepted(await w.takeBack({ rmaNumber: "RMA-2", lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }] }));
  const closed = accepted(await w.takeBack({ rmaNumber: "RMA-2", lines: [], close: true }));
  assert.deepEqual(topics(closed.events), ["return:closed"]);
  assert.equal(contents(closed.events).length, 1);
  assert.deepEqual(await returnOf(w, "RMA-2"), ["CLOSED", "1: 1/1 NONE"]);
  assert.deepEqual(await w.audits("RMA-2"), ["receive", "startReceiving", "complete", "close"]);
  await w.assertSound();
});

test("a wrong return is refused with all errors, and writes nothing", async () => {
  const w = await intakeWorld("RET5");
  await w.items(["A"]);
  await w.items(["KEPT"], { attributes: { CaptureExpiry: "true" } });
  await w.authorise("RMA-1", [["A", 2]]);
  const lines = [
    { sku: "NEVER", qty: 1, disposition: "RESELLABLE" as const },
    { sku: "A", qty: 0, disposition: "RESELLABLE" as const },
    { sku: "A", qty: 0.5, disposition: "RESELLABLE" as const },
    { lineNumber: 7, sku: "A", qty: 1, disposition: "RESELLABLE" as const },
    { sku: "KEPT", qty: 1, disposition: "SCRAP" as const },
  ];
  assert.equal(
    refusalOf(await w.takeBack({ rmaNumber: "RMA-1", lines })),
    [
      "422 lines[1]: the quantity 0 is not above 0 with at most 3 fraction digits.",
      "lines[0]: SKU NEVER is not known; send it with a CAT first.",
      "lines[2]: 0.5 of SKU A is not a whole number of EA.",
      "lines[3]: line 7 is not on return RMA-1.",
      "lines[4]: SKU KEPT is kept by expiry date: send its expiryDate.",
    ].join(" "),
  );
  assert.deepEqual(await returnOf(w, "RMA-1"), ["AUTHORISED", "1: 0/2 NONE"]);
  assert.deepEqual(await w.stockOf(), []);
  const good = { lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" as const }] };
  const unknown = await w.takeBack({ rmaNumber: "RMA-9", ...good });
  assert.equal(refusalOf(unknown), "404 The client has no return RMA-9 at facility DC1; a blind return names none.");
  assert.match(refusalOf(await w.takeBack({ rmaNumber: "RMA-1", ...good }, { facilityCode: "DC2" })), /^404 /);
  const other = await intakeWorld("RET5B");
  assert.match(refusalOf(await other.takeBack({ rmaNumber: "RMA-1", ...good })), /^404 /);
  assert.match(refusalOf(await w.takeBack({ rmaNumber: "RMA-1", lines: [] })), /^409 Return RMA-1: the report has no/);
  assert.match(refusalOf(await w.takeBack({ returnId: "RET-1", lines: [] })), /^422 Return RET-1: the report has no/);
});

test("the warehouse task has the expected quantities of an open return", async () => {
  const w = await intakeWorld("RET9");
  await w.items(["A", "B"]);
  await w.authorise("RMA-1", [
    ["A", 2],
    ["B", 1],
  ]);
  const work = async () =>
    (await listReturnWork(database.of(w.clientId), ["RMA-1", "RMA-9"])).map(({ type, objectId, isWanted, lines }) => [
      ...[type, objectId, isWanted],
      lines.map(({ lineNumber, sku, qty, uom, stockPool }) => `${lineNumber} ${sku} ${qty} ${uom} ${stockPool}`),
    ]);
  assert.deepEqual(await work(), [["RETURN", "RMA-1", true, ["1 A 2000 EA DEFAULT", "2 B 1000 EA DEFAULT"]]]);
  accepted(await w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "B", qty: 1, disposition: "SCRAP" }] }));
  assert.deepEqual(await work(), [["RETURN", "RMA-1", true, ["1 A 2000 EA DEFAULT"]]]);
  accepted(await w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "A", qty: 2, disposition: "SCRAP" }] }));
  assert.deepEqual(await work(), [["RETURN", "RMA-1", false, []]]);
});

test("returns at once are booked one after the other", async () => {
  const w = await intakeWorld("RET10");
  await w.items(["A"]);
  await w.despatched("O-1", "P-1", [["A", 10]]);
  await w.authorise("RMA-1", [["A", 6]], "O-1");
  const results = await Promise.all(
    Array.from({ length: 8 }, () =>
      w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }] }),
    ),
  );
  const sent = results.flatMap((result) => accepted(result).events).map(({ outbound }) => outbound?.type);
  assert.deepEqual(sent.sort(), [...Array(8).fill("OS"), ...Array(8).fill("RS")]);
  assert.deepEqual(await returnOf(w, "RMA-1"), ["RECEIVED", "1: 8/6 OVER"]);
  assert.deepEqual(await returnedOf(w, "O-1"), [8]);
  await w.assertSound();
});
