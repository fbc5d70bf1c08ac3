// The console on a phone: no page is wider than the window. Wider content, such as a table, scrolls in its own box.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

const phone = { width: 390, height: 844 } as const;
const place = "client=DEMO&facility=DC1";

/**
 * Every screen with its tabs, and one page of each kind below it. Each part has a separate window, so that a fault in
 * one does not hide others.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  watch: [
    "overview",
    "exceptions",
    "reports",
    "reports?tab=activity",
    "overview?range=7d",
    "feeds",
    "feeds/validate",
    "orders",
    "orders/promise",
  ],
  floor: [
    ...[
      "inventory",
      "inventory?tab=expiry",
      `inventory?tab=snapshots&${place}`,
      `inventory?tab=reconcile&${place}`,
      `inventory?tab=opening&${place}`,
    ],
    ...["inbound", "returns", "work-orders"],
  ],
  carriers: ["services", "prices", "rules", "tester", "back-test", "decisions", "versions"].map(
    (tab) => `carriers?tab=${tab}&client=DEMO`,
  ),
  out: ["webhooks", "webhooks/undelivered", "webhooks/new", "outbound", "mails", "proposals"],
  "set-up": [
    "clients",
    "clients/DEMO",
    "clients/new",
    "facilities",
    "facilities/DC1",
    "users",
    "notifications",
    "sandbox",
    "audit",
  ],
};

/** The innermost elements that extend beyond the right edge, if the page is wider than the window. */
const tooWide = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const reaches = (part) => part.getBoundingClientRect().right > clientWidth;
    const innermost = [...document.querySelectorAll("body *")].filter((part) => reaches(part) && ![...part.children].some(reaches));
    const named = innermost.slice(0, 6).map(({ tagName, className, textContent }) => tagName + "." + className + " " + textContent.slice(0, 30));
    return ["page: " + scrollWidth + " of " + clientWidth, ...named];
  })()`);

/** Buttons that are narrower than their text. */
const narrowButtons = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`(() => {
    const widthOf = (part) => part.getBoundingClientRect().width;
    const isNarrow = (button) => {
      const text = document.createRange();
      text.selectNodeContents(button);
      return widthOf(button) > 0 && widthOf(text) > widthOf(button) + 1;
    };
    return [...document.querySelectorAll("main button")].filter(isNarrow).map(({ textContent }) => "button: " + textContent);
  })()`);

/** Title and tab, in which neighbouring paths differ. */
const pageOf = ({ page }: ConsolePage) =>
  page.evaluate<string>("document.title + document.querySelector('main [role=tab][aria-selected=true]')?.textContent");

/** Navigates as a link does: a full page load takes several times as long. */
async function go(visitor: ConsolePage, path: string): Promise<void> {
  const before = await pageOf(visitor);
  await visitor.page.evaluate(
    `history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, "", "/console/${path}"); dispatchEvent(new PopStateEvent("popstate", { state: history.state }))`,
  );
  await until(`${path} to be shown`, async () => (await pageOf(visitor)) !== before);
  await visitor.settled();
}

/** Visits the paths, and returns the elements that are too wide for each. */
async function walk(
  visitor: ConsolePage,
  paths: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  await visitor.page.setViewportSize(phone);
  await visitor.open("/sandbox");
  const found: Record<string, readonly string[]> = {};
  for (const path of paths) {
    await go(visitor, path);
    let wide: readonly string[] = [];
    // Charts are redrawn a moment after their data arrive.
    const fits = async () => {
      wide = [...(await tooWide(visitor)), ...(await narrowButtons(visitor))];
      return wide.length === 0;
    };
    await until(`${path} to fit`, fits, 3_000).catch(() => (found[path] = wide));
    await visitor.shoot(`phone-${path.replace(/\W+/g, "-")}`, phone);
  }
  return found;
}

for (const [part, paths] of Object.entries(parts)) {
  world.test(`${part}: no page is wider than a phone`, async (open) => {
    const admin = await open("admin");
    assert.deepEqual(await walk(admin, paths), {});
  });
}

world.test("records: no page is wider than a phone", async (open) => {
  const admin = await open("admin");
  const firstOf = async (list: string) => (await admin.user?.get(`${list}?limit=1&clientId=DEMO`))?.body.items[0];
  const [order, feed, stock] = await Promise.all(["/order/list", "/feed/list", "/stock/list"].map(firstOf));
  const { body } = (await admin.user?.get("/order/list?limit=1&clientId=DEMO&status=DELIVERED")) ?? {};
  const parcels = await admin.user?.get(`/client/olpn/list/${body.items[0].orderId}?limit=1&clientId=DEMO`);
  const parcel = `orders/parcels/DEMO/${parcels?.body.items[0].olpnId}`;
  const [first, delivered] = [`orders/DEMO/${order.orderId}`, `orders/DEMO/${body.items[0].orderId}`];
  const tabs = ["parcels", "documents", "carrier", "feeds"].map((tab) => `${delivered}?tab=${tab}`);
  const paths = [
    first,
    ...tabs,
    parcel,
    `${parcel}?tab=documents`,
    `feeds/${feed.token}`,
    `inventory/DEMO/${stock.sku}`,
  ];
  assert.deepEqual(await walk(admin, paths), {});
});

world.test("the range of the top bar is chosen on a phone", async (open) => {
  const viewer = await open("viewer");
  await viewer.page.setViewportSize(phone);
  await viewer.open("/orders");
  await viewer.page.getByRole("button", { name: /^Received: / }).click();
  await viewer.page.getByRole("dialog").waitFor();
  assert.deepEqual(await tooWide(viewer), []);
  await viewer.checkBoth();
  await viewer.shoot("phone-range", phone);
  await viewer.page.getByRole("button", { name: "Last 24 hours" }).click();
  await viewer.page.waitForURL("**/orders?range=24h");
});

world.test("a list begins in the window of a phone: figures, types and filters leave it room", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await page.setViewportSize(phone);
  for (const [path, list] of [
    ["/exceptions", "Exceptions"],
    ["/orders", "Orders"],
    ["/feeds", "Documents"],
  ] as const) {
    await operator.open(path);
    const region = page.getByRole("region", { name: list, exact: true });
    await region.locator("tbody tr[aria-rowindex]").first().waitFor();
    await operator.settled();
    const top = (await region.boundingBox())?.y ?? phone.height;
    assert.ok(top < phone.height * 0.72, `${list} begins at ${top}`);
    const beyond = await region.evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.equal(beyond, 0, `${list} has content beyond its edge`);
    await operator.shoot(`phone-room-${list}`, phone);
    await operator.shoot(`phone-room-${list}`, { ...phone, scheme: "dark" });
    await operator.checkBoth();
  }
  await page.getByRole("button", { name: "Outcome", exact: true }).click();
  await page.getByRole("dialog", { name: "Outcome" }).waitFor();
  assert.deepEqual(await tooWide(operator), []);
});

/** Texts of a list that are cut off at the right. */
const cutTexts = ({ page }: ConsolePage, list: string) =>
  page.evaluate<string[]>(`(() => {
    const parts = [...document.querySelectorAll("section[aria-label=${list}] :is(td, td *)")];
    const isCut = (part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1;
    return parts.filter(isCut).map(({ textContent }) => textContent);
  })()`);

world.test(
  "rows of lists are cards on a phone: nothing is cut off, and they are sorted, chosen and opened",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    await page.setViewportSize(phone);
    await operator.open("/orders");
    const orders = page.getByRole("region", { name: "Orders" });
    const cards = orders.locator("tbody tr[aria-rowindex]");
    await cards.first().waitFor();
    assert.deepEqual(await cutTexts(operator, "Orders"), []);
    const [list, card] = [await orders.boundingBox(), await cards.first().boundingBox()];
    assert.ok(list !== null && card !== null && card.width <= list.width && card.height > 60, "a card, not a line");
    assert.ok((await cards.first().innerText()).includes("\n"), "values below each other");
    await operator.checkBoth();
    await operator.shoot("cards-orders", phone);
    await operator.shoot("cards-orders", { ...phone, scheme: "dark" });
    await cards.first().getByRole("checkbox").check({ force: true });
    await page.getByRole("toolbar", { name: "Selected rows" }).getByText("1 row chosen").waitFor();
    assert.deepEqual(await tooWide(operator), []);
    await operator.shoot("cards-chosen", phone);
    await page.getByRole("button", { name: "Clear selection" }).click();
    await orders.getByRole("button", { name: "Time left" }).click();
    await page.waitForURL(/sort=despatchBy/);
    await operator.settled();
    // To the end of what is loaded: cards have different heights.
    for (let i = 0; i < 4; i++) await orders.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await cards.last().getByRole("link").first().click();
    await page.waitForURL(/\/orders\/[A-Z]+\//);

    await operator.open("/exceptions?rows=each");
    await page.getByRole("region", { name: "Exceptions" }).locator("tbody tr[aria-rowindex]").first().waitFor();
    assert.deepEqual(await cutTexts(operator, "Exceptions"), []);
    await operator.checkBoth();
    await operator.shoot("cards-exceptions", phone);
    await operator.shoot("cards-exceptions", { ...phone, scheme: "dark" });
  },
);
