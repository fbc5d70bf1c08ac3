// Inventory, inbound, returns and work orders in a browser, on the demo data.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

const rowsOf = ({ page }: ConsolePage, label: string) =>
  page.getByRole("region", { name: label, exact: true }).locator("tbody tr[aria-rowindex]");

async function shootBoth(it: ConsolePage, name: string): Promise<void> {
  await it.shoot(name);
  await it.shoot(name, { scheme: "dark" });
  await it.setScheme("light");
}

world.test(
  "the stock of a SKU leads to its ledger, with a running total and the document behind each row",
  async (open) => {
    const it = await open("viewer");
    await it.open("/inventory");
    const levels = rowsOf(it, "Stock levels");
    await levels.first().waitFor();
    assert.ok((await levels.count()) > 5);
    await it.checkBoth();
    await shootBoth(it, "inventory");
    await it.open("/inventory?text=TEE-M");
    await it.page.getByRole("link", { name: "TEE-M", exact: true }).first().click();
    await it.page.getByRole("heading", { name: /TEE-M/, level: 1 }).waitFor();
    await it.settled();
    const statement = rowsOf(it, "Statement");
    await statement.first().waitFor();
    assert.match(await statement.last().innerText(), /\d/);
    await it.page.setViewportSize({ width: 1280, height: 800 });
    const [shown, whole] = await it.page.evaluate<[number, number]>(
      `[...document.querySelectorAll("section[aria-label=Statement] td:nth-child(2)")]
        .flatMap((cell) => [cell.clientWidth, cell.scrollWidth]).slice(0, 2)`,
    );
    assert.ok(shown > 0 && whole <= shown, "the time is seen with its zone");
    await it.shoot("inventory-product", { width: 1280 });
    await it.checkBoth();
    await shootBoth(it, "inventory-product");
    await it.page.getByRole("tab", { name: "Lots" }).click();
    await rowsOf(it, "Lots").first().waitFor();
    await it.check();
  },
);

world.test("expiry, the stock of a day, and a reconciliation with the client's own counts", async (open) => {
  const it = await open("operator");
  await it.open("/inventory?tab=expiry");
  await rowsOf(it, "Lots that expire").first().waitFor();
  await it.checkBoth();
  await shootBoth(it, "inventory-expiry");

  await it.open("/inventory?tab=snapshots&client=DEMO&facility=DC1");
  await it.page.getByRole("region", { name: /Stock at the end of/ }).waitFor();
  await it.check();
  await it.shoot("inventory-snapshot");

  await it.open("/inventory?tab=reconcile&client=DEMO&facility=DC1");
  const counts = it.page.getByLabel("Counts of DEMO in DC1");
  await counts.fill("TEE-M,1\nnonsense");
  await it.page.getByText(/Line 2: "nonsense"/).waitFor();
  await it.check();
  await counts.fill("TEE-M,1");
  await it.page.getByRole("button", { name: "Compare 1 SKUs" }).click();
  await it.page.getByText("1 of 1 SKUs differ").waitFor();
  await rowsOf(it, "Differences").first().waitFor();
  await it.check();
  await it.shoot("inventory-reconcile");
});

for (const [path, title, label, name] of [
  ["/inbound", "Inbound", "Purchase orders", "Purchase order"],
  ["/returns", "Returns", "Returns", "Return"],
  ["/work-orders", "Work orders", "Work orders", "Work order"],
] as const) {
  world.test(`${title}: the list leads to what was expected and what came`, async (open) => {
    const it = await open("operator");
    await it.open(path);
    const rows = rowsOf(it, label);
    await rows.first().waitFor();
    await it.checkBoth();
    await it.page.setViewportSize({ width: 1280, height: 800 });
    const cut = await it.page.evaluate<string[]>(
      `[...document.querySelectorAll("main th, main td:has(> [data-tone])")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText)`,
    );
    assert.deepEqual(cut, [], "no heading and no badge is cut off");
    await shootBoth(it, path.slice(1));
    await rows.first().getByRole("link").first().click();
    await it.page.getByText(name, { exact: false }).first().waitFor();
    await it.page.getByRole("tab").first().waitFor();
    await it.settled();
    await it.checkBoth();
    await shootBoth(it, `${path.slice(1)}-page`);
  });
}

world.test("a viewer sees no way to cancel, an operator cancels a return once its words were read", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/returns?status=AUTHORISED");
  await rowsOf(viewer, "Returns").first().getByRole("link").first().click();
  await viewer.page.getByRole("tab", { name: /Lines/ }).waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: "Cancel return" }).count(), 0);

  const it = await open("operator");
  await it.open("/returns?status=AUTHORISED");
  await rowsOf(it, "Returns").first().getByRole("link").first().click();
  await it.page.getByRole("button", { name: "Cancel return" }).click();
  const dialog = it.page.getByRole("dialog");
  await dialog.getByText("No more units are expected").waitFor();
  await it.check();
  await dialog.getByRole("button", { name: "Cancel return" }).click();
  await it.page.getByText(/was cancelled\./).waitFor();
  await it.page.getByText("Cancelled", { exact: true }).first().waitFor();
});
