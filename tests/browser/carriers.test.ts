// Carrier data in a browser: prices, and a rule that is written, tested, back-tested, activated, and withdrawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dateIn } from "../support/app/midnight.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();

/** The query of the days up to today, as the console asks for them. */
const lastDays = (days: number) =>
  String(new URLSearchParams({ from: dateIn("Europe/London", -days), to: dateIn("Europe/London", 0) }));

async function decide({ page }: ConsolePage): Promise<string> {
  await page.getByRole("tab", { name: "Decision tester" }).click();
  // The region of the previous decision may still be shown.
  const answered = page.waitForResponse("**/carrierData/try");
  await page.getByRole("button", { name: "Decide" }).click();
  await answered;
  const decision = page.getByRole("region", { name: "Decision" });
  await decision.waitFor();
  return decision.innerText();
}

world.test("every tab shows the demo data without an accessibility violation", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/carriers?client=DEMO");
  await viewer.page
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
    ["Lanes", "carriers-lanes"],
    ["Labels", "carriers-labels"],
    ["Manifests", "carriers-manifests"],
    ["Invoiced costs", "carriers-invoiced-costs"],
    ["Label sources", "carriers-label-sources"],
    ["Versions", "carriers-versions"],
  ] as const) {
    await viewer.page.getByRole("tab", { name: tab, exact: true }).click();
    await viewer.settled();
    await viewer.checkBoth();
    await viewer.shoot(name);
    await viewer.shoot(name, { scheme: "dark" });
    await viewer.setScheme("light");
  }
  assert.equal(await viewer.page.getByRole("button", { name: "Add rule" }).count(), 0);
});

world.test("a manifest shows its parcels and what is left out; a refused one is asked for again", async (open) => {
  const parcel = { orderId: "WEB-1", olpnId: "006141410000000012", trackingNumber: "DC0123456789ABGB" };
  const [made, refused] = ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b13"] as const;
  for (const [manifestId, status, error] of [
    [made, "MADE", null],
    [refused, "FAILED", "A label has another origin."],
  ] as const) {
    // Its source is not set up, so that no worker sends it.
    await world.server.rows(
      `insert into label_manifest (client_id, manifest_id, facility_code, source_code, carrier_code, status, is_sent, tries,
          request, parcels, left_out, error, created_by, created_at, updated_at)
        values ('DEMO', $1::uuid, 'DC1', 'ELSEWHERE', 'HBP', $2, false, 1, '{}', $3::jsonb, $4::jsonb, $5, 'worker', now(), now())`,
      manifestId,
      status,
      JSON.stringify([parcel]),
      JSON.stringify([{ ...parcel, olpnId: "006141410000000029", reason: "NOT_LOADED" }]),
      error,
    );
  }
  const operator = await open("operator");
  await operator.open("/carriers?tab=manifests&client=DEMO");
  const list = operator.page.getByRole("region", { name: "Manifests" });
  await list.getByText("A label has another origin.").waitFor();
  await operator.checkBoth();
  await operator.page.getByRole("button", { name: "Make manifests" }).click();
  await operator.page.getByRole("dialog").getByLabel("Facility").waitFor();
  await operator.page.keyboard.press("Escape");
  await operator.open(`/carriers/manifests/DEMO/${made}`);
  await operator.page.getByRole("link", { name: "Download document" }).waitFor();
  await operator.page.getByRole("tab", { name: "Left out 1" }).click();
  await operator.page.getByRole("row", { name: /006141410000000029.*Not loaded/ }).waitFor();
  await operator.checkBoth();
  await operator.shoot("manifest");
  await operator.open(`/carriers/manifests/DEMO/${refused}`);
  await operator.page.getByRole("button", { name: "Ask again" }).click();
  await operator.page.getByText("The source is asked again.").waitFor();
});

world.test("the cost of a lane is found from the overview within eight actions", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/overview");
  let actions = 0;
  const click = async (target: ReturnType<typeof page.getByRole>) => {
    actions++;
    await target.click();
  };
  await click(page.getByRole("navigation").getByRole("link", { name: "Carriers" }));
  await click(page.getByRole("tab", { name: "Lanes" }));
  const lanes = page.getByRole("region", { name: "Lanes" });
  await lanes.locator("tbody tr[aria-rowindex]").first().waitFor();
  await click(page.getByRole("button", { name: /^Despatched: / }));
  await click(page.getByRole("button", { name: "Last 90 days" }));
  await page.waitForURL(/range=90d/);
  await click(lanes.getByRole("button", { name: /^Cost/ }));
  await page.waitForURL(/sort=-cost/);
  assert.ok(actions <= 8, `${actions} actions`);
  const answer = await viewer.user?.get(`/carrierLane/summary?${lastDays(90)}`);
  assert.equal(answer?.status, 200);
  const { items } = answer.body as { items: { current: { parcels: number; costs: { amount: number }[] } }[] };
  const dearest = Math.max(...items.flatMap(({ current }) => current.costs.map(({ amount }) => amount)));
  const text = dearest.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  await lanes.locator("tbody tr[aria-rowindex]").first().getByText(text, { exact: true }).waitFor();
  await page
    .getByRole("figure", { name: "Cost by lane and service" })
    .getByText(/DC1 → /)
    .first()
    .waitFor();

  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: /CSV/ }).click();
  const csv = readFileSync(await (await file).path(), "utf8");
  assert.match(csv.split(/\r?\n/)[0] ?? "", /Lane.*Service.*Cost of a parcel.*Median hours to delivery/);
  assert.ok(csv.includes(String(dearest)), csv);
  await viewer.checkBoth();
  await viewer.shoot("carriers-lanes-90d", { width: 390, height: 844 });
});

world.test("a rule is written, validated, tested, activated, and removed again", async (open) => {
  const admin = await open("admin");
  await admin.open("/carriers?tab=rules");
  await admin.page.getByRole("button", { name: "Add rule" }).click();
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Rule/ }).fill("doors-shut");
  await dialog.getByRole("button", { name: "Add comparison" }).click();
  await dialog.getByLabel("Value").fill("XX");
  await dialog.getByText("The rule is not valid").waitFor();
  await admin.checkBoth();
  await admin.shoot("carriers-rule-form");
  await dialog.getByLabel("Value").fill("GB");
  await dialog.getByLabel("Reason, in words").fill("the doors are shut");
  await dialog.getByText("The rule is not valid").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Add to the draft" }).click();
  await admin.page.getByText("Draft, not active yet").waitFor();
  await admin.checkBoth();
  await admin.shoot("carriers-draft");

  const refused = await decide(admin);
  assert.match(refused, /No carrier fits/);
  assert.match(refused, /the doors are shut \(rule doors-shut\)/);
  await admin.checkBoth();
  await admin.shoot("carriers-tester-refused");

  await admin.page.getByRole("button", { name: "Activate" }).click();
  await dialog.getByLabel("What changed").fill("Nothing leaves to GB");
  await dialog.getByRole("button", { name: "Activate" }).click();
  await admin.page.getByText("The new version is in force.").waitFor();
  await admin.page.getByText("Draft, not active yet").waitFor({ state: "detached" });

  await admin.page.getByRole("tab", { name: "Versions" }).click();
  const versions = admin.page.getByRole("region", { name: "Versions" });
  await versions.getByText("Nothing leaves to GB").waitFor();
  await versions.getByRole("button", { name: "Make it the draft" }).nth(1).click();
  await admin.page.getByText("Draft, not active yet").waitFor();
  assert.doesNotMatch(await decide(admin), /No carrier fits/);
  await admin.page.getByRole("button", { name: "Discard draft" }).click();
  assert.match(await decide(admin), /No carrier fits/);
});

world.test(
  "a service gets zones and prices in the draft, with faults at their fields, and is activated",
  async (open) => {
    const admin = await open("admin");
    const { page } = admin;
    const dialog = page.getByRole("dialog");
    const changes = page.getByRole("list", { name: "Changes of the draft" });
    await admin.open("/carriers");
    await page.getByRole("button", { name: "Add service" }).click();
    await dialog.getByLabel("Code", { exact: false }).first().fill("HB-NEW");
    await dialog.getByLabel(/^Carrier/).fill("HBP");
    await dialog.getByLabel(/^Name/).fill("Harbour new");
    await dialog.getByLabel(/^Delivers to/).fill("GB XX");
    await dialog.getByText('"XX" must be a country code of ISO 3166-1, two capitals').waitFor();
    await admin.checkBoth();
    await admin.shoot("carriers-service-form", { height: 1_300 });
    await admin.shoot("carriers-service-form", { scheme: "dark", height: 1_300 });
    await admin.shoot("carriers-service-form", { width: 390, height: 2_000 });
    await dialog.getByLabel(/^Delivers to/).fill("GB");
    await dialog.getByText('"XX" must be a country code').waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Add to the draft" }).click();
    await changes.getByText("Service HB-NEW: added").waitFor();
    await page.getByRole("button", { name: "Edit HB-NEW" }).click();
    await dialog.getByLabel(/^Up to kg/).fill("12.5");
    await dialog.getByRole("button", { name: "Change in the draft" }).click();
    await page.getByRole("region", { name: "Services of carriers" }).getByText("12.5").waitFor();

    await page.getByRole("tab", { name: "Prices" }).click();
    await page.getByRole("button", { name: "Add matrix" }).click();
    await dialog.getByRole("combobox", { name: "Service" }).click();
    await page.getByRole("option", { name: /HB-NEW/ }).click();
    await dialog.getByLabel(/^Currency/).fill("GBX");
    await dialog.getByText("must be a currency code of ISO 4217").waitFor();
    await dialog.getByLabel(/^Currency/).fill("GBP");
    await dialog.getByRole("button", { name: "Add to the draft" }).click();
    await page.getByRole("button", { name: "Add zone" }).click();
    await dialog.getByLabel(/^Zone/).fill("HOME");
    await dialog.getByLabel(/^Country/).fill("GB");
    await dialog.getByLabel(/^Postcodes/).fill("IV\nBS9..BS1");
    await dialog.getByText('"BS1" must not be before "BS9"', { exact: false }).waitFor();
    await admin.check();
    await admin.shoot("carriers-zone-form");
    await dialog.getByLabel(/^Postcodes/).fill("IV\nBS1..BS9");
    await dialog.getByText("must not be before", { exact: false }).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Add to the draft" }).click();
    await page.getByRole("region", { name: "Zones of the price matrix" }).getByText("IV, BS1–BS9").waitFor();

    await page.getByRole("button", { name: "Paste or upload" }).click();
    await dialog.getByLabel("Cells").fill("Up to kg\tHOME\n2\tcheap");
    await dialog
      .getByText('Row 2, column 2: HOME: "cheap" is not a price: write a number such as 3.10', { exact: false })
      .waitFor();
    assert.ok(await dialog.getByRole("button", { name: /in the draft/ }).isDisabled());
    await dialog.getByLabel("Cells").fill("Up to kg\tHOME\n2\t3.10\n12,5\t5.40+0.25");
    await dialog.getByRole("button", { name: "Change 2 prices in the draft" }).click();
    await page.getByRole("button", { name: /^5\.40 \+ 0\.25\/kg/ }).waitFor();

    await page.getByRole("button", { name: "Activate" }).click();
    await dialog.getByRole("button", { name: "Activate" }).click();
    await page.getByText("The new version is in force.").waitFor();
    await page.getByRole("tab", { name: "Services" }).click();
    await page.getByRole("button", { name: "Edit HB-NEW" }).click();
    await dialog.getByRole("button", { name: "Remove with its price matrix" }).click();
    await changes.getByText("Service HB-NEW: removed").waitFor();
    await changes.getByText("Price matrix of HB-NEW: removed").waitFor();
    await page.getByRole("button", { name: "Discard draft" }).click();
    await page.getByRole("button", { name: "Edit HB-NEW" }).waitFor();
  },
);

world.test(
  "a downloaded price matrix is uploaded again: equal at first, then with each change of a price",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    const dialog = page.getByRole("dialog");
    await operator.open("/carriers?tab=prices&card=HBP-48");
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const csv = readFileSync(await (await file).path(), "utf8");
    const upload = async (text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await dialog.getByRole("button", { name: "Choose a file" }).click();
      await (await chooser).setFiles({ name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    };
    await page.getByRole("button", { name: "Paste or upload" }).click();
    await upload(csv);
    await dialog.getByText("The prices are those of the draft").waitFor();
    const [heading = "", first = "", ...others] = csv.split("\r\n");
    const [weight, price = ""] = first.split(",");
    const [zone] = heading.split(",").slice(1);
    const doubled = [weight, String(Number(price) * 2), ...first.split(",").slice(2)].join(",");
    await upload([heading, doubled, ...others].join("\r\n"));
    const row = dialog.getByRole("row", { name: `${zone} ${weight} ${price} ${Number(price) * 2} +100 %` });
    await row.waitFor();
    await operator.checkBoth();
    await operator.shoot("carriers-price-import");
    await operator.shoot("carriers-price-import", { scheme: "dark" });
    await operator.shoot("carriers-price-import", { width: 390, height: 844 });
    await dialog.getByRole("button", { name: "Change 1 price in the draft" }).click();
    const change = `Price matrix of HBP-48 from 2020-01-01, ${zone} up to ${weight} kg: ${price} → ${Number(price) * 2} (+100 %)`;
    await page.getByRole("list", { name: "Changes of the draft" }).getByText(change).waitFor();
    await operator.shoot("carriers-prices-draft");
  },
);

world.test("a price is changed in its cell, and a back-test shows the difference in cost", async (open) => {
  const operator = await open("operator");
  await operator.open("/carriers?client=DEMO&tab=prices");
  await operator.page
    .getByRole("region", { name: /Prices of/ })
    .getByRole("button")
    .first()
    .click();
  const dialog = operator.page.getByRole("dialog");
  await dialog.getByLabel(/Price of a parcel/).fill("99");
  await operator.check();
  await dialog.getByRole("button", { name: "Change in the draft" }).click();
  await operator.page.getByText("Draft, not active yet").waitFor();
  await operator.page
    .getByRole("button", { name: /^99\.00/ })
    .first()
    .waitFor();
  await operator.page.getByRole("tab", { name: "Back-test" }).click();
  await operator.page.getByRole("button", { name: "Run under the draft" }).click();
  await operator.page.getByText("Decisions compared").waitFor();
  await operator.checkBoth();
  await operator.shoot("carriers-back-test-result");
  await operator.shoot("carriers-back-test-result", { scheme: "dark" });
});

world.test("the operator's draft is back-tested on a client, chosen in the tab or at the top", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/carriers?tab=prices");
  await page
    .getByRole("region", { name: /Prices of/ })
    .getByRole("button")
    .first()
    .click();
  await page
    .getByRole("dialog")
    .getByLabel(/Price of a parcel/)
    .fill("99");
  await page.getByRole("button", { name: "Change in the draft" }).click();
  await page.getByText("Draft, not active yet").waitFor();
  await page.getByRole("tab", { name: "Back-test" }).click();

  const sent = async (work: () => Promise<void>) => {
    const request = page.waitForRequest("**/carrier/simulate?*");
    await work();
    const { from, to, draft } = (await request).postDataJSON() as { from: string; to: string; draft: unknown };
    return { hours: Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000), draft: JSON.stringify(draft) };
  };
  // By keyboard: the client, a preset of the range, and the button.
  await page.getByRole("combobox", { name: "Decisions of client" }).focus();
  await page.keyboard.press("ControlOrMeta+A");
  // The whole name of the chosen client would show all clients.
  await page.keyboard.type("DEM");
  await page.getByRole("option", { name: "FJORD" }).waitFor({ state: "hidden" });
  await page.getByRole("option", { name: "DEMO" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Decided: / }).press("Enter");
  await page.getByRole("button", { name: "Last 7 days" }).press("Enter");
  const inTab = await sent(() => page.getByRole("button", { name: "Run under the draft" }).press("Enter"));
  assert.equal(inTab.hours, 7 * 24);
  assert.match(inTab.draft, /"price":99\b/);
  await page.getByRole("region", { name: "Decisions of DEMO under the draft: Last 7 days" }).waitFor();
  await page.getByText("Draft, not active yet").waitFor();

  await page.getByRole("combobox", { name: "Client", exact: true }).click();
  await page.getByRole("option", { name: /^DEMO/ }).last().click();
  await page.getByText("The draft of the operator's carrier data is kept").waitFor();
  const atTop = await sent(() => page.getByRole("button", { name: "Run under the operator's draft" }).click());
  assert.equal(atTop.draft, inTab.draft);
  await operator.checkBoth();
  await operator.shoot("carriers-operators-draft");
  await page.getByRole("button", { name: "Back to the operator's draft" }).click();
  await page.getByText("Draft, not active yet").waitFor();
});

world.test("a back-test without one comparable price names no amount", async (open) => {
  const viewer = await open("viewer");
  await viewer.page.route("**/carrier/simulate?*", async (route) => {
    const response = await route.fetch();
    const result = await response.json();
    const nothing = { compared: 0, before: 0, after: 0, difference: 0 };
    const parts = { decisions: 3, unchanged: 0, changed: 0, nobodyFits: 3, cost: nothing, days: nothing };
    await route.fulfill({ response, json: { ...result, total: parts, zones: [{ zone: null, ...parts }] } });
  });
  await viewer.open("/carriers?client=DEMO&tab=back-test");
  await viewer.page.getByRole("button", { name: /^Run under version/ }).click();
  const result = viewer.page.getByRole("region", { name: /^Decisions of DEMO under version/ });
  await result.getByText("no decision has both an old and a new price").waitFor();
  assert.doesNotMatch(await result.innerText(), /0\.00/);
});

world.test("a draft has the warnings of its services, and can be activated", async (open) => {
  const admin = await open("admin");
  const { page, user } = admin;
  const { body } = await (user as NonNullable<typeof user>).get("/carrierData/get");
  const [first, ...others] = body.data.services;
  const data = { ...body.data, services: [{ ...first, postal: true, hazmat: true }, ...others] };
  await admin.open("/carriers?tab=rules");
  await page.evaluate(`sessionStorage.setItem("crossdock carriers ", ${JSON.stringify(JSON.stringify(data))})`);
  await page.reload();
  const draft = page.getByRole("note").filter({ hasText: "Draft, not active yet" });
  await draft.getByRole("listitem").filter({ hasText: "a postal service accepts few dangerous goods" }).waitFor();
  await admin.checkBoth();
  await admin.shoot("carriers-draft-warning");
  await admin.shoot("carriers-draft-warning", { width: 390, height: 844 });
});
