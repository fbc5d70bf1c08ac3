// The documentation in the browser: search, copy buttons, navigation, phone and dark.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
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
    ["orderService/order/explain", "/docs/rest-operations#explain-order"],
    ["rate-limited", "/docs/problems#rate-limited"],
    ["order:despatched", "/docs/events#order:despatched"],
  ] as const) {
    await query.fill(words);
    await page.locator(`a.result[href="${place}"]`).waitFor();
  }
  for (const [words, first] of [
    ["cancel order", "/docs/rest-operations#cancel-order"],
    ["hold order", "/docs/rest-operations#hold-order"],
    ["get order", "/docs/rest-operations#get-order"],
    ["list orders", "/docs/rest-operations#list-orders"],
  ] as const) {
    await query.fill(words);
    await page.locator(`li:first-child > a.result[href="${first}"]`).waitFor();
  }
  await query.fill("order:despatched");
  await page.locator('a.result[href="/docs/events#order:despatched"]').waitFor();
  await reader.shoot("docs-search");
  await reader.shoot("docs-search", { width: 390, height: 844 });
  await reader.check();
  await page.locator('a.result[href="/docs/events#order:despatched"]').click();
  await page.waitForURL(`${url}/docs/events#order:despatched`);
  const outline = page.getByRole("navigation", { name: "On this page" });
  await outline.getByRole("link", { name: "order:despatched" }).waitFor();
});

world.test(
  "the API reference has no second search: its keys open the site's, whose result leads back",
  async (open) => {
    const reader = await open(null);
    const { page } = reader;
    const query = page.locator("#localsearch-input");
    for (const key of ["Control+k", "/"]) {
      await openPage(reader, "/api");
      await page.getByRole("link", { name: "Cancel order", exact: false }).first().waitFor();
      assert.equal(await page.getByRole("button", { name: /search/i }).count(), 0);
      await page.keyboard.press(key);
      await query.waitFor();
    }
    assert.equal(await query.inputValue(), "");
    await query.fill("cancel order");
    await page.locator("li:first-child > a.result").click();
    await page.waitForURL(`${url}/docs/rest-operations#cancel-order`);
    await page.getByRole("link", { name: "POST /v1/orderService/order/cancel/{orderId}", exact: true }).click();
    const place = "order/tag/order/POST/v1/orderService/order/cancel/{orderId}";
    await until("the operation to be in sight", async () => {
      const top = (await page.locator(`[id="${place}"]`).boundingBox())?.y ?? -1;
      return new URL(page.url()).pathname === "/docs/api" && top > 0 && top < 200;
    });
  },
);

world.test(
  "the pages of the program have the font of the site, and the search is in sight on a phone",
  async (open) => {
    const reader = await open(null);
    const { page } = reader;
    for (const [path, places] of [
      ["/docs/api", ["body > header", "#reference h1"]],
      ["/problems", ["header", "h1"]],
    ] as const) {
      const font = page.waitForResponse(`${url}/docs/inter.woff2`);
      await page.goto(url + path);
      assert.equal((await font).status(), 200);
      for (const place of places) {
        await page.locator(place).first().waitFor();
        const family = await page.evaluate<string>(`getComputedStyle(document.querySelector("${place}")).fontFamily`);
        assert.match(family, /^"Inter Variable"/, `${path} ${place}`);
      }
      await reader.settled();
      assert.equal(await page.evaluate("[...document.fonts].some(({ status }) => status === 'loaded')"), true, path);
      await page.setViewportSize({ width: 390, height: 844 });
      const box = await page.getByRole("link", { name: "Search", exact: true }).boundingBox();
      assert.ok(box !== null && box.x + box.width <= 390, `${path}: ${JSON.stringify(box)}`);
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  },
);

world.test("pages are readable in both schemes and on a phone, without an error or another origin", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  for (const [path, name] of [
    ["", "start"],
    ["/first-steps", "first-steps"],
    ["/acknowledgements", "acknowledgements"],
    ["/events", "events"],
    ["/warehouse", "warehouse"],
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

world.test("an unknown address keeps the menu, names the nearest page and searches for its words", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  reader.expectStatuses(404);
  await openPage(reader, "/receiving/web-hook");
  await page.getByText("The documentation has no page /docs/receiving/web-hook.").waitFor();
  assert.equal(await page.getByText("Did you mean").count(), 0);
  await page.getByRole("button", { name: "Search for “receiving web hook”" }).click();
  assert.equal(await page.locator("#localsearch-input").inputValue(), "receiving web hook");
  await page.keyboard.press("Escape");

  await openPage(reader, "/web-hooks");
  await page.getByText("Did you mean").waitFor();
  await page.getByRole("navigation", { name: "Sidebar Navigation" }).getByText("Quick start").waitFor();
  await reader.checkBoth();
  await reader.shoot("docs-absent");
  await reader.shoot("docs-absent", { scheme: "dark" });
  await reader.shoot("docs-absent", { width: 390, height: 844 });
  await page.locator(".absent-page").getByRole("link", { name: "Receiving webhooks" }).click();
  await page.waitForURL(`${url}/docs/webhooks`);
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

world.test("programs in several languages are tabs, and the choice is kept on other pages", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  const selected = async () => page.getByRole("tab", { selected: true }).innerText();
  await openPage(reader, "/sending-feeds");
  assert.equal(await selected(), "curl");
  await page.getByText("// SendOrder.java").waitFor({ state: "hidden" });
  await tab("Java").click();
  await page.getByText("// SendOrder.java").waitFor();
  await page.getByText("java SendOrder WEB-3001.xml").first().waitFor();
  await page.getByText("# send-order.sh").waitFor({ state: "hidden" });
  await reader.checkBoth();
  await reader.shoot("docs-tabs");
  await reader.shoot("docs-tabs", { scheme: "dark" });
  await reader.shoot("docs-tabs", { width: 390, height: 844 });

  await openPage(reader, "/webhooks");
  await page.getByText("// WebhookSignature.java").waitFor();
  await tab("Java").press("ArrowRight");
  assert.equal(await selected(), "C#");
  await page.getByText("// WebhookSignature.cs").waitFor();
  // This page has no program in C#.
  await openPage(reader, "/outbound");
  assert.equal(await selected(), "curl");
});

world.test(
  "a page with tabs at each step changes them together, and the chosen tab stays where it is",
  async (open) => {
    const reader = await open(null);
    const { page } = reader;
    await openPage(reader, "/quick-start");
    const steps = page.getByRole("tablist", { name: "Language" });
    assert.ok((await steps.count()) > 5);
    const watch = steps.nth(3).getByRole("tab", { name: "TypeScript" });
    await watch.scrollIntoViewIfNeeded();
    const top = async () => Math.round((await watch.boundingBox())?.y ?? -1);
    const topBefore = await top();
    await watch.click();
    await page.getByText("// watch-order.ts").waitFor();
    await until(`the tab at ${topBefore} again`, async () => Math.abs((await top()) - topBefore) <= 1);
    const selected = await page.getByRole("tab", { selected: true }).allInnerTexts();
    assert.deepEqual([...new Set(selected)], ["TypeScript"]);
    await watch.press("ArrowRight");
    await page.getByText("// WatchOrder.java").waitFor();
    await until(`the tab at ${topBefore} again`, async () => Math.abs((await top()) - topBefore) <= 1);
    await steps.first().scrollIntoViewIfNeeded();
    await reader.checkBoth();
    await reader.shoot("docs-steps");
    await reader.shoot("docs-steps", { scheme: "dark" });
    await reader.shoot("docs-steps", { width: 390, height: 844 });
  },
);

world.test("a link to a language shows it and scrolls there, whatever the reader's choice is", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  /** The tab is below the bar of the page, and its program is in sight. */
  const isReached = async (name: string) => {
    const tab = page.getByRole("tab", { name, exact: true });
    const top = (await tab.boundingBox())?.y ?? -1;
    return (await tab.getAttribute("aria-selected")) === "true" && top > 64 && top < 300;
  };
  // Opened, and then chosen in the page: an address, and links of a search result and of another page.
  await openPage(reader, "/sending-feeds#python");
  await page.getByText("# send_order.py").waitFor();
  await until("Python to be in sight", () => isReached("Python"));
  await reader.shoot("docs-language-link");
  await openPage(reader, "/sending-feeds");
  assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "curl", "a link is not a choice");
  const follow = (address: string) =>
    page.evaluate(`(() => {
      const link = Object.assign(document.createElement("a"), { href: ${JSON.stringify(address)}, textContent: "link" });
      document.querySelector(".vp-doc").append(link);
      link.click();
    })()`);
  await follow("/docs/sending-feeds#java");
  await until("Java to be in sight", () => isReached("Java"));
  await follow("/docs/webhooks#typescript");
  await page.waitForURL(`${url}/docs/webhooks#typescript`);
  await until("TypeScript to be in sight", () => isReached("TypeScript"));
  await page.goBack();
  await until("Java to be in sight again", () => isReached("Java"));
  await follow("/docs/webhooks#c");
  await until("C# to be in sight", () => isReached("C#"));
});

world.test("without script a page has the programs in all languages, with their headings", async () => {
  const html = await (await fetch(`${url}/docs/webhooks`)).text();
  for (const [heading, program] of [
    ["typescript", "verify.ts"],
    ["python", "verify.py"],
    ["java", "WebhookSignature.java"],
    ["c", "WebhookSignature.cs"],
  ] as const) {
    assert.match(html, new RegExp(`<h3 id="${heading}"`));
    assert.ok(html.includes(`${program}</span>`), program);
  }
});

world.test("a reader with a session sees the values of a client, and no secret", async (open) => {
  const demo = await world.server.onboard("READER");
  const { oauth, feed } = demo.credentials;
  const reader = await open("viewer");
  const { page } = reader;
  const code = () => page.locator(".vp-doc pre").allInnerTexts();
  await openPage(reader, "/quick-start");
  const values = page.getByRole("complementary", { name: "Values of a client" });
  await values.getByText(`You are signed in as ${reader.user?.userName}.`).waitFor();
  assert.equal(await values.getByRole("combobox").inputValue(), "DEMO");
  await values.getByRole("combobox").selectOption("READER");
  await page.locator(".vp-doc pre").getByText(oauth.client_id).waitFor();
  const [settings = ""] = (await code()).filter((text) => text.includes("KEY=cd_sandbox_…"));
  assert.match(settings, /^export CLIENT=READER$/m);
  assert.match(settings, /^export CLIENT_SECRET=cds_…$/m);
  // The client that the reader creates later on the page keeps its name.
  assert.ok((await code()).some((text) => text.includes("CLIENT=ACME")));
  await reader.checkBoth();
  await reader.shoot("docs-client-values");
  await reader.shoot("docs-client-values", { scheme: "dark" });
  await reader.shoot("docs-client-values", { width: 390, height: 844 });

  const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  const html = await page.content();
  for (const secret of [oauth.client_secret, feed.apiKey]) assert.ok(!html.includes(secret));
  for (const value of ["READER", oauth.client_id]) assert.ok(!kept.includes(value));
  await page.locator("a.pager-link.next").click();
  await page.waitForURL(`${url}/docs/first-steps`);
  await page.locator(".vp-doc pre").getByText(oauth.client_id).waitFor();
  // A page without a client's values.
  await openPage(reader, "/glossary");
  assert.equal(await values.count(), 0);
});

world.test("the examples of the API reference have the client that a reader with a session chooses", async (open) => {
  const { credentials } = await world.server.onboard("READER2");
  const reader = await open("viewer");
  const { page } = reader;
  const place = "#order/tag/order/POST/v1/orderService/order/cancel/{orderId}";
  const exampleOf = (shown: ConsolePage, client: string) =>
    shown.page
      .locator("pre", { hasText: `"clientId": "${client}", "reason": "Ordered twice"` })
      .first()
      .waitFor();
  await openPage(reader, `/api${place}`);
  await exampleOf(reader, "DEMO");
  await page.getByRole("combobox", { name: "Client" }).selectOption("READER2");
  await page.waitForURL(({ search, hash }) => search === "?client=READER2" && hash === place);
  await exampleOf(reader, "READER2");
  const keys = page.getByRole("link", { name: "Keys of READER2" });
  assert.equal(await keys.getAttribute("href"), "/console/clients/READER2");
  await reader.shoot("docs-api-client");
  await reader.shoot("docs-api-client", { scheme: "dark" });
  await reader.shoot("docs-api-client", { width: 390, height: 844 });
  assert.ok(!(await page.content()).includes(credentials.oauth.client_secret));
  const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  assert.ok(!kept.includes("READER2"));

  // Without a session the address has no effect.
  const stranger = await open(null);
  await openPage(stranger, `/api?client=READER2${place}`);
  await exampleOf(stranger, "DEMO");
  assert.equal(await stranger.page.getByRole("combobox", { name: "Client" }).count(), 0);
});

world.test("a reader without a session sees the values of the demo, and is asked for nothing", async (open) => {
  const reader = await open(null);
  const { page } = reader;
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await openPage(reader, "/first-steps");
  await page.getByText("CLIENT_ID=…").waitFor();
  assert.equal(await page.getByRole("complementary", { name: "Values of a client" }).count(), 0);
  assert.deepEqual(
    paths.filter((path) => path.startsWith("/v1/")),
    [],
  );
});
