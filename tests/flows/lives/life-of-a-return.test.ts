// lifecycle.md §3 from outside: a brand authorises a return, a warehouse grades the goods, and the brand is notified.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, authorisation, catalogue, type Parts } from "../../support/builders/documents.ts";
import { goodsOf, inDays, runJob } from "../../support/builders/goods.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", { sku: "LOT", captureBatchRef: "true" }, serial]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
await dc1.report("adjustment", {
  clientId: "DEMO",
  adjustmentId: "OPENING",
  reasonCode: "INITIAL",
  lines: ["A", "B", "C"].map((sku) => ({ sku, qty: 10 })),
});
afterEach(() => goods.assertSound());

const authorise = (rmaNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  demo.accept("RMA", authorisation("DEMO", rmaNumber, lines, more));
const returned = (rmaNumber: string, lines: readonly object[], more: object = {}) => ({
  clientId: "DEMO",
  rmaNumber,
  lines,
  ...more,
});
const take = (...of: Parameters<typeof returned>) => dc1.report("return", returned(...of));
const refuse = (status: number, ...of: Parameters<typeof returned>) =>
  goods.unchanged(() => dc1.refuse("return", returned(...of), status));
const good = (sku: string, qty: number, more: object = {}) => ({ sku, qty, disposition: "RESELLABLE", ...more });
const stateOf = async (rmaNumber: string) => {
  const [row] = await server.rows<{ status: string }>(
    "select status from return_authorisation where rma_number = $1",
    rmaNumber,
  );
  return row?.status;
};
/** Each RS of a return: its state, and the contents of each line. */
const documentLines = async (rmaNumber: string) =>
  (await goods.outbound("RS", rmaNumber)).map(({ root }) => [
    root.text("status"),
    ...root
      .all("lines/line")
      .map((line) =>
        [
          ...line.texts("lineNumber", "sku", "quantityReturned", "quantityReceived", "discrepancy"),
          ...line
            .all("dispositions/disposition")
            .map((disposition) => disposition.texts("disposition", "qty", "note").join(":")),
        ].join(" "),
      ),
  ]);

test("goods are graded: each disposition is a condition, scrap leaves; RS tells all that came, each time", async () => {
  await authorise("R-1", [
    { sku: "A", quantityReturned: 4 },
    { sku: "B", quantityReturned: 2 },
  ]);
  assert.equal(await stateOf("R-1"), "AUTHORISED");
  assert.deepEqual((await goods.snapshot()).get("A")?.texts("onHand", "inReturn"), ["10", "4"]);
  await take("R-1", [good("A", 1), { sku: "A", qty: 1, disposition: "DAMAGED", note: "torn" }]);
  assert.equal(await stateOf("R-1"), "RECEIVING");
  assert.deepEqual((await goods.snapshot()).get("A")?.texts("onHand", "inReturn", "damaged"), ["12", "2", "1"]);
  const isTask = ({ type, objectId }: PortTask) => type === "RETURN" && objectId === "R-1";
  const { lines } = await dc1.task((task) => isTask(task) && task.version === 2);
  assert.deepEqual(
    lines.map(({ sku, qty }) => [sku, qty]),
    [
      ["A", 2],
      ["B", 2],
    ],
  );
  const answer = await take("R-1", [
    { sku: "A", qty: 1, disposition: "QUARANTINE" },
    { sku: "A", qty: 1, disposition: "SCRAP" },
    good("B", 2),
  ]);
  assert.equal(answer.status, "RECEIVED");
  assert.deepEqual(await goods.stock("A"), ["DAMAGED 1/0", "GOOD 11/0", "QUARANTINE 1/0"]);
  await dc1.task((task) => isTask(task) && task.withdrawnAt !== null);
  assert.equal((await take("R-1", [], { close: true })).status, "CLOSED");
  const all = ["1 A 4 4 NONE RESELLABLE:1: DAMAGED:1:torn QUARANTINE:1: SCRAP:1:", "2 B 2 2 NONE RESELLABLE:2:"];
  assert.deepEqual(await documentLines("R-1"), [
    ["RECEIVING", "1 A 4 2 NONE RESELLABLE:1: DAMAGED:1:torn", "2 B 2 0 NONE"],
    ["RECEIVED", ...all],
    ["CLOSED", ...all],
  ]);
  assert.deepEqual(await goods.topics("return", "R-1"), [
    "return:authorised",
    "return:received",
    "return:received",
    "return:closed",
  ]);
  const [, first] = await goods.events("return", "R-1");
  const lineData = first?.data.lines as { dispositions: object[] }[] | undefined;
  assert.equal(lineData?.[0]?.dispositions.length, 2);
  assert.match(await refuse(409, "R-1", [good("A", 1)]), /CLOSED/);
});

test("more than announced and another SKU have a discrepancy; what would be sellable of it is in quarantine", async () => {
  await authorise("O-1", ["B"]);
  const answer = await take("O-1", [good("B", 3), { sku: "C", qty: 2, disposition: "DAMAGED" }]);
  assert.equal(answer.status, "RECEIVED");
  assert.deepEqual(await documentLines("O-1"), [
    ["RECEIVED", "1 B 1 3 OVER RESELLABLE:1: QUARANTINE:2:", " C 0 2 UNPLANNED DAMAGED:2:"],
  ]);
  assert.deepEqual(
    [await goods.stock("B"), await goods.stock("C")],
    [
      ["GOOD 13/0", "QUARANTINE 2/0"],
      ["DAMAGED 2/0", "GOOD 10/0"],
    ],
  );
  const [raised] = await goods.exceptions("O-1");
  assert.deepEqual([raised?.kind, raised?.state], ["OVER_RETURN", "OPEN"]);
  assert.equal((await goods.snapshot()).get("B")?.text("inReturn"), "0");
});

test("a return that is closed short has SHORT lines", async () => {
  await authorise("S-1", [{ sku: "B", quantityReturned: 2 }, "C"]);
  assert.match(await refuse(409, "S-1", [], { close: true }), /AUTHORISED/);
  assert.equal((await take("S-1", [good("B", 1)], { close: true })).status, "CLOSED");
  assert.deepEqual(await documentLines("S-1"), [["CLOSED", "1 B 2 1 SHORT RESELLABLE:1:", "2 C 1 0 SHORT"]]);
  assert.deepEqual((await goods.topics("return", "S-1")).slice(1), ["return:received", "return:closed"]);
  assert.equal((await goods.snapshot()).get("C")?.text("inReturn"), "0");
});

test("goods without an RMA are quarantined with any grade, and raise an exception", async () => {
  const before = await goods.stock("A");
  const body = { clientId: "DEMO", returnId: "BLIND-1", lines: [good("A", 2)] };
  const answer = await dc1.report("return", body);
  assert.deepEqual(answer.lines, [
    {
      lineNumber: null,
      sku: "A",
      qtyReceived: 2,
      qtyTotal: 2,
      discrepancy: "UNPLANNED",
      booked: [{ disposition: "QUARANTINE", condition: "QUARANTINE", qty: 2 }],
    },
  ]);
  assert.deepEqual(
    await goods.stock("A"),
    before.map((place) => place.replace("QUARANTINE 1", "QUARANTINE 3")),
  );
  assert.deepEqual(
    (await goods.exceptions("BLIND-1")).map(({ kind, state }) => [kind, state]),
    [["BLIND_RETURN", "OPEN"]],
  );
  assert.deepEqual(await goods.topics("return", "BLIND-1"), ["return:received"]);
  const [rs, ...others] = await goods.outbound("RS", "BLIND-1");
  assert.deepEqual(others, []);
  assert.deepEqual(rs?.root.texts("rmaNumber", "returnId", "returnType", "status"), [
    undefined,
    "BLIND-1",
    "BLIND",
    "RECEIVED",
  ]);
  assert.deepEqual(await documentLines("BLIND-1"), [["RECEIVED", " A 0 2 UNPLANNED QUARANTINE:2:"]]);
  assert.equal((await dc1.post("/return/report", { ...body, returnId: undefined })).status, 200);
  await dc1.report("return", { ...body, lines: [{ ...good("A", 1), note: "no letter", returnReasonCode: "REFUSED" }] });
  assert.deepEqual((await documentLines("BLIND-1")).at(-1), [
    "RECEIVED",
    " A 0 3 UNPLANNED QUARANTINE:2: QUARANTINE:1:no letter",
  ]);
  const [, last] = await goods.outbound("RS", "BLIND-1");
  assert.deepEqual(
    last?.root.all("lines/line/dispositions/disposition").map((part) => part.text("returnReasonCode")),
    [undefined, "REFUSED"],
  );
});

test("unused it expires after 90 days, or after the client's own rmaDays; a receipt reopens it", async () => {
  await authorise("E-1", ["A"]);
  await authorise("E-2", [{ sku: "B", quantityReturned: 2 }]);
  await authorise("E-3", ["A", "B"]);
  await take("E-3", [good("A", 1)]);
  await runJob(server, "return-expiry", inDays(89.99));
  assert.equal(await stateOf("E-1"), "AUTHORISED");
  await runJob(server, "return-expiry", inDays(90.01));
  assert.deepEqual([await stateOf("E-1"), await stateOf("E-3")], ["EXPIRED", "CLOSED"]);
  assert.deepEqual(await goods.topics("return", "E-1"), ["return:authorised", "return:expired"]);
  // Neither an expired return nor the rest of a closed one is expected.
  assert.equal((await goods.snapshot()).get("B")?.text("inReturn"), "0");
  assert.match(await refuse(409, "E-2", [], { close: true }), /EXPIRED/);
  assert.equal((await take("E-2", [good("B", 1)])).status, "RECEIVING");
  assert.equal((await goods.snapshot()).get("B")?.text("inReturn"), "1");
  assert.equal((await take("E-1", [good("A", 1)])).status, "RECEIVED");
  assert.deepEqual(
    (await documentLines("E-1")).map(([state]) => state),
    ["RECEIVED"],
  );
  await demo.set({ rmaDays: "5" });
  await authorise("E-4", ["A"]);
  await runJob(server, "return-expiry", inDays(5.01));
  await demo.set({ rmaDays: "" });
  assert.equal(await stateOf("E-4"), "EXPIRED");
});

test("what an item captures is required, and a serial in stock cannot come back", async () => {
  await authorise("L-1", ["LOT", { sku: "SER", quantityReturned: 2 }]);
  assert.match(await refuse(422, "L-1", [good("LOT", 1)]), /batchRef/);
  assert.match(await refuse(422, "L-1", [good("SER", 1)]), /serials/);
  assert.match(await refuse(422, "L-1", [good("SER", 2, { serials: ["S1", "S1"] })]), /twice/);
  await take("L-1", [good("LOT", 1, { batchRef: "B1" }), good("SER", 1, { serials: ["S1"] })]);
  assert.match(await refuse(409, "L-1", [good("SER", 1, { serials: ["S1"] })]), /in stock/);
  assert.deepEqual(await goods.stock("LOT"), ["GOOD B1 1/0"]);
  await take("L-1", [{ sku: "SER", qty: 1, disposition: "SCRAP", serials: ["S2"] }]);
  assert.deepEqual(await goods.stock("SER"), ["GOOD 1/0"]);
});

test("a wrong request is refused as a whole, and nothing changes", async () => {
  await authorise("N-1", ["A"]);
  for (const qty of [0, -1, 0.0001]) await refuse(400, "N-1", [good("B", 1), good("A", qty)]);
  await refuse(422, "N-1", [good("B", 1), good("A", 0.5)]);
  await refuse(422, "N-1", [good("A", 1), good("GHOST", 1)]);
  await refuse(422, "N-1", [good("A", 1, { lineNumber: 9 })]);
  await refuse(400, "N-1", [{ sku: "A", qty: 1, disposition: "FINE" }]);
  await refuse(404, "GHOST", [good("A", 1)]);
  await goods.unchanged(() => dc2.refuse("return", returned("N-1", [good("A", 1)]), 404));
  await refuse(404, "N-1", [good("A", 1)], { clientId: "OTHER" });
  await refuse(404, "N-1", [good("A", 1)], { rmaNumber: undefined, olpnId: "006141410000000012" });
  await refuse(422, "N-1", [good("GHOST", 1)], { rmaNumber: undefined });
  assert.equal(await stateOf("N-1"), "AUTHORISED");
});

test("RS repeats what the RMA says of a line, and names the lots and serial numbers of the goods", async () => {
  const line = { returnReasonCode: "TOO_LARGE", attributeOne: "size S, please", attributeThree: "photo sent" };
  await authorise("W-1", [{ sku: "LOT", quantityReturned: 3, ...line }, { sku: "SER" }]);
  await take("W-1", [
    good("LOT", 1, { batchRef: "B7" }),
    { sku: "LOT", qty: 1, disposition: "DAMAGED", batchRef: "B8", expiryDate: "2027-06-30", note: "torn" },
    good("SER", 1, { serials: ["W1"] }),
  ]);
  const [rs] = await goods.outbound("RS", "W-1");
  assert.equal(rs?.root.text("returnType"), "AUTHORISED");
  assert.match(rs?.xml ?? "", /<returnStatus schemaVersion="1.1">/);
  const lines = rs?.root.all("lines/line") ?? [];
  assert.deepEqual(
    lines.map((part) => part.texts("sku", "returnReasonCode", "attributeOne", "attributeThree", "quantityReceived")),
    [
      ["LOT", "TOO_LARGE", "size S, please", "photo sent", "2"],
      ["SER", undefined, undefined, undefined, "1"],
    ],
  );
  const lotsOf = (part: (typeof lines)[number]) =>
    part
      .all("dispositions/disposition")
      .map((graded) => [
        ...graded.texts("disposition", "batchRef", "expiryDate", "note"),
        ...graded.all("serials/serial").map(({ content }) => content),
      ]);
  assert.deepEqual(lines.map(lotsOf), [
    [
      ["RESELLABLE", "B7", undefined, undefined],
      ["DAMAGED", "B8", "2027-06-30", "torn"],
    ],
    [["RESELLABLE", undefined, undefined, undefined, "W1"]],
  ]);
});

test("a client that stays with version 1.0 gets RS as before, and none without an RMA", async () => {
  await demo.set({ returnStatusVersion: "1.0" });
  await authorise("V-1", [{ sku: "LOT", quantityReturned: 2, attributeOne: "not in 1.0" }]);
  await take("V-1", [good("LOT", 1, { batchRef: "B7" }), good("LOT", 1, { batchRef: "B8" })]);
  await dc1.report("return", { clientId: "DEMO", returnId: "V-2", lines: [good("A", 1)] });
  const [rs] = await goods.outbound("RS", "V-1");
  assert.match(rs?.xml ?? "", /<returnStatus schemaVersion="1.0">/);
  assert.doesNotMatch(rs?.xml ?? "", /attributeOne|batchRef|returnType/);
  assert.deepEqual(await documentLines("V-1"), [["RECEIVED", "1 LOT 2 2 NONE RESELLABLE:2:"]]);
  assert.deepEqual(await goods.outbound("RS", "V-2"), []);
  await demo.set({ returnStatusVersion: "" });
  await dc1.report("return", { clientId: "DEMO", returnId: "V-3", lines: [good("A", 1)] });
  assert.equal((await goods.outbound("RS", "V-3")).length, 1);
});
