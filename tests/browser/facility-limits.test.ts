// A user who is limited to facilities, on every screen: the console sends no request that is refused, closed screens
// say why, and refused operations have no button.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserWorld } from "../support/browser/chromium.ts";

const world = await browserWorld();

const screens = [
  ...["overview", "exceptions", "orders", "inventory", "inbound", "returns", "work-orders", "carriers", "webhooks"],
  ...[
    "webhooks/undelivered",
    "outbound",
    "clients",
    "facilities",
    "facilities/DC1",
    "users",
    "sandbox",
    "carriers?client=DEMO",
  ],
];

/** The message that each screen shows instead of its data. */
const closed = {
  feeds: /Documents that clients send concern all facilities of a client, and you are limited to DC1\./,
  proposals: /Proposals of agents concern all facilities of a client, and you are limited to DC1\./,
  mails: /Mails about failures concern all facilities of a client, and you are limited to DC1\./,
  audit: /Entries of the audit log concern all facilities of a client, and you are limited to DC1\./,
  "clients/DEMO": /Settings, credentials and delivery methods concern all facilities of a client/,
  "clients/DEMO/requests": /Requests concern all facilities of a client, and you are limited to DC1\./,
  "clients/new": /Settings, credentials and delivery methods concern all facilities of a client/,
  "webhooks/new": /A webhook's settings and what its receiver answered concern all facilities/,
} as const;

/** These operations are closed for every role. */
const forbidden = [
  ...["Add webhook", "Add client", "Add facility", "Add user", "Issue credential", "Issue carrier credential"],
  ...["Step DC1", "Change settings", "Replay"],
];

world.test(
  "an admin limited to a facility meets no refusal on any screen, and no button of what is closed",
  async (open) => {
    const admin = await open("admin", { limits: { facilityCodes: ["DC1"] } });
    for (const path of screens) {
      await admin.open(`/${path}`);
      await admin.settled();
      const buttons = await admin.page.locator("main").getByRole("button").allInnerTexts();
      assert.deepEqual(
        buttons.filter((text) => forbidden.includes(text)),
        [],
        path,
      );
      assert.equal(
        await admin.page
          .locator("main")
          .getByText(/limited to facilities, and this operation/)
          .count(),
        0,
        path,
      );
      await admin.check();
    }
    await admin.open("/overview");
    await admin.page.getByText("Orders to leave").waitFor();
    assert.equal(await admin.page.getByText("Feeds received").count(), 0);
    assert.equal(await admin.page.getByText("Rejected feeds").count(), 0);
  },
);

world.test("the navigation, the search and the shortcuts offer no screen that facility limits close", async (open) => {
  const hidden = ["Proposals", "Feeds", "Mails", "Users", "Notifications", "Audit"];
  const offered = async (page: Page) =>
    (await page.getByRole("navigation", { name: "Screens" }).getByRole("link").allInnerTexts()).map(
      (text) => text.split("\n")[0],
    );
  const admin = await open("admin");
  await admin.open("/overview");
  const all = await offered(admin.page);
  for (const label of hidden) assert.ok(all.includes(label), label);
  const limited = await open("admin", { limits: { facilityCodes: ["DC1"] } });
  await limited.open("/overview");
  assert.deepEqual(
    await offered(limited.page),
    all.filter((label) => label !== undefined && !hidden.includes(label)),
  );
  await limited.page.keyboard.press("g");
  await limited.page.keyboard.press("a");
  await limited.page.keyboard.press("?");
  const shortcuts = limited.page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await shortcuts.getByText("Overview", { exact: true }).waitFor();
  for (const label of hidden) assert.equal(await shortcuts.getByText(label, { exact: true }).count(), 0, label);
  assert.match(limited.page.url(), /\/overview/);
});

world.test("a screen that facility limits close states the limits", async (open) => {
  const operator = await open("operator", { limits: { facilityCodes: ["DC1"] } });
  for (const [path, words] of Object.entries(closed)) {
    await operator.open(`/${path}`);
    await operator.page.locator("main").getByText(words).waitFor();
    await operator.check();
  }
  await operator.open("/carriers?client=DEMO");
  await operator.page.getByText("Carrier data concern all facilities, and you are limited to DC1.").waitFor();
  await operator.checkBoth();
});

world.test("an admin without limits sees refused sign-ins, of all and of one user", async (open) => {
  const refuse = (userName: string) =>
    fetch(`${world.server.url}/v1/operatorService/session/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ userName, password: "not the password" }),
    });
  const admin = await open("admin");
  const userName = admin.user?.userName ?? "";
  for (let i = 0; i < 3; i++) assert.equal((await refuse(userName)).status, 401);
  assert.equal((await refuse("no user of this name")).status, 401);
  await admin.open("/users");
  const list = admin.page.getByRole("region", { name: "Refused sign-ins" }).first();
  await list.getByText("unknown names").waitFor();
  await list.getByText("wrong name or password").first().waitFor();
  await admin.checkBoth();
  await admin.open(`/users/${userName}?tab=refusals`);
  await admin.page.getByText("wrong name or password").waitFor();
  assert.equal(await admin.page.getByText("unknown names").count(), 0);
  await admin.check();
});
