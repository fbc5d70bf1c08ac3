// An operator controls the simulated warehouse, and the audit log records it.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld } from "../support/browser/chromium.ts";

const world = await browserWorld({ CROSSDOCK_WAREHOUSE_SIM: "true" });
const { rows } = world.server;

const statusOf = async (orderId: string) =>
  (
    await rows<{ status: string }>(
      "select status from sales_order where client_id = 'LUMEN' and order_id = $1",
      orderId,
    )
  )[0]?.status;

world.test(
  "the pace is set, an order that was packed days ago is despatched by hand, and the audit log says who did it",
  async (open) => {
    const operator = await open("operator");
    const { page, user } = operator;
    await operator.open("/sandbox");
    await page.getByRole("heading", { name: "In progress" }).waitFor();
    await operator.checkBoth();
    await operator.shoot("sandbox");
    await operator.shoot("sandbox", { scheme: "dark" });
    await operator.shoot("sandbox", { width: 1024, height: 768 });
    await page.setViewportSize({ width: 1280, height: 800 });
    const [shown = 0, whole = 0] = await page.evaluate<number[]>(
      `[...document.querySelectorAll("section[aria-label='Objects in progress']")]
        .flatMap((box) => [box.clientWidth, box.scrollWidth])`,
    );
    assert.ok(shown > 0 && whole <= shown, "the last button of a row is seen");
    await operator.shoot("sandbox", { width: 1280 });
    await page.setViewportSize({ width: 1440, height: 900 });

    const setPace = async (word: string, speed: number) => {
      await page.getByRole("radiogroup", { name: "Pace of the simulated warehouse" }).getByText(word).click();
      await until(`the pace ${word} to be set`, async () => {
        const [row] = await rows<{ speed: string | null }>("select speed from warehouse_sim_setting");
        return row !== undefined && row.speed !== null && Number(row.speed) === speed;
      });
    };
    await setPace("10×", 10);
    await page.getByLabel("Lost parcel").selectOption({ label: "1 in 10" });
    await until("the rate to be set", async () => {
      const [row] = await rows<{ rate: string | null }>(
        "select faults->>'lostParcel' as rate from warehouse_sim_setting",
      );
      return row?.rate === "0.1";
    });

    // At that pace, the warehouse would take the second step itself four tenths of a second after the first.
    await setPace("Paused", 0);
    // The simulated warehouse has not packed it: it had this state when the demo began.
    assert.equal(await statusOf("LL-70003"), "PACKED");
    await page.getByRole("button", { name: "Step an object" }).click();
    const dialog = page.getByRole("dialog", { name: "Step an object" });
    await dialog.getByRole("combobox", { name: "Client" }).click();
    await page.getByRole("option", { name: /^LUMEN/ }).click();
    await dialog.getByRole("textbox", { name: "Object" }).fill("LL-70003");
    await dialog.getByRole("combobox", { name: "How far" }).click();
    await page.getByRole("option", { name: "Up to despatched" }).click();
    await operator.checkBoth();
    await dialog.getByRole("button", { name: "Step an object" }).click();
    await page.getByText("LL-70003: Load, Despatch.").waitFor({ timeout: 60_000 });
    assert.equal(await statusOf("LL-70003"), "DESPATCHED");

    await operator.open("/audit?objectId=LL-70003&range=30d");
    await page
      .getByRole("row")
      .filter({ hasText: `User ${user?.userName}` })
      .filter({ hasText: "step" })
      .waitFor();
    await operator.open("/audit");
    await operator.checkBoth();
    await operator.shoot("audit");
    await operator.shoot("audit", { scheme: "dark" });
    await operator.shoot("audit", { width: 1024, height: 768 });
  },
);

world.test("a viewer sees the simulated warehouse, and can change nothing", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/sandbox");
  await page.getByRole("heading", { name: "In progress" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Step an object" }).count(), 0);
  assert.ok(await page.getByLabel("Lost parcel").isDisabled());
  await viewer.checkBoth();
});

world.test("an order is created in JSON, and each fault of its body is named with its place", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  operator.expectStatuses(422);
  await operator.open("/sandbox?client=LUMEN");
  await page.getByRole("button", { name: "Create order in JSON" }).click();
  const dialog = page.getByRole("dialog");
  const body = dialog.getByRole("textbox", { name: "Body" });
  const create = () => dialog.getByRole("button", { name: "Create order in JSON" }).click();
  const template = JSON.parse(await body.inputValue());
  await operator.checkBoth();
  await operator.shoot("order-in-json");
  await body.fill("{");
  await create();
  await dialog.getByText("The text is not JSON").waitFor();
  const [line] = template.lines;
  await body.fill(JSON.stringify({ ...template, lines: [{ ...line, sku: "NO-SUCH-SKU" }] }));
  await create();
  await dialog.getByText("#/lines: The request references unknown SKUs: NO-SUCH-SKU").waitFor();
  const [item] = await rows<{ sku: string }>("select sku from item where client_id = 'LUMEN' and is_active limit 1");
  const order = { ...template, orderId: "JSON-1", lines: [{ ...line, sku: item?.sku }] };
  await body.fill(JSON.stringify(order));
  await create();
  await page.getByRole("heading", { level: 1, name: "Order JSON-1" }).waitFor();
  assert.ok(await statusOf("JSON-1"));
});
