// carriers.md, Label sources: labels are bought after the pack, once, or given back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { exceptionsOf } from "../../support/builders/exceptions.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import {
  createSource,
  labelText,
  pdf,
  secret,
  standInDefinition,
  startLabelStandIn,
} from "../../support/carriers/label-stand-in.ts";
import { call } from "../../support/http/call.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { barcodesOfPdf, textOfPages } from "../../support/papers/printed-papers.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const { list } = exceptionsOf(admin);

const [first, second, hanging] = [await startLabelStandIn(), await startLabelStandIn(), await startLabelStandIn()];
for (const standIn of [first, second, hanging]) atEnd(() => standIn.close());
await createSource(admin, "FIRST", first.url);
await createSource(admin, "SECOND", second.url);
await createSource(admin, "HANGING", hanging.url);

const trackingUrl = "https://track.rm.example/{trackingNumber}";
const serviceWith = (...labelSources: string[]) =>
  carrierDataOf(serviceOf("RM48", "RM", 3, { trackingUrl, labelSources }));
const worldOf = (clientId: string, ...labelSources: string[]) =>
  packingWorld({ server, dc1 }, clientId, serviceWith(...labelSources));

interface Row {
  readonly purchaseId: string;
  readonly sourceCode: string;
  readonly status: string;
  readonly error: string | null;
  readonly price: string | null;
  readonly olpnId: string;
}
async function purchases(clientId: string): Promise<Row[]> {
  const { status, body } = await admin.get(`/labelPurchase/list?clientId=${clientId}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body.items as Row[]).toSorted((left, right) => (left.purchaseId < right.purchaseId ? -1 : 1));
}
const states = async (clientId: string) =>
  (await purchases(clientId)).map(({ sourceCode, status }) => `${sourceCode} ${status}`);
const become = (clientId: string, ...wanted: string[]) =>
  until(`${clientId}: ${wanted}`, async () => `${await states(clientId)}` === `${wanted}`);

test("a pack orders the label in its transaction; it is bought, kept as its carrier made it, and the parcel has the carrier's number", async () => {
  const life = await worldOf("BUYS", "FIRST");
  await life.picked("1");
  const report = await dc1.report("pack", life.bodyOf("1", {}));
  const [parcel] = report.olpns as { olpnId: string; documents: { type: string }[] }[];
  assert.ok(parcel);
  assert.deepEqual(
    parcel.documents.map(({ type }) => type),
    ["PACKING_SLIP"],
  );
  assert.match(String(report.warnings), /The label of \d+ is being bought from its carrier/);
  await become("BUYS", "FIRST BOUGHT");
  await life.quiet();
  const { body: olpn } = await life.orders.get(`/olpn/get/${parcel.olpnId}`);
  assert.deepEqual([olpn.trackingNumber, olpn.trackingUrl], ["T1", "https://carrier.example/T1"]);
  const [bought] = await purchases("BUYS");
  assert.equal(bought?.price, "4.2000");
  const label = await life.orders.get(`/label/get/${parcel.olpnId}`);
  assert.deepEqual([label.status, label.bytes.toString()], [200, labelText(bought?.purchaseId ?? "")]);
  const portUrl = `${server.url}/v1/warehouseService/label/get/${parcel.olpnId}`;
  const atPort = await call("GET", portUrl, { token: dc1.token });
  assert.deepEqual([atPort.status, atPort.bytes], [200, label.bytes]);
  const tag = label.headers.get("etag") ?? "";
  assert.equal((await life.orders.get(`/label/get/${parcel.olpnId}`, { "if-none-match": tag })).status, 304);
  assert.equal((await call("GET", portUrl, { token: dc1.token, headers: { "if-none-match": tag } })).status, 304);
  const headers = { accept: "application/pdf" };
  for (const other of [
    await life.orders.get(`/label/get/${parcel.olpnId}`, headers),
    await call("GET", portUrl, { token: dc1.token, headers }),
  ]) {
    assert.deepEqual([other.status, other.body.detail], [406, "The document exists as application/zpl (format=zpl)."]);
  }
  for (const unknown of [
    await life.orders.get("/label/get/006141410000000012"),
    await dc1.get("/label/get/006141410000000012"),
  ]) {
    assert.equal(unknown.status, 404);
  }
  const batch = await dc1.post("/print/batch", { olpnIds: [parcel.olpnId], types: ["SHIPPING_LABEL"], format: "zpl" });
  assert.equal(batch.status, 200);
  const sale = first.sales[0];
  assert.deepEqual([sale?.key, sale?.body.account, sale?.body.service], [bought?.purchaseId, "ACC-1", "48h"]);
  assert.equal(sale?.body.note, "order 1");
  assert.equal(sale?.body.items, undefined, "no customs within a country");
  const events = await goodsOf(server, life.client).events("order", "1");
  const labelled = events.find(({ topic }) => topic === "parcel:labelled");
  assert.equal(labelled?.data.trackingNumber, "T1");
  assert.deepEqual((await life.signals("1")).slice(-6), [
    "parcel:packed",
    "order:packed",
    60,
    75,
    "parcel:labelled",
    70,
  ]);
});

test("a parcel that its warehouse has labelled, and one of a service without sources, have their labels as ever", async () => {
  const life = await worldOf("LABELLED", "FIRST");
  await life.picked("1", 2);
  const [numbered] = await life.pack("1", { trackingNumber: "RM1GB" });
  assert.deepEqual(
    numbered?.documents.map(({ type }) => type),
    ["PACKING_SLIP", "SHIPPING_LABEL", "SHIPPING_LABEL"],
  );
  assert.deepEqual(await states("LABELLED"), []);
  const printed = await worldOf("OWNED", "OWN", "FIRST");
  await printed.picked("1");
  assert.equal((await printed.packOne("1")).documents.length, 3);
  assert.deepEqual(await states("OWNED"), []);
});

test("labels of carriers are printed with the papers of their orders: a PDF and a PNG as pages, ZPL as it is", async () => {
  const life = await worldOf("PRINTED", "FIRST");
  const sender = await worldOf("OWN-PRINT", "OWN");
  await sender.picked("1");
  const { olpnId: ownParcel } = await sender.packOne("1");
  const labelAs = async (accept: string) => (await sender.orders.get(`/label/get/${ownParcel}`, { accept })).bytes;
  const [asPdf, asPng] = [await labelAs("application/pdf"), await labelAs("image/png")];
  const labelled = async (orderId: string, ...labels: Buffer[]) => {
    first.sell(...labels);
    await life.picked(orderId, labels.length || 1);
    const olpnIds: string[] = [];
    for (const _ of labels.length > 0 ? labels : [undefined]) {
      olpnIds.push((await life.packOne(orderId)).olpnId);
      await until("the label is bought", async () =>
        (await states("PRINTED")).every((status) => status === "FIRST BOUGHT"),
      );
    }
    return olpnIds;
  };
  const print = (orderId: string, format: string, ...types: string[]) =>
    admin.post("/order/print?clientId=PRINTED", { orderIds: [orderId], types: ["SHIPPING_LABEL", ...types], format });
  const refusal = async (orderId: string, format: string, ...types: string[]) => {
    const { status, body } = await print(orderId, format, ...types);
    assert.equal(status, 422);
    return body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };

  const pictures = await labelled("P", asPdf, asPng);
  const { status, body } = await print("P", "pdf", "PACKING_SLIP");
  assert.equal(status, 200);
  const pages = textOfPages(body);
  assert.deepEqual(
    pages.map((text) => text.includes("Packing slip")),
    [false, true, false, true],
  );
  assert.equal(sizesOf(body), "288 × 432, 595 × 842, 288 × 432, 595 × 842");
  assert.deepEqual(
    await barcodesOfPdf(Buffer.from((await print("P", "pdf")).body)),
    Array(2).fill(`Code128:(00)${ownParcel}`),
  );
  assert.deepEqual(
    await refusal("P", "zpl"),
    pictures.map((olpnId) => `#/orderIds/0 parcel ${olpnId} of order P has no such document as zpl`),
  );

  const [zpl] = await labelled("Z");
  const keys = (await purchases("PRINTED")).map(({ purchaseId }) => purchaseId);
  assert.equal(Buffer.from((await print("Z", "zpl")).body).toString(), labelText(keys.at(-1) ?? ""));
  assert.deepEqual(await refusal("Z", "pdf", "PACKING_SLIP"), [
    `#/orderIds/0 parcel ${zpl} of order Z has no label as pdf: read label/get`,
  ]);
  const port = { olpnIds: [zpl], format: "pdf" };
  assert.equal((await dc1.post("/print/batch", port)).status, 200, "all papers that there are");
  assert.equal((await dc1.post("/print/batch", { ...port, types: ["SHIPPING_LABEL", "PACKING_SLIP"] })).status, 422);

  const [damaged] = await labelled("D", pdf);
  const [message] = await refusal("D", "pdf");
  assert.match(message, new RegExp(`^#/orderIds/0 the label of parcel ${damaged} cannot be read: .+ leave it out`));
  assert.equal((await print("P", "pdf")).status, 200, "the printing thread goes on");
});

const sizesOf = (book: Uint8Array) =>
  [
    ...Buffer.from(book)
      .toString("latin1")
      .matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g),
  ]
    .map(([, width, height]) => `${Math.round(Number(width))} × ${Math.round(Number(height))}`)
    .join(", ");

test("carrier data name label sources that exist, each once", async () => {
  const { body: checked } = await admin.post("/carrierData/check", { data: serviceWith("FIRST", "LOST", "FIRST") });
  assert.deepEqual(
    checked.faults.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`),
    ['#/services/0/labelSources/1 "LOST" is no label source', "#/services/0/labelSources/2 is present twice"],
  );
});

test("a refusal goes on to the next source; the last one may be the label of the platform", async () => {
  const life = await worldOf("FALLS", "FIRST", "SECOND", "OWN");
  first.fail("refuse");
  await life.picked("1", 2);
  await life.packOne("1");
  await become("FALLS", "FIRST REFUSED", "SECOND BOUGHT");
  assert.equal((await purchases("FALLS"))[0]?.error, "the address is not served");
  second.fail("refuse");
  const { olpnId } = await life.packOne("1");
  await become("FALLS", "FIRST REFUSED", "SECOND BOUGHT", "FIRST REFUSED", "SECOND REFUSED", "OWN BOUGHT");
  const label = await life.orders.get(`/label/get/${olpnId}`);
  assert.match(label.bytes.toString("latin1"), /^%PDF-1\.7/);
  first.fail("none");
  second.fail("none");
});

test("where no source sells the label it is an exception with its remedy; the parcel waits, and says why", async () => {
  const life = await worldOf("FAILS", "FIRST");
  first.fail("refuse");
  await life.picked("1");
  const { olpnId } = await life.packOne("1");
  await become("FAILS", "FIRST FAILED");
  for (const answer of [await life.orders.get(`/label/get/${olpnId}`), await dc1.get(`/label/get/${olpnId}`)]) {
    assert.equal(answer.status, 409);
    assert.match(String(answer.body.detail), /No label source sells .* FIRST: the address is not served/);
  }
  const [exception] = await list("clientId=FAILS");
  assert.deepEqual([exception?.type, exception?.objectId, exception?.cure.verb], ["LABEL_FAILED", olpnId, "Buy again"]);
  assert.match(exception?.summary ?? "", /was not bought; FIRST: the address is not served\. The parcel waits/);
  first.fail("none");
  const retried = await admin.post(exception?.cure.operation?.path ?? "", {});
  assert.equal(retried.status, 204, JSON.stringify(retried.body));
  await become("FAILS", "FIRST REFUSED", "FIRST BOUGHT");
  assert.deepEqual(await list("clientId=FAILS"), []);
  const again = await admin.post(exception?.cure.operation?.path ?? "", {});
  assert.deepEqual(
    [again.status, again.body.detail],
    [409, "The purchase is REFUSED: only a FAILED or VOID_FAILED one is retried."],
  );
});

test("a label whose answer was lost is found by its key, and is not bought twice", async () => {
  const life = await worldOf("LOST", "FIRST");
  const before = first.sales.length;
  first.fail("sold-and-lost", "none");
  first.requests.length = 0;
  await life.picked("1");
  const { olpnId } = await life.packOne("1");
  await become("LOST", "FIRST BOUGHT");
  assert.deepEqual(first.requests, ["POST /labels", "GET /labels/KEY"]);
  assert.equal(first.sales.length, before + 1);
  const { body } = await life.orders.get(`/olpn/get/${olpnId}`);
  assert.equal(body.trackingNumber, `T${first.sales.at(-1)?.id}`);
});

test("a source without a look-up gets the same key again; an answer that the label follows is looked up", async () => {
  const { lookUp: _, ...calls } = standInDefinition.calls as NonNullable<typeof standInDefinition.calls>;
  await createSource(admin, "BLIND", second.url, { definition: { ...standInDefinition, calls } });
  const life = await worldOf("BLIND", "BLIND");
  const before = second.sales.length;
  second.fail("sold-and-lost", "none");
  second.requests.length = 0;
  await life.picked("1");
  await life.packOne("1");
  await become("BLIND", "BLIND BOUGHT");
  assert.deepEqual([second.requests, second.sales.length], [["POST /labels", "POST /labels"], before + 1]);
  const slow = await worldOf("SLOW", "SECOND");
  second.fail("slow", "none");
  await slow.picked("1");
  const { olpnId } = await slow.packOne("1");
  await become("SLOW", "SECOND PENDING");
  const waiting = await slow.orders.get(`/label/get/${olpnId}`);
  if (waiting.status !== 200) {
    assert.deepEqual([waiting.status, waiting.headers.get("retry-after")], [409, "2"]);
    assert.match(String(waiting.body.detail), /is being bought from SECOND/);
  }
  await become("SLOW", "SECOND BOUGHT");
});

test("a source whose answers stay lost gives way to the next one, and what it sold is given back", async () => {
  const life = await worldOf("TWICE", "FIRST", "SECOND");
  first.fail("error");
  await life.picked("1");
  await life.packOne("1");
  await become("TWICE", "FIRST VOIDED", "SECOND BOUGHT");
  first.fail("none");
});

test("a parcel that is voided gives its label back, also while it is being bought; a source that keeps it is an exception", async () => {
  const life = await worldOf("VOIDS", "FIRST");
  await life.picked("1", 3);
  const { olpnId } = await life.packOne("1");
  await become("VOIDS", "FIRST BOUGHT");
  first.failVoids("error", "none");
  await dc1.report("parcel/void", { clientId: "VOIDS", olpnId });
  await become("VOIDS", "FIRST VOIDED");
  assert.equal(first.sales.at(-1)?.isVoided, true);
  first.fail("hang");
  const late = await life.packOne("1");
  await until("the purchase is under way", async () => first.requests.at(-1) === "POST /labels");
  await dc1.report("parcel/void", { clientId: "VOIDS", olpnId: late.olpnId });
  first.fail("none");
  await become("VOIDS", "FIRST VOIDED", "FIRST VOIDED");
  const used = await life.packOne("1");
  await become("VOIDS", "FIRST VOIDED", "FIRST VOIDED", "FIRST BOUGHT");
  first.failVoids("refuse");
  await dc1.report("parcel/void", { clientId: "VOIDS", olpnId: used.olpnId });
  await become("VOIDS", "FIRST VOIDED", "FIRST VOIDED", "FIRST VOID_FAILED");
  const [exception] = await list("clientId=VOIDS");
  assert.match(exception?.summary ?? "", /is not needed, and FIRST does not take it back: it has been used\./);
  first.failVoids("none");
  assert.equal((await admin.post(exception?.cure.operation?.path ?? "", {})).status, 204);
  await become("VOIDS", "FIRST VOIDED", "FIRST VOIDED", "FIRST VOIDED");
});

test("a source that hangs delays no other", async () => {
  hanging.fail("hang");
  const stuck = await worldOf("STUCK", "HANGING");
  await stuck.picked("1", 9);
  await stuck.pack("1", {}, {}, {}, {}, {}, {}, {}, {}, {});
  await until("the source is asked", () => hanging.requests.length > 0);
  const life = await worldOf("FREE", "FIRST");
  await life.picked("1");
  await life.packOne("1");
  await become("FREE", "FIRST BOUGHT");
  assert.equal((await purchases("STUCK")).filter(({ status }) => status === "PENDING").length, 9);
  const { body } = await admin.get("/labelSource/get/HANGING");
  assert.deepEqual([body.health.pending, body.health.bought], [9, 0]);
  const { status } = await admin.patch("/labelSource/patch/HANGING", { isActive: false });
  assert.equal(status, 200);
});

test("a source is tested without a purchase, changed with its version, and shows no secret", async () => {
  const test = await admin.post("/labelSource/test/FIRST", {});
  assert.deepEqual([test.status, test.body], [200, { isGood: true, detail: "status 200" }]);
  const wrong = await admin.patch("/labelSource/patch/FIRST", { headers: { authorization: "Bearer wrong" } });
  assert.equal(wrong.status, 200);
  const refused = await admin.post("/labelSource/test/FIRST", {});
  assert.deepEqual(refused.body, { isGood: false, detail: "who are you" });
  const stale = await admin.patch("/labelSource/patch/FIRST", { name: "x" }, { "If-Match": '"1"' });
  assert.equal(stale.status, 412);
  const { body } = await admin.get("/labelSource/list");
  assert.deepEqual(
    body.items.map(({ sourceCode }: { sourceCode: string }) => sourceCode),
    ["BLIND", "FIRST", "HANGING", "SECOND"],
  );
  assert.deepEqual(body.items[1].headerNames, ["authorization"]);
  assert.doesNotMatch(JSON.stringify(body), /Bearer/);
  await admin.patch("/labelSource/patch/FIRST", { headers: { authorization: secret } });
  const unknownPath = { ...standInDefinition, calls: { buy: { method: "POST", path: "/x/{client.name}" } } };
  const faulty = await admin.post("/labelSource/create", {
    sourceCode: "X",
    name: "X",
    kind: "HTTP",
    url: first.url,
    definition: unknownPath,
  });
  assert.deepEqual([faulty.status, faulty.body.errors[0].pointer], [422, "#/definition/calls/buy"]);
  const patched = await admin.patch("/labelSource/patch/FIRST", { definition: unknownPath });
  assert.deepEqual([patched.status, patched.body.errors[0].pointer], [422, "#/definition/calls/buy"]);
  const { test: _, ...calls } = standInDefinition.calls ?? assert.fail();
  await createSource(admin, "UNTESTED", first.url, { isActive: false, definition: { ...standInDefinition, calls } });
  const untested = await admin.post("/labelSource/test/UNTESTED", {});
  assert.deepEqual([untested.status, untested.body.detail], [409, "The source has no test request."]);
  const twin = { sourceCode: "FIRST", name: "X", kind: "HTTP", url: first.url, definition: standInDefinition };
  assert.equal((await admin.post("/labelSource/create", twin)).status, 409);
  for (const path of ["get/NONE", "test/NONE"]) {
    const answer = path.startsWith("get")
      ? await admin.get(`/labelSource/${path}`)
      : await admin.post(`/labelSource/${path}`, {});
    assert.equal(answer.status, 404);
  }
});
