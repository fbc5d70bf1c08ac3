// The overview in a real browser: its figures are what the API says, move by themselves, and lead to the lists behind them.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser.ts";
import { catalogue, order } from "../support/documents.ts";

const world = await browserWorld();

async function overview(it: ConsolePage, path: string): Promise<Record<string, unknown>> {
  const answer = await it.user?.get(`/overview/${path}`);
  assert.equal(answer?.status, 200);
  return answer?.body as Record<string, unknown>;
}

/** The labels of the parts that hold more than is seen of them, the page among them. */
const widerThanTheirBox = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll("main, main section[tabindex]")]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((box) => (box.getAttribute("aria-label") ?? box.tagName) + ": " + box.scrollWidth + " of " + box.clientWidth)`);

const linkTo = (it: ConsolePage, name: RegExp) => it.page.getByRole("main").getByRole("link", { name }).first();
const figure = (it: ConsolePage, label: string) =>
  linkTo(it, new RegExp(`^${label}`))
    .locator("span")
    .nth(1);
const numberOf = (text: string | null) => Number(text?.replaceAll(",", ""));

world.test("the figures are what the API says, clean in both schemes and at every width", async (open) => {
  const it = await open("viewer");
  await it.open("/overview");
  await it.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await figure(it, "Orders to leave")
    .filter({ hasText: /^[\d,]+$/ })
    .waitFor();
  for (const title of [
    "Orders by stage",
    "Cut-offs",
    "Feeds received",
    "Age by stage",
    "Orders per day",
    "Lead time",
  ]) {
    await it.page.getByRole("region", { name: title, exact: true }).waitFor();
  }
  const stages = it.page.getByRole("region", { name: "Orders by stage", exact: true });
  const differences = async () => {
    const flow = await overview(it, "flow");
    const shown: [string, number, unknown][] = [
      ["open", numberOf(await figure(it, "Orders to leave").textContent()), flow.open],
      ["late", numberOf(await figure(it, "Late").textContent()), flow.late],
    ];
    for (const { stage, count } of flow.stages as { stage: string; count: number }[]) {
      const word = stage.replace("BACKORDERED", "Back-ordered").replace("PARTIALLY", "Partly").replaceAll("_", " ");
      const row = stages.getByRole("row").filter({ hasText: new RegExp(`^${word}`, "i") });
      shown.push([stage, numberOf(await row.getByRole("cell").nth(1).textContent()), count]);
    }
    return shown.filter(([, onScreen, told]) => onScreen !== told);
  };
  // A cut-off may have gone by since the page asked; it asks again by itself.
  let left = await differences();
  for (const until = Date.now() + 30_000; left.length > 0 && Date.now() < until; left = await differences())
    await it.page.waitForTimeout(500);
  assert.deepEqual(left, []);
  await it.checkBoth();
  await it.page.setViewportSize({ width: 1280, height: 800 });
  // Charts are drawn anew a moment after the window has changed.
  let wider = await widerThanTheirBox(it);
  for (const until = Date.now() + 30_000; wider.length > 0 && Date.now() < until; wider = await widerThanTheirBox(it))
    await it.page.waitForTimeout(200);
  assert.deepEqual(wider, [], "nothing is cut off or scrolls sideways on a small screen");
  await it.shoot("overview", { width: 1280, height: 1800 });
  for (const scheme of ["light", "dark"] as const) {
    await it.shoot("overview", { scheme, height: 1800 });
    await it.shoot("overview", { scheme, width: 1024, height: 768 });
  }
  await it.shoot("overview", { width: 2560, height: 1440 });
  await it.page.setViewportSize({ width: 1024, height: 768 });
  await it.checkBoth();
});

world.test("an order that arrives is counted without a reload", async (open) => {
  const it = await open("viewer");
  const client = await world.server.onboard("LIVE");
  await it.open("/overview?client=LIVE");
  const stages = it.page.getByRole("region", { name: "Orders by stage", exact: true });
  await it.page.evaluate("window.notReloaded = true");
  await figure(it, "Orders to leave").filter({ hasText: /^0$/ }).waitFor();
  await client.accept("CAT", catalogue("LIVE", ["A"]));
  await client.accept("NO", order("LIVE", "WEB-1", ["A"]));
  const row = stages.getByRole("row").filter({ hasText: "Back-ordered" });
  await row.getByRole("cell").filter({ hasText: /^1$/ }).waitFor();
  await figure(it, "Orders to leave").filter({ hasText: /^1$/ }).waitFor();
  assert.equal(await it.page.evaluate("window.notReloaded"), true);
  const heightNow = () => it.page.evaluate<number>("document.querySelector('main').scrollHeight");
  // What the order has brought may still be on its way to other parts of the page, which ask every five or ten seconds.
  let height = await heightNow();
  for (let stillMs = 0; stillMs < 12_000; ) {
    await it.page.waitForTimeout(500);
    const now = await heightNow();
    stillMs = now === height ? stillMs + 500 : 0;
    height = now;
  }
  await it.page.waitForTimeout(6_000);
  assert.equal(await heightNow(), height, "nothing jumps");
});

world.test("each number leads to the list behind it, and keeps what the top bar says", async (open) => {
  const it = await open("viewer");
  await it.open("/overview?client=DEMO&facility=DC1");
  const targetOf = async (name: RegExp) => {
    const href = await linkTo(it, name).getAttribute("href");
    return new URL(href ?? "", "http://console");
  };
  const late = await targetOf(/^Late/);
  assert.equal(late.pathname, "/console/orders");
  assert.deepEqual(
    ["isLate", "sort", "client", "facility"].map((name) => late.searchParams.get(name)),
    ["true", "despatchBy", "DEMO", "DC1"],
  );
  assert.equal((await targetOf(/^On hold$/)).searchParams.get("stage"), "ON_HOLD");
  assert.equal((await targetOf(/^At risk/)).searchParams.get("isAtRisk"), "true");
  assert.equal((await targetOf(/^Exceptions/)).pathname, "/console/exceptions");
  assert.equal((await targetOf(/^Rejected feeds/)).pathname, "/console/feeds");
  await linkTo(it, /^Late/).click();
  await it.page.waitForURL(/\/console\/orders\?/);
});
