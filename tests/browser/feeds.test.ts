// Why was a document rejected, where, and how is it corrected: found by its token, read, cured, validated again.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { browserWorld } from "../support/browser/chromium.ts";
import { catalogue, order } from "../support/builders/documents.ts";

const world = await browserWorld();
const brand = await world.server.onboard("BRAND");
await brand.accept("CAT", catalogue("BRAND", ["A"]));

const pretty = (xml: string) => xml.replaceAll("><", ">\n<");

world.test(
  "a rejected document is found by its token, its faulty line is marked with the sentence beside it",
  async (open) => {
    const xml = pretty(order("BRAND", "WEB-1", [...Array.from({ length: 60 }, () => "A"), { sku: "A", qty: "abc" }]));
    const { token } = await brand.refuse("NO", xml, /^\[XSD\] Line/);
    const operator = await open("operator");
    const { page } = operator;
    await operator.open("/feeds?client=BRAND");
    await page.getByRole("region", { name: "Documents" }).getByText("XSD").first().waitFor();
    await operator.checkBoth();
    await operator.shoot("feeds");
    await operator.shoot("feeds", { scheme: "dark" });
    await operator.shoot("feeds", { width: 1024, height: 768 });
    await operator.open(`/feeds?token=${token.slice(0, 23)}`);
    const found = page.getByRole("row").filter({ has: page.getByRole("button", { name: `Copy ${token}` }) });
    await found.getByRole("link").first().click();
    const region = page.getByRole("region", { name: `Document ${token}` });
    const line = region.locator('[data-kind="error"][data-row]');
    // The line's position is known before its text is loaded.
    await line.filter({ hasText: "<qty>" }).waitFor();
    assert.match((await line.textContent()) ?? "", /<qty>abc<\/qty>/);
    await region.getByText("'abc' is not a valid decimal").waitFor();
    await region.getByText("the XSD is published at").waitFor();
    await operator.settled();
    await operator.checkBoth();
    await operator.shoot("feed");
    await operator.shoot("feed", { scheme: "dark" });
    await operator.shoot("feed", { width: 1024, height: 768 });
    // From the line to its entry in the list, and back.
    await region.getByRole("button", { name: /is not a valid decimal/ }).click();
    const entry = page.getByRole("button", { name: /^Line \d+/ });
    // Without an expression: the page's policy forbids its second evaluation.
    await page
      .locator(":focus")
      .filter({ hasText: /^Line \d+XSD/ })
      .waitFor();
    await page.evaluate("document.querySelector('section[aria-label^=Document]').scrollTo(0, 0)");
    await entry.press("Enter");
    await line.waitFor();
    await page.getByRole("tab", { name: "ACK" }).click();
    await page.getByText("<success>false</success>").waitFor();
    await operator.check();
    await page.getByRole("tab", { name: "Warnings" }).click();
    await page.getByText("No warnings").waitFor();
  },
);

world.test("its cause is cured, it is processed again, and takes effect", async (open) => {
  const xml = pretty(order("BRAND", "WEB-2", ["A", "LATE-1"]));
  const { token } = await brand.refuse("NO", xml, /UNKNOWN_SKU/);
  const operator = await open("operator");
  const { page } = operator;
  await operator.open(`/feeds/${token}`);
  const main = page.locator("main");
  await main.getByText("Rejected", { exact: true }).first().waitFor();
  await page
    .getByRole("region", { name: `Document ${token}` })
    .getByText("LATE-1")
    .first()
    .waitFor();
  const reprocess = async (message: string) => {
    await main.getByRole("button", { name: "Reprocess" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reprocess" }).click();
    // First, because the alert disappears after some seconds.
    await page.getByRole("alert").filter({ hasText: message }).first().waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };
  await reprocess("Still rejected");
  await brand.accept("CAT", catalogue("BRAND", ["LATE-1"]));
  await reprocess("The document is accepted");
  await main.getByText("Processed", { exact: true }).first().waitFor();
  await main.getByText("Reprocessed by an operator: accepted").waitFor();
  await main.getByText("order:received: WEB-2").waitFor();
  assert.equal((await brand.order("WEB-2"))?.orderId, "WEB-2");
  await operator.checkBoth();
  await operator.shoot("feed-processed");
  await operator.shoot("feed-processed", { scheme: "dark" });
});

world.test("documents that miss a SKU are parked, or processed again together", async (open) => {
  const parked = await brand.refuse("NO", order("BRAND", "WEB-3", ["LATE-2"]), /UNKNOWN_SKU/);
  for (const i of [1, 2]) await brand.refuse("NO", order("BRAND", `MANY-${i}`, ["LATE-3"]), /UNKNOWN_SKU/);
  const operator = await open("operator");
  const { page } = operator;
  await operator.open(`/feeds/${parked.token}`);
  await page.getByRole("button", { name: "Park" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Park" }).click();
  await page.locator("main").getByText("Parked", { exact: true }).first().waitFor();
  await brand.accept("CAT", catalogue("BRAND", ["LATE-3"]));
  await operator.open("/feeds?client=BRAND&objectId=MANY-");
  const table = page.getByRole("region", { name: "Documents" });
  await table.getByText("MANY-2").waitFor();
  for (const box of (await table.getByRole("checkbox").all()).slice(-2)) await box.check();
  await page.getByRole("button", { name: "Reprocess" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reprocess" }).click();
  await page.getByText("2 accepted, 0 still rejected").waitFor();
  await operator.check();
});

world.test("a large document scrolls without being read whole", async (open) => {
  const items = Array.from({ length: 20_000 }, (_, i) => `SKU-${i}`);
  items[15_000] = "bad\tsku";
  const xml = catalogue("BRAND", items);
  const { token } = await brand.refuse("CAT", xml, /^\[XSD\] Line/);
  const operator = await open("operator");
  const { page } = operator;
  await operator.open(`/feeds/${token}`);
  const region = page.getByRole("region", { name: `Document ${token}` });
  await region.locator('[data-kind="error"][data-row]').getByText("bad sku").waitFor();
  assert.ok((await region.locator("[data-row]").count()) < 150);
  await operator.check();
  await operator.shoot("feed-large");
});

world.test("the validator marks the faulty lines of the text, leads to each, and keeps nothing", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/feeds/validate?client=BRAND");
  await operator.checkBoth();
  const editor = page.getByRole("textbox", { name: "Document" });
  const lines = [...Array.from({ length: 60 }, () => "A"), "NEVER-1", "A", "NEVER-2"];
  await editor.fill(pretty(order("BRAND", "WEB-9", lines)));
  await page.getByRole("button", { name: "Validate" }).click();
  await page.getByText("Would be rejected").waitFor();
  const marks = page.locator('[data-kind="error"][data-row]');
  // Only what is visible is drawn: the editor scrolled to the first fault.
  await marks.getByText("NEVER-1").waitFor();
  const findings = page.getByRole("list", { name: "Findings in Document" });
  const second = findings.getByRole("button", { name: /NEVER-2/ }).last();
  const atCaret = (column: number) =>
    page.evaluate<string>(`(({ value, selectionStart }) =>
      value.slice(selectionStart, selectionStart + ${column}))(document.querySelector("textarea"))`);
  await second.press("Enter");
  await page.locator("textarea:focus").waitFor();
  const found = await atCaret(40);
  assert.match(found, /^<.*NEVER-2/);
  await operator.checkBoth();
  for (const shot of [{}, { scheme: "dark" }, { width: 390, height: 844 }] as const)
    await operator.shoot("validator", shot);
  const place = findings.getByText(/^Line \d+$/).last();
  const before = Number((await place.innerText()).slice(5));
  await editor.press("Control+Home");
  await editor.press("End");
  await page.keyboard.type("\n\n");
  await page.getByText("Changed since the last validation.").waitFor();
  assert.equal(await place.innerText(), `Line ${before + 2}`, "a place moves with its text");
  await second.click();
  assert.equal(await atCaret(40), found);
  await editor.fill(pretty(order("BRAND", "WEB-9", ["A"])));
  await page.getByRole("button", { name: "Validate" }).click();
  await page.getByText("Would be accepted").waitFor();
  await page.getByText("<success>true</success>").waitFor();
  assert.equal(await marks.count(), 0);
  assert.equal(await brand.order("WEB-9"), undefined);
});

world.test("of a document that is too large for the editor, only the visible lines are drawn", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/feeds/validate?client=BRAND");
  const items = Array.from({ length: 20_000 }, (_, i) => `SKU-${i}`);
  items[15_000] = "bad\tsku";
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a file" }).click();
  // By its path: playwright would decode a buffer on the main thread of the page.
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "crossdock-validator-")), "catalogue.xml");
  writeFileSync(file, catalogue("BRAND", items));
  await (await chooser).setFiles(file);
  await page.getByText("Too large to be edited here (over 512 KiB).").waitFor();
  await page.getByRole("button", { name: "Validate" }).click();
  await page.getByText("Would be rejected").waitFor();
  const region = page.getByRole("region", { name: "Document", exact: true });
  await region.locator('[data-kind="error"][data-row]').getByText("bad sku").waitFor();
  const drawn = await region.locator("[data-row]").count();
  assert.ok(drawn > 0 && drawn < 200, `${drawn} of more than 20 000 lines are drawn`);
  await operator.checkBoth();
  await operator.shoot("validator-large");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  assert.equal(await page.getByRole("textbox", { name: "Document" }).inputValue(), "");
});

world.test("the validator begins with a sample of the type, in the name of the chosen client", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/feeds/validate?client=BRAND");
  await page.getByRole("button", { name: "Insert a sample" }).click();
  await page.getByRole("button", { name: "Validate" }).and(page.locator(":enabled")).click();
  await page.getByText("NO, as a document of BRAND, about WEB-100045").waitFor();
  await operator.check();
});

world.test("an order is repeated under another number from its first document", async (open) => {
  await brand.accept("NO", pretty(order("BRAND", "WEB-AGAIN", ["A"])));
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/orders/BRAND/WEB-AGAIN");
  await page.getByRole("link", { name: "Repeat order" }).click();
  await page.getByText("A copy of order WEB-AGAIN").waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("repeat-order");
  await page.getByRole("button", { name: "Validate" }).click();
  await page.getByText("Would be accepted").waitFor();
  await page.getByRole("button", { name: "Send for BRAND" }).click();
  await page.getByRole("link", { name: "Open the document that was sent" }).waitFor();
  assert.equal((await brand.order("WEB-AGAIN-R1"))?.orderId, "WEB-AGAIN-R1");
});

world.test("a viewer sees all data of a document except its content", async (open) => {
  const { token } = await brand.refuse("NO", order("BRAND", "WEB-5", ["NEVER"]), /UNKNOWN_SKU/);
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open(`/feeds/${token}`);
  await page.getByText("is shown to operators only").waitFor();
  assert.equal(await page.getByRole("button", { name: "Reprocess" }).count(), 0);
  await viewer.checkBoth();
  await viewer.open("/feeds/validate");
  await page.getByText("Validation requires the role operator").waitFor();
  await viewer.check();
});
