// lifecycle.md §8, opening stock: a CSV file becomes adjustments with the reason OPENING, as a whole, once.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { commandLine } from "../../support/app/cli.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"] });
const lone = await server.onboard("LONE", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const anna = await signIn(server, "operator");
const viewer = await signIn(server, "viewer");
const lot = { sku: "LOT", captureBatchRef: "true", extendedAttributes: attributes({ CaptureExpiry: "true" }) };
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", lot, serial]));
await lone.accept("CAT", catalogue("LONE", ["A"]));
afterEach(() => goods.assertSound());
const folder = mkdtempSync(path.join(tmpdir(), "opening-"));
after(() => rmSync(folder, { recursive: true }));

const book = (csv: string, more: object = {}, who = anna) =>
  who.post("/stock/import", { clientId: "DEMO", csv, ...more });
type Problem = { detail: string; errors?: { pointer: string; message: string }[] };

async function crossdock(name: string, csv: string, ...words: string[]) {
  const file = path.join(folder, name);
  writeFileSync(file, csv);
  return commandLine(server)(["stock", "import", file, ...words]);
}

const whole = [
  "distributionCentre,sku,qty,condition,stockPool,batchRef,expiryDate,serials",
  "DC1,A,480,,,,,",
  "DC1,A,3,DAMAGED,,,,",
  "DC1,LOT,90,GOOD,DEFAULT,FV-1,2099-06-30,",
  "DC2,SER,2,,,,,SN-1|SN-2",
].join("\r\n");

test("a file is booked in every facility, with an ADJ of the reason OPENING for each; a repeat books nothing", async () => {
  assert.equal((await book(whole, {}, viewer)).status, 403);
  assert.equal((await book(whole, { clientId: "NOBODY" })).status, 403);
  const dry = await book(whole, { isDryRun: true });
  assert.deepEqual([dry.status, (dry.body as { isBooked: boolean }).isBooked], [200, false]);
  assert.deepEqual(await goods.stock("A"), []);
  const { status, body } = await book(whole, { importId: "OPENING-1" });
  assert.equal(status, 200, JSON.stringify(body));
  const facilities = [
    { distributionCentre: "DC1", lines: 3 },
    { distributionCentre: "DC2", lines: 1 },
  ];
  assert.deepEqual(body, { importId: "OPENING-1", isBooked: true, importedAt: null, facilities });
  assert.deepEqual(await goods.stock("A"), ["DAMAGED 3/0", "GOOD 480/0"]);
  assert.deepEqual(await goods.stock("LOT"), ["GOOD FV-1 2099-06-30 90/0"]);
  assert.deepEqual(await goods.stock("SER", "DC2"), ["GOOD 2/0"]);
  const adjustments = (await goods.outbound("ADJ")).map(({ root: document }) => [
    ...document.texts("distributionCentre", "adjustmentId", "reasonCode"),
    ...document.all("lines/line").map((line) => line.texts("sku", "qty").join(" ")),
  ]);
  assert.deepEqual(adjustments.sort(), [
    ["DC1", "OPENING-1", "OPENING", "A 480", "A 3", "LOT 90"],
    ["DC2", "OPENING-1", "OPENING", "SER 2"],
  ]);
  const again = await goods.unchanged(() => book(whole, { importId: "OPENING-1" }));
  const repeat = again.body as { isBooked: boolean; importedAt: string | null };
  assert.deepEqual([again.status, repeat.isBooked, typeof repeat.importedAt], [200, false, "string"]);
  const other = await goods.unchanged(() => book("distributionCentre,sku,qty\nDC1,B,1", { importId: "OPENING-1" }));
  assert.equal(other.status, 409);
  assert.match((other.body as Problem).detail, /had other content; choose another id/);
});

test("every faulty line is named with its value and its cure, and nothing is booked", async () => {
  const csv = [
    "distributionCentre,sku,qty,condition,stockPool,batchRef,expiryDate,serials",
    "DC1,B,7,,,,,",
    "DC9,B,1,,,,,",
    "DC1,B,-1,,,,,",
    "DC1,B,1,BAD,,,,",
    "DC1,B,1,,VIP,,,",
    "DC1,LOT,1,,,X,2026-02-30,",
    "DC1,SER,2,,,,,SN-9|SN-9",
    "DC1,B,1",
    "DC1,NEW,1,,,,,",
    "DC2,LOT,1,,,,,",
  ].join("\n");
  const { status, body } = await goods.unchanged(() => book(csv));
  assert.equal(status, 422);
  const { errors = [] } = body as Problem;
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    [
      ...["#/csv/3/distributionCentre", "#/csv/4/qty", "#/csv/5/condition", "#/csv/6/stockPool"],
      ...["#/csv/7/expiryDate", "#/csv/8/serials", "#/csv/9"],
      // Faults against the items are in the same answer.
      ...["#/csv/10/sku", "#/csv/11/batchRef", "#/csv/11/expiryDate"],
    ],
  );
  assert.match(errors[0]?.message ?? "", /line 3: 'DC9' is not a facility of the client; name one of DC1, DC2/);
  assert.match(errors[1]?.message ?? "", /line 4: '-1' is not a quantity; write a number above 0/);
  // Against the store: unknown items, what an item captures, serial numbers in stock.
  const stored = await goods.unchanged(() =>
    book("distributionCentre,sku,qty,serials\nDC1,NEW,1,\nDC1,LOT,1,\nDC1,B,1,\nDC2,SER,1,"),
  );
  assert.equal(stored.status, 422);
  const found = (stored.body as Problem).errors ?? [];
  assert.match(found[0]?.message ?? "", /line 2: SKU NEW is unknown; send it in a CAT first/);
  assert.deepEqual([...new Set(found.map(({ pointer }) => pointer.split("/")[2]))], ["2", "3", "5"]);
  const known = await goods.unchanged(() => book("distributionCentre,sku,qty,serials\nDC1,B,1,\nDC1,SER,1,SN-1"));
  assert.equal(known.status, 422);
  assert.match((known.body as Problem).errors?.[0]?.message ?? "", /^line 3: .*SN-1/);
  for (const [csv, why] of [
    ["sku;amount\nB;1", /'amount' is not a column.*the column qty is missing/],
    ["sku,qty", /there is no line below the header/],
    [
      `sku,qty,${Array.from({ length: 60_000 }, (_, i) => `c${i}`).join()}`,
      /header has 60002 columns; the columns are/,
    ],
    [`sku,qty\n${"B,1\n".repeat(5_001)}`, /5001 lines.*split it/],
  ] as const) {
    const refused = await goods.unchanged(() => book(csv));
    assert.equal(refused.status, 422);
    assert.match((refused.body as Problem).detail, why);
  }
});

test("a product that has had stock takes what the tolerance covers in a day, and the rest by an adjustment that another approves", async () => {
  const csv = (qty: number, sku = "C") => `distributionCentre,sku,qty\nDC1,${sku},${qty}`;
  assert.equal((await book(csv(1_000), { importId: "FIRST" })).body.isBooked, true);
  // 2 % of 1,000 units, in any number of files.
  assert.equal((await book(csv(15), { importId: "SECOND" })).body.isBooked, true);
  for (const isDryRun of [true, false]) {
    const { status, body } = await goods.unchanged(() => book(csv(6), { importId: "THIRD", isDryRun }));
    assert.equal(status, 422);
    assert.deepEqual((body as Problem).errors, [
      {
        pointer: "#/csv/2/qty",
        message:
          "line 2: SKU C has had stock in DC1, and more of it than the tolerance of counts needs another user; adjust the lot instead (stock/adjust)",
      },
    ]);
  }
  const elsewhere = await goods.unchanged(() => book(`${csv(5)},DAMAGED`.replace("qty", "qty,condition")));
  assert.equal(elsewhere.status, 422);
  const adjusted = await anna.post("/stock/adjust", {
    clientId: "DEMO",
    distributionCentre: "DC1",
    sku: "C",
    qty: 6,
    reasonCode: "FOUND",
  });
  assert.deepEqual([adjusted.status, adjusted.body.status], [200, "WAITING"]);
  assert.deepEqual(await goods.stock("C"), ["GOOD 1015/0"]);
});

test("the command books a file once, and prints each fault with its line", async () => {
  const broken = await crossdock("broken.csv", "sku,qty\nA,x\nNEW,1", "--client", "LONE");
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /line 2, qty: 'x' is not a quantity; write a number above 0/);
  assert.match(broken.stdout, /line 3, sku: SKU NEW is unknown; send it in a CAT first/);
  assert.match(broken.stderr, /2 fault\(s\), and nothing was booked/);
  const csv = "\uFEFFsku;qty\nA;12\n";
  const dry = await crossdock("stock.csv", csv, "--client", "LONE", "--dry-run");
  assert.match(dry.stdout, /Nothing was booked \(DC1: 1 lines\)/);
  const first = await crossdock("stock.csv", csv, "--client", "LONE", "--json");
  assert.equal(first.code, 0, first.stderr);
  assert.equal((JSON.parse(first.stdout) as { isBooked: boolean }).isBooked, true);
  const again = await crossdock("stock.csv", csv, "--client", "LONE");
  assert.match(again.stdout, /was booked at .*; nothing changed/);
  assert.deepEqual(await goodsOf(server, lone).stock("A"), ["GOOD 12/0"]);
  assert.equal((await goodsOf(server, lone).outbound("ADJ")).length, 1);
});
