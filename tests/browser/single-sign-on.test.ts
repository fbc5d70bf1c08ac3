// The sign-in screen with an identity provider, both ways in a real browser; and its users on the screen Users.
import assert from "node:assert/strict";
import { freePort } from "../support/app/free-port.ts";
import { testProvider } from "../support/app/identity-provider.ts";
import { browserWorld } from "../support/browser/chromium.ts";

const port = await freePort();
const provider = await testProvider([`http://127.0.0.1:${port}`]);
const world = await browserWorld({
  ...provider.environment,
  PORT: String(port),
  CROSSDOCK_OIDC_NAME: "Example ID",
});

world.test(
  "a user signs in by the provider, reaches the requested page, and is shown with the provider's name",
  async (open) => {
    provider.setAccount("sub-anna", { preferred_username: "anna.provider", groups: ["wms-admins"] });
    const visitor = await open(null);
    const { page } = visitor;
    visitor.expectOrigin(provider.issuer);
    visitor.expectStatuses(401);
    await visitor.open("/users");
    await page.getByRole("textbox", { name: "Password" }).waitFor();
    const way = page.getByRole("link", { name: "Sign in with Example ID" });
    await way.waitFor();
    await visitor.checkBoth();
    await visitor.shoot("sign-in-provider");
    await way.click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator("input[name=login]").fill("sub-anna");
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.waitForURL(`${world.server.url}/console/users`);
    const row = page.getByRole("row", { name: /^anna\.provider / });
    await row.getByText(new URL(provider.issuer).host).waitFor();
    await row.getByRole("link").click();
    const change = page.getByRole("button", { name: "Change role and limits" });
    await change.waitFor();
    assert.ok(await change.isDisabled());
    assert.equal(await page.getByRole("button", { name: "Reset password" }).count(), 0);
    await visitor.checkBoth();

    await page.getByRole("button", { name: "anna.provider", exact: true }).click();
    await page.getByText("Signed in as admin").waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Change password" }).count(), 0);
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    // The next user of this screen may be another person: the provider requires a new sign-in.
    await way.click();
    await page.locator("input[name=login]").waitFor();
  },
);

world.test("a failed sign-in has a message above the sign-in methods", async (open) => {
  provider.setAccount("sub-carl", { preferred_username: "carl", groups: ["canteen"] });
  const visitor = await open(null);
  const { page } = visitor;
  visitor.expectOrigin(provider.issuer);
  visitor.expectStatuses(401);
  await visitor.open("/sign-in?return=%2Forders");
  await page.getByRole("link", { name: "Sign in with Example ID" }).click();
  await page.locator("input[name=login]").fill("sub-carl");
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("alert").getByText("None of your groups at Example ID has access to this console.").waitFor();
  await visitor.checkBoth();
  await visitor.shoot("sign-in-refused");
  await visitor.open("/sign-in?refusal=unavailable");
  await page.getByRole("alert").getByText("Example ID does not answer.").waitFor();
});
