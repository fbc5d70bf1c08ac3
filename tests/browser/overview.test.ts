// The overview in a real browser: its figures equal those of the API, update by themselves, and link to their lists.
import assert from "node:assert/strict";
import { openCursor } from "#/delivery/webhooks/index.ts";
import type { ConsoleAnswer } from "../support/app/console.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { holdOpen } from "../support/webhooks/webhook-world.ts";
import { tellEvents } from "../support/webhooks/webhooks.ts";

const world = await browserWorld();

async function overview(visitor: ConsolePage, path: string): Promise<Record<string, unknown>> {
  const answer = await visitor.user?.get(`/overview/${path}`);
  assert.equal(answer?.status, 200);
  return answer?.body as Record<string, unknown>;
}

/** The labels of elements whose content is wider than their box, including the page. */
const widerThanTheirBox = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll("main, main section[tabindex]")]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((box) => (box.getAttribute("aria-label") ?? box.tagName) + ": " + box.scrollWidth + " of " + box.clientWidth)`);

const linkTo = (visitor: ConsolePage, name: RegExp) =>
  visitor.page.getByRole("main").getByRole("link", { name }).first();
const figure = (visitor: ConsolePage, label: string) =>
  linkTo(visitor, new RegExp(`^${label}`))
    .locator("span")
    .nth(1);
const numberOf = (text: string | null) => Number(text?.replaceAll(",", ""));

world.test("the figures are what the API says, clean in both schemes and at every width", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/overview");
  await viewer.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await figure(viewer, "Orders to leave")
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
    await viewer.page.getByRole("region", { name: title, exact: true }).waitFor();
  }
  const stages = viewer.page.getByRole("region", { name: "Orders by stage", exact: true });
  const differences = async () => {
    const flow = await overview(viewer, "flow");
    const shown: [string, number, unknown][] = [
      ["open", numberOf(await figure(viewer, "Orders to leave").textContent()), flow.open],
      ["late", numberOf(await figure(viewer, "Late").textContent()), flow.late],
    ];
    for (const { stage, count } of flow.stages as { stage: string; count: number }[]) {
      const word = stage.replace("BACKORDERED", "Back-ordered").replaceAll("_", " ");
      const row = stages.getByRole("row").filter({ hasText: new RegExp(`^${word}`, "i") });
      shown.push([stage, numberOf(await row.getByRole("cell").nth(1).textContent()), count]);
    }
    return shown.filter(([, onScreen, expected]) => onScreen !== expected);
  };
  // A cut-off may have passed since the page's last request; the page refreshes by itself.
  let left = await differences();
  for (const until = Date.now() + 30_000; left.length > 0 && Date.now() < until; left = await differences())
    await viewer.page.waitForTimeout(500);
  assert.deepEqual(left, []);
  await viewer.checkBoth();
  await viewer.page.setViewportSize({ width: 1280, height: 800 });
  // Charts are redrawn a moment after the window changes.
  let wider = await widerThanTheirBox(viewer);
  for (
    const until = Date.now() + 30_000;
    wider.length > 0 && Date.now() < until;
    wider = await widerThanTheirBox(viewer)
  )
    await viewer.page.waitForTimeout(200);
  assert.deepEqual(wider, [], "nothing is cut off or scrolls sideways on a small screen");
  await viewer.shoot("overview", { width: 1280, height: 1800 });
  for (const scheme of ["light", "dark"] as const) {
    await viewer.shoot("overview", { scheme, height: 1800 });
    await viewer.shoot("overview", { scheme, width: 1024, height: 768 });
  }
  await viewer.shoot("overview", { width: 2560, height: 1440 });
  await viewer.page.setViewportSize({ width: 1024, height: 768 });
  await viewer.checkBoth();
});

world.test("an order that arrives is counted without a reload", async (open) => {
  const viewer = await open("viewer");
  const client = await world.server.onboard("LIVE");
  await viewer.open("/overview?client=LIVE");
  const stages = viewer.page.getByRole("region", { name: "Orders by stage", exact: true });
  await viewer.page.evaluate("window.notReloaded = true");
  await figure(viewer, "Orders to leave").filter({ hasText: /^0$/ }).waitFor();
  await client.accept("CAT", catalogue("LIVE", ["A"]));
  await client.accept("NO", order("LIVE", "WEB-1", ["A"]));
  const row = stages.getByRole("row").filter({ hasText: "Back-ordered" });
  await row.getByRole("cell").filter({ hasText: /^1$/ }).waitFor();
  await figure(viewer, "Orders to leave").filter({ hasText: /^1$/ }).waitFor();
  assert.equal(await viewer.page.evaluate("window.notReloaded"), true);
  const heightNow = () => viewer.page.evaluate<number>("document.querySelector('main').scrollHeight");
  // The order's effects may still be missing in other parts of the page, which refresh every five or ten seconds.
  let height = await heightNow();
  for (let stillMs = 0; stillMs < 12_000; ) {
    await viewer.page.waitForTimeout(500);
    const now = await heightNow();
    stillMs = now === height ? stillMs + 500 : 0;
    height = now;
  }
  await viewer.page.waitForTimeout(6_000);
  assert.equal(await heightNow(), height, "nothing jumps");
});

world.test("each number links to its list, with the filters of the top bar", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/overview?client=DEMO&facility=DC1");
  const targetOf = async (name: RegExp) => {
    const href = await linkTo(viewer, name).getAttribute("href");
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
  await linkTo(viewer, /^Late/).click();
  await viewer.page.waitForURL(/\/console\/orders\?/);
});

/** Exceptions in one list, a record for each cause: a figure counts the exceptions of all causes. */
const causes = "/exception/causes";

/** The list operation of each screen. */
const lists: Readonly<Record<string, string>> = {
  "/console/orders": "/order/list",
  "/console/feeds": "/feed/list",
  "/console/exceptions": causes,
  "/console/webhooks": "/webhook/list",
  "/console/webhooks/undelivered": "/webhookDelivery/list",
  "/console/inventory": "/stock/list",
  "/console/inventory?tab=expiry": "/stock/expiring",
  "/console/inventory?tab=backordered": "/stock/backordered",
};

/** The list at a path, by its tab if it has several. */
function listOf(href: string): string | undefined {
  const { pathname, searchParams } = new URL(href, "http://console");
  const tab = searchParams.get("tab");
  return lists[tab === null ? pathname : `${pathname}?tab=${tab}`];
}

interface FigureLink {
  readonly href: string;
  /** Section, row, column and words of the figure. */
  readonly name: string;
  readonly count: number;
}

/** Every number of the overview that links to a list, with its target. */
const figureLinks = ({ page }: ConsolePage) =>
  page.evaluate<FigureLink[]>(`[...document.querySelectorAll("main a[href]")].flatMap((link) => {
    const isTile = link.children.length === 3;
    const text = isTile ? link.children[1].textContent : link.textContent;
    const [, count, words = ""] =
      /^([0-9,]+)( late| at risk| received today| accepted| rejected| still promised)?$/.exec(text.trim()) ?? [];
    if (count === undefined) return [];
    const section = link.closest("section[aria-label]")?.ariaLabel;
    const cell = [link.closest("tr")?.cells[0].textContent, link.closest("td")?.cellIndex, words];
    const name = isTile ? link.children[0].textContent : [section, ...cell].join(" | ");
    return [{ href: link.pathname + link.search, name, count: Number(count.replaceAll(",", "")) }];
  })`);

/** Opens a path within the page, and counts the rows of the list that the screen requests, over all its pages. */
async function rowsBehind(visitor: ConsolePage, href: string): Promise<number> {
  const { searchParams } = new URL(href, "http://console");
  const list = listOf(href);
  assert.ok(list !== undefined, `${href} is not a list`);
  // The request contains the start and the end of the top bar's range.
  const [from = "", to = ""] = (searchParams.get("range") ?? "").split("..");
  const ends = [...(from === "" ? [] : ["receivedFrom"]), ...(to === "" ? [] : ["receivedTo"])];
  const names = [...searchParams.keys()].filter(
    (name) => !["client", "facility", "sort", "tab", "range"].includes(name),
  );
  const filters = [
    ...names.flatMap((name) => (name === "despatched" ? ["despatchedFrom", "despatchedTo"] : [name])),
    ...ends,
  ];
  const pending = visitor.page.waitForRequest((request) => {
    const url = new URL(request.url());
    return url.pathname.endsWith(list) && filters.every((name) => url.searchParams.has(name));
  });
  await visitor.page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(href)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  const query = new URL((await pending).url()).searchParams;
  if (list !== causes) query.set("limit", "500");
  let rows = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    if (cursor !== "") query.set("cursor", cursor);
    const answer: ConsoleAnswer | undefined = await visitor.user?.get(`${list}?${query}`);
    assert.equal(answer?.status, 200, `${href}: ${JSON.stringify(answer?.body)}`);
    const items: readonly { readonly count?: number }[] = answer?.body.items ?? [];
    rows += list === causes ? items.reduce((sum, { count = 0 }) => sum + count, 0) : items.length;
    cursor = answer?.body.nextCursor ?? null;
  }
  return rows;
}

world.test("every figure opens a list of exactly as many rows", async (open, context) => {
  const viewer = await open("viewer");
  const read = async () => {
    await viewer.open("/overview");
    await viewer.page.getByRole("region", { name: "Age by stage" }).getByRole("cell").first().waitFor();
    for (const region of ["Cut-offs", "Webhooks", "Stock"])
      await viewer.page.getByRole("region", { name: region, exact: true }).getByRole("row").last().waitFor();
    const links = (await figureLinks(viewer)).filter(({ href }) => listOf(href) !== undefined);
    const byName = new Map(links.map((link) => [link.name, link]));
    assert.equal(byName.size, links.length, "each figure has a place");
    return byName;
  };
  const figures = await read();
  context.diagnostic(`${figures.size} figures`);
  assert.ok(figures.size > 30, [...figures.keys()].join("\n"));
  const shown = new Set([...figures.values()].map(({ href }) => listOf(href)));
  for (const list of ["/order/list", "/feed/list", causes, "/stock/list", "/stock/backordered"])
    assert.ok(shown.has(list), `no figure of ${[...shown].join()} leads to ${list}`);
  const wrong: [name: string, count: number, rows: number][] = [];
  for (const [name, { href, count }] of figures) {
    const rows = await rowsBehind(viewer, href);
    if (rows !== count) wrong.push([name, count, rows]);
  }
  // An order may have become older by an hour, at risk, or late since the page was read: then a new page agrees.
  const again = wrong.length === 0 ? figures : await read();
  const stillWrong: [name: string, count: number, rows: number][] = [];
  for (const [name] of wrong) {
    const now = again.get(name);
    if (now === undefined) continue;
    const rows = await rowsBehind(viewer, now.href);
    if (rows !== now.count) stillWrong.push([name, now.count, rows]);
  }
  assert.deepEqual(stillWrong, []);
});

world.test("a point of the chart of days opens the orders of that day", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/overview");
  const chart = viewer.page.getByRole("region", { name: "Orders per day" });
  const plot = chart.locator(".u-over");
  const box = await plot.boundingBox();
  assert.ok(box);
  // A day in the middle of the month, near the upper edge: selects the nearest line.
  const position = { x: box.width / 2, y: 10 };
  await plot.hover({ position });
  const tip = await chart.locator(".chart-tip").textContent();
  await plot.click({ position });
  await viewer.page.waitForURL(/\/console\/orders\?/);
  const url = new URL(viewer.page.url());
  const [filter = "", day = ""] = [...url.searchParams].find(([name]) => /On$|^despatched$/.test(name)) ?? [];
  assert.match(day, /^\d{4}-\d{2}-\d{2}/);
  const word = { receivedOn: "Received", despatched: "Despatched", deliveredOn: "Delivered" }[filter];
  const count = Number(new RegExp(`${word}: (\\d+)`).exec(tip ?? "")?.[1]);
  assert.equal(await rowsBehind(viewer, url.pathname + url.search), count, tip ?? "");
});

world.test("the line below a title gives the present state", async (open) => {
  const viewer = await open("viewer");
  const leadOf = async (path: string, expected: RegExp) => {
    await viewer.open(path);
    const lead = viewer.page.locator("main h1 + p");
    await lead.filter({ hasText: expected }).waitFor();
    return (await lead.textContent()) ?? "";
  };
  const { late } = await overview(viewer, "flow");
  assert.ok(Number(late) > 0, "the demo has late orders");
  const words = new RegExp(`^${Number(late).toLocaleString("en-GB")} orders? (is|are) late`);
  await leadOf("/overview", words);
  await leadOf("/orders", words);
  const summary = await viewer.user?.get("/exception/summary");
  await leadOf("/exceptions", new RegExp(`^${summary?.body.total} open exceptions; the oldest has been open for`));
  await leadOf("/feeds", /^(No document is|1 document is|\d+ documents are) parked, overdue or failed\.$/);
  await leadOf("/webhooks", /^Webhooks: \d+ active, \d+ failing, \d+ paused, \d+ disabled\. \d+ deliver/);
  for (const path of ["inbound", "returns", "work-orders", "outbound", "mails", "clients", "facilities", "audit"]) {
    await viewer.open(`/${path}`);
    await viewer.page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await viewer.page.locator("main h1 + p").count(), 0, `${path} claims nothing that it has not counted`);
  }
});

world.test("the client whose events wait longest for their deliveries is named, until they have them", async (open) => {
  const viewer = await open("viewer");
  const { server } = world;
  const [cursor] = await server.rows<{ client_id: string }>("select client_id from webhook_cursor order by client_id");
  assert.ok(cursor, "the demo has webhooks");
  const { client_id: clientId } = cursor;
  await viewer.open("/overview");
  const row = viewer.page.getByRole("row", { name: /^Clients with a delay/ });
  await row.filter({ hasText: /^Clients with a delay0$/ }).waitFor();
  const lock = await holdOpen(server.database, (tx) => openCursor(tx.of(clientId)));
  try {
    await tellEvents(server, clientId, ["BEHIND-1"]);
    await row
      .filter({ hasText: new RegExp(`^Clients with a delay${clientId} by \\d.*1$`) })
      .waitFor({ timeout: 120_000 });
    await viewer.checkBoth();
    const target = await row.getByRole("link", { name: "Clients with a delay" }).getAttribute("href");
    assert.deepEqual(
      [...new URL(target ?? "", server.url).searchParams],
      [
        ["client", clientId],
        ["kind", "WEBHOOK"],
      ],
    );
  } finally {
    await lock.end();
  }
  await row.filter({ hasText: /^Clients with a delay0$/ }).waitFor({ timeout: 120_000 });
});
