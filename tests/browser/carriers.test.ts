// Carrier data in a browser: prices, a rule that is written, tested, back-tested, activated, and taken back.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser.ts";

const world = await browserWorld();

async function decide({ page }: ConsolePage): Promise<string> {
  await page.getByRole("tab", { name: "Decision tester" }).click();
  // Of what was decided before, the region may still be there.
  const answered = page.waitForResponse("**/carrierData/try");
  await page.getByRole("button", { name: "Decide" }).click();
  await answered;
  const decision = page.getByRole("region", { name: "Decision" });
  await decision.waitFor();
  return decision.innerText();
}

world.test("every tab shows what the demo has, and axe finds nothing", async (open) => {
  const it = await open("viewer");
  await it.open("/carriers?client=DEMO");
  await it.page
    .getByRole("region", { name: "Services of carriers" })
    .locator("tbody tr[aria-rowindex]")
    .nth(2)
    .waitFor();
  for (const [tab, name] of [
    ["Services", "carriers"],
    ["Prices", "carriers-prices"],
    ["Rules", "carriers-rules"],
    ["Decision tester", "carriers-tester"],
    ["Back-test", "carriers-back-test"],
    ["Decisions", "carriers-decisions"],
    ["Versions", "carriers-versions"],
  ] as const) {
    await it.page.getByRole("tab", { name: tab, exact: true }).click();
    await it.settled();
    await it.checkBoth();
    await it.shoot(name);
    await it.shoot(name, { scheme: "dark" });
    await it.setScheme("light");
  }
  assert.equal(await it.page.getByRole("button", { name: "Add rule" }).count(), 0);
});

world.test("a rule is written, judged, tried out, activated, and given up again", async (open) => {
  const it = await open("admin");
  await it.open("/carriers?tab=rules");
  await it.page.getByRole("button", { name: "Add rule" }).click();
  const dialog = it.page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Rule/ }).fill("doors-shut");
  await dialog.getByRole("button", { name: "Add comparison" }).click();
  await dialog.getByLabel("Value").fill("XX");
  await dialog.getByText("It cannot hold like this").waitFor();
  await it.checkBoth();
  await it.shoot("carriers-rule-form");
  await dialog.getByLabel("Value").fill("GB");
  await dialog.getByLabel("Why, in words").fill("the doors are shut");
  await dialog.getByText("It cannot hold like this").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Add to the draft" }).click();
  await it.page.getByText("A draft that may hold").waitFor();
  await it.checkBoth();
  await it.shoot("carriers-draft");

  const refused = await decide(it);
  assert.match(refused, /No carrier takes it/);
  assert.match(refused, /the doors are shut \(rule doors-shut\)/);
  await it.checkBoth();
  await it.shoot("carriers-tester-refused");

  await it.page.getByRole("button", { name: "Activate" }).click();
  await dialog.getByLabel("What changed").fill("Nothing leaves to GB");
  await dialog.getByRole("button", { name: "Activate" }).click();
  await it.page.getByText("The new version holds.").waitFor();
  await it.page.getByText("A draft that may hold").waitFor({ state: "detached" });

  await it.page.getByRole("tab", { name: "Versions" }).click();
  const versions = it.page.getByRole("region", { name: "Versions" });
  await versions.getByText("Nothing leaves to GB").waitFor();
  await versions.getByRole("button", { name: "Make it the draft" }).nth(1).click();
  await it.page.getByText("A draft that may hold").waitFor();
  assert.doesNotMatch(await decide(it), /No carrier takes it/);
  await it.page.getByRole("button", { name: "Discard draft" }).click();
  assert.match(await decide(it), /No carrier takes it/);
});

world.test("a price is changed in its cell, and a back-test says what that would have cost", async (open) => {
  const it = await open("operator");
  await it.open("/carriers?client=DEMO&tab=prices");
  await it.page
    .getByRole("region", { name: /Prices of/ })
    .getByRole("button")
    .first()
    .click();
  const dialog = it.page.getByRole("dialog");
  await dialog.getByLabel(/Price of a parcel/).fill("99");
  await it.check();
  await dialog.getByRole("button", { name: "Change in the draft" }).click();
  await it.page.getByText("A draft that may hold").waitFor();
  await it.page
    .getByRole("button", { name: /^99\.00/ })
    .first()
    .waitFor();
  await it.page.getByRole("tab", { name: "Back-test" }).click();
  await it.page.getByRole("button", { name: "Run under the draft" }).click();
  await it.page.getByText("Decisions compared").waitFor();
  await it.checkBoth();
  await it.shoot("carriers-back-test-result");
  await it.shoot("carriers-back-test-result", { scheme: "dark" });
});
