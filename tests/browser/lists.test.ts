// Lists of the console: the layout that a user chooses, columns beyond the edge, and filters.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

async function openOrders(visitor: ConsolePage, query = ""): Promise<Locator> {
  await visitor.open(`/orders${query}`);
  const orders = visitor.page.getByRole("region", { name: "Orders" });
  await orders.locator("tbody tr[aria-rowindex]").first().waitFor();
  return orders;
}

const headsOf = (list: Locator) => list.locator("thead th[aria-label]");
const namesOf = (list: Locator) =>
  headsOf(list).evaluateAll((heads) => heads.map((head) => head.getAttribute("aria-label")));
const widthOf = async (list: Locator, name: string) =>
  (await list.getByRole("columnheader", { name, exact: true }).boundingBox())?.width ?? 0;

world.test("the width of a column is dragged or set by key, and remains after a reload", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  let orders = await openOrders(viewer);
  const handle = (name: string) => orders.getByRole("separator", { name: `Width of ${name}` });
  const [before, beside] = [await widthOf(orders, "State"), await widthOf(orders, "Client")];
  const box = await handle("State").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await until(
    "the edge to follow the mouse",
    async () => Math.abs((await widthOf(orders, "State")) - before - 60) <= 2,
  );
  assert.ok(Math.abs((await widthOf(orders, "Client")) - beside) <= 1, "the column beside keeps its width");
  await handle("Client").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await until("a wider column", async () => Math.abs((await widthOf(orders, "Client")) - beside - 32) <= 2);
  await viewer.checkBoth();
  await viewer.shoot("list-widths");

  orders = await openOrders(viewer);
  assert.ok(Math.abs((await widthOf(orders, "State")) - before - 60) <= 2, "the width is remembered");
  await handle("State").dblclick();
  await until("the width of the list", async () => Math.abs((await widthOf(orders, "State")) - before) <= 2);
  await page.keyboard.press("Tab");
  await handle("Client").press("Enter");
  await until("the width of the list", async () => Math.abs((await widthOf(orders, "Client")) - beside) <= 2);
});

world.test("columns are ordered by mouse and by key, rows are compact, and a reset takes it back", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  let orders = await openOrders(viewer);
  const initial = await namesOf(orders);
  assert.deepEqual(initial.slice(0, 4), ["Order", "Client", "State", "Customer"]);
  const head = (name: string) => orders.getByRole("columnheader", { name, exact: true });
  await head("Facility").dragTo(head("Client"));
  await until("the column before", async () => (await namesOf(orders))[1] === "Facility");
  await head("Facility").dragTo(head("Order"));
  assert.equal((await namesOf(orders))[0], "Order", "what a row is stays first");

  const choice = page.getByRole("button", { name: "Choose columns" });
  await choice.click();
  const panel = page.getByRole("dialog", { name: "Columns" });
  assert.ok(await panel.getByRole("checkbox", { name: "Order", exact: true }).isDisabled());
  const up = panel.getByRole("button", { name: "Move State up" });
  await up.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await until("two places", async () => (await namesOf(orders))[1] === "State");
  await panel.getByText("Compact").click();
  const row = orders.locator("tbody tr[aria-rowindex]").first();
  await until("lower rows", async () => ((await row.boundingBox())?.height ?? 36) < 30);
  await viewer.checkBoth();
  await viewer.shoot("list-layout");
  await viewer.shoot("list-layout", { scheme: "dark" });
  await viewer.shoot("list-layout", { width: 390, height: 844 });

  orders = await openOrders(viewer);
  assert.deepEqual((await namesOf(orders)).slice(0, 4), ["Order", "State", "Facility", "Client"]);
  assert.ok(((await orders.locator("tbody tr[aria-rowindex]").first().boundingBox())?.height ?? 36) < 30);
  await choice.click();
  await panel.getByRole("button", { name: "Reset" }).click();
  await until("the order of the list", async () => (await namesOf(orders)).join() === initial.join());
  await until("higher rows", async () => ((await row.boundingBox())?.height ?? 0) >= 36);
});

world.test("a list shows that columns lie beyond its edge, and what a row is stays in sight", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await page.setViewportSize({ width: 800, height: 700 });
  const orders = await openOrders(viewer);
  const [left, right] = [page.locator("[data-shade=left]"), page.locator("[data-shade=right]")];
  await right.waitFor();
  assert.equal(await left.count(), 0);
  const first = orders.locator("tbody tr[aria-rowindex]").first().getByRole("link").first();
  const place = (await first.boundingBox())?.x;
  await viewer.shoot("list-sideways", { width: 800, height: 700 });
  await viewer.shoot("list-sideways", { width: 800, height: 700, scheme: "dark" });
  await orders.evaluate((box) => box.scrollTo(box.scrollWidth, 0));
  await right.waitFor({ state: "detached" });
  await left.waitFor();
  assert.equal((await first.boundingBox())?.x, place);
  await viewer.checkBoth();
  await viewer.shoot("list-scrolled", { width: 800, height: 700 });
  // Cards have nothing beyond.
  await page.setViewportSize({ width: 390, height: 844 });
  await left.waitFor({ state: "detached" });
  assert.equal(await right.count(), 0);
});

world.test("orders without a hold or a carrier, and documents of several types, are found", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  const listed = async (query: string) => {
    const answer = await viewer.user?.get(`/order/list?limit=500&clientId=FJORD&${query}`);
    return answer?.body.items.map(({ orderId }: { orderId: string }) => orderId).toSorted();
  };
  const [all, held, free] = await Promise.all(["", "isHeld=true", "isHeld=false"].map(listed));
  assert.ok(held.length > 0 && free.length > 0);
  assert.deepEqual([...held, ...free].toSorted(), all, "each order has a hold or none");

  const orders = await openOrders(viewer, "?client=FJORD");
  const rows = orders.locator("tbody tr[aria-rowindex]");
  await page.getByRole("button", { name: "Hold", exact: true }).click();
  await page.getByRole("combobox", { name: "Hold" }).click();
  await page.getByRole("option", { name: "No hold" }).click();
  await page.getByRole("button", { name: "Hold No hold" }).waitFor();
  await until("orders without a hold", async () => (await rows.count()) === free.length || free.length > 20);
  await page.getByRole("button", { name: "Clear filter Hold" }).click();

  await page.getByRole("button", { name: "Carrier", exact: true }).click();
  await page.getByRole("checkbox", { name: "HBP", exact: true }).check();
  await page.waitForURL(/carrierCode=HBP/);
  await page.getByRole("checkbox", { name: "HBP", exact: true }).uncheck();
  await page.getByRole("checkbox", { name: "none yet" }).check();
  await page.waitForURL(/carrierCode=NONE/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Carrier none yet" }).waitFor();
  await page
    .getByRole("status")
    .getByText(/rows?$/)
    .first()
    .waitFor();
  await viewer.checkBoth();
  await viewer.shoot("list-no-carrier");
  const none: { status: string; carrierCode: string | null }[] = (
    await viewer.user?.get("/order/list?limit=500&leavesWith=NONE")
  )?.body.items;
  assert.ok(none.length > 0);
  for (const { status, carrierCode } of none) {
    assert.equal(carrierCode, null);
    assert.ok(!["DESPATCHED", "DELIVERED", "CANCELLED"].includes(status), status);
  }

  await viewer.open("/feeds?type=CAT,PO&channel=!SFTP");
  await page.getByRole("button", { name: /^Type .*Catalogue.*Purchase order/ }).waitFor();
  const documents = page.getByRole("region", { name: "Documents", exact: true });
  await documents
    .getByText(/^Catalogue/)
    .first()
    .waitFor();
  assert.equal(await documents.getByText(/^Order/).count(), 0);
});

world.test("lists take several facilities and carriers, and all but some", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  const countOf = async (query: string): Promise<number> =>
    (await viewer.user?.get(`/order/count?clientId=FJORD&${query}`))?.body.count;
  const codes: string[] = (await viewer.user?.get("/facilityDirectory/list"))?.body.items.map(
    ({ facilityCode }: { facilityCode: string }) => facilityCode,
  );
  const [first = "", second = "", ...others] = codes;
  const both = await countOf(`distributionCentre=${first}&distributionCentre=${second}`);
  const [ofFirst = 0, ofSecond = 0] = await Promise.all(
    [first, second].map((code) => countOf(`distributionCentre=${code}`)),
  );
  assert.ok(ofFirst > 0 && ofSecond > 0 && both < 1_000);
  assert.equal(ofFirst + ofSecond, both);

  const queries: URLSearchParams[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith("/order/list")) queries.push(url.searchParams);
  });
  const facilitiesAsked = (codes: readonly string[]) =>
    until(`orders at ${codes.join(" and ")}`, async () =>
      queries.some((query) => query.getAll("distributionCentre").join() === codes.join()),
    );
  await openOrders(viewer);
  await page.getByRole("button", { name: "Facility: All facilities" }).click();
  const facilities = page.getByRole("dialog", { name: "Facility" });
  await facilities.getByRole("checkbox", { name: new RegExp(`^${first}`) }).check();
  await facilities.getByRole("checkbox", { name: new RegExp(`^${second}`) }).check();
  await page.waitForURL((url) => url.searchParams.get("facility") === `${first},${second}`);
  await facilitiesAsked([first, second]);
  await viewer.checkBoth();
  await viewer.shoot("list-facilities");
  await viewer.shoot("list-facilities", { scheme: "dark" });
  await viewer.shoot("list-facilities", { width: 390, height: 844 });
  await facilities.getByRole("checkbox", { name: new RegExp(`^${second}`) }).uncheck();
  await facilities.getByText("is none of").click();
  await page.waitForURL((url) => url.searchParams.get("facility") === `!${first}`);
  await facilitiesAsked([second, ...others]);
  queries.length = 0;
  await page.reload();
  await page.getByRole("button", { name: new RegExp(`^Facility: not ${first}`) }).waitFor();
  await facilitiesAsked([second, ...others]);
  assert.ok(
    queries.every((query) => query.getAll("distributionCentre").length > 0),
    "the list is not read before the facilities are known",
  );
  await page.getByRole("button", { name: "All facilities" }).click();
  await page.waitForURL((url) => !url.searchParams.has("facility"));

  await page.getByRole("button", { name: "Carrier", exact: true }).click();
  const carriers = page.getByRole("dialog", { name: "Carrier" });
  for (const code of ["RM", "DPD"]) {
    await carriers.getByRole("textbox", { name: "Carrier" }).fill(code);
    await page.keyboard.press("Enter");
    await carriers.getByRole("checkbox", { name: code, exact: true }).waitFor();
  }
  await page.waitForURL((url) => url.searchParams.get("carrierCode") === "RM,DPD");
  await until("orders of both carriers", async () =>
    queries.some((query) => query.getAll("carrierCode").join() === "RM,DPD"),
  );
  await viewer.checkBoth();
  await viewer.shoot("list-carriers");
  await viewer.shoot("list-carriers", { scheme: "dark" });
  await viewer.shoot("list-carriers", { width: 390, height: 844 });
  await carriers.getByText("is none of").click();
  await page.waitForURL((url) => url.searchParams.get("carrierCode") === "!RM,DPD");
  await until("orders of other carriers", async () =>
    queries.some((query) => query.getAll("exceptCarrierCode").join() === "RM,DPD"),
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Carrier not RM, DPD" }).waitFor();
});

world.test("headings sort both ways: time left from the earliest, other times from the latest", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  const orders = await openOrders(viewer);
  const head = (list: Locator, name: string) => list.getByRole("columnheader", { name, exact: true });
  const shown = async (list: Locator, rows: readonly string[]) => {
    const links = list.locator("tbody tr[aria-rowindex]").locator("a");
    await until(`${rows.join(", ")} first`, async () => {
      const texts = await links.allInnerTexts();
      return rows.every((row, i) => texts[i] === row);
    });
  };
  for (const [sort, direction] of [
    ["despatchBy", "ascending"],
    ["-despatchBy", "descending"],
  ] as const) {
    await head(orders, "Time left").getByRole("button").click();
    await page.waitForURL((url) => url.searchParams.get("sort") === sort);
    await orders.locator(`th[aria-sort=${direction}]`).waitFor();
    const answer = await viewer.user?.get(`/order/list?limit=5&sort=${sort}`);
    await shown(
      orders,
      answer?.body.items.map(({ orderId }: { orderId: string }) => orderId),
    );
  }
  await viewer.checkBoth();
  await viewer.shoot("list-sorted");
  await viewer.shoot("list-sorted", { scheme: "dark" });
  await viewer.shoot("list-sorted", { width: 390, height: 844 });

  await viewer.open("/outbound");
  const documents = page.getByRole("region", { name: "Outbound documents" });
  await head(documents, "Written").getByRole("button").click();
  await page.waitForURL((url) => url.searchParams.get("sort") === "createdAt");
  const oldest = (await viewer.user?.get("/outbound/list?limit=1&sort=createdAt"))?.body.items[0];
  await documents.locator(`time[datetime="${oldest.createdAt}"]`).first().waitFor();
  await viewer.checkBoth();
});

/** Every list, each with its tabs that are lists. */
const lists = [
  ...["exceptions", "exceptions?rows=each", "feeds", "feeds?outcome=REJECTED", "orders", "inbound", "returns"],
  ...[
    "inbound?tab=unidentified",
    "work-orders",
    "inventory",
    "inventory?tab=backordered",
    "inventory?tab=expiry",
    "inventory?tab=counts",
    "inventory?tab=transfers",
  ],
  ...["carriers", "carriers?tab=rules", "carriers?tab=versions", "carriers?tab=decisions&client=DEMO"],
  ...["webhooks", "webhooks/undelivered", "outbound", "mails", "clients", "facilities", "users", "audit"],
];

/** Texts of headings and cells that are cut off, by dots or after their third line. */
const cutTexts = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`(() => {
    const isCut = (part) => {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(part);
      if (part.clientWidth === 0 || overflowX === "visible") return false;
      const isBeyond = part.scrollWidth > part.clientWidth + 1;
      return (isBeyond && textOverflow !== "clip") || (webkitLineClamp !== "none" && isBeyond);
    };
    return [...document.querySelectorAll("main :is(th, td), main :is(th, td) *")].filter(isCut).map(({ textContent }) => textContent);
  })()`);

world.test("no heading and no value of a list ends in dots at 1440 pixels", async (open) => {
  const admin = await open("admin");
  await admin.page.setViewportSize({ width: 1440, height: 900 });
  const cut: Record<string, readonly string[]> = {};
  for (const path of lists) {
    await admin.open(`/${path}`);
    await admin.page.locator("main tbody tr[aria-rowindex], main table tbody tr").first().waitFor();
    await admin.settled();
    const texts = await cutTexts(admin);
    if (texts.length > 0) cut[path] = texts;
    await admin.shoot(`list-${path.replace(/\W+/g, "-")}`);
  }
  assert.deepEqual(cut, {});
});

/** Lists whose columns fit beside the navigation; the others scroll sideways, and say so. */
const fittingLists = [
  ...["inventory", "inventory?tab=backordered", "inventory?tab=expiry", "inventory?tab=counts", "inbound", "returns"],
  ...["carriers?tab=versions", "webhooks", "outbound", "mails", "facilities", "users", "audit"],
];

world.test("every column that a list shows at first is within 1440 pixels", async (open) => {
  const admin = await open("admin");
  await admin.page.setViewportSize({ width: 1440, height: 900 });
  const beyond: Record<string, string> = {};
  for (const path of fittingLists) {
    await admin.open(`/${path}`);
    await admin.page.locator("main tbody tr[aria-rowindex]").first().waitFor();
    const [whole = 0, shown = 0] = await admin.page.evaluate<readonly number[]>(`(() => {
      let part = document.querySelector("main table");
      while (getComputedStyle(part).overflowX === "visible") part = part.parentElement;
      return [part.scrollWidth, part.clientWidth];
    })()`);
    if (whole > shown) beyond[path] = `${whole} of ${shown} pixels`;
  }
  assert.deepEqual(beyond, {});
});

interface SeenColumn {
  readonly path: string;
  readonly kind: string;
  readonly header: string;
  /** Undefined for the column that takes the remaining room. */
  readonly width: number | undefined;
}

const columnsIn = async ({ page }: ConsolePage, path: string): Promise<SeenColumn[]> => {
  const columns = await page.evaluate<SeenColumn[]>(`[...document.querySelectorAll("main table")].flatMap((table) => {
    const heads = [...table.querySelectorAll("th[data-kind]")];
    const cols = [...table.querySelectorAll("col")].slice(-heads.length);
    return heads.map((head, i) => ({
      kind: head.dataset.kind,
      header: head.ariaLabel,
      width: cols[i].style.width === "" ? undefined : head.offsetWidth,
    }));
  })`);
  return columns.map((column) => ({ ...column, path }));
};

/** Kinds whose heading belongs to them alone. */
const namedKinds = [
  ...["client", "facility", "owner", "lines", "attempts", "priority", "discrepancies", "sku", "product", "batch"],
  ...["expiry", "condition", "order state", "count state"],
];

/** The columns that are not alike though they should be, by what they have in common. */
const unlike = (columns: readonly SeenColumn[], common: (column: SeenColumn) => string, trait: keyof SeenColumn) =>
  [...Map.groupBy(columns, common)].flatMap(([name, same]) => {
    const seen = Map.groupBy(same, (column) => String(column[trait]));
    return seen.size < 2 ? [] : [...seen].map(([value, [first]]) => `${name}: ${trait} ${value} on ${first?.path}`);
  });

world.test("the same column has the same width and the same words on every list", async (open) => {
  const admin = await open("admin");
  await admin.page.setViewportSize({ width: 1440, height: 900 });
  const columns: SeenColumn[] = [];
  for (const path of lists) {
    await admin.open(`/${path}`);
    await admin.page.locator("main th[data-kind]").first().waitFor();
    columns.push(...(await columnsIn(admin, path)));
  }
  const clients = columns.filter(({ kind }) => kind === "client");
  assert.ok(clients.length >= 10, `the client is on ${clients.length} lists`);
  const sized = columns.filter(({ width }) => width !== undefined);
  const named = columns.filter(({ kind }) => namedKinds.includes(kind));
  const headings = new Set(named.map(({ header }) => header));
  assert.deepEqual(
    [
      ...unlike(sized, ({ kind, header }) => `${kind} "${header}"`, "width"),
      ...unlike(named, ({ kind }) => kind, "header"),
      // A list of clients has their ids under this heading.
      ...unlike(
        columns.filter(({ kind, header }) => headings.has(header) && kind !== "id" && !kind.endsWith("state")),
        ({ header }) => `"${header}"`,
        "kind",
      ),
    ],
    [],
  );
});

world.test("the open list of a select scrolls by keyboard, and is clean", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  const isScrolled = () =>
    page
      .getByRole("listbox")
      .filter({ visible: true })
      .evaluate((list) => ({ isHigher: list.scrollHeight > list.clientHeight, top: list.scrollTop }));
  for (const [path, field] of [
    ["/webhooks/new?client=DEMO", "Topics"],
    ["/orders", "Hold"],
  ] as const) {
    await admin.open(path);
    if (field === "Hold") await page.getByRole("button", { name: field, exact: true }).click();
    await page.getByRole("combobox", { name: field }).click();
    await page.getByRole("option").first().waitFor();
    assert.equal((await isScrolled()).isHigher, true, `${path} has more options than are seen`);
    await admin.checkBoth();
    await page.keyboard.press("ArrowUp");
    await until("the last option", async () => (await isScrolled()).top > 0);
    await admin.shoot(`select-${field}`);
    await page.keyboard.press("Escape");
  }
});

/** The lists of the console by their screens. */
const enteredLists = {
  Orders: "orders",
  Documents: "feeds",
  Exceptions: "exceptions",
  Webhooks: "webhooks",
  "Outbound documents": "outbound",
  Clients: "clients",
  Facilities: "facilities",
  Users: "users",
};

world.test("each list is entered by a key, and by at most eight Tab stops from the skip link", async (open) => {
  const admin = await open("admin");
  const { keyboard } = admin.page;
  for (const [label, path] of Object.entries(enteredLists)) {
    await admin.open(`/${path}`);
    const rows = admin.page.getByRole("region", { name: label, exact: true }).locator("tbody tr[aria-rowindex]");
    await rows.first().waitFor();
    const focusOf = (index: number) => rows.nth(index).locator(":focus").count();
    // Without an expression: the page's policy forbids its second evaluation.
    const reaches = (index: number, why: string) =>
      until(`${why} on ${label}`, async () => (await focusOf(index)) === 1);
    let stops = 0;
    for (const name of ["Skip to the content", "Skip to the rows"]) {
      await keyboard.press("Tab");
      stops++;
      await admin.page.locator("a:focus", { hasText: name }).waitFor();
    }
    await keyboard.press("Enter");
    assert.ok(stops <= 8);
    await reaches(0, "the first row after the skip link");
    await admin.page.locator("#main").focus();
    await keyboard.press("j");
    await reaches(0, "the first row after j");
    if ((await rows.count()) > 1) {
      await keyboard.press("ArrowDown");
      await reaches(1, "the second row after the arrow");
      await keyboard.press("k");
      await reaches(0, "the first row after k");
    }
  }
});

world.test(
  "x selects the row, whose box has its name, Enter opens it, and a dialog begins at its field",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    const orders = await openOrders(operator);
    await page.keyboard.press("ArrowDown");
    const box = orders.locator("tbody input:focus");
    await box.waitFor();
    const first = (await orders.locator("tbody tr[aria-rowindex] a").first().innerText()).trim();
    assert.equal(await box.getAttribute("aria-label"), `Select order ${first}`);
    await page.keyboard.press("x");
    const bar = page.getByRole("toolbar", { name: "Selected rows" });
    await bar.getByText("1 row chosen").waitFor();
    await operator.check();
    await operator.shoot("keys-chosen");
    await page.keyboard.press("x");
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: new RegExp(`^Order .*${first}`) }).waitFor();
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("dialog").locator("textarea:focus,input:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Select the row").waitFor();
    await operator.check();
    await operator.shoot("keys-shortcuts");
    await operator.shoot("keys-shortcuts", { scheme: "dark" });
  },
);
