// Journey 5: a new client on Monday; and the admin's work with clients, credentials and facilities.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { until } from "../support/app/until.ts";
import { browserWorld } from "../support/browser/chromium.ts";

const world = await browserWorld();
const namesOf = async (rows: Locator) => Promise.all((await rows.all()).map((row) => row.getAttribute("data-setting")));
const shots = [{}, { scheme: "dark" }, { width: 390, height: 844 }] as const;

world.test("a client is onboarded, its credentials are shown once, and its test feed turns green", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  await admin.open("/clients");
  await admin.checkBoth();
  await admin.shoot("clients");
  await admin.shoot("clients", { scheme: "dark" });
  await admin.shoot("clients", { width: 1024, height: 768 });
  await page.getByRole("button", { name: "Add client" }).click();
  await page.getByLabel("Client identifier").fill("MONDAY");
  await page.getByLabel("Name").fill("Monday Outdoor");
  await page.getByRole("combobox", { name: "Facilities, in routing order" }).click();
  await page.getByRole("option").nth(1).click();
  await page.getByRole("option").nth(0).click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Alert e-mail").fill("ops@monday.example");
  await admin.checkBoth();
  await admin.shoot("onboarding");
  await admin.shoot("onboarding", { scheme: "dark" });
  await page.getByRole("button", { name: "Create client and show its credentials" }).click();
  await page.getByText("X-API-KEY").waitFor();
  await page.getByRole("button", { name: "Copy as .env" }).waitFor();
  await page.getByRole("button", { name: "Send a test feed" }).click();
  await page.getByText("Accepted", { exact: true }).waitFor();
  await admin.checkBoth();
  await admin.shoot("onboarded");
  await admin.shoot("onboarded", { scheme: "dark" });

  const question = page.getByRole("dialog", { name: "Leave without the credentials?" });
  for (const leave of [() => page.getByRole("link", { name: "Orders", exact: true }).click(), () => page.goBack()]) {
    await leave();
    await question.waitFor();
    await admin.checkBoth();
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    assert.match(page.url(), /\/clients\/new/);
    await page.getByText("X-API-KEY").waitFor();
  }
  await page.getByRole("button", { name: admin.user?.userName ?? "" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  assert.equal((await admin.user?.get("/session/get"))?.status, 200, "no user was signed out");
  const dialog = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const unload = await dialog;
  assert.equal(unload.type(), "beforeunload");
  await unload.dismiss();
  await page.getByText("X-API-KEY").waitFor();
  await page.getByRole("link", { name: "Open client MONDAY" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("tab", { name: /Settings/ }).click();
  const alerts = page.getByRole("textbox", { name: "Mail addresses for failing outbound feeds" });
  assert.equal(await alerts.inputValue(), "ops@monday.example");
  await admin.checkBoth();
  for (const shot of shots) await admin.shoot("client", shot);
});

world.test("errors of a new client are shown at their fields", async (open) => {
  const admin = await open("admin");
  admin.expectStatuses(409, 422);
  await admin.open("/clients/new");
  await admin.page.getByLabel("Client identifier").fill("demo");
  await admin.page.getByRole("button", { name: "Create client and show its credentials" }).click();
  await admin.page.getByText(/exists already as 'DEMO'/).waitFor();
  await admin.page.getByLabel("Client identifier").fill("NEW");
  await admin.page.getByLabel("Alert e-mail").fill("nonsense");
  await admin.page.getByRole("button", { name: "Create client and show its credentials" }).click();
  await admin.page.getByText(/expected mail addresses/).waitFor();
  await admin.checkBoth();
});

world.test("the address of a facility is one form, and its holidays are a calendar", async (open) => {
  const admin = await open("admin");
  const { page } = admin;
  await admin.open("/facilities/DC2?tab=holidays&year=2031");
  await page.getByText("No holidays in 2031.").waitFor();
  await page.getByRole("button", { name: "Add holidays" }).click();
  const adding = page.getByRole("dialog", { name: "Add holidays" });
  await adding.getByLabel("Day, or the first of several").fill("2031-12-25");
  await adding.getByLabel("Last day").fill("2031-12-26");
  await adding.getByLabel("Name").fill("Christmas");
  await adding.getByRole("button", { name: "Add holidays" }).click();
  const list = page.getByRole("list", { name: "Holidays of 2031" });
  await list.getByText("26 Dec 2031 Christmas").waitFor();
  assert.equal(await page.locator("td[data-holiday]").count(), 2);
  await admin.settled();
  await admin.checkBoth();
  await admin.shoot("holidays");
  await admin.shoot("holidays", { scheme: "dark" });
  await admin.shoot("holidays", { width: 390, height: 1200 });
  await page.getByRole("button", { name: "Remove 2031-12-26" }).click();
  await list.getByText("26 Dec 2031").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Change address" }).click();
  const address = page.getByRole("dialog", { name: "Change the address of DC2" });
  await address.getByLabel("Street and number").fill("5 Quay Street");
  await address.getByLabel("City").fill("Hamburg");
  await address.getByRole("button", { name: "Change address" }).click();
  await page.getByText("5 Quay Street").first().waitFor();
  const { body } = (await admin.user?.get("/facilityDirectory/get/DC2")) ?? {};
  const settingOf = (name: string) => body.settings.find((setting: { name: string }) => setting.name === name)?.value;
  assert.match(settingOf("holidays"), /(?:^|,)2031-12-25:Christmas$/);
  assert.equal(settingOf("city"), "Hamburg");
});

world.test("a setting is changed, a credential is rotated with overlap, and the client is suspended", async (open) => {
  const admin = await open("admin");
  const { page, user } = admin;
  const made = await user?.post("/clientDirectory/create", { clientId: "ROTATE", facilities: [] });
  assert.equal(made?.status, 201);
  await admin.open("/clients/ROTATE?tab=settings");
  const settingOf = async (name: string) => {
    const { body } = (await user?.get("/clientDirectory/get/ROTATE")) ?? {};
    return body.settings.find((setting: { name: string }) => setting.name === name);
  };
  const days = page.getByRole("textbox", { name: "Return authorisation expires after" });
  assert.equal(await days.inputValue(), "90 days");
  admin.expectStatuses(422);
  await days.fill("0");
  await days.press("Enter");
  await page.getByText("rmaDays: expected a whole number from 1 to 3650").waitFor();
  await admin.checkBoth();
  await days.fill("30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Return authorisation expires after: 30 days").waitFor();
  assert.deepEqual(await settingOf("rmaDays").then(({ value, isSet }) => [value, isSet]), ["30", true]);
  await page.getByRole("button", { name: "Reset Return authorisation expires after" }).click();
  await page.getByRole("button", { name: "Reset Return authorisation expires after" }).waitFor({ state: "detached" });
  assert.equal(await days.inputValue(), "90 days");

  const find = page.getByRole("searchbox", { name: "Find a setting" });
  await find.fill("replay");
  const rows = page.locator("[data-setting]");
  await until("one setting", async () => (await rows.count()) === 1);
  await page.getByRole("combobox", { name: "Identical document sent again" }).click();
  await page.getByRole("option", { name: "Answer with the original ACK" }).click();
  await page.getByText("Identical document sent again: Answer with the original ACK").waitFor();
  assert.equal((await settingOf("identicalResend")).value, "REPLAY");
  await find.fill("park");
  const park = page.getByRole("switch", { name: "Park documents with unknown SKUs" });
  await park.press("Space");
  const offer = page.getByRole("alert").filter({ hasText: "Park documents with unknown SKUs: On" });
  await offer.getByRole("button", { name: "Undo" }).click();
  await page.getByText("The change was taken back.").waitFor();
  assert.equal((await settingOf("parkUnknownSkus")).isSet, false);
  await find.fill("no such setting");
  await page.getByText("No setting contains “no such setting”.").waitFor();
  await admin.checkBoth();

  await page.getByRole("tab", { name: /Credentials/ }).click();
  const feeds = page.getByRole("row", { name: /Feeds \(X-API-KEY\)/ });
  await feeds.first().getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await page.getByText(/X-API-KEY +cd_sandbox_/).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await feeds.last().getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // A second credential leaves the first in place; once both are copied, the page closes without a question.
  const copies = page.getByRole("button", { name: "Copy as .env" });
  await copies.nth(1).waitFor();
  for (const index of [0, 1]) {
    // The message is visible for two seconds only: the search runs within the page, and starts before the click.
    const button = await copies.nth(index).elementHandle();
    const copied = button?.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          const look = () => (element.textContent === "Copied" ? resolve() : void setTimeout(look, 20));
          look();
        }),
    );
    await copies.nth(index).click();
    await copied;
    await page.getByRole("button", { name: "Copied" }).waitFor({ state: "detached" });
  }
  await admin.checkBoth();
  await admin.shoot("credentials");
  await admin.shoot("credentials", { scheme: "dark" });
  await feeds.last().getByRole("button", { name: "Revoke" }).click();
  await admin.shoot("credentials-revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await feeds.getByText("Revoked").waitFor();

  await page.getByRole("button", { name: "Suspend client" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend client" }).click();
  // Until the dialogue is closed, its text equals that of the button below it.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("Suspended", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resume client" }).click();
  await page.getByRole("button", { name: "Suspend client" }).waitFor();
  const { body } = await (user as NonNullable<typeof user>).get("/clientDirectory/get/ROTATE");
  assert.equal(body.status, "ACTIVE");
  await page.getByRole("navigation").getByRole("link", { name: "Clients", exact: true }).click();
  await page.getByRole("heading", { name: "Clients", level: 1 }).waitFor();
});

world.test(
  "delivery methods of outbound feeds are set, and a test feed is sent from the client's page",
  async (open) => {
    const admin = await open("admin");
    const { page } = admin;
    await admin.open("/clients/DEMO?tab=outbound");
    await page.getByRole("button", { name: "Set methods of GR" }).click();
    await page.getByRole("dialog").getByLabel("By SFTP").click();
    await page.getByRole("dialog").getByRole("button", { name: "Set methods", exact: true }).click();
    await page.getByRole("row", { name: /GR Goods receipts yes yes/ }).waitFor();
    await admin.checkBoth();
    await admin.shoot("outbound-channels");
    await admin.shoot("outbound-channels", { scheme: "dark" });
    await page.getByRole("tab", { name: "Test feed" }).click();
    await page.getByRole("button", { name: "Send a test feed" }).click();
    await page.getByText("Accepted", { exact: true }).waitFor();
  },
);

world.test(
  "a facility is added and its working days are set; carriers and warehouses get credentials",
  async (open) => {
    const admin = await open("admin");
    const { page } = admin;
    await admin.open("/facilities");
    await admin.checkBoth();
    await admin.shoot("facilities");
    await admin.shoot("facilities", { scheme: "dark" });
    await admin.shoot("facilities", { width: 1024, height: 768 });
    await page.getByRole("button", { name: "Add facility" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Code/).fill("HAM1");
    await dialog.getByLabel("Name").fill("Hamburg");
    await dialog.getByLabel("Country code").fill("DE");
    await dialog.getByLabel("Time zone").fill("Europe/Berlin");
    await dialog.getByRole("button", { name: "Add facility" }).click();
    await page.getByRole("link", { name: "HAM1" }).click();
    await page.getByLabel("Cut-off", { exact: true }).fill("16:00");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Cut-off: 16:00").waitFor();
    const days = page.getByRole("group", { name: "Operating days" });
    await days.getByText("Sa", { exact: true }).click();
    await page.getByText("Operating days: Monday to Saturday").waitFor();
    assert.deepEqual(await namesOf(page.locator("[data-setting]")), [
      ...["cutOffTime", "operatingDays", "capabilities", "status"],
    ]);
    await admin.checkBoth();
    for (const shot of shots) await admin.shoot("facility", shot);
    await page.getByRole("tab", { name: "Warehouse system" }).click();
    await page.getByRole("button", { name: "Issue credential" }).click();
    await dialog.getByRole("button", { name: "Issue credential" }).click();
    await page.getByText(/client_secret +cds_/).waitFor();
    await admin.checkBoth();
  },
);

world.test(
  "the page of a client shows its orders, feeds, receivers and stock, and leads to its lists",
  async (open) => {
    const viewer = await open("viewer");
    const { page, user } = viewer;
    // The top bar has another client.
    await viewer.open("/clients/DEMO?client=LUMEN");
    const flow = await user?.get("/overview/flow?clientId=DEMO");
    const late = page.getByRole("main").getByRole("link", { name: /^Late/ }).first();
    await late.getByText(flow?.body.late.toLocaleString("en-GB"), { exact: true }).waitFor();
    for (const title of ["Feeds received", "Orders per day", "Webhooks", "Lead time", "Stock"]) {
      await page.getByRole("region", { name: title, exact: true }).waitFor();
    }
    await viewer.settled();
    await viewer.checkBoth();
    for (const scheme of ["light", "dark"] as const) {
      await viewer.shoot("client-overview", { scheme });
      await viewer.shoot("client-overview", { scheme, width: 390, height: 844 });
    }
    await late.click();
    await page.waitForURL(/\/orders\?.*client=DEMO/);
  },
);

world.test("a viewer can change nothing", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/clients");
  assert.equal(await page.getByRole("button", { name: "Add client" }).count(), 0);
  await viewer.open("/clients/DEMO?tab=settings");
  await page.getByText("Wait until all of it is in stock").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Change|^Suspend|^Reset/ }).count(), 0);
  assert.equal(await page.locator("[data-setting] input").count(), 0);
  await viewer.checkBoth();
  for (const shot of shots) await viewer.shoot("client-settings-viewer", shot);
  await viewer.open("/clients/new");
  await page.getByText("Only an admin adds clients.").waitFor();
  await viewer.open("/facilities");
  assert.equal(await page.getByRole("button", { name: "Add facility" }).count(), 0);
  await viewer.check();
});

world.test("an admin of some clients changes the settings of the brand, and not those of the 3PL", async (open) => {
  const limited = await open("admin", { limits: { clientIds: ["DEMO"] } });
  const { page } = limited;
  await limited.open("/clients/DEMO?tab=settings");
  await page.getByRole("switch", { name: "Split orders over facilities" }).waitFor();
  const closed = page.locator("[data-setting]").filter({ hasText: "Changed by an admin without limits." });
  assert.deepEqual(await namesOf(closed), [
    ...["countTolerance", "countToleranceUnits", "rateLimit", "feedRetentionDays", "personalDataDays"],
  ]);
  assert.equal(await closed.locator("input").count(), 0);
  await limited.check();
});
