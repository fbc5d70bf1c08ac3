// Inventory, inbound, returns and work orders in a browser, on the demo data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

const rowsOf = ({ page }: ConsolePage, label: string) =>
  page.getByRole("region", { name: label, exact: true }).locator("tbody tr[aria-rowindex]");

async function shootBoth(visitor: ConsolePage, name: string): Promise<void> {
  await visitor.shoot(name);
  await visitor.shoot(name, { scheme: "dark" });
  await visitor.setScheme("light");
}

world.test(
  "the stock of a SKU leads to its ledger, with a running total and the document behind each row",
  async (open) => {
    const viewer = await open("viewer");
    await viewer.open("/inventory");
    const levels = rowsOf(viewer, "Stock levels");
    await levels.first().waitFor();
    assert.ok((await levels.count()) > 5);
    await viewer.checkBoth();
    await shootBoth(viewer, "inventory");
    await viewer.shoot("inventory", { width: 390 });
    await viewer.page.getByRole("button", { name: "Unsellable", exact: true }).click();
    await levels
      .filter({ hasText: /on hold|damaged|expired|expiry/ })
      .first()
      .waitFor();
    await viewer.shoot("inventory-unsellable");
    await viewer.open("/inventory?text=TEE-M");
    await viewer.page.getByRole("link", { name: "TEE-M", exact: true }).first().click();
    await viewer.page.getByRole("heading", { name: /T-shirt/, level: 1 }).waitFor();
    await viewer.settled();
    const statement = rowsOf(viewer, "Statement");
    await statement.first().waitFor();
    assert.match(await statement.last().innerText(), /\d/);
    await viewer.page.setViewportSize({ width: 1280, height: 800 });
    const [shown, whole] = await viewer.page.evaluate<[number, number]>(
      `[...document.querySelectorAll("section[aria-label=Statement] td:nth-child(2)")]
        .flatMap((cell) => [cell.clientWidth, cell.scrollWidth]).slice(0, 2)`,
    );
    assert.ok(shown > 0 && whole <= shown, "the time is seen with its zone");
    await viewer.shoot("inventory-product", { width: 1280 });
    await viewer.checkBoth();
    await shootBoth(viewer, "inventory-product");
    await viewer.page.getByRole("tab", { name: "Lots" }).click();
    await rowsOf(viewer, "Lots").first().waitFor();
    await viewer.check();
  },
);

world.test(
  "the recalled lot of the demo is found by the search, with what is on hold and who has the rest",
  async (open) => {
    const viewer = await open("viewer");
    const { page } = viewer;
    await viewer.open("/overview");
    await page.keyboard.press("/");
    await page.keyboard.type("B-26100");
    await page
      .getByRole("option", { name: /HONEY-HEATHER-340/ })
      .first()
      .click();
    await page.getByRole("link", { name: "B-26100" }).first().click();
    await page.getByRole("heading", { name: /B-26100/, level: 1 }).waitFor();
    await page.getByRole("link", { name: "FP-60023" }).waitFor();
    await page.getByRole("link", { name: "FP-60024" }).waitFor();
    await page.getByRole("tab", { name: /Stock/ }).click();
    await page.getByText("On hold").first().waitFor();
    await viewer.checkBoth();
  },
);

world.test("a product is counted on request, and a difference above the tolerance is approved", async (open) => {
  const operator = await open("operator");
  await operator.open("/inventory/DEMO/TEE-M");
  await operator.page.getByRole("button", { name: "Count", exact: true }).click();
  const dialog = operator.page.getByRole("dialog");
  await dialog.getByLabel("Note for the warehouse").fill("Top shelf too");
  await operator.checkBoth();
  await dialog.getByRole("button", { name: "Count", exact: true }).click();
  await operator.page.getByText(/has the task to count TEE-M/).waitFor();

  await operator.open("/inventory?tab=counts");
  const counts = rowsOf(operator, "Counts");
  await counts.filter({ hasText: "TEE-M" }).first().waitFor();
  await operator.checkBoth();
  await shootBoth(operator, "inventory-counts");

  await operator.open("/exceptions?rows=each&type=COUNT_DIFFERENCE");
  await operator.page
    .getByRole("link", { name: /^Open count/ })
    .first()
    .click();
  await operator.page.getByRole("heading", { name: /^Count of CUSHION-LINEN of LUMEN/, level: 1 }).waitFor();
  await rowsOf(operator, "Lots").first().waitFor();
  await operator.checkBoth();
  await shootBoth(operator, "inventory-count");
  await operator.page.getByRole("button", { name: "Approve", exact: true }).click();
  await operator.page.getByLabel("Take missing units from orders that have them allocated").check();
  await operator.page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await operator.page.getByText("The differences are booked.").waitFor();
  await operator.page.getByText("Approved", { exact: true }).first().waitFor();
});

world.test(
  "a lot is traced from its product to the orders that have it, and is held and released as a whole",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    const dialog = page.getByRole("dialog");
    await operator.open("/inventory/DEMO/OIL-OLIVE-500?tab=lots");
    await rowsOf(operator, "Lots").getByRole("link", { name: "FV-2604", exact: true }).first().click();
    await page.getByRole("heading", { name: "Lot FV-2604 of DEMO", level: 1 }).waitFor();
    await page
      .getByText(/No goods of the lot have left|Customer/)
      .first()
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export as CSV" }).click(),
    ]);
    assert.match(readFileSync(await file.path(), "utf8"), /^\W*Order,State,SKU,Batch,Quantity,Left,Customer/);
    await operator.checkBoth();
    await shootBoth(operator, "inventory-lot");
    for (const [verb, done, condition] of [
      ["Put on hold", /on hold/, "On hold"],
      ["Release", /released/, "Good"],
    ] as const) {
      await page.getByRole("button", { name: verb, exact: true }).click();
      await dialog.getByLabel(/^Reason/).fill("Recall 2026-17");
      await dialog.getByRole("button", { name: verb, exact: true }).click();
      await page.getByText(done).first().waitFor();
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("tab", { name: "Stock", exact: true }).click();
      await rowsOf(operator, "Stock of the lot").filter({ hasText: condition }).first().waitFor();
    }
    for (const tab of ["Reserved", "Receipts", "Work orders", "Returns"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await operator.settled();
      await operator.check();
    }
    const viewer = await open("viewer");
    await viewer.open("/inventory/DEMO/OIL-OLIVE-500/lots/NONE");
    await viewer.page.getByText("There is no such lot").waitFor();
    assert.equal(await viewer.page.getByRole("button", { name: "Put on hold" }).count(), 0);
  },
);

world.test("an operator adjusts a lot and puts some of it on hold; a large adjustment waits", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/inventory/DEMO/TEE-L?tab=lots&facility=DC1");
  await rowsOf(viewer, "Lots").first().waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: /^Adjust/ }).count(), 0);

  const operator = await open("operator");
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  const change = async (verb: string, qty: string, reason: string) => {
    const good = rowsOf(operator, "Lots").filter({ hasText: "Good" }).first();
    await good.getByRole("button", { name: new RegExp(`^${verb} TEE-L`) }).click();
    await dialog.getByLabel(/^Quantity(?: \*)?$/).fill(qty);
    await dialog
      .getByLabel(/^Reason/)
      .first()
      .click();
    await page.getByRole("option", { name: reason }).click();
    if (qty === "-1") {
      await operator.checkBoth();
      await shootBoth(operator, "inventory-adjust");
      await operator.shoot("inventory-adjust", { width: 390 });
    }
    await dialog.getByRole("button", { name: verb, exact: true }).click();
  };
  await operator.open("/inventory/DEMO/TEE-L?tab=lots&facility=DC1");
  await change("Adjust", "-1", "Damage");
  await page.getByText("The adjustment of −1 is booked.").waitFor();
  await change("Put on hold", "2", "Condition: an inspection");
  await page.getByText("The quantity of TEE-L has its new condition.").waitFor();
  await rowsOf(operator, "Lots").filter({ hasText: "On hold" }).first().waitFor();
  await operator.check();
  await shootBoth(operator, "inventory-lots");
  await change("Adjust", "-200", "Lost: goods are missing");
  await page.getByText(/above the tolerance of DEMO: another user approves it/).waitFor();

  await operator.open("/inventory?tab=counts&client=DEMO");
  await rowsOf(operator, "Counts").filter({ hasText: "TEE-L" }).first().getByRole("link").first().click();
  await page.getByRole("heading", { name: /^Adjustment of TEE-L/, level: 1 }).waitFor();
  await operator.check();
  await shootBoth(operator, "inventory-adjustment");
  operator.expectStatuses(409);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await dialog.getByText(/another user approves it/).waitFor();

  const address = new URL(page.url());
  const second = await open("operator");
  await second.open(`${address.pathname.replace(/^\/console/, "")}${address.search}`);
  await second.page.getByRole("button", { name: "Approve", exact: true }).click();
  await second.page.getByLabel("Take missing units from orders that have them allocated").check();
  await second.page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await second.page.getByText("The differences are booked.").waitFor();
});

world.test("an operator adds stock of a lot that has none", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  await operator.open("/inventory/DEMO/TEE-XL?tab=lots&facility=DC1");
  await page.getByRole("button", { name: "Add stock" }).click();
  await dialog
    .getByLabel(/^Facility/)
    .first()
    .click();
  await page.getByRole("option", { name: /^DC1/ }).click();
  await dialog.getByLabel(/^Quantity/).fill("1");
  await dialog
    .getByLabel(/^Condition/)
    .first()
    .click();
  await page.getByRole("option", { name: "Quarantine", exact: true }).click();
  await dialog
    .getByLabel(/^Reason/)
    .first()
    .click();
  await page.getByRole("option", { name: "Found: goods turned up" }).click();
  await operator.check();
  await shootBoth(operator, "inventory-add-stock");
  await dialog.getByRole("button", { name: "Add stock", exact: true }).click();
  await page.getByText("The adjustment of +1 is booked.").waitFor();
  await rowsOf(operator, "Lots").filter({ hasText: "Quarantine" }).first().waitFor();
});

world.test("the search leads from a batch to the lots of its product", async (open) => {
  const viewer = await open("viewer");
  const [row] = await world.server.rows<{ batch_ref: string; client_id: string }>(
    "select batch_ref, client_id from stock_balance where batch_ref > '' and qty > 0 order by sku limit 1",
  );
  assert.ok(row, "the demo has a lot with a batch");
  await viewer.open("/");
  await viewer.page.keyboard.press("/");
  await viewer.page.getByRole("combobox", { name: "Search" }).fill(row.batch_ref);
  await viewer.page
    .getByRole("option", { name: new RegExp(`Lot.*${row.batch_ref}`) })
    .first()
    .click();
  await rowsOf(viewer, "Lots").filter({ hasText: row.batch_ref }).first().waitFor();
  await viewer.check();
  await viewer.shoot("inventory-lot-found");
});

world.test("expiry, the stock of a day, and a reconciliation with the client's own counts", async (open) => {
  const operator = await open("operator");
  await operator.open("/inventory?tab=expiry");
  await rowsOf(operator, "Lots that expire").first().waitFor();
  const lots = await rowsOf(operator, "Lots that expire").allInnerTexts();
  assert.ok(
    lots.some((text) => /no sales[\s\S]*\d left over/.test(text)),
    lots.join("\n"),
  );
  assert.ok(
    lots.some((text) => /Smoked salmon/i.test(text)),
    lots.join("\n"),
  );
  await operator.checkBoth();
  await shootBoth(operator, "inventory-expiry");

  await operator.open("/inventory?tab=snapshots&client=DEMO&facility=DC1");
  await operator.page.getByRole("region", { name: /Stock at the end of/ }).waitFor();
  await operator.check();
  await operator.shoot("inventory-snapshot");
  await operator.page.getByRole("button", { name: "a week before" }).click();
  const compared = operator.page.getByRole("region", { name: /^Stock of \S+ and \S+$/ });
  await compared.locator("tbody tr[aria-rowindex]").first().waitFor();
  await operator.checkBoth();
  await shootBoth(operator, "inventory-compare");
  await operator.shoot("inventory-compare", { width: 390 });
  await compared.getByRole("link", { name: "Statement" }).first().click();
  await operator.page.getByRole("heading", { name: /^Product/, level: 1 }).waitFor();
  await rowsOf(operator, "Statement").first().waitFor();
  await operator.check();
  await operator.shoot("inventory-statement-days");

  await operator.open("/inventory?tab=reconcile&client=DEMO&facility=DC1");
  const counts = operator.page.getByLabel("Counts of DEMO in DC1");
  await counts.fill("TEE-M,1\nnonsense");
  await operator.page.getByText(/Line 2: "nonsense"/).waitFor();
  await operator.check();
  await counts.fill("TEE-M,1");
  await operator.page.getByRole("button", { name: "Compare 1 SKUs" }).click();
  await operator.page.getByText("1 of 1 SKUs differ").waitFor();
  await rowsOf(operator, "Differences").first().waitFor();
  await operator.check();
  await operator.shoot("inventory-reconcile");
});

world.test("opening stock is checked, then booked once, and its faults are listed", async (open) => {
  const operator = await open("operator");
  operator.expectStatuses(422);
  await operator.open("/inventory?tab=opening&client=DEMO");
  const file = operator.page.getByLabel("Opening stock of DEMO");
  const check = operator.page.getByRole("button", { name: "Check", exact: true });
  const book = operator.page.getByRole("button", { name: "Book", exact: true });
  await file.fill("distributionCentre,sku,qty\nDC1,NO-SUCH-SKU,3\nDC1,TEE-M,three");
  await check.click();
  const refusal = operator.page.getByRole("alert").filter({ hasText: "Nothing is booked" });
  await refusal.getByText(/line 3:.*three/).waitFor();
  assert.equal(await book.isDisabled(), true);
  await operator.checkBoth();
  await shootBoth(operator, "inventory-opening");

  await file.fill("distributionCentre,sku,qty\nDC1,TEE-M,3");
  await check.click();
  await operator.page.getByText("DC1: 1 line. Nothing is booked yet.").waitFor();
  await book.click();
  await operator.page.getByText("The opening stock is booked").waitFor();
  assert.equal(await book.isDisabled(), true);

  await operator.open("/inventory?tab=opening&client=DEMO");
  await file.fill("distributionCentre,sku,qty\nDC1,TEE-M,3");
  await check.click();
  await operator.page.getByText("This file is booked already").waitFor();
  assert.equal(await book.isDisabled(), true);
});

/** Whether the first row has a name in the column Product. */
const namesOfProducts = `(() => {
  const heads = [...document.querySelectorAll("[role=tabpanel] thead th")].map((head) => head.innerText.trim());
  const cell = document.querySelectorAll("[role=tabpanel] tbody tr:first-child td")[heads.indexOf("Product")];
  return /\\w/.test(cell?.innerText ?? "");
})()`;

for (const [path, title, label, name] of [
  ["/inbound", "Inbound", "Purchase orders", "Purchase order"],
  ["/returns", "Returns", "Returns", "Return"],
  ["/work-orders", "Work orders", "Work orders", "Work order"],
] as const) {
  world.test(`${title}: the list leads to what was expected and what came`, async (open) => {
    const operator = await open("operator");
    await operator.open(path);
    const rows = rowsOf(operator, label);
    await rows.first().waitFor();
    await operator.checkBoth();
    await operator.page.setViewportSize({ width: 1280, height: 800 });
    const cut = await operator.page.evaluate<string[]>(
      `[...document.querySelectorAll("main th, main td:has(> [data-tone])")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText)`,
    );
    assert.deepEqual(cut, [], "no heading and no badge is cut off");
    await shootBoth(operator, path.slice(1));
    await rows.first().getByRole("link").first().click();
    await operator.page.getByText(name, { exact: false }).first().waitFor();
    await operator.page.getByRole("tab").first().waitFor();
    await until("the names of products", () => operator.page.evaluate<boolean>(namesOfProducts));
    await operator.settled();
    await operator.checkBoth();
    await shootBoth(operator, `${path.slice(1)}-page`);
  });
}

world.test("an order leads to its return, and the return to its order", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  const [row] = await world.server.rows<{ client_id: string; order_id: string; rma_number: string }>(
    "select client_id, order_id, rma_number from return_authorisation where order_id is not null order by rma_number limit 1",
  );
  assert.ok(row, "the demo has a return of an order");
  await viewer.open(`/orders/${row.client_id}/${row.order_id}`);
  await page.getByRole("main").getByRole("link", { name: row.rma_number, exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: `Return ${row.rma_number} of ${row.client_id}` }).waitFor();
  await page.getByRole("main").getByRole("link", { name: row.order_id, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: `Order ${row.order_id} of ${row.client_id}` }).waitFor();
  await page.getByRole("main").getByRole("link", { name: row.rma_number, exact: true }).first().waitFor();
  await viewer.checkBoth();
  await viewer.shoot("order-returns");
});

world.test("a viewer sees no way to cancel, an operator cancels a return once its words were read", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/returns?status=AUTHORISED");
  await rowsOf(viewer, "Returns").first().getByRole("link").first().click();
  await viewer.page.getByRole("tab", { name: /Lines/ }).waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: "Cancel return" }).count(), 0);

  const operator = await open("operator");
  await operator.open("/returns?status=AUTHORISED");
  await rowsOf(operator, "Returns").first().getByRole("link").first().click();
  await operator.page.getByRole("button", { name: "Cancel return" }).click();
  const dialog = operator.page.getByRole("dialog");
  await dialog.getByText("No more units are expected").waitFor();
  await operator.check();
  await dialog.getByRole("button", { name: "Cancel return" }).click();
  await operator.page.getByText(/was cancelled\./).waitFor();
  await operator.page.getByText("Cancelled", { exact: true }).first().waitFor();
});
