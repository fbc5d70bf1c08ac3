// The certificate of going live on the page of a client.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";
import { catalogue } from "../support/builders/documents.ts";

const world = await browserWorld();

world.test("an operator has the cases of a client judged, and reads what is missing", async (open) => {
  const acme = await world.server.onboard("ACME");
  await acme.accept("CAT", catalogue("ACME", ["MUG"]));
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/clients/ACME?tab=going-live");
  await page.getByText("No certificate has been issued.").waitFor();
  await page.getByRole("button", { name: "Judge the cases" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Judge the cases" }).click();
  await page.getByText("ACME has open cases.").waitFor();
  await page.getByText("1 of 9 cases passed").waitFor();
  const row = (title: string) => page.getByRole("row").filter({ hasText: title });
  await row("Catalogue").getByText("Passed").waitFor();
  await row("Signature of webhooks").getByText("Not needed").waitFor();
  await row("Resend").getByText("no document came twice").waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("certificate");
  await operator.shoot("certificate", { width: 390, height: 844 });
  const viewer = await open("viewer");
  await viewer.open("/clients/ACME?tab=going-live");
  await viewer.page.getByText("1 of 9 cases passed").waitFor();
  assert.equal(await viewer.page.getByRole("button", { name: "Judge again" }).count(), 0);
});
