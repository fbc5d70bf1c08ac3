// docs/brand-developers.md in the browser: an admin invites a developer, whose link opens an account; the console shows
// the developer only what opens, and sends no request that is refused.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";

const world = await browserWorld();
const shots = [{ width: 1440, height: 900 }, { width: 390, height: 844 }, { scheme: "dark" }] as const;
const password = "lantern-orbit-velvet-quarry";

/** The screens of the role, and pages below them. */
const screens = [
  ...["feeds", "feeds/validate", "orders", "inventory", "inventory?tab=backordered", "inventory?tab=expiry"],
  ...["inventory?tab=transfers", "inventory?tab=snapshots", "inbound", "returns", "work-orders", "webhooks"],
  ...["webhooks/new", "webhooks/undelivered", "outbound", "clients", "clients/DEMO", "clients/DEMO?tab=settings"],
  ...["clients/DEMO?tab=credentials", "clients/DEMO?tab=going-live", "clients/DEMO?tab=outbound"],
  ...["clients/DEMO/requests", "account"],
];

/** Buttons of operations that are closed to the role. */
const closed =
  /^(Change|Reset|Suspend client|Add client|Send a test|Adjust|Hold |Release|Cancel order|Reprocess|Park|Resend|Count|Import|Step |Invite|Add user)/;

world.test("an admin invites a developer, whose link opens an account with its keys and nothing else", async (open) => {
  const admin = await open("admin");
  await admin.open("/users");
  await admin.page.getByRole("button", { name: "Invite developer" }).click();
  const dialogue = admin.page.getByRole("dialog");
  await dialogue.getByRole("combobox", { name: "Client" }).click();
  await admin.page.getByRole("option", { name: /^DEMO/ }).click();
  await dialogue.getByLabel("E-mail address").fill("greta@brand.example");
  await dialogue.getByRole("button", { name: "Invite developer" }).click();
  const link = await admin.page
    .getByRole("region", { name: "Invitation of greta@brand.example" })
    .locator("pre")
    .innerText();
  await admin.page.getByText("no mail server", { exact: true }).waitFor();
  await admin.checkBoth();
  for (const shot of shots) await admin.shoot("invitation-sent", shot);

  const greta = await open(null);
  greta.expectStatuses(401);
  await greta.page.goto(link);
  await greta.page.getByText(/You are invited as a developer of .*DEMO/).waitFor();
  await greta.checkBoth();
  for (const shot of shots) await greta.shoot("invitation", shot);
  assert.equal(await greta.page.getByLabel("User name").inputValue(), "greta");
  await greta.page.getByLabel("Password", { exact: true }).fill(password);
  await greta.page.getByRole("button", { name: "Create the account" }).click();
  await greta.page.getByText("Your account is ready.").waitFor();
  await greta.page.getByLabel("Password", { exact: true }).fill(password);
  await greta.page.getByRole("button", { name: "Sign in" }).click();
  await greta.page.getByRole("heading", { name: /^Client / }).waitFor();
  const tabs = await greta.page.getByRole("tab").allInnerTexts();
  assert.deepEqual(
    tabs.map((text) => text.replace(/\s*\d*$/, "")),
    ["Settings", "Credentials", "Going live", "Outbound feeds"],
  );
  await greta.page.getByRole("tab", { name: /Credentials/ }).click();
  await greta.page.getByRole("button", { name: "Issue credential" }).click();
  await greta.page.getByRole("dialog").getByRole("button", { name: "Issue credential" }).click();
  await greta.page.getByRole("region", { name: /^New credential/ }).waitFor();
  for (const shot of shots) await greta.shoot("developer-credentials", shot);
});

world.test("the menu of a developer has only screens that open, and no button of a closed operation", async (open) => {
  const developer = await open("developer", { limits: { clientIds: ["DEMO"] } });
  await developer.open("/orders");
  await developer.settled();
  const links = developer.page.getByRole("navigation", { name: "Screens" }).getByRole("link");
  assert.deepEqual(
    (await links.allInnerTexts()).map((text) => text.split("\n")[0]),
    ["Feeds", "Orders", "Inventory", "Inbound", "Returns", "Work orders", "Webhooks", "Outbound feeds", "Clients"],
  );
  for (const path of [...screens, ...(await pagesOfObjects())]) {
    await developer.open(`/${path}`);
    await developer.settled();
    const buttons = await developer.page.locator("main").getByRole("button").allInnerTexts();
    assert.deepEqual(
      buttons.filter((text) => closed.test(text)),
      [],
      path,
    );
  }
  for (const path of ["overview", "exceptions", "carriers", "users", "audit", "sandbox", "facilities", "proposals"]) {
    await developer.open(`/${path}`);
    await developer.page.getByText("This is not open to developers of brands.").waitFor();
  }
  await developer.checkBoth();
  for (const shot of shots) await developer.shoot("developer-closed", shot);
});

/** The pages of one object of each kind of the demo. */
async function pagesOfObjects(): Promise<string[]> {
  const rows = await world.server.rows<{ path: string }>(
    `(select 'orders/DEMO/' || order_id as path from sales_order where client_id = 'DEMO' order by order_id limit 1)
     union all (select 'inventory/DEMO/' || sku from item where client_id = 'DEMO' order by sku limit 1)
     union all (select 'orders/parcels/DEMO/' || olpn_id from parcel where client_id = 'DEMO' order by olpn_id limit 1)
     union all (select 'webhooks/DEMO/' || webhook_id from webhook where client_id = 'DEMO' order by webhook_id limit 1)
     union all (select 'feeds/' || token from feed_document where client_id = 'DEMO' order by token limit 1)`,
  );
  assert.ok(rows.length >= 3, JSON.stringify(rows));
  return rows.map(({ path }) => path);
}
