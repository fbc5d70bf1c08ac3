// The same fact on several screens has the same figure and the same word, on the demo data.
import assert from "node:assert/strict";
import { dayMs } from "#/kernel/values/durations.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

const rowsOf = ({ page }: ConsolePage, label: string) =>
  page.getByRole("region", { name: label, exact: true }).locator("tbody tr[aria-rowindex]");

const numbersOf = (text: string) => [...text.matchAll(/[\d,]+/g)].map(([number]) => Number(number.replaceAll(",", "")));

world.test("an expired lot is expired on the product, its lots, the lot and the expiry runway", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/inventory/FJORD/CHOC-SEASALT-85");
  const [balance] = await Promise.all([
    rowsOf(viewer, "Balances").first(),
    rowsOf(viewer, "Balances").first().waitFor(),
  ]);
  const headings = await page.getByRole("region", { name: "Balances" }).getByRole("columnheader").allInnerTexts();
  const cells = await balance.getByRole("cell").allInnerTexts();
  const figure = (name: string) => Number(cells[headings.findIndex((heading) => heading.startsWith(name))]);
  assert.ok(figure("Expired") > 0);
  assert.equal(figure("On hold"), 0);
  assert.equal(figure("Unsellable"), figure("Expired"));
  await page.getByRole("tab", { name: "Lots" }).click();
  const lot = rowsOf(viewer, "Lots").filter({ hasText: "B-26100" }).first();
  await lot.getByText("Expired", { exact: true }).waitFor();
  assert.equal(await lot.getByText("Good", { exact: true }).count(), 0);
  await viewer.open("/inventory/FJORD/CHOC-SEASALT-85/lots/B-26100?tab=stock");
  await rowsOf(viewer, "Stock of the lot").first().getByText("Expired", { exact: true }).waitFor();
  await viewer.open("/inventory?tab=expiry");
  await page.getByRole("row").filter({ hasText: "CHOC-SEASALT-85" }).first().getByText("Expired").waitFor();
  await viewer.open("/inventory?text=CHOC-SEASALT-85");
  await rowsOf(viewer, "Stock levels").first().getByText("expired", { exact: true }).waitFor();
});

world.test("a cancelled order has not left", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/orders?status=CANCELLED");
  const row = rowsOf(viewer, "Orders").first();
  await row.getByText("cancelled", { exact: true }).waitFor();
  assert.equal(await row.getByText("has left").count(), 0);
});

world.test("the units of a receipt are those of the lines and those that were not ordered", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/inbound/LUMEN/PO-LL-302");
  const receipt = page.getByText(/^Receipt RCV-LL-302-1: \d+ units/);
  await receipt.waitFor();
  const [units = 0] = numbersOf((await receipt.innerText()).replace(/^.*: /, ""));
  const lines = await rowsOf(viewer, "Lines").allInnerTexts();
  const received = lines.map((line) => Number(/(\d+) of \d+/.exec(line)?.[1]));
  const [notOrdered = 0] = numbersOf(
    await page
      .getByText(/^\d+ × /)
      .first()
      .innerText(),
  );
  assert.ok(notOrdered > 0);
  assert.equal(received.reduce((sum, qty) => sum + qty, 0) + notOrdered, units);
});

interface Lane {
  readonly current: { readonly parcels: number; readonly costs: readonly { currency: string; parcels: number }[] };
}

world.test("the cost of the lanes says of how many parcels it is", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/carriers?tab=lanes");
  const hint = page.getByText(/parcels, the others have another currency or no price/);
  await hint.waitFor();
  const [priced = 0] = numbersOf(await hint.innerText());
  const day = (ms: number) => new Date(Date.now() - ms).toISOString();
  const range = new URLSearchParams({ from: day(30 * dayMs), to: day(0), destination: "COUNTRY" });
  const lanes = (await operator.user?.get(`/carrierLane/summary?${range}`))?.body.items as readonly Lane[];
  const ofAll = lanes.reduce((sum, { current }) => sum + current.parcels, 0);
  const inEuro = lanes
    .flatMap(({ current }) => current.costs)
    .reduce((sum, { currency, parcels }) => sum + (currency === "EUR" ? parcels : 0), 0);
  assert.ok(priced < ofAll);
  assert.equal(priced, inEuro);
});

world.test("a late order says so in its first sentence, as its list does", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders?isLate=true");
  const row = rowsOf(viewer, "Orders").first();
  await row.getByText(/ late$/).waitFor();
  await row.getByRole("link").first().click();
  const why = page.getByRole("region", { name: "Why the order has not shipped" });
  await why.waitFor();
  assert.match(await why.innerText(), /^Late by .+: it missed the collection of .+ \S+\.\n/);
  await viewer.checkBoth();
});
