// Orders in the console: found, held, released, cancelled, and shown in their timeline.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { eraseOrder } from "#/app/retention/erasure/erase-orders.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { catalogue, order, purchaseOrder } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const { server } = world;
const port = await warehouseOf(server);
const acme = await lifeOf(server, port, "ACME", { items: ["MUG-BLUE", "MUG-RED", "TEAPOT"] });
await acme.stock([
  { sku: "MUG-BLUE", qty: 40 },
  { sku: "MUG-RED", qty: 4 },
]);
const [olpnId = ""] = await acme.ship("ACME-0900", "MUG-BLUE", 2);
await acme.ship("ACME-0899", "MUG-BLUE", 1, 1, 1);
await acme.place("ACME-1001", [
  { sku: "MUG-BLUE", qty: 3 },
  { sku: "TEAPOT", qty: 2 },
]);
await acme.place("ACME-1002", [{ sku: "MUG-RED", qty: 1 }]);
await acme.place("ACME-1003", [{ sku: "MUG-BLUE", qty: 1 }]);
await acme.place("ACME-1004", [{ sku: "MUG-BLUE", qty: 1 }]);
await acme.pick("ACME-1004", 1);
await acme.pack("ACME-1004", 1);
await acme.client.accept("PO", purchaseOrder("ACME", "PO-TEAPOT", [{ sku: "TEAPOT", qty: 6 }]));
await setDue("ACME-1001", 25);
await setDue("ACME-1002", -40);
// Otherwise the cut-off of the facility, which is close in the hour before it.
for (const orderId of ["ACME-1003", "ACME-1004"]) await setDue(orderId, 24 * 60);

function setDue(orderId: string, minutes: number): Promise<unknown> {
  const at = new Date(Date.now() + minutes * 60_000).toISOString();
  const text =
    "update sales_order set despatch_by = $2::timestamptz where client_id = 'ACME' and order_id = $1 returning 1";
  return server.rows(text, orderId, at);
}

/** Screenshots in both schemes, and one of a tablet. */
async function shoot(visitor: ConsolePage, name: string): Promise<void> {
  await visitor.shoot(name);
  await visitor.shoot(name, { scheme: "dark" });
  await visitor.shoot(name, { width: 1024, height: 768 });
}

/** The scroll position of a list, and its distance from the end. */
function placeOf(list: Locator): Promise<{ readonly top: number; readonly below: number }> {
  return list.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: scrollTop,
    below: scrollHeight - clientHeight - scrollTop,
  }));
}

/** Fills the open dialogue, and presses its button. @param notice the message afterwards */
async function answer(
  { page }: ConsolePage,
  verb: string,
  values: Record<string, string>,
  notice?: string,
): Promise<void> {
  const dialogue = page.getByRole("dialog");
  for (const [label, value] of Object.entries(values)) await dialogue.getByLabel(label).fill(value);
  await dialogue.getByRole("button", { name: verb }).click();
  // First, because the message disappears after five seconds, and the dialogue closes only when the page below it is
  // reloaded.
  if (notice !== undefined) await page.getByText(notice, { exact: true }).waitFor();
  await dialogue.waitFor({ state: "hidden" });
}

world.test("orders that miss their cut-off are two clicks away, sorted by the remaining time", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders?isAtRisk=true&isLate=true&sort=despatchBy&client=ACME");
  await page.getByText("ACME-1002").first().waitFor();
  const text = await page.locator("main table").last().innerText();
  assert.ok(text.indexOf("ACME-1002") < text.indexOf("ACME-1001"), text);
  assert.doesNotMatch(text, /ACME-1003/);
  assert.match(text, /late/);
  await operator.checkBoth();
  await shoot(operator, "orders-at-risk");
  await page.getByRole("link", { name: "ACME-1001" }).click();
  await page.getByText("waits for 2 EA of TEAPOT").waitFor();
});

world.test("orders are listed by several states, and by all states but some", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders?client=ACME");
  const list = page.getByRole("region", { name: "Orders" });
  const orders = () => list.locator("tbody tr[aria-rowindex]");
  await page.getByRole("button", { name: "State", exact: true }).click();
  const choices = page.getByRole("dialog", { name: "State" });
  await choices.getByRole("checkbox", { name: "Packed" }).check();
  await choices.getByRole("checkbox", { name: "Allocated", exact: true }).check();
  await page.waitForURL(/status=ALLOCATED%2CPACKED/);
  await list.getByText("ACME-1004").waitFor();
  await list.getByText("ACME-1003").waitFor();
  await list.getByText("ACME-0900").waitFor({ state: "detached" });
  const count = await orders().count();
  await viewer.checkBoth();
  await viewer.shoot("orders-states");
  await viewer.shoot("orders-states", { scheme: "dark" });
  await choices.getByText("is none of").click();
  await list.getByText("ACME-0900").waitFor();
  await list.getByText("ACME-1004").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "State not Allocated, Packed" }).waitFor();
  const all = await viewer.user?.get("/order/list?clientId=ACME&limit=500");
  assert.equal((await orders().count()) + count, all?.body.items.length, "both lists are all orders");
  await page.getByRole("button", { name: "State not Allocated, Packed" }).click();
  await choices.getByRole("button", { name: "With the warehouse" }).click();
  await page.getByRole("button", { name: "State not With the warehouse" }).waitFor();
  await viewer.check();
  await viewer.shoot("orders-states", { width: 390, height: 844 });
});

world.test("all orders that match are chosen, and held in the background", async (open) => {
  const many = await server.onboard("MANY");
  await many.accept("CAT", catalogue("MANY", ["A"]));
  const count = 130;
  for (let i = 0; i < count; i++) await many.accept("NO", order("MANY", `M-${i}`, ["A"]));
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders?client=MANY");
  const bar = page.getByRole("toolbar", { name: "Selected rows" });
  await page
    .getByRole("checkbox", { name: /^Select order M-/ })
    .first()
    .check({ force: true });
  await bar.getByText("1 row chosen").waitFor();
  await bar.getByRole("button", { name: "Choose all that match" }).click();
  await bar.getByText(`${count} rows chosen`).waitFor();
  await operator.checkBoth();
  await bar.getByRole("button", { name: "Hold" }).click();
  await answer(operator, "Hold", { Reason: "stock is counted" });
  await page.getByText(`${count} orders done`).waitFor();
  const held = await server.rows("select 1 as one from sales_order where client_id = 'MANY' and holds <> '[]'");
  assert.equal(held.length, count);
});

world.test("an order is found by the search, held, released, and cancelled line by line", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders");
  await operator.checkBoth();
  await shoot(operator, "orders");
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search" }).fill("acme-1001");
  await page
    .getByRole("option", { name: /ACME-1001/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /ACME-1001/ }).waitFor();
  const why = page.getByRole("region", { name: "Why the order has not shipped" });
  await why.getByText("Line 2 waits for 2 EA of TEAPOT at DC1: pool DEFAULT has no stock at DC1.").waitFor();
  await why.getByText("Purchase order PO-TEAPOT expects 6 of TEAPOT").waitFor();
  const reasons = page.getByRole("list", { name: "Reasons of line 2" });
  await reasons.getByText("Pool DEFAULT has no stock at DC1.").waitFor();
  await reasons.getByText("Facility DC2 has no free stock either.").waitFor();
  await page.getByRole("list", { name: "Expected for line 2" }).getByText("PO-TEAPOT").waitFor();
  await operator.settled();
  await operator.checkBoth();
  await shoot(operator, "order");
  await operator.shoot("order-reasons", { height: 1200 });
  await operator.shoot("order-reasons", { scheme: "dark", height: 1200 });
  await operator.shoot("order-reasons", { width: 390, height: 2000 });

  await page.getByRole("button", { name: "Add note" }).click();
  await answer(operator, "Add note", { Note: "The customer called: the street is new" });
  await page.getByText("Note: The customer called: the street is new").waitFor();
  await page.getByRole("button", { name: "Hold order" }).click();
  await answer(operator, "Hold order", { Reason: "the street does not exist" });
  await page.getByText("Held: Other").waitFor();
  const timeline = page.getByRole("region", { name: "Timeline of the order" });
  await timeline
    .getByText(/Order On Hold/)
    .first()
    .waitFor();
  assert.equal(await timeline.getByText(/^Held/).count(), 0, "each fact is shown once");
  assert.deepEqual(await placeOf(timeline), { top: 0, below: 0 }, "the whole timeline is shown");
  const tab = await page.getByRole("tab", { name: /^Lines/ }).boundingBox();
  assert.ok(tab && tab.y <= 600, `the lines begin at ${tab?.y} pixels`);
  await operator.checkBoth();

  await page.getByRole("button", { name: "Release order" }).click();
  await answer(operator, "Release order", {});
  await page.getByText("Held: Other").waitFor({ state: "hidden" });
  await timeline.getByText(/Hold Released/).waitFor();

  await page
    .getByRole("row", { name: /TEAPOT/ })
    .getByRole("button", { name: "Cancel line" })
    .click();
  await answer(operator, "Cancel line", { Reason: "sold out" }, "All of line 2 of order ACME-1001 is cancelled.");
  await page
    .getByRole("row", { name: /TEAPOT/ })
    .getByText("2 cancelled")
    .waitFor();

  await page.getByRole("button", { name: "Cancel order" }).click();
  await answer(
    operator,
    "Cancel order",
    { Reason: "the customer changed their mind" },
    "Order ACME-1001 is cancelled.",
  );
  await page.getByRole("heading", { name: /ACME-1001/ }).waitFor();
  await page.getByText("the customer changed their mind").first().waitFor();
  await timeline.getByText("Order Cancelled").waitFor();
  assert.deepEqual(await placeOf(timeline), { top: 0, below: 0 }, "the whole timeline is shown");
  assert.equal(await page.getByRole("list", { name: "Reasons why the order waits" }).count(), 0, "it is said once");
  for (let note = 1; note <= 30; note++)
    await operator.user?.post("/order/note/ACME-1001?clientId=ACME", { text: `call ${note}` });
  await timeline.getByText("Note: call 30").waitFor();
  assert.equal(await timeline.getByRole("listitem").count(), 30, "a long timeline begins with its newest entries");
  await timeline.getByRole("button", { name: /^Show \d+ older$/ }).click();
  await timeline.getByText("Order Received").waitFor();
  await timeline.getByText("Note: call 30").waitFor();
  await operator.checkBoth();
  await operator.shoot("order-cancelled");
});

world.test("going back from an order restores the list", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders");
  const list = page.getByRole("region", { name: "Orders" });
  await list.locator("tbody tr[aria-rowindex]").first().waitFor();
  await list.evaluate((box) => box.scrollTo(0, 1_500));
  const link = list.locator("tr[aria-rowindex='50'] a").first();
  const orderId = (await link.innerText()).trim();
  await link.click();
  await page.getByRole("heading", { name: orderId }).waitFor();
  await page.goBack();
  await list.getByRole("link", { name: orderId }).waitFor();
  assert.equal((await placeOf(list)).top, 1_500);
  await page.setViewportSize({ width: 820, height: 900 });
  await list.evaluate((box) => box.scrollBy(600, 0));
  const [name, box] = [await list.getByRole("link", { name: orderId }).boundingBox(), await list.boundingBox()];
  assert.ok(name && box && name.x >= box.x, "the order is named however far the list is scrolled to the right");
  await viewer.checkBoth();
});

world.test("carrier, tracking, cost, despatch and customer are columns, also of the export", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders?client=ACME&text=ACME-0899");
  await page.getByRole("button", { name: "Choose columns" }).click();
  const panel = page.getByRole("dialog", { name: "Columns" });
  const added = ["Carrier", "Tracking", "Carrier cost", "Cost currency", "Despatched", "Customer"];
  for (const name of added) await panel.getByRole("checkbox", { name, exact: true }).check();
  for (const name of ["Time left", "Facility", "Lines", "Units", "Holds", "Priority", "To"])
    await panel.getByRole("checkbox", { name, exact: true }).uncheck();
  await page.keyboard.press("Escape");
  const list = page.getByRole("region", { name: "Orders" });
  const { body } = (await viewer.user?.get("/order/list?clientId=ACME&text=ACME-0899")) ?? {};
  const [{ shipToName, parcels }] = body.items;
  assert.deepEqual([shipToName, parcels.count, parcels.trackingNumbers], ["Khan", 3, 3]);
  const carrier = [parcels.carrierCode, parcels.carrierServiceCode].filter(Boolean).join(" · ");
  const row = list.getByRole("row", { name: /ACME-0899/ });
  const [{ amount, currency }] = parcels.costs;
  const money = new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
  for (const text of [carrier, parcels.trackingNumber, "+2", money, "Khan"])
    await row.getByText(text).first().waitFor();
  await row.locator(`time[datetime="${parcels.despatchedAt}"]`).waitFor();
  const cut = await row.locator("td").evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth));
  assert.equal(cut.length, 0, "each value is seen whole");
  await viewer.checkBoth();
  await viewer.shoot("orders-columns");
  await viewer.shoot("orders-columns", { scheme: "dark" });
  await viewer.shoot("orders-columns", { width: 390, height: 844 });

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const [heads = [], cells = []] = readFileSync(await download.path(), "utf8")
    .slice(1)
    .split("\r\n")
    .map((line) => line.split(","));
  const exported = new Map(heads.map((head, i) => [head, cells[i]]));
  assert.equal(exported.get("Carrier and service of the parcels"), carrier);
  assert.equal(exported.get("First tracking number + number of others"), `${parcels.trackingNumber} +2`);
  assert.equal(exported.get("Carrier cost of the parcels"), String(amount));
  assert.equal(exported.get("Currency of the carrier cost"), currency);
  assert.equal(exported.get("First parcel despatched"), parcels.despatchedAt);
  assert.equal(exported.get("Customer (ship-to name)"), "Khan");
  assert.ok(exported.get("In state since")?.endsWith("Z"));
});

world.test("a list that the top bar leaves empty says so, and shows all when it is asked to", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders?client=ACME&facility=DC2");
  await page.getByText("No rows for client ACME in facility DC2.").waitFor();
  await viewer.checkBoth();
  await page.getByRole("button", { name: "Show all clients and facilities" }).click();
  await page.getByRole("region", { name: "Orders" }).getByRole("link").first().waitFor();
});

world.test("a packed order keeps its address, and its cancellation is requested from the warehouse", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders/ACME/ACME-1004");
  for (const name of ["Change address", "Change shipping", "Move to facility"]) {
    const button = page.getByRole("button", { name });
    await button.waitFor();
    assert.ok(await button.isDisabled(), name);
  }
  await page.getByText(/^Change shipping, Change address, Move to facility: Its parcels are packed/).waitFor();
  await operator.checkBoth();
  for (const scheme of ["light", "dark"] as const) {
    await operator.shoot("order-packed", { scheme });
    await operator.shoot("order-packed", { scheme, width: 390, height: 1600 });
  }
  await page.getByRole("button", { name: "Cancel order" }).click();
  const message = "The warehouse has goods of order ACME-1004, and was asked to stop it.";
  await answer(operator, "Cancel order", { Reason: "ordered twice" }, message);
  await page.getByText("Cancel order: The warehouse has not answered the request yet.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Cancel order" }).isDisabled());
  await page
    .getByRole("banner")
    .or(page.getByRole("main"))
    .getByText("Cancel requested", { exact: true })
    .first()
    .waitFor();
});

world.test("the address of an order that does not exist leads to the orders", async (open) => {
  const viewer = await open("viewer");
  viewer.expectStatuses(404);
  const { page } = viewer;
  await viewer.open("/orders/ACME/NONE");
  const problem = page.getByRole("alert");
  await problem.getByText("/orders/ACME/NONE").waitFor();
  assert.equal(await problem.getByRole("button", { name: "Try again" }).count(), 0);
  await viewer.checkBoth();
  await problem.getByRole("link", { name: "Back to orders" }).click();
  const orders = page.getByRole("region", { name: "Orders" });
  await orders.getByRole("link").first().waitFor();
  await viewer.open("/orders?text=ACME-0899");
  const row = orders.getByRole("row", { name: /ACME-0899/ });
  const edge = (await orders.boundingBox())?.width ?? 0;
  for (const seen of [row.getByText("Khan"), row.getByText("3", { exact: true }), row.locator("time").first()]) {
    const box = await seen.first().boundingBox();
    assert.ok(box && box.x + box.width < edge + 240, "customer, units and receipt are seen without scrolling");
  }
});

world.test("a refusal is shown above the fields", async (open) => {
  const operator = await open("operator");
  operator.expectStatuses(400, 422);
  const { page } = operator;
  await operator.open("/orders/ACME/ACME-1002");
  await page.getByRole("button", { name: "Change address" }).click();
  const dialogue = page.getByRole("dialog");
  await dialogue.getByLabel("Country").fill("Nowhere");
  await dialogue.getByRole("button", { name: "Change address" }).click();
  const refusal = dialogue.getByRole("alert");
  await refusal.waitFor();
  const [above, below] = [await refusal.boundingBox(), await dialogue.getByLabel("First name").boundingBox()];
  assert.ok(above && below && above.y >= 0 && above.y < below.y, JSON.stringify({ above, below }));
  await operator.checkBoth();
});

world.test("an order that has left shows its parcels, papers, decision and feeds", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders/ACME/ACME-0900?tab=parcels");
  await page.getByRole("region", { name: `Parcel ${olpnId}` }).waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("order-parcels");
  for (const tab of ["Documents", "Carrier decision", "Raw feeds"]) {
    await page.getByRole("tab", { name: tab }).click();
    await operator.settled();
    await operator.checkBoth();
    await operator.shoot(`order-${tab.toLowerCase().replace(" ", "-")}`);
  }
  await page.getByText("New", { exact: true }).waitFor();
  await page.getByText("All events and messages").click();
  await page.getByText("Event: order:despatched").waitFor();
  await operator.check();
});

world.test("many orders are held at once, and refusals are shown", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders?client=ACME");
  for (const orderId of ["ACME-1003", "ACME-0900"]) {
    await page
      .getByRole("row", { name: new RegExp(orderId) })
      .getByRole("checkbox")
      .check();
  }
  await page.getByRole("toolbar").getByRole("button", { name: "Hold" }).click();
  await answer(operator, "Hold", { Reason: "stock count" });
  await page.getByText(/1 order done, 1 refused/).waitFor();
  await page.getByText(/ACME-0900 cannot be held/).waitFor();
});

world.test("a viewer has no buttons", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders/ACME/ACME-1002");
  await page.getByRole("heading", { name: /ACME-1002/ }).waitFor();
  await page.getByRole("tab", { name: /Lines/ }).waitFor();
  for (const name of [
    "Hold order",
    "Release order",
    "Cancel order",
    "Change shipping",
    "Change address",
    "Cancel line",
  ]) {
    assert.equal(await page.getByRole("button", { name }).count(), 0, name);
  }
  await viewer.check();
});

world.test(
  "an order whose personal data are erased states this, and shows only the country of its address",
  async (open) => {
    await acme.ship("ACME-0901", "MUG-BLUE", 1);
    await acme.quiet();
    const erased = await server.operate((tx, change) => eraseOrder(tx.of("ACME", change), "ACME-0901"));
    assert.ok(erased.ok, JSON.stringify(erased));
    const operator = await open("operator");
    const { page } = operator;
    await operator.open("/orders/ACME/ACME-0901");
    await page.getByRole("heading", { name: /ACME-0901/ }).waitFor();
    const facts = page.locator("dl").first();
    await facts.getByText(/^erased/).waitFor();
    assert.match(await facts.innerText(), /Ships to\s+United Kingdom\s+Personal data\s+erased/);
    await page.getByText("Names, addresses and payloads erased").waitFor();
    assert.ok(await page.getByRole("button", { name: "Repeat order" }).isDisabled());
    await page.getByText("Repeat order: Its document was erased with the personal data of the order.").waitFor();
    const timeline = page.getByRole("region", { name: "Timeline of the order" });
    await timeline.getByText("warehouse DC1").first().waitFor();
    assert.doesNotMatch(await timeline.innerText(), /warehouse:|user:|\d{4}-\d\d-\d\dT/, "names and times in words");
    await operator.checkBoth();
  },
);

world.test("an order moves to another facility, which allocates its own stock", async (open) => {
  await acme.place("ACME-2001", [{ sku: "MUG-BLUE", qty: 1 }]);
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders/ACME/ACME-2001");
  await page.getByRole("button", { name: "Move to facility" }).click();
  const dialogue = page.getByRole("dialog");
  await dialogue.getByRole("textbox", { name: "Facility" }).or(dialogue.getByLabel("Facility")).first().click();
  assert.equal(await page.getByRole("option", { name: /^DC1/ }).count(), 0, "where it is");
  await page.getByRole("option", { name: /^DC2/ }).click();
  await operator.shoot("order-move");
  await answer(operator, "Move to facility", {}, "Order ACME-2001 is at DC2 now.");
  await acme.quiet();
  assert.equal(await acme.stands("ACME-2001"), "BACKORDERED Backordered 1");
  await operator.open("/orders/ACME/ACME-2001");
  await page.getByRole("region", { name: "Timeline of the order" }).getByText("Routed to DC2").waitFor();
  await operator.checkBoth();
});
