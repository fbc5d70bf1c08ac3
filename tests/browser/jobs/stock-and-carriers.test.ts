// The jobs about stock and carriers: each from the overview, in at most eight actions.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dayMs } from "#/kernel/values/durations.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { until } from "../../support/app/until.ts";
import { browserWorld } from "../../support/browser/chromium.ts";
import { jobsOf } from "../../support/browser/jobs.ts";
import { attributes, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";

const world = await browserWorld({ CROSSDOCK_WAREHOUSE_SIM: "false" });
const job = jobsOf(world);
await clearOfMidnight("Europe/London");
const brand = await world.server.onboard("POTTERY");
await brand.accept("CAT", catalogue("POTTERY", ["RARE-MUG"]));
for (const [orderId, qty] of [
  ["WAIT-1", 2],
  ["WAIT-2", 3],
] as const)
  await brand.accept("NO", order("POTTERY", orderId, [{ sku: "RARE-MUG", qty }]));
const extendedAttributes = attributes({ ExpectedDate: "2027-03-01" });
const arrivesToday = { extendedAttributes: attributes({ ExpectedDate: dateIn("Europe/London", 0) }) };
await brand.accept("PO", purchaseOrder("POTTERY", "PO-TODAY", ["RARE-MUG"], arrivesToday));
await brand.accept("PO", purchaseOrder("POTTERY", "PO-MUGS", [{ sku: "RARE-MUG", qty: 20 }], { extendedAttributes }));

job("Find the lots that expire in 30 days", "viewer", async ({ page, click, rows, read }) => {
  await click(
    page.getByRole("main").getByRole("link", { name: "Lots that expire in 30 days" }).first(),
    "**Lots that expire in 30 days**",
  );
  const { items } = await read("/stock/expiring?only=EXPIRING&limit=500");
  assert.ok(items.length > 0, "the demo has such lots");
  await rows("Lots that expire")
    .nth(items.length - 1)
    .waitFor();
  assert.equal(await rows("Lots that expire").count(), items.length);
  for (const { sku, daysLeft } of items) {
    assert.ok(daysLeft >= 0 && daysLeft < 30, `${sku} expires in ${daysLeft} days`);
    await rows("Lots that expire").filter({ hasText: sku }).first().waitFor();
  }
});

job("Recall a lot: hold what is left, and list who got it", "operator", async ({ page, ...hands }) => {
  const query = "?clientId=FJORD&sku=CRISPBREAD-250&lotNumber=B-26100";
  const { items } = await hands.read(`/client/lot/orders${query}&limit=500`);
  assert.ok(items.length > 0, "orders of the demo have left with the lot");
  await hands.press("/", "`/`");
  await hands.fill(page.getByRole("combobox", { name: "Search" }), "B-26100", "the number of the lot");
  await hands.click(page.getByRole("option", { name: /CRISPBREAD-250/ }), "its product");
  await hands.click(page.getByRole("main").getByRole("link", { name: "B-26100" }).first(), "the lot");
  await hands.click(page.getByRole("button", { name: "Put on hold", exact: true }), "**Put on hold**");
  const dialog = page.getByRole("dialog");
  await hands.fill(dialog.getByLabel("Reason"), "the seal leaks", "the reason");
  await hands.click(dialog.getByRole("button", { name: "Put on hold" }), "**Put on hold**");
  await dialog.waitFor({ state: "detached" });
  const { stock } = await hands.read(`/client/lot/trace${query}`);
  assert.ok(stock.length > 0 && stock.every(({ isHeld }: { isHeld: boolean }) => isHeld));
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    hands.click(page.getByRole("button", { name: "Export as CSV" }), "**Export as CSV**"),
  ]);
  const csv = await readFile(await saved.path(), "utf8");
  for (const { orderId } of items) assert.ok(csv.includes(orderId), orderId);
});

job("Find who waits for a SKU, and when it comes", "viewer", async ({ page, click, go, rows, read }) => {
  await go("Inventory");
  await click(page.getByRole("tab", { name: "Back-ordered" }), "**Back-ordered**");
  const { items } = await read("/stock/backordered?clientId=POTTERY");
  assert.deepEqual([items[0].sku, items[0].orders, items[0].qty], ["RARE-MUG", 2, 5]);
  await click(rows("Back-ordered products").filter({ hasText: "RARE-MUG" }).getByRole("link").last(), "a number");
  await rows("Waiting").nth(1).waitFor();
  assert.deepEqual(await rows("Waiting").locator("a").allInnerTexts(), ["WAIT-1", "WAIT-2"]);
  await click(page.getByRole("tab", { name: "Expected" }), "**Expected**");
  await rows("Expected").filter({ hasText: "PO-MUGS" }).getByText("2027-03-01").waitFor();
});

job("Find what arrives today", "viewer", async ({ page, click, go, rows }) => {
  await go("Inbound");
  await click(page.getByRole("main").getByRole("link", { name: /^Arriving today/ }), "**Arriving today**");
  await rows("Purchase orders").filter({ hasText: "PO-TODAY" }).getByText("today", { exact: true }).waitFor();
  // The rows of all purchase orders stay until those of the filter have come.
  await until("the list to have only those of today", async () => {
    const dues = await rows("Purchase orders").getByText("today", { exact: true }).count();
    return dues === (await rows("Purchase orders").count());
  });
});

job("Compare the stock of two days", "viewer", async ({ page, click, choose, go, rows, read }) => {
  await go("Inventory");
  await click(page.getByRole("tab", { name: "Stock of a day" }), "**Stock of a day**");
  await choose(page.getByRole("combobox", { name: "For client" }), /^DEMO/, "the client");
  await choose(page.getByRole("combobox", { name: "In facility" }), /^DC1/, "the facility");
  const to = await page.getByLabel("Day", { exact: true }).inputValue();
  const from = new Date(Date.parse(to) - 7 * dayMs).toISOString().slice(0, 10);
  await click(page.getByRole("button", { name: "a week before" }), "**a week before**");
  const list = `Stock of ${from} and ${to}`;
  await rows(list).first().waitFor();
  const onHandOf = async (day: string): Promise<Map<string, number>> => {
    const { items } = await read(`/client/snapshot/get/${day}?clientId=DEMO&distributionCentre=DC1&limit=500`);
    return new Map(items.map(({ sku, onHand }: { sku: string; onHand: number }) => [sku, onHand]));
  };
  const [before, after] = [await onHandOf(from), await onHandOf(to)];
  const changed = [...after].filter(([sku, onHand]) => onHand !== (before.get(sku) ?? 0));
  assert.ok(changed.length > 3, "goods moved in this week of the demo");
  for (const [sku, onHand] of changed) {
    const cells = await rows(list)
      .filter({ has: page.getByRole("link", { name: sku, exact: true }) })
      .getByRole("cell")
      .allInnerTexts();
    const numbers = cells.map((text) => Number(text.trim().replace("−", "-").replaceAll(",", "")));
    const then = before.get(sku) ?? 0;
    assert.deepEqual(numbers.slice(2, 5), [then, onHand, onHand - then], sku);
  }
});

job("Find the carrier cost by lane", "viewer", async ({ page, click, go, rows }) => {
  await go("Carriers");
  const [answer] = await Promise.all([
    page.waitForResponse("**/carrierLane/summary?*"),
    click(page.getByRole("tab", { name: "Lanes" }), "**Lanes**"),
  ]);
  const { from, to, items } = (await answer.json()) as { from: string; to: string; items: readonly Lane[] };
  assert.ok(Date.parse(to) - Date.parse(from) >= 28 * dayMs, `${from} to ${to} is a month`);
  const left = `select from parcel p join facility f using (facility_code)
    where (p.despatched_at at time zone f.timezone)::date between $1::date and $2::date`;
  const parcels = items.reduce((sum, { current }) => sum + current.parcels, 0);
  assert.equal(parcels, (await world.server.rows(left, from, to)).length);
  await rows("Lanes").first().waitFor();
  const shown = await rows("Lanes").allInnerTexts();
  const [most] = items.toSorted((left, right) => right.current.parcels - left.current.parcels);
  const cost = most?.current.costs[0]?.amount.toLocaleString("en-GB", { minimumFractionDigits: 2 });
  const isOfMost = (text: string) =>
    [most?.carrierCode, most?.country, cost].every((part) => part && text.includes(part));
  assert.ok(shown.some(isOfMost), `${JSON.stringify(most)} in ${shown.join("; ")}`);
});

interface Lane {
  readonly country: string;
  readonly carrierCode: string;
  readonly current: { readonly parcels: number; readonly costs: readonly { readonly amount: number }[] };
}

job("Change a carrier rule, and back-test the last month", "operator", async ({ page, click, fill, go }) => {
  await go("Carriers");
  await click(page.getByRole("tab", { name: "Rules", exact: true }), "**Rules**");
  await click(page.getByRole("button", { name: "northway-for-many-parcels" }), "the rule");
  const dialog = page.getByRole("dialog");
  await fill(dialog.getByLabel("Value").first(), "1", "the new value");
  await click(dialog.getByRole("button", { name: "Change in the draft" }), "**Change in the draft**");
  await click(page.getByRole("tab", { name: "Back-test" }), "**Back-test**");
  const [answer] = await Promise.all([
    page.waitForResponse("**/carrier/simulate?*"),
    click(page.getByRole("button", { name: "Run under the draft" }), "**Run under the draft**"),
  ]);
  const { from, to, draft } = answer.request().postDataJSON();
  assert.equal(Date.parse(to) - Date.parse(from), 30 * dayMs);
  const { rules } = draft as { rules: { ruleId: string; when: { all: { value: unknown }[] } }[] };
  assert.equal(rules.find(({ ruleId }) => ruleId === "northway-for-many-parcels")?.when.all[0]?.value, 1);
  const { total, currency } = await answer.json();
  assert.ok(total.decisions > 0 && total.changed > 0, JSON.stringify(total));
  const result = page.getByRole("region", { name: /^Decisions of \w+ under the draft: Last 30 days/ });
  await result.getByText(`${total.changed} would use another service`, { exact: false }).waitFor();
  await result.getByText(`${total.cost.before.toFixed(2)} before, ${total.cost.after.toFixed(2)} after`).waitFor();
  assert.match(await result.innerText(), new RegExp(`[+−]\\d+\\.\\d\\d ${currency}`));
});
