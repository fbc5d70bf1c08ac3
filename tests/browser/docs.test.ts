// The documentation in the browser: search, copy buttons, navigation, phone and dark.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();
const { url } = world.server;
// The first request waits for the build, longer than a page may take to load.
await fetch(`${url}/docs`);

async function openPage({ page, settled }: ConsolePage, path: string): Promise<void> {
  await page.goto(`${url}/docs${path}`);
  await settled();
}

world.test("the search finds a guide, a code of feeds, an operation, a problem and an event", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  await openPage(reader, "");
  await page.keyboard.press("Control+k");
  const query = page.locator("#localsearch-input");
  for (const [words, place] of [
    ["receiving webhooks", "/docs/webhooks#receiving-webhooks"],
    ["glossary", "/docs/glossary#glossary"],
    ["UNKNOWN_SKU", "/docs/acknowledgements#unknown-sku"],
    ["orderService/order/explain", "/docs/rest-operations#get-v1-orderservice-order-explain-orderid"],
    ["rate-limited", "/docs/problems#rate-limited"],
    ["order:despatched", "/docs/events#order:despatched"],
  ] as const) {
    await query.fill(words);
    await page.locator(`a.result[href="${place}"]`).waitFor();
  }
  await reader.shoot("docs-search");
  await reader.shoot("docs-search", { width: 390, height: 844 });
  await reader.check();
  await page.locator('a.result[href="/docs/events#order:despatched"]').click();
  await page.waitForURL(`${url}/docs/events#order:despatched`);
});

world.test("pages are readable in both schemes and on a phone, without an error or another origin", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  for (const [path, name] of [
    ["", "start"],
    ["/first-steps", "first-steps"],
    ["/acknowledgements", "acknowledgements"],
    ["/events", "events"],
    ["/configuration", "configuration"],
    ["/contract/rest", "contract"],
  ] as const) {
    await openPage(reader, path);
    await reader.checkBoth();
    await reader.shoot(`docs-${name}`);
    await reader.shoot(`docs-${name}`, { scheme: "dark" });
    await reader.shoot(`docs-${name}`, { width: 390, height: 844 });
    await page.setViewportSize({ width: 390, height: 844 });
    const [shown = 0, whole = 0] = await page.evaluate<number[]>(
      "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
    );
    assert.ok(whole <= shown, `${path} is ${whole - shown} pixels too wide`);
    await reader.check();
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

world.test("the commands have the addresses of the deployment and are copied by a button", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  await openPage(reader, "/first-steps");
  await page.getByText(`BASE=${url}`).waitFor();
  await page.locator("div.language-sh button.copy").first().click();
  await page.locator("div.language-sh button.copied").first().waitFor();
  await page.locator("a.pager-link.next").click();
  await page.waitForURL(`${url}/docs/sandbox`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("link", { name: "API reference" }).first().click();
  await page.waitForURL(`${url}/docs/api`);
});
