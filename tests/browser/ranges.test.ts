// Time ranges: the picker of the top bar, of a filter and of a chart, by mouse and by keyboard.
import assert from "node:assert/strict";
import { hourMs } from "#/kernel/values/durations.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

const picker = ({ page }: ConsolePage) =>
  page.getByRole("banner").getByRole("button", { name: /^(?:Received|Feeds received|When): / });

/** The query of the next request to an operation of the console's service, which `work` causes. */
async function queryOf({ page }: ConsolePage, path: string, work: () => Promise<void>): Promise<URLSearchParams> {
  const request = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(path));
  await work();
  return new URL((await request).url()).searchParams;
}

const hoursOf = (query: URLSearchParams, from: string, to: string) =>
  (Date.parse(query.get(to) ?? "") - Date.parse(query.get(from) ?? "")) / hourMs;
const rangeOf = ({ page }: ConsolePage) => new URL(page.url()).searchParams.get("range");

/** Types into the focused date input; day and month are equal, because browsers differ in their order. */
const typeDay = ({ page }: ConsolePage, dayAndMonth: string) =>
  page.keyboard.type(`${dayAndMonth}${dayAndMonth}2026`, { delay: 20 });

for (const [path, list, [from, to]] of [
  ["orders", "/order/list", ["receivedFrom", "receivedTo"]],
  ["feeds", "/feed/list", ["receivedFrom", "receivedTo"]],
  ["audit", "/audit/list", ["from", "to"]],
] as const) {
  world.test(`${path}: a preset by mouse and days by keyboard limit the list`, async (open) => {
    const viewer = await open("viewer");
    const { page } = viewer;
    await viewer.open(`/${path}`);
    await picker(viewer).click();
    await page.getByRole("dialog").waitFor();
    await viewer.checkBoth();
    await viewer.shoot(`range-${path}`);
    await viewer.shoot(`range-${path}`, { scheme: "dark" });
    const preset = await queryOf(viewer, list, () => page.getByRole("button", { name: "Last 7 days" }).click());
    assert.equal(hoursOf(preset, from, to), 7 * 24);
    assert.equal(rangeOf(viewer), "7d");

    await picker(viewer).press("Enter");
    await page.locator("[aria-pressed=true]:focus").waitFor();
    while ((await page.getByLabel("From", { exact: true }).and(page.locator(":focus")).count()) === 0)
      await page.keyboard.press("Tab");
    await typeDay(viewer, "10");
    const to2 = page.getByRole("dialog").getByLabel("To", { exact: true });
    while ((await to2.and(page.locator(":focus")).count()) === 0) await page.keyboard.press("Tab");
    await typeDay(viewer, "11");
    const days = await queryOf(viewer, list, () => page.keyboard.press("Enter"));
    assert.deepEqual([days.get(from), days.get(to)], ["2026-10-09T23:00:00.000Z", "2026-11-12T00:00:00.000Z"]);
    assert.equal(rangeOf(viewer), "2026-10-10..2026-11-11");
    await picker(viewer).and(page.locator(":focus")).waitFor();
    assert.match(await picker(viewer).innerText(), /10 Oct\s*–\s*11 Nov 2026/);

    await page.reload();
    await viewer.settled();
    assert.match(await picker(viewer).innerText(), /10 Oct\s*–\s*11 Nov 2026/);
    await picker(viewer).click();
    await page.getByLabel("From, time").fill("14:30");
    const moment = await queryOf(viewer, list, () => page.getByRole("button", { name: "Apply" }).click());
    assert.equal(moment.get(from), "2026-10-10T13:30:00.000Z");
  });
}

world.test("an end before the start is refused in words, and a range without rows can be cleared", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders");
  await picker(viewer).click();
  const ends = page.getByRole("dialog");
  await ends.getByLabel("From", { exact: true }).fill("2026-11-10");
  await ends.getByLabel("To", { exact: true }).fill("2026-11-09");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("alert").filter({ hasText: "The end is before the start." }).waitFor();
  await viewer.checkBoth();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await viewer.open("/orders?range=2001-01-01..2001-01-02");
  await page.getByText("No rows match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("region", { name: "Orders" }).waitFor();
  assert.equal(rangeOf(viewer), null);
});

world.test("a range is saved with the view of a list", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/feeds?range=7d");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("menuitem", { name: "Save filters and sorting" }).click();
  await page.getByLabel("Name").fill("This week");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByText("The view This week was saved.").waitFor();
  await operator.open("/feeds");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("menuitem", { name: "This week", exact: true }).click();
  await page.waitForURL("**/feeds?range=7d");
});

world.test("inventory: lots are limited by their day of expiry, the stock of a day by a typed day", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/inventory?tab=expiry");
  await page.getByRole("button", { name: "Expires" }).click();
  await page.getByRole("dialog").waitFor();
  await viewer.checkBoth();
  await viewer.shoot("range-expiry");
  const next = await queryOf(viewer, "/stock/expiring", () =>
    page.getByRole("button", { name: "Next 30 days" }).click(),
  );
  assert.equal(hoursOf(next, "from", "to"), 30 * 24);
  await page.getByRole("button", { name: "Expires Next 30 days" }).press("Enter");
  await page.getByLabel("From", { exact: true }).focus();
  await typeDay(viewer, "12");
  await page.getByLabel("To", { exact: true }).fill("2026-12-31");
  const days = await queryOf(viewer, "/stock/expiring", () => page.keyboard.press("Enter"));
  assert.deepEqual([days.get("from"), days.get("to")], ["2026-12-12", "2026-12-31"]);
  await page.getByRole("button", { name: "Clear filter Expires" }).click();
  await page.getByRole("button", { name: "Expires", exact: true }).waitFor();

  await viewer.open("/inventory?tab=snapshots&client=DEMO&facility=DC1");
  await page.getByLabel("Day", { exact: true }).focus();
  await typeDay(viewer, "11");
  await queryOf(viewer, "/client/snapshot/get/2026-11-11", () => page.keyboard.press("Enter"));
  await page.waitForURL(/date=2026-11-11/);
});

world.test(
  "overview: the chart of feeds covers the chosen range, and a moment of it leads to its feeds",
  async (open) => {
    const viewer = await open("viewer");
    const { page } = viewer;
    await viewer.open("/overview");
    const chart = page.getByRole("region", { name: "Feeds received" });
    await chart.getByText(/^Last hour: /).waitFor();
    await picker(viewer).click();
    const week = await queryOf(viewer, "/overview/feeds", () =>
      page.getByRole("button", { name: "Last 7 days" }).click(),
    );
    assert.equal(week.get("minutes"), String(7 * 24 * 60));
    await chart.getByText(/^Last 7 days: .* shown per hour$/).waitFor();
    await picker(viewer).click();
    await page.getByRole("button", { name: "Yesterday" }).click();
    await chart.getByText(/^Yesterday: /).waitFor();
    await chart.locator(".u-over").click();
    await page.waitForURL(/\/feeds\?range=20/);
    await viewer.settled();
    await picker(viewer)
      .filter({ hasText: /^Received: \d/ })
      .waitFor();
  },
);

world.test("the top bar has a range on the screens that it limits, and on no other", async (open) => {
  const admin = await open("admin");
  await admin.open("/overview");
  const navigation = admin.page.getByRole("navigation");
  const found: string[] = [];
  for (const link of await navigation.getByRole("link").all()) {
    const label = (await link.locator("span").first().innerText()).trim();
    await link.click();
    // Until the script of the screen is loaded, the previous page is shown.
    await link.and(admin.page.locator("[aria-current=page]")).waitFor();
    if ((await picker(admin).count()) > 0) found.push(label);
  }
  assert.deepEqual(found, ["Overview", "Feeds", "Orders", "Audit"]);
  await admin.open("/feeds/validate");
  assert.equal(await picker(admin).count(), 0);
});
