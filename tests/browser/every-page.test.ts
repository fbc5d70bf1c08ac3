// Every page of the console that is reachable from the demo shows words: each entry of the navigation, each row of the
// first page of each list, and the message at an unknown address.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

/**
 * Lists with pages for their rows, by area. Each part is a separate test, so that a fault in one does not hide others.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  watch: ["/exceptions", "/exceptions?type=RECEIPT_DISCREPANCY", "/exceptions?rows=each"],
  documents: ["/feeds"],
  orders: ["/orders"],
  floor: ["/inbound", "/returns", "/work-orders"],
  stock: ["/inventory", "/inventory?tab=counts"],
  out: ["/carriers?tab=decisions&client=DEMO", "/webhooks", "/outbound", "/mails"],
  "set up": ["/clients", "/facilities", "/users"],
};

/** Rows of each list. More rows repeat the same kind, and each takes a second. */
const rowsMax = 12;
/**
 * A page with fewer words, besides the title and its line, counts as empty: the shortest list is empty and says why.
 */
const wordsMin = 5;

const unknownTitle = "There is no such page";

/** Timeout at each address: on a busy machine, the first visit to an area takes seconds. */
const pageMsMax = 30_000;

/** The current state of a page. */
interface Look {
  /** The text of an h1 that was not there at the previous address; undefined: none yet. */
  readonly title: string | undefined;
  readonly problems: readonly string[];
  /** All text of the page. */
  readonly text: string;
  /** Words besides the title and the line below it, which are there on every page. */
  readonly words: number;
}

function look(page: Page): Promise<Look> {
  return page.evaluate(`(() => {
    const wordsOf = (text) => text.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length;
    const textOf = (element) => element.innerText.trim();
    const main = document.querySelector("main");
    const head = [...main.querySelectorAll("h1, h1 ~ p")];
    const title = main.querySelector("h1:not([data-left])");
    return {
      title: title === null ? undefined : textOf(title),
      text: main.innerText,
      problems: [...main.querySelectorAll("[role=alert]")].map(textOf),
      words: wordsOf(main.innerText) - head.reduce((sum, part) => sum + wordsOf(part.innerText), 0),
    };
  })()`);
}

/** The reason why a page is faulty; undefined if it is not. */
function faultOf({ title, problems, words }: Look): string | undefined {
  if (!title) return "has no title";
  if (title === unknownTitle) return "is unknown";
  if (problems.length > 0) return `shows a problem: ${problems.join(" ").slice(0, 200)}`;
  return words < wordsMin ? `has ${words} words besides its title` : undefined;
}

/** Navigates within the console, as a click does. */
function goTo({ page }: ConsolePage, path: string): Promise<void> {
  return page.evaluate(`(() => {
    document.querySelector("main h1")?.setAttribute("data-left", "");
    // The router counts its entries there.
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
  })()`);
}

/** Waits until the page has no fault; otherwise returns the fault. */
async function waitFor(page: Page, faultIn: (seen: Look) => string | undefined): Promise<string | undefined> {
  let fault: string | undefined;
  const isRight = async () => {
    fault = faultIn(await look(page));
    return fault === undefined;
  };
  await until("the page", isRight, pageMsMax).catch(() => undefined);
  return fault;
}

/** Addresses of the visible rows, from their first links, each page once. */
const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const links = [...document.querySelectorAll("main tbody tr[data-way]")].flatMap((row) => row.querySelector("a") ?? []);
    const ways = new Map(links.map(({ href }) => new URL(href)).map(({ pathname, search }) => [pathname, pathname + search]));
    return [...ways.values()].slice(0, ${rowsMax});
  })()`);

world.test("every entry of the navigation opens a page with words", async (open) => {
  const admin = await open("admin");
  await admin.open("/overview");
  const links = admin.page.getByRole("navigation", { name: "Screens" }).getByRole("link");
  const count = await links.count();
  assert.ok(count >= 17, `${count} links`);
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const link = links.nth(i);
    const label = (await link.innerText()).replace(/\s+\d+\+?$/, "").trim();
    await link.click();
    const fault = await waitFor(admin.page, (seen) =>
      seen.title === label ? faultOf(seen) : `has the title ${seen.title}`,
    );
    if (fault !== undefined) faults.push(`${label} ${fault}`);
  }
  assert.deepEqual(faults, []);
});

world.test("a screen with only a title is detected as empty", async (open) => {
  const admin = await open("admin");
  await admin.open("/clients");
  assert.equal(faultOf(await look(admin.page)), undefined);
  await admin.page.evaluate(`(() => {
    const head = document.querySelector("main h1").parentElement.parentElement;
    for (const part of [...head.parentElement.children]) if (part !== head) part.remove();
    for (const part of [...head.children].slice(1)) part.remove();
  })()`);
  assert.equal(faultOf(await look(admin.page)), "has 0 words besides its title");
});

for (const [part, paths] of Object.entries(parts)) {
  world.test(`${part}: every row of ${paths.join(", ")} opens a page with words`, async (open, context) => {
    const admin = await open("admin");
    const faults: string[] = [];
    for (const path of paths) {
      await admin.open(path);
      const rows = await until(`rows of ${path}`, async () => {
        const drawn = await rowsOf(admin.page);
        return drawn.length > 0 && drawn;
      });
      context.diagnostic(`${path}: ${rows.length} rows`);
      for (const row of rows) {
        await goTo(admin, row);
        const fault = await waitFor(admin.page, faultOf);
        if (fault !== undefined) faults.push(`${row} ${fault}`);
      }
    }
    assert.deepEqual(faults, []);
  });
}

world.test("a purchase order without a vendorOrderId opens from the list and from the search", async (open) => {
  const admin = await open("admin");
  assert.ok(admin.user);
  const { body } = await admin.user.get("/purchaseOrder/list?limit=200");
  const items: readonly { poNumber: string; vendorOrderId: string }[] = body.items;
  const { poNumber } = items.find(({ vendorOrderId }) => vendorOrderId === "") ?? {};
  assert.ok(poNumber, "the demo has one");
  const opens = async () => {
    assert.equal(
      await waitFor(admin.page, (seen) => (seen.title?.includes(`${poNumber} of `) ? faultOf(seen) : "is another")),
      undefined,
    );
    assert.match(new URL(admin.page.url()).pathname, new RegExp(`/${poNumber}$`));
  };
  await admin.open("/inbound");
  await admin.page.getByRole("link", { name: poNumber, exact: true }).click();
  await opens();
  await admin.open("/overview");
  await admin.page.keyboard.press("/");
  await admin.page.getByRole("combobox", { name: "Search" }).fill(poNumber);
  await admin.page.getByRole("option", { name: new RegExp(poNumber) }).click();
  await opens();
});

world.test("an unknown address shows a message, in every area and outside of them", async (open) => {
  const admin = await open("admin");
  await admin.open("/overview");
  const areas = await admin.page
    .getByRole("navigation", { name: "Screens" })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => new URL((link as unknown as { href: string }).href).pathname));
  const wrong: string[] = [];
  for (const area of [...areas, "/console"]) {
    await goTo(admin, `${area}/no/such/page/here`);
    const fault = await waitFor(admin.page, ({ title }) =>
      title === unknownTitle ? undefined : `has the title ${title}`,
    );
    if (fault !== undefined) wrong.push(`${area} ${fault}`);
  }
  assert.deepEqual(wrong, []);
  await admin.check();
});

world.test("an unknown object shows a message in every area", async (open) => {
  const admin = await open("admin");
  admin.expectStatuses(400, 403, 404, 422);
  await admin.open("/overview");
  const nowhere = [
    ...["/feeds/nonsense", "/feeds/019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11", "/orders/DEMO/NONE"],
    ...["/orders/parcels/DEMO/NONE", "/orders/NONE/NONE", "/orders/DEMO", "/inventory/DEMO/NONE"],
    "/inventory/counts/DEMO/nonsense",
    ...["/inbound/DEMO/NONE", "/inbound/DEMO/NONE/NONE", "/returns/DEMO/NONE", "/work-orders/DEMO/NONE"],
    ...["/carriers/decisions/DEMO/nonsense", "/webhooks/DEMO/nonsense", "/webhooks/deliveries/DEMO/nonsense"],
    ...["/outbound/DEMO/nonsense", "/mails/DEMO/nonsense", "/clients/NONE", "/facilities/NONE", "/users/none"],
  ];
  const silent: string[] = [];
  for (const path of nowhere) {
    await goTo(admin, `/console${path}`);
    const fault = await waitFor(admin.page, ({ title, text, problems }) =>
      problems.length > 0 || /there is no such/i.test(text) ? undefined : `has the title ${title}, and no problem`,
    );
    if (fault !== undefined) silent.push(`${path} ${fault}`);
  }
  assert.deepEqual(silent, []);
});
