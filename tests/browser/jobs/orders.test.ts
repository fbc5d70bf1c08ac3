// The jobs about orders: each from the overview, in at most eight actions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { dayMs } from "#/kernel/values/durations.ts";
import { until } from "../../support/app/until.ts";
import { browserWorld } from "../../support/browser/chromium.ts";
import { jobsOf } from "../../support/browser/jobs.ts";
import { type Packed, packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

// The orders of LUMEN keep their states: no simulated warehouse works on them.
const world = await browserWorld({ CROSSDOCK_WAREHOUSE_SIM: "false" });
const job = jobsOf(world);
const { server } = world;
const packing = await packingWorld({ server, dc1: await warehouseOf(server) }, "WAVE");
/** Eight orders, each in five parcels. */
const wave: Packed[][] = [];
for (let i = 1; i <= 8; i++) {
  await packing.picked(`WAVE-${i}`, 5);
  wave.push(await packing.pack(`WAVE-${i}`, ...Array.from({ length: 5 }, () => ({}))));
}

job("Find why an order is late", "viewer", async ({ page, click, rows, read }) => {
  await click(page.getByRole("main").getByRole("link", { name: /^Late/ }).first(), "**Late**");
  const first = rows("Orders").first().getByRole("link").first();
  const orderId = await first.innerText();
  await click(first, "the order");
  const why = page.getByRole("region", { name: "Why the order has not shipped" });
  await why.waitFor();
  const { items } = await read(`/order/list?text=${orderId}`);
  assert.ok(Date.parse(items[0].despatchBy) < Date.now(), `${orderId} is late`);
  const { summary } = await read(`/client/order/explain/${orderId}?clientId=${items[0].clientId}`);
  // The page shows moments in the time zone of the facility.
  const [sentence = ""] = (summary as string).split(/\d{4}-\d\d-\d\dT/);
  assert.ok(sentence.length > 10, summary);
  await why.getByText(sentence).waitFor();
});

job("Find the order of a customer who rings", "viewer", async ({ page, search, read }) => {
  const { items } = await read(`/order/list?customer=${encodeURIComponent("Greta Archer")}`);
  const orderIds = items.map(({ orderId }: { orderId: string }) => orderId);
  await search("Greta Archer", "the name, e-mail address, postcode or telephone number");
  await page.getByRole("heading", { name: /^Order LL-/ }).waitFor();
  const title = await page.getByRole("heading", { name: /^Order LL-/ }).innerText();
  assert.ok(
    orderIds.some((orderId: string) => title.includes(orderId)),
    `${title} is one of ${orderIds}`,
  );
  await page.getByText("Greta Archer").first().waitFor();
});

job("Cancel an order", "operator", async ({ page, click, fill, search, read }) => {
  await search("LL-70021", "the number of the order");
  await click(page.getByRole("button", { name: "Cancel order" }), "**Cancel order**");
  const dialog = page.getByRole("dialog");
  await fill(dialog.getByLabel("Reason"), "ordered twice", "the reason");
  await click(dialog.getByRole("button", { name: "Cancel order" }), "**Cancel order**");
  await page.getByText("Order LL-70021 is cancelled.", { exact: true }).waitFor();
  assert.equal((await read("/client/order/get/LL-70021?clientId=LUMEN")).status, "CANCELLED");
});

job("Find all orders without stock", "viewer", async ({ page, click, go, rows, read }) => {
  await go("Orders");
  await click(page.getByRole("main").getByRole("link", { name: /^Waiting for stock/ }), "**Waiting for stock**");
  const { items } = await read("/order/list?status=BACKORDERED&status=PARTIALLY_ALLOCATED&sort=receivedAt&limit=500");
  assert.ok(items.length > 5, "the demo has such orders");
  const names = items.map(({ orderId }: { orderId: string }) => orderId);
  await until("exactly these orders to be listed", async () => {
    const links = await rows("Orders").evaluateAll((found) => found.map((row) => row.querySelector("a")?.textContent));
    return links.join() === names.join();
  });
});

job("Hold an order", "operator", async ({ page, click, fill, search, read }) => {
  await search("LL-70022", "the number of the order");
  await click(page.getByRole("button", { name: "Hold order" }), "**Hold order**");
  const dialog = page.getByRole("dialog");
  await fill(dialog.getByLabel("Reason"), "the street does not exist", "the reason");
  await click(dialog.getByRole("button", { name: "Hold order" }), "**Hold order**");
  await page.getByText("Held: Other").waitFor();
  const { status, holds } = await read("/client/order/get/LL-70022?clientId=LUMEN");
  assert.deepEqual([status, holds[0].reason], ["ON_HOLD", "the street does not exist"]);
});

job("Print the label and the slip of an order", "operator", async ({ page, visitor, click, search, read }) => {
  await search("LL-70032", "the number of the order");
  await click(page.getByRole("tab", { name: "Documents" }), "**Documents**");
  const parcels = await read("/client/olpn/list/LL-70032?clientId=LUMEN");
  const texts: string[] = [];
  for (const name of ["Open shipping label", "Open packing slip"]) {
    const link = page.getByRole("link", { name });
    const [opened, href] = await Promise.all([
      page.context().waitForEvent("page"),
      link.getAttribute("href"),
      click(link, `**${name}**`),
    ]);
    await opened.close();
    const answer = await visitor.user?.get((href ?? "").replace("/v1/operatorService", ""));
    assert.equal(answer?.headers.get("content-type"), "application/pdf");
    texts.push(await textOf(answer?.body));
  }
  const [label = "", slip = ""] = texts;
  assert.ok(label.replace(/\D/g, "").includes(parcels.items[0].olpnId), `the SSCC is on the label: ${label}`);
  assert.match(slip, /LL-70032/);
});

job("Print forty labels at once", "operator", async ({ page, visitor, click, choose, go, rows }) => {
  await go("Orders");
  await choose(page.getByRole("combobox", { name: "Client" }), /^WAVE/, "the client");
  await until("the orders of the wave", async () => (await rows("Orders").count()) === wave.length);
  await click(page.getByRole("checkbox", { name: /^Select all/ }), "all rows");
  await click(page.getByRole("toolbar", { name: "Selected rows" }).getByRole("button", { name: "Print" }), "**Print**");
  const dialog = page.getByRole("dialog");
  await choose(dialog.getByRole("combobox", { name: "Papers" }), "Labels, PDF", "**Labels, PDF**");
  await visitor.shoot("job-print");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    click(dialog.getByRole("button", { name: "Print" }), "**Print**"),
  ]);
  const digits = (await textOf(readFileSync(await file.path()))).replaceAll(/\D/g, "");
  const labels = wave.flat();
  assert.equal(labels.length, 40);
  for (const { olpnId } of labels) assert.ok(digits.includes(olpnId), `parcel ${olpnId} has its label`);
});

/** The text of all pages of a PDF. */
async function textOf(pdf: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const text = [...document.pages()].map((sheet) => sheet.getText()).join("\n");
    document.destroy();
    return text;
  } finally {
    library.destroy();
  }
}

job("Export last week's despatched orders", "viewer", async ({ page, click, go, read }) => {
  await go("Orders");
  await click(page.getByRole("button", { name: "Despatched", exact: true }), "**Despatched**");
  await click(page.getByRole("button", { name: /^Last week/ }), "**Last week**");
  await page.getByText(/^\d+ (?:of \d+ )?rows$/).waitFor();
  await click(page.getByRole("button", { name: "Choose columns" }), "**Columns**");
  await click(page.getByRole("button", { name: "Despatch", exact: true }), "**Despatch**");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    click(page.getByRole("button", { name: "Export as CSV" }), "**Export as CSV**"),
  ]);
  const [heads = [], ...lines] = readFileSync(await download.path(), "utf8")
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  for (const head of [
    "First parcel despatched",
    "Customer (ship-to name)",
    "Carrier and service of the parcels",
    "First tracking number + number of others",
    "Carrier cost of the parcels",
    "Currency of the carrier cost",
  ])
    assert.ok(heads.includes(head), `${head} of ${heads.join(", ")}`);
  const column = (name: string) => lines.map((cells) => cells[heads.indexOf(name)] ?? "");
  const [from, to] = lastWeek();
  const { items } = await read(`/order/list?despatchedFrom=${from}&despatchedTo=${to}&limit=500`);
  assert.ok(items.length > 20, `${items.length} orders left in the last week of the demo`);
  assert.deepEqual(
    column("Order"),
    items.map(({ orderId }: { orderId: string }) => orderId),
  );
  for (const at of column("First parcel despatched"))
    assert.ok(at.slice(0, 10) >= day(from, -1) && at.slice(0, 10) <= day(to, 1), `${at} is in the week of ${from}`);
  for (const tracking of column("First tracking number + number of others")) assert.notEqual(tracking, "");
});

/** Monday and Sunday of the week before this one, in London. */
function lastWeek(): [string, string] {
  const today = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/London" });
  const monday = day(today, -((new Date(today).getUTCDay() + 6) % 7) - 7);
  return [monday, day(monday, 6)];
}

const day = (from: string, days: number) => new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10);

job("Find who changed an order", "viewer", async ({ page, click, fill, go, rows, read }) => {
  await go("Audit");
  await click(page.getByRole("button", { name: "Object", exact: true }), "**Object**");
  await fill(page.getByRole("dialog", { name: "Object" }).getByLabel("Object"), "LL-70021", "the number of the order");
  await click(page.getByRole("button", { name: "Apply" }), "**Apply**");
  const change = rows("Audit log").filter({ hasText: "Cancel" }).first();
  await change.waitFor();
  const { items } = await read("/audit/list?objectId=LL-70021");
  const entry = items.find(({ actor }: { actor: string }) => /^user:operator\d+$/.test(actor));
  assert.ok(entry, JSON.stringify(items));
  assert.match(
    await change.innerText(),
    new RegExp(`Order\\s.*${entry.actor.replace("user:", "User ")}\\s+Cancel`, "s"),
  );
});
