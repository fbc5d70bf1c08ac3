// The jobs about stock and carriers: each from the overview, in at most eight actions.
import assert from "node:assert/strict";
import { browserWorld } from "../../support/browser/chromium.ts";
import { jobsOf } from "../../support/browser/jobs.ts";

const world = await browserWorld({ CROSSDOCK_WAREHOUSE_SIM: "false" });
const job = jobsOf(world);

job("Find the lots that expire in 30 days", "viewer", async ({ page, click, rows, read }) => {
  await click(
    page.getByRole("main").getByRole("link", { name: "Lots that expire in 30 days" }).first(),
    "**Lots that expire in 30 days**",
  );
  const { items } = await read("/stock/expiring?only=EXPIRING&limit=500");
  assert.ok(items.length > 0, "the demo has such lots");
  await rows("Lots that expire")
    .nth(items.length - 1)
    .waitFor();
  assert.equal(await rows("Lots that expire").count(), items.length);
  for (const { sku, daysLeft } of items) {
    assert.ok(daysLeft >= 0 && daysLeft < 30, `${sku} expires in ${daysLeft} days`);
    await rows("Lots that expire").filter({ hasText: sku }).first().waitFor();
  }
});

job("Change a carrier rule, and back-test the last month", "operator", async ({ page, click, fill, go }) => {
  await go("Carriers");
  await click(page.getByRole("tab", { name: "Rules", exact: true }), "**Rules**");
  await click(page.getByRole("button", { name: "northway-for-many-parcels" }), "the rule");
  const dialog = page.getByRole("dialog");
  await fill(dialog.getByLabel("Value").first(), "1", "the new value");
  await click(dialog.getByRole("button", { name: "Change in the draft" }), "**Change in the draft**");
  await click(page.getByRole("tab", { name: "Back-test" }), "**Back-test**");
  const [answer] = await Promise.all([
    page.waitForResponse("**/carrier/simulate?*"),
    click(page.getByRole("button", { name: "Run under the draft" }), "**Run under the draft**"),
  ]);
  const { from, to, draft } = answer.request().postDataJSON();
  assert.equal(Date.parse(to) - Date.parse(from), 30 * 86_400_000);
  const { rules } = draft as { rules: { ruleId: string; when: { all: { value: unknown }[] } }[] };
  assert.equal(rules.find(({ ruleId }) => ruleId === "northway-for-many-parcels")?.when.all[0]?.value, 1);
  const { total, currency } = await answer.json();
  assert.ok(total.decisions > 0 && total.changed > 0, JSON.stringify(total));
  const result = page.getByRole("region", { name: /^Decisions of \w+ under the draft: Last 30 days/ });
  await result.getByText(`${total.changed} would use another service`, { exact: false }).waitFor();
  await result.getByText(`${total.cost.before.toFixed(2)} before, ${total.cost.after.toFixed(2)} after`).waitFor();
  assert.match(await result.innerText(), new RegExp(`[+−]\\d+\\.\\d\\d ${currency}`));
});
