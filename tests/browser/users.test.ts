// The screen Users: an admin adds a user, changes, suspends and signs one out; other roles see that they have no
// access.
import assert from "node:assert/strict";
import { signIn, signInAs } from "../support/app/console.ts";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();
const { server } = world;

const button = ({ page }: ConsolePage, name: string) => page.getByRole("button", { name, exact: true });

/** Presses a button that opens a dialogue, fills in the dialogue, and presses the button there. */
async function answer(
  it: ConsolePage,
  verb: string,
  fill?: (dialogue: ReturnType<ConsolePage["page"]["locator"]>) => Promise<void>,
) {
  await button(it, verb).first().click();
  const dialogue = it.page.getByRole("dialog");
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
  const it = await open("admin");
  await it.page.context().grantPermissions(["clipboard-write"]);
  await it.open("/users");
  await button(it, "Add user").click();
  const dialogue = it.page.getByRole("dialog");
  await dialogue.getByLabel("User name").fill("nora");
  await dialogue.getByRole("combobox", { name: "Role" }).click();
  await it.page.getByRole("option", { name: /^Viewer/ }).click();
  await dialogue.getByRole("combobox", { name: "Clients" }).click();
  await it.page.getByRole("option", { name: /^LUMEN/ }).click();
  await it.page.keyboard.press("Tab");
  await it.check();
  for (const shot of shots) await it.shoot("users-add", shot);
  await dialogue.getByRole("button", { name: "Add user" }).click();
  await dialogue.waitFor({ state: "detached" });
  const password = await passwordShown(it, "nora");
  await it.checkBoth();
  for (const shot of shots) await it.shoot("users-password", shot);

  await it.page.getByRole("link", { name: "Open user nora" }).click();
  await it.page
    .getByRole("dialog", { name: "Leave without the credentials?" })
    .getByRole("button", { name: "Stay" })
    .click();
  await button(it, "Copy").click();
  await it.page.getByRole("link", { name: "Open user nora" }).click();
  const facts = it.page.locator("dl");
  await facts.getByText("Viewer: looks").waitFor();
  assert.match(
    await facts.innerText(),
    /Clients\s+LUMEN\s+Facilities\s+all\s+Signs in by\s+a password\s+Last sign-in\s+never/,
  );
  await it.page.getByText("The user has no session.").waitFor();
  assert.ok(!(await it.page.locator("main").innerText()).includes(password), "it is shown once");

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
  const it = await open("admin");
  await it.page.context().grantPermissions(["clipboard-write"]);
  await it.open("/users");
  await it.page
    .getByRole("row", { name: new RegExp(`^${userName} `) })
    .getByRole("link")
    .click();
  const sessions = it.page.getByRole("region", { name: "Sessions" });
  const rows = () => sessions.getByText("127.0.0.1").count();
  await until("two sessions", async () => (await rows()) === 2);
  await it.checkBoth();
  for (const shot of shots) await it.shoot("user", shot);

  await sessions
    .getByRole("button", { name: /^Revoke the session/ })
    .first()
    .click();
  await it.page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await until("one session", async () => (await rows()) === 1);
  await answer(it, "Revoke all sessions");
  await it.page.getByText("The user has no session.").waitFor();
  assert.equal(await isSignedIn(), false);

  const again = await signInAs(server, userName, user.password);
  await answer(it, "Change role and limits", async (dialogue) => {
    await dialogue.getByRole("combobox", { name: "Role" }).click();
    await it.page.getByRole("option", { name: /^Viewer/ }).click();
    await dialogue.getByRole("combobox", { name: "Facilities" }).click();
    await it.page.getByRole("option", { name: /^DC1/ }).click();
    await it.page.keyboard.press("Tab");
  });
  await it.page.locator("dl").getByText("Viewer: looks").waitFor();
  assert.match(await it.page.locator("dl").innerText(), /Clients\s+all\s+Facilities\s+DC1/);
  assert.equal(await isSignedIn(again), false);

  const limited = await signInAs(server, userName, user.password);
  await answer(it, "Suspend user");
  await it.page.locator("main").getByText("Suspended", { exact: true }).waitFor();
  assert.equal(await isSignedIn(limited), false);
  await button(it, "Resume user").click();
  await it.page.locator("main").getByText("Active", { exact: true }).waitFor();

  await answer(it, "Reset password");
  const password = await passwordShown(it, userName);
  await signInAs(server, userName, password);
  await button(it, "Copy").click();
  await button(it, "Copied").waitFor();
});

world.test("the last admin without limits is not demoted, and the refusal says why", async (open) => {
  const it = await open("admin");
  const { user: own } = it;
  assert.ok(own);
  const others: readonly { userName: string; role: string }[] = (await own.get("/user/list?limit=200")).body.items;
  for (const { userName, role } of others) {
    if (role !== "admin" || userName === own.userName) continue;
    assert.equal((await own.patch(`/user/patch/${userName}`, { role: "viewer" })).status, 200);
  }
  await it.open(`/users/${own.userName}`);
  assert.ok(await button(it, "Suspend user").isDisabled());
  it.expectStatuses(409);
  await button(it, "Change role and limits").click();
  const dialogue = it.page.getByRole("dialog");
  await dialogue.getByRole("combobox", { name: "Role" }).click();
  await it.page.getByRole("option", { name: /^Viewer/ }).click();
  await dialogue.getByRole("button", { name: "Change role and limits" }).click();
  await dialogue
    .getByRole("alert")
    .getByText(/last admin without limits/)
    .waitFor();
});

world.test("a user who is no admin, or has limits, sees who manages users", async (open) => {
  for (const it of [await open("operator"), await open("admin", { limits: { clientIds: ["DEMO"] } })]) {
    for (const path of ["/users", "/users/anyone"]) {
      await it.open(path);
      await it.page.getByText("Users are managed by admins without limits.").waitFor();
    }
    await it.checkBoth();
  }
});

world.test("an exception is assigned to another user", async (open) => {
  const { userName: owner } = await signIn(server, "operator");
  const it = await open("operator");
  await it.open("/exceptions?type=ORDER_HELD&sort=since");
  await it.page
    .locator("main tbody tr")
    .first()
    .getByRole("button", { name: /is held:/ })
    .click();
  const panel = it.page.getByRole("dialog", { name: /^Order held/ });
  await panel.getByRole("button", { name: "Assign to", exact: true }).click();
  const dialogue = it.page.getByRole("dialog", { name: /^Assign / });
  await dialogue.getByRole("combobox", { name: "Owner" }).click();
  await it.page.getByRole("option", { name: owner, exact: true }).click();
  await it.check();
  await it.shoot("exception-assign");
  await dialogue.getByRole("button", { name: "Assign to", exact: true }).click();
  await dialogue.waitFor({ state: "detached" });
  const mine = await it.user?.get(`/exception/list?owner=${owner}`);
  assert.equal(mine?.body.items.length, 1);
  await panel.getByText(owner, { exact: true }).waitFor();
});
