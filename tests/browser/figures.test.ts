// The same fact on several screens has the same figure and the same word, on the demo data.
import assert from "node:assert/strict";
import { dateIn } from "../support/app/midnight.ts";
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
  const range = new URLSearchParams({ from: dateIn("Europe/London", -30), to: dateIn("Europe/London", 0) });
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

world.test("a figure of a bill is the sum of its days, and a day of storage that of its stock", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  const tableOf = async (label: RegExp) => {
    await page.getByRole("region", { name: label }).locator("tbody tr[aria-rowindex]").first().waitFor();
    const { tables } = await page.evaluate<Screen>(readScreen);
    return Object.entries(tables).find(([name]) => label.test(name))?.[1] ?? [];
  };
  for (const what of ["Goods receipts", "Units received", "Units returned", "Storage, units × days"]) {
    await admin.open("/reports?tab=activity&client=LUMEN");
    const ofMonth = (await tableOf(/^Activity of LUMEN/)).filter(({ What }) => What === what);
    const ofFacility = ofMonth.filter(({ Facility }) => Facility === ofMonth[0]?.Facility);
    await page
      .getByRole("region", { name: /^Activity of LUMEN/ })
      .getByRole("link", { name: what })
      .first()
      .click();
    const days = await tableOf(/ by day, /);
    assert.ok(sumOf(days, "Quantity") > 0, what);
    assert.equal(sumOf(days, "Quantity"), sumOf(ofFacility, "Quantity"), what);
  }
  await admin.checkBoth();
  const [{ Day = "", Facility = "", Quantity = "" } = {}] = await tableOf(/ by day, /);
  await page.getByRole("link", { name: Day }).first().click();
  await page.getByRole("region", { name: `Stock at the end of ${Day}` }).waitFor();
  const query = new URLSearchParams({ clientId: "LUMEN", distributionCentre: Facility, limit: "500" });
  const stock = (await admin.user?.get(`/client/snapshot/get/${Day}?${query}`))?.body.items as { onHand: number }[];
  assert.deepEqual([stock.reduce((sum, { onHand }) => sum + onHand, 0)], numbersOf(Quantity));
});

/** A table of a screen: the text of each cell, by the heading of its column. */
type Rows = readonly Readonly<Record<string, string>>[];

interface Screen {
  /** Value and hint of each figure, by its label. */
  readonly tiles: Readonly<Record<string, readonly [value: string, hint: string]>>;
  readonly tables: Readonly<Record<string, Rows>>;
  readonly lead: string;
  readonly badges: Readonly<Record<string, string>>;
}

const readScreen = `({
  tiles: Object.fromEntries([...document.querySelectorAll("main *")]
    .filter(({ children }) => children.length === 3 && [...children].every(({ tagName }) => tagName === "SPAN"))
    .map(({ children: [label, value, hint] }) => [label.innerText, [value.innerText, hint.innerText]])),
  tables: Object.fromEntries([...document.querySelectorAll("main section[aria-label]")].map((section) => {
    const heads = [...section.querySelectorAll("thead th")].map((head) => head.innerText.replace(/\\s*[↓↑]$/, ""));
    const rows = [...section.querySelectorAll("tbody tr")].map(({ cells }) =>
      Object.fromEntries([...cells].map((cell, i) => [heads[i] ?? i, cell.innerText])));
    return [section.ariaLabel, rows];
  })),
  lead: document.querySelector("main h1 + p")?.innerText ?? "",
  badges: Object.fromEntries([...document.querySelectorAll("nav a")].map((link) => link.innerText.split("\\n"))),
})`;

type Seen = Readonly<Record<keyof typeof paths, Screen>>;

const paths = {
  overview: "/overview",
  orders: "/orders",
  exceptions: "/exceptions",
  clients: "/clients",
  client: "/clients/LUMEN",
  clientOrders: "/orders?client=LUMEN",
  clientExceptions: "/exceptions?client=LUMEN",
  serviceLevel: "/clients/LUMEN?tab=service-level",
  performance: "/reports",
  clientPerformance: "/reports?client=LUMEN",
  levels: "/inventory?text=CHOC-SEASALT-85",
  product: "/inventory/FJORD/CHOC-SEASALT-85",
  backordered: "/inventory?tab=backordered",
  waiting: "/inventory/LUMEN/PLANTER-20?tab=waiting",
  inbound: "/inbound",
  overduePurchases: "/inbound?due=OVERDUE",
  purchases: "/inbound?text=PO-LL-302",
  purchase: "/inbound/LUMEN/PO-LL-302",
  feeds: "/feeds",
  parked: "/feeds?state=PARKED",
  webhooks: "/webhooks",
  undelivered: "/webhooks/undelivered",
  carriers: "/carriers",
  rules: "/carriers?tab=rules",
  lanes: "/carriers?tab=lanes",
} as const;

const tileOf = ({ tiles }: Screen, label: string) => numbersOf(tiles[label]?.[0] ?? "")[0];
const rowWith = ({ tables }: Screen, table: string, text: string) =>
  tables[table]?.find((row) => Object.values(row).includes(text)) ?? {};
const sumOf = (rows: Rows = [], column: string) =>
  rows.reduce((sum, row) => sum + (numbersOf(row[column] ?? "")[0] ?? Number.NaN), 0);
const inRow = (row: Readonly<Record<string, string>>, column: string) => numbersOf(row[column] ?? "")[0];

/** Each fact that several screens show, with its figure on each of them. */
const facts: Readonly<Record<string, (seen: Seen) => readonly (number | string | undefined)[]>> = {
  "orders to leave": ({ overview, orders }) => [
    tileOf(overview, "Orders to leave"),
    tileOf(orders, "Orders to leave"),
    sumOf(
      overview.tables["Orders by stage"]?.filter(
        ({ 0: stage }) => !/^(Despatched|In transit|Delivered)/.test(stage ?? ""),
      ),
      "2",
    ),
  ],
  "late orders": ({ overview, orders, performance }) => [
    tileOf(overview, "Late"),
    tileOf(orders, "Late"),
    numbersOf(overview.lead)[0],
    numbersOf(orders.lead)[0],
    sumOf(performance.tables["Performance by client"], "Overdue"),
  ],
  "orders at risk": ({ overview, orders }) => [tileOf(overview, "At risk"), tileOf(orders, "At risk")],
  "orders that wait for stock": ({ overview, orders }) => [
    sumOf(
      overview.tables["Orders by stage"]?.filter(({ 0: stage }) =>
        /^(Back-ordered|Partially allocated)$/.test(stage ?? ""),
      ),
      "2",
    ),
    tileOf(orders, "Waiting for stock"),
  ],
  exceptions: ({ overview, exceptions }) => [
    tileOf(overview, "Exceptions"),
    numbersOf(exceptions.badges.Exceptions ?? "")[0],
    numbersOf(exceptions.lead)[0],
  ],
  "exceptions of a client": ({ clients, client, clientExceptions }) => [
    inRow(rowWith(clients, "Clients", "LUMEN"), "Exceptions"),
    tileOf(client, "Exceptions"),
    numbersOf(clientExceptions.lead)[0],
  ],
  "orders of a client to leave": ({ clients, client, clientOrders }) => [
    inRow(rowWith(clients, "Clients", "LUMEN"), "Open"),
    tileOf(client, "Orders to leave"),
    tileOf(clientOrders, "Orders to leave"),
  ],
  "late orders of a client": ({ clients, client, clientOrders, serviceLevel, clientPerformance }) => [
    inRow(rowWith(clients, "Clients", "LUMEN"), "Late"),
    tileOf(client, "Late"),
    tileOf(clientOrders, "Late"),
    tileOf(serviceLevel, "Overdue"),
    sumOf(clientPerformance.tables["Performance by client"], "Overdue"),
  ],
  "share of a client on time": ({ serviceLevel, clientPerformance, performance }) => [
    serviceLevel.tiles["Left in time"]?.[0],
    clientPerformance.tiles["On time"]?.[0],
    rowWith(performance, "Performance by client", "LUMEN")["On time"],
  ],
  "orders of a client that left late": ({ serviceLevel, clientPerformance }) => [
    tileOf(serviceLevel, "Left late"),
    sumOf(serviceLevel.tables["Service level of LUMEN by week"], "Late"),
    sumOf(clientPerformance.tables["Performance by week"], "Late"),
  ],
  ...Object.fromEntries(
    ["On hand", "Allocated", "Unsellable", "Available"].map((column) => [
      `${column} of a product`,
      ({ levels, product }: Seen) => [
        sumOf(levels.tables["Stock levels"], column),
        sumOf(product.tables.Balances, column),
      ],
    ]),
  ),
  "pieces of a product that orders wait for": ({ backordered, waiting }) => [
    inRow(rowWith(backordered, "Back-ordered products", "PLANTER-20"), "Short"),
    sumOf(
      waiting.tables.Waiting?.filter(({ Kind }) => Kind === "Order"),
      "Short",
    ),
  ],
  "lines that wait for stock": ({ overview, backordered }) => [
    numbersOf(rowWith(overview, "Stock", "Back-ordered products")["1"] ?? "")[0],
    sumOf(backordered.tables["Back-ordered products"], "Lines"),
  ],
  "back-ordered products": ({ overview, backordered }) => [
    numbersOf(rowWith(overview, "Stock", "Back-ordered products")["2"] ?? "")[0],
    backordered.tables["Back-ordered products"]?.length,
  ],
  "overdue purchase orders": ({ inbound, overduePurchases }) => [
    tileOf(inbound, "Overdue"),
    overduePurchases.tables["Purchase orders"]?.length,
  ],
  "units received for a purchase order": ({ purchases, purchase }) => [
    inRow(rowWith(purchases, "Purchase orders", "PO-LL-302"), "Received"),
    sumOf(purchase.tables.Lines, "Received"),
  ],
  "parked documents": ({ feeds, parked }) => [tileOf(feeds, "Parked"), parked.tables.Documents?.length],
  "deliveries that wait": ({ webhooks, undelivered }) => [
    numbersOf(/\. ([\d,]+) deliver/.exec(webhooks.lead)?.[1] ?? "")[0],
    numbersOf(undelivered.lead)[0],
    sumOf(webhooks.tables.Webhooks, "Waiting"),
  ],
  "failing webhooks": ({ overview, webhooks }) => [
    numbersOf(rowWith(overview, "Webhooks", "Failing")["2"] ?? "")[0],
    numbersOf(/([\d,]+) failing/.exec(webhooks.lead)?.[1] ?? "")[0],
    webhooks.tables.Webhooks?.filter(({ State }) => State === "Failing").length,
  ],
  "parcels that left": ({ lanes, performance }) => [
    tileOf(lanes, "Parcels"),
    numbersOf(performance.tiles["Parcel cost"]?.[1] ?? "").at(-1),
  ],
  "cost of parcels in one currency": ({ lanes, performance }) =>
    [lanes.tiles.Cost, performance.tiles["Parcel cost"]].map((tile) =>
      /[\d,.]+\s*[A-Z]{3}/.exec(tile?.[0] ?? "")?.[0].replace(/\s/, ""),
    ),
  "carrier services": ({ carriers }) => [tileOf(carriers, "Services"), carriers.tables["Services of carriers"]?.length],
  "carrier rules": ({ carriers, rules }) => [tileOf(carriers, "Rules"), rules.tables.Rules?.length],
};

world.test("each fact that several screens show has one figure", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  const read = async () => {
    const seen: Record<string, Screen> = {};
    for (const [name, path] of Object.entries(paths)) {
      await admin.open(path);
      await page.locator("main .mantine-Skeleton-root").first().waitFor({ state: "detached" });
      seen[name] = await page.evaluate<Screen>(readScreen);
    }
    return Object.entries(facts).flatMap(([name, figuresOf]) => {
      const figures = figuresOf(seen as unknown as Seen);
      const isOne = figures.every((figure) => figure === figures[0] && figure !== undefined && !Number.isNaN(figure));
      return isOne ? [] : [[name, figures]];
    });
  };
  // An order may have become late between two screens, and reports follow within a minute.
  let differences = await read();
  for (const until = Date.now() + 90_000; differences.length > 0 && Date.now() < until; ) differences = await read();
  assert.deepEqual(differences, []);
});

world.test("the late orders that are held or out of stock are those of the lists", async (open) => {
  const viewer = await open("viewer");
  const idsOf = async (more: string) => {
    const answer = await viewer.user?.get(`/order/list?limit=500&isLate=true&${more}`);
    const items = answer?.body.items as readonly { clientId: string; orderId: string }[];
    return items.map(({ clientId, orderId }) => `${clientId} ${orderId}`);
  };
  const stuck = new Set([...(await idsOf("isHeld=true")), ...(await idsOf("status=BACKORDERED"))]);
  assert.ok(stuck.size > 0);
  await viewer.open("/overview");
  await viewer.page.getByText(`${stuck.size} held or out of stock`, { exact: true }).waitFor();
});
