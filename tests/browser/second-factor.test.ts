// Second factors in a real Chromium, passkeys by its virtual authenticator.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { Authenticator, makeMember, nextStep } from "../support/builders/second-factor.ts";

const world = await browserWorld({ CROSSDOCK_SECOND_FACTOR: "admin" });
const { server } = world;
// WebAuthn requires a host name: the console is opened at localhost.
const options = { origin: `http://localhost:${new URL(server.url).port}` };

async function typePassword(
  page: Page,
  { userName, password }: { readonly userName: string; readonly password: string },
) {
  await page.getByRole("textbox", { name: "User name" }).fill(userName);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The authenticator app that scans the displayed secret. */
async function appOf(page: Page): Promise<Authenticator> {
  const secret = await page.locator("code").innerText();
  return new Authenticator(secret.replace(/\s/g, ""));
}

async function signOut(page: Page, userName: string) {
  await page.getByRole("button", { name: userName, exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("textbox", { name: "Password" }).waitFor();
}

/** A platform authenticator that needs no confirmation by the user. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Checks the page in both schemes, wide and on a phone. */
async function checkAll(visitor: ConsolePage, name: string) {
  await visitor.checkBoth();
  await visitor.shoot(name);
  await visitor.shoot(name, { scheme: "dark" });
  const wide = visitor.page.viewportSize();
  await visitor.page.setViewportSize({ width: 390, height: 844 });
  await visitor.checkBoth();
  assert.ok(
    await visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
    "nothing is cut off at the side",
  );
  await visitor.shoot(name, { width: 390, height: 844 });
  if (wide) await visitor.page.setViewportSize(wide);
}

world.test(
  "a role that takes a second factor is led to its set-up, with recovery codes, and signs in by it",
  async (open) => {
    const member = await makeMember(server, "boss", "admin");
    const visitor = await open(null, options);
    const { page } = visitor;
    visitor.expectStatuses(401, 422);
    await visitor.open("/sign-in?return=%2Forders");
    await typePassword(page, member);
    await page.getByText("Your role requires a second factor.").waitFor();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    await checkAll(visitor, "second-factor-set-up");
    const app = await appOf(page);
    const code = page.getByRole("textbox", { name: "Code from the app" });
    await code.fill(app.wrongCode());
    await page.getByRole("button", { name: "Enrol the app" }).click();
    await page.getByRole("alert").getByText("The code is not the current code").waitFor();
    await code.fill(app.code());
    await page.getByRole("button", { name: "Enrol the app" }).click();
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await codes.first().waitFor();
    assert.equal(await codes.count(), 10);
    const recoveryCode = await codes.first().innerText();
    await checkAll(visitor, "second-factor-codes");
    const goOn = page.getByRole("button", { name: "Go on" });
    assert.ok(await goOn.isDisabled());
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "crossdock-recovery-codes.txt");
    await goOn.click();
    await page.waitForURL(/\/console\/orders/);

    await signOut(page, "boss");
    await typePassword(page, member);
    await page.getByRole("textbox", { name: "Code of the authenticator app" }).fill(app.code(1));
    await checkAll(visitor, "second-factor-code");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/\/console\/overview/);

    await signOut(page, "boss");
    await typePassword(page, member);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByRole("textbox", { name: "Recovery code" }).fill(recoveryCode);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/\/console\/overview/);
    await page.getByRole("button", { name: "boss", exact: true }).click();
    await page.getByRole("menuitem", { name: "Second factor" }).click();
    await page.getByText("9 of 10 are left.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Remove Authenticator app" }).isDisabled());
  },
);

world.test("a passkey is added, renamed, signs in, proves who it is, and is removed", async (open) => {
  const member = await makeMember(server, "keyed");
  const visitor = await open(null, options);
  const { page } = visitor;
  visitor.expectStatuses(401, 403);
  await addAuthenticator(page);
  await visitor.open("/sign-in?return=%2Faccount");
  await typePassword(page, member);
  await page.getByRole("heading", { level: 1, name: "Second factor" }).waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("textbox", { name: "Name of the passkey" }).fill("My device");
  await visitor.checkBoth();
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByRole("button", { name: "Rename My device" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("This laptop");
  await page.getByRole("button", { name: "Rename", exact: true }).last().click();
  await page.getByRole("button", { name: "Remove This laptop" }).waitFor();
  await checkAll(visitor, "second-factor-account");

  await signOut(page, "keyed");
  await typePassword(page, member);
  await page.getByText("Your browser asks for the passkey.").waitFor();
  await checkAll(visitor, "second-factor-passkey");
  await page.getByRole("button", { name: "Use passkey" }).click();
  await page.waitForURL(/\/console\/overview/);

  await server.rows(
    "update console_session set authenticated_at = now() - interval '1 hour' where user_name = 'keyed'",
  );
  await visitor.open("/account");
  await page.getByRole("region", { name: "Confirm your identity" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Remove This laptop" }).isDisabled());
  await checkAll(visitor, "second-factor-prove");
  await page.getByRole("button", { name: "Use passkey" }).click();
  await page.getByRole("region", { name: "Confirm your identity" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove This laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  // The page has two such lists, and the other one is already empty.
  await until("the passkey to be removed", async () => {
    const rows = await server.rows("select 1 from console_factor where user_name = 'keyed' limit 1");
    return rows.length === 0;
  });
});

world.test("an admin resets the second factor of a user", async (open) => {
  const member = await makeMember(server, "lost");
  const visitor = await open(null, options);
  visitor.expectStatuses(401);
  await visitor.open("/sign-in?return=%2Faccount");
  await typePassword(visitor.page, member);
  await visitor.page.getByRole("button", { name: "Set up an app" }).click();
  const app = await appOf(visitor.page);
  await visitor.page.getByRole("textbox", { name: "Code from the app" }).fill(app.code());
  await visitor.page.getByRole("button", { name: "Enrol the app" }).click();
  await visitor.page.getByRole("list", { name: "Recovery codes" }).waitFor();
  await nextStep(server, member);

  const boss = await makeMember(server, "second-boss", "admin");
  const guest = await open(null, options);
  const { page } = guest;
  guest.expectStatuses(401);
  await guest.open("/sign-in?return=%2Fusers%2Flost");
  await typePassword(page, boss);
  const theirs = await appOf(page);
  await page.getByRole("textbox", { name: "Code from the app" }).fill(theirs.code());
  await page.getByRole("button", { name: "Enrol the app" }).click();
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Reset second factor" }).click();
  await guest.checkBoth();
  await page.getByRole("dialog").getByRole("button", { name: "Reset second factor" }).click();
  await page.getByText("User lost no longer has a second factor.").waitFor();
  const [row] = await server.rows("select 1 from console_factor where user_name = 'lost' limit 1");
  assert.equal(row, undefined);
});
