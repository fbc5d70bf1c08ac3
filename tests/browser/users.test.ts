// The screen Users: an admin adds a user, changes, suspends and signs one out; other roles see that they have no
// access.
import assert from "node:assert/strict";
import { atEnd } from "../support/app/at-end.ts";
import { signIn, signInAs } from "../support/app/console.ts";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { startReceiver } from "../support/http/receiver.ts";

const world = await browserWorld();
const { server } = world;

const button = ({ page }: ConsolePage, name: string) => page.getByRole("button", { name, exact: true });

/** Presses a button that opens a dialogue, fills in the dialogue, and presses the button there. */
async function answer(
  visitor: ConsolePage,
  verb: string,
  fill?: (dialogue: ReturnType<ConsolePage["page"]["locator"]>) => Promise<void>,
) {
  await button(visitor, verb).first().click();
  const dialogue = visitor.page.getByRole("dialog");
  await fill?.(dialogue);
  await dialogue.getByRole("button", { name: verb, exact: true }).click();
  await dialogue.waitFor({ state: "detached" });
}

async function passwordShown({ page }: ConsolePage, userName: string): Promise<string> {
  const box = page.getByRole("region", { name: `Password of ${userName}` });
  const [, password = ""] = /Password\s+(\S+)/.exec(await box.locator("pre").innerText()) ?? [];
  assert.match(password, /^\S{20,}$/);
  return password;
}

const shots = [{ width: 1440, height: 900 }, { width: 390, height: 844 }, { scheme: "dark" }] as const;

world.test("an admin adds a user with limits, whose password is shown once and opens the console", async (open) => {
  const admin = await open("admin");
  await admin.page.context().grantPermissions(["clipboard-write"]);
  await admin.open("/users");
  await button(admin, "Add user").click();
  const dialogue = admin.page.getByRole("dialog");
  await dialogue.getByLabel("User name").fill("nora");
  await dialogue.getByRole("combobox", { name: "Role" }).click();
  await admin.page.getByRole("option", { name: /^Viewer/ }).click();
  await dialogue.getByRole("combobox", { name: "Clients" }).click();
  await admin.page.getByRole("option", { name: /^LUMEN/ }).click();
  await admin.page.keyboard.press("Tab");
  await admin.check();
  for (const shot of shots) await admin.shoot("users-add", shot);
  await dialogue.getByRole("button", { name: "Add user" }).click();
  await dialogue.waitFor({ state: "detached" });
  const password = await passwordShown(admin, "nora");
  await admin.checkBoth();
  for (const shot of shots) await admin.shoot("users-password", shot);

  await admin.page.getByRole("link", { name: "Open user nora" }).click();
  await admin.page
    .getByRole("dialog", { name: "Leave without the credentials?" })
    .getByRole("button", { name: "Stay" })
    .click();
  await button(admin, "Copy").click();
  await admin.page.getByRole("link", { name: "Open user nora" }).click();
  const facts = admin.page.locator("dl");
  await facts.getByText("Viewer: looks").waitFor();
  assert.match(
    await facts.innerText(),
    /Clients\s+LUMEN\s+Facilities\s+all\s+Signs in by\s+a password\s+Last sign-in\s+never/,
  );
  await admin.page.getByText("The user has no session.").waitFor();
  assert.ok(!(await admin.page.locator("main").innerText()).includes(password), "it is shown once");

  const nora = await signInAs(server, "nora", password);
  const orders = await nora.get("/order/list?limit=200");
  assert.deepEqual([...new Set(orders.body.items.map(({ clientId }: { clientId: string }) => clientId))], ["LUMEN"]);
  assert.equal((await nora.get("/order/list?clientId=DEMO")).status, 403);
});

world.test("role, limits, suspension, password and sessions of a user are changed, each at once", async (open) => {
  const user = await signIn(server, "operator");
  const { userName } = user;
  await signInAs(server, userName, user.password);
  const isSignedIn = async (who = user) => (await who.get("/session/get")).status === 200;
  const admin = await open("admin");
  await admin.page.context().grantPermissions(["clipboard-write"]);
  await admin.open("/users");
  await admin.page
    .getByRole("row", { name: new RegExp(`^${userName} `) })
    .getByRole("link")
    .click();
  const sessions = admin.page.getByRole("region", { name: "Sessions" });
  const rows = () => sessions.getByText("127.0.0.1").count();
  await until("two sessions", async () => (await rows()) === 2);
  await admin.checkBoth();
  for (const shot of shots) await admin.shoot("user", shot);

  await sessions
    .getByRole("button", { name: /^Revoke the session/ })
    .first()
    .click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await until("one session", async () => (await rows()) === 1);
  await answer(admin, "Revoke all sessions");
  await admin.page.getByText("The user has no session.").waitFor();
  assert.equal(await isSignedIn(), false);

  const again = await signInAs(server, userName, user.password);
  await answer(admin, "Change role and limits", async (dialogue) => {
    await dialogue.getByRole("combobox", { name: "Role" }).click();
    await admin.page.getByRole("option", { name: /^Viewer/ }).click();
    await dialogue.getByRole("combobox", { name: "Facilities" }).click();
    await admin.page.getByRole("option", { name: /^DC1/ }).click();
    await admin.page.keyboard.press("Tab");
  });
  await admin.page.locator("dl").getByText("Viewer: looks").waitFor();
  assert.match(await admin.page.locator("dl").innerText(), /Clients\s+all\s+Facilities\s+DC1/);
  assert.equal(await isSignedIn(again), false);

  const limited = await signInAs(server, userName, user.password);
  await answer(admin, "Suspend user");
  await admin.page.locator("main").getByText("Suspended", { exact: true }).waitFor();
  assert.equal(await isSignedIn(limited), false);
  await button(admin, "Resume user").click();
  await admin.page.locator("main").getByText("Active", { exact: true }).waitFor();

  await answer(admin, "Reset password");
  const password = await passwordShown(admin, userName);
  await signInAs(server, userName, password);
  await button(admin, "Copy").click();
  await button(admin, "Copied").waitFor();
});

world.test("the last admin without limits is not demoted, and the refusal says why", async (open) => {
  const admin = await open("admin");
  const { user: account } = admin;
  assert.ok(account);
  const others: readonly { userName: string; role: string }[] = (await account.get("/user/list?limit=200")).body.items;
  for (const { userName, role } of others) {
    if (role !== "admin" || userName === account.userName) continue;
    assert.equal((await account.patch(`/user/patch/${userName}`, { role: "viewer" })).status, 200);
  }
  await admin.open(`/users/${account.userName}`);
  assert.ok(await button(admin, "Suspend user").isDisabled());
  admin.expectStatuses(409);
  await button(admin, "Change role and limits").click();
  const dialogue = admin.page.getByRole("dialog");
  await dialogue.getByRole("combobox", { name: "Role" }).click();
  await admin.page.getByRole("option", { name: /^Viewer/ }).click();
  await dialogue.getByRole("button", { name: "Change role and limits" }).click();
  await dialogue
    .getByRole("alert")
    .getByText(/last admin without limits/)
    .waitFor();
});

world.test("a user who is not an admin, or has limits, sees who manages users", async (open) => {
  for (const operator of [await open("operator"), await open("admin", { limits: { clientIds: ["DEMO"] } })]) {
    for (const path of ["/users", "/users/anyone"]) {
      await operator.open(path);
      await operator.page.getByText("Users are managed by admins without limits.").waitFor();
    }
    await operator.open("/notifications");
    await operator.page.getByText("Notifications are managed by admins without limits.").waitFor();
    await operator.checkBoth();
  }
});

world.test("an admin adds a rule with choices in words, sends a test message, and reads the answer", async (open) => {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const admin = await open("admin");
  await admin.page.context().grantPermissions(["clipboard-write"]);
  await admin.open("/notifications");
  await admin.page.getByRole("row", { name: /^What hurts/ }).waitFor();
  await button(admin, "Add rule").click();
  const dialogue = admin.page.getByRole("dialog");
  await dialogue.getByLabel("Name").fill("Night desk");
  for (const [field, option] of [
    ["Channel", "Signed webhook"],
    ["Kinds", "Low stock"],
    ["When", "Hourly digest"],
  ] as const) {
    await dialogue.getByRole("combobox", { name: field }).click();
    await admin.page.getByRole("option", { name: option }).click();
  }
  await dialogue.getByLabel("URL").fill(`${receiver.url}/night?token=hidden`);
  await admin.check();
  for (const shot of shots) await admin.shoot("notifications-add", shot);
  await dialogue.getByRole("button", { name: "Add rule" }).click();
  await dialogue.waitFor({ state: "detached" });
  const secret = admin.page.getByRole("region", { name: "Signing secret of Night desk" });
  assert.match(await secret.locator("pre").innerText(), /^whsec_/);
  await button(admin, "Copy").click();
  const row = admin.page.getByRole("row", { name: /^Night desk/ });
  assert.match(await row.innerText(), /Signed webhook[\s\S]*Low stock[\s\S]*Hourly/);
  await row.getByRole("button", { name: "Test Night desk" }).click();
  await admin.page.getByRole("dialog").getByRole("button", { name: "Test", exact: true }).click();
  await receiver.waitFor(1);
  const message = admin.page.getByRole("row", { name: /^Night desk: test message/ });
  await message.getByText("Sent", { exact: true }).waitFor({ timeout: 30_000 });
  assert.ok(!(await admin.page.locator("main").innerText()).includes("hidden"));
  await admin.checkBoth();
  for (const shot of shots) await admin.shoot("notifications", shot);
});

world.test("an exception is assigned to another user", async (open) => {
  const { userName: owner } = await signIn(server, "operator");
  const operator = await open("operator");
  await operator.open("/exceptions?rows=each&type=ORDER_HELD&sort=since");
  await operator.page
    .locator("main tbody tr")
    .first()
    .getByRole("button", { name: /is held:/ })
    .click();
  const panel = operator.page.getByRole("dialog", { name: /^Order held/ });
  await panel.getByRole("button", { name: "Assign to", exact: true }).click();
  const dialogue = operator.page.getByRole("dialog", { name: /^Assign / });
  await dialogue.getByRole("combobox", { name: "Owner" }).click();
  await operator.page.getByRole("option", { name: owner, exact: true }).click();
  await operator.check();
  await operator.shoot("exception-assign");
  await dialogue.getByRole("button", { name: "Assign to", exact: true }).click();
  await dialogue.waitFor({ state: "detached" });
  const mine = await operator.user?.get(`/exception/list?owner=${owner}`);
  assert.equal(mine?.body.items.length, 1);
  await panel.getByText(owner, { exact: true }).waitFor();
});
