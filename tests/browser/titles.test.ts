// The titles of pages and tabs name the object and its client; a UUID is small, with a copy button.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

/** List, and the title of a page below it. */
const titles: readonly (readonly [list: string, title: RegExp, shot?: string])[] = [
  ["/orders?client=FJORD", /^Order FP-\d+ of FJORD$/, "title-order"],
  ["/inbound?client=FJORD", /^Purchase order PO-FP-\d+ of FJORD$/, "title-purchase-order"],
  ["/returns?client=DEMO", /^Return \S+ of DEMO$/],
  ["/work-orders", /^Work order \S+ of [A-Z]+$/],
];

const titlesWithId: typeof titles = [
  ["/inventory?client=DEMO", /^Product .+ of DEMO$/],
  ["/webhooks?kind=WEBHOOK&client=FJORD", /^Webhook \S+ → \S+ of FJORD$/, "title-webhook"],
  ["/webhooks/undelivered?kind=WEBHOOK", /^Delivery \S+ for \S+ of [A-Z]+$/],
  ["/feeds?client=FJORD", /^(?:Order|Catalogue|Purchase order|Return) document \S+ of FJORD$/, "title-feed"],
  ["/outbound?client=FJORD", /^[A-Z][a-z ]+ \S+ of FJORD$/, "title-outbound"],
  ["/outbound?type=IMS&client=LUMEN", /^Inventory movement statement DC\d of LUMEN$/],
  ["/carriers?tab=decisions&client=FJORD", /^Carrier decision \S+ of FJORD$/],
];

async function openFirst(operator: ConsolePage, list: string): Promise<void> {
  await operator.open(list);
  await operator.page.locator("main tbody").getByRole("link").first().click();
  await operator.page.getByRole("heading", { level: 1, name: / of [A-Z]+$/ }).waitFor();
  await operator.settled();
}

for (const [group, entries, hasId] of [
  ["what clients name", titles, false],
  ["what only the program names", titlesWithId, true],
] as const)
  world.test(`the page and the tab of ${group} say its name and its client`, async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    for (const [list, title, shot] of entries) {
      await openFirst(operator, list);
      const head = page.getByRole("heading", { level: 1 });
      const text = await head.innerText();
      assert.match(text, title);
      assert.equal(await page.title(), `${text} · Crossdock`);
      const id = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
      const copy = page
        .getByRole("main")
        .getByRole("button", { name: `Copy ${id}`, exact: true })
        .first();
      assert.ok(await copy.isVisible(), `the id of ${text} can be copied`);
      assert.equal(text.includes(id), !hasId);
      if (shot === undefined) continue;
      await operator.checkBoth();
      await operator.shoot(shot);
      await operator.shoot(shot, { width: 390, height: 844 });
      await operator.shoot(shot, { scheme: "dark" });
    }
  });

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}|[0-9a-f]{6,8}(?:-[0-9a-f]*)?…/;

world.test("lists name their rows, with the words of codes; the UUID is last, with a copy button", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  for (const [list, name, shot] of [
    ["/webhooks?kind=WEBHOOK&client=FJORD", /^\S+ → \S+$/, "list-webhooks"],
    ["/webhooks/undelivered?kind=WEBHOOK", /^\S+ for \S+$/],
    ["/feeds?type=NO&client=FJORD", /^Order FP-\d+$/, "list-feeds"],
    ["/outbound?type=OS&client=FJORD", /^Order status FP-\d+$/, "list-outbound"],
    ["/outbound?type=INV&client=LUMEN", /^Inventory snapshot DC\d$/],
    ["/carriers?tab=decisions&client=FJORD", /^FP-\d+$/, "list-decisions"],
  ] as const) {
    await operator.open(list);
    const row = page
      .locator("main tbody")
      .getByRole("row")
      .filter({ has: page.getByRole("link") })
      .first();
    assert.match(await row.getByRole("link").first().innerText(), name);
    assert.equal(await row.getByRole("link", { name: uuid }).count(), 0, `no link of ${list} is a UUID`);
    const copy = row.getByRole("button", { name: uuid });
    assert.ok(await copy.isVisible(), `the id in ${list} can be copied`);
    if (shot === undefined) continue;
    await operator.checkBoth();
    await operator.shoot(shot);
    await operator.shoot(shot, { width: 390, height: 844 });
    await operator.shoot(shot, { scheme: "dark" });
  }
});

world.test("actions of the audit log and settings are words, and the words find the actions", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  await admin.open("/audit?client=LUMEN&range=30d&action=start+receiving");
  await page.getByRole("cell", { name: "Start receiving", exact: true }).first().waitFor();
  await admin.checkBoth();
  await admin.shoot("audit-words");
  await admin.open("/clients/DEMO?tab=settings");
  await page.getByText("identicalResend", { exact: true }).waitFor();
  await page.getByText("Identical document sent again", { exact: true }).waitFor();
  assert.equal(
    await page.getByRole("switch", { name: "Bodies of failed requests in the request log" }).isChecked(),
    false,
  );
  await admin.checkBoth();
  await admin.shoot("settings-words");
  await admin.shoot("settings-words", { width: 390, height: 844 });
  await admin.shoot("settings-words", { scheme: "dark" });
});

world.test("an id is copied also where the browser has no clipboard API, as without https", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await operator.open("/orders?client=FJORD");
  const copy = page
    .locator("main tbody")
    .getByRole("button", { name: /^Copy / })
    .first();
  const text = (await copy.getAttribute("aria-label"))?.slice("Copy ".length) ?? "";
  await copy.click();
  await copy.and(page.getByTitle("Copied")).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+v");
  await page.waitForFunction(`document.activeElement?.value === ${JSON.stringify(text)}`);
});

world.test("records name their client, facility and products, and have words for their codes", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  const fact = (name: string) =>
    page.locator("main dl > div").filter({ has: page.locator("dt").getByText(name, { exact: true }) });
  await openFirst(admin, "/orders?client=FJORD");
  await fact("Client").getByText("Fjord Provisions").waitFor();
  const facility = fact("Facility").getByRole("link");
  await fact("Facility")
    .getByText(/London Gateway|Rotterdam Waalhaven/)
    .waitFor();
  const [sku = "", name = ""] = (await page.locator("main table td:nth-child(2)").first().innerText()).split("\n");
  const { body } =
    (await admin.user?.post("/client/findItemBySkuList", { clientId: "FJORD", skus: [sku.trim()] })) ?? {};
  assert.equal(name, body.items[0].name);
  await admin.checkBoth();
  await admin.shoot("record-order");
  await admin.shoot("record-order", { width: 390, height: 844 });
  await facility.click();
  await page.getByRole("heading", { level: 1, name: /^Facility (?!DC)/ }).waitFor();
  await admin.open("/facilities/DC2");
  const days = page.getByRole("group", { name: "Operating days" });
  await days.waitFor();
  assert.equal(await days.getByRole("checkbox", { checked: true }).count(), 6, "Monday to Saturday");
  await fact("Holidays").getByText("25 Dec 2026 Eerste Kerstdag").waitFor();
  await fact("Capabilities").getByText("Assembly, Cold chain, Serial capture").waitFor();
  await admin.checkBoth();
  await admin.shoot("record-facility");
  await admin.shoot("record-facility", { width: 390, height: 844 });
  await admin.open("/inbound/DEMO/PO-2026-0815/ASN-7001");
  await fact("Supplier code").getByText("S-4711").waitFor();
  await admin.checkBoth();
  await admin.shoot("record-purchase-order");
  await admin.shoot("record-purchase-order", { scheme: "dark" });
});
