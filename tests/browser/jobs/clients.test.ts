// The jobs about clients, their feeds and receivers: each from the overview, in at most eight actions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dayMs } from "#/kernel/values/durations.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { until } from "../../support/app/until.ts";
import { browserWorld } from "../../support/browser/chromium.ts";
import { jobsOf } from "../../support/browser/jobs.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { tellEvents } from "../../support/webhooks/webhooks.ts";

const world = await browserWorld({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.2", CROSSDOCK_WAREHOUSE_SIM: "false" });
const { server } = world;
const job = jobsOf(world);
const brand = await server.onboard("BRAND");
await brand.accept("CAT", catalogue("BRAND", ["MUG"]));
const receiver = await startReceiver();
atEnd(() => receiver.close());

job("Correct and replay a rejected feed", "operator", async ({ page, visitor, click, fill, go, rows, read }) => {
  const wrong = order("BRAND", "WEB-7", ["MUGG"]).replaceAll("><", ">\n<");
  const { token } = await brand.refuse("NO", wrong, /UNKNOWN_SKU/);
  await go("Feeds");
  await click(page.getByRole("main").getByRole("link", { name: /^Rejected/ }), "**Rejected**");
  await click(rows("Documents").filter({ hasText: "WEB-7" }).getByRole("link").first(), "the document");
  await click(page.getByRole("link", { name: "Correct and send" }), "**Correct and send**");
  const finding = page.getByRole("list", { name: "Findings in Document" }).getByRole("button", { name: /MUGG/ });
  await finding.filter({ hasText: /^Line \d+/ }).waitFor();
  await page.locator('[data-kind="error"][data-row]').getByText("MUGG").waitFor();
  await visitor.shoot("job-correct");
  await fill(page.getByRole("textbox", { name: "Document" }), wrong.replace("MUGG", "MUG"), "the corrected text");
  await click(page.getByRole("button", { name: "Validate" }), "**Validate**");
  await page.getByText("Would be accepted").waitFor();
  for (const scheme of ["light", "dark"] as const) await visitor.shoot("job-correct-valid", { scheme });
  await visitor.shoot("job-correct-valid", { width: 390, height: 844 });
  await click(page.getByRole("button", { name: "Send for BRAND" }), "**Send for** the client");
  await page.getByText("Accepted", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Open the document that was sent" }).waitFor();
  assert.equal((await brand.order("WEB-7"))?.orderId, "WEB-7");
  const { items } = await read("/exception/list?clientId=BRAND&limit=100");
  assert.deepEqual(
    items.filter(({ objectId }: { objectId: string }) => objectId === token),
    [],
    "the rejected document is not an open problem",
  );
});

job("Add a client, and send its first order", "admin", async ({ page, visitor, click, fill, go, read }) => {
  await go("Clients");
  await click(page.getByRole("button", { name: "Add client" }), "**Add client**");
  await fill(page.getByLabel("Client identifier"), "TUESDAY", "the identifier");
  await fill(page.getByLabel("Name"), "Tuesday Tea", "the name");
  await click(
    page.getByRole("button", { name: "Create client and show its credentials" }),
    "**Create client and show its credentials**",
  );
  await page.getByText("X-API-KEY").waitFor();
  await click(page.getByRole("button", { name: "Send a test feed" }), "**Send a test feed**");
  await click(page.getByRole("button", { name: "Send a test order" }), "**Send a test order**");
  const link = page.getByRole("link", { name: /^Open order TEST-/ });
  const orderId = (await link.innerText()).replace("Open order ", "");
  for (const scheme of ["light", "dark"] as const) await visitor.shoot("job-first-order", { scheme });
  await visitor.shoot("job-first-order", { width: 390, height: 1200 });
  const { status, holds } = await until("the order to be stored", async () => {
    const answer = await visitor.user?.get(`/client/order/get/${orderId}?clientId=TUESDAY`);
    return answer?.status === 200 && answer.body;
  });
  assert.deepEqual([status, holds[0].type], ["ON_HOLD", "DO_NOT_SHIP"]);
  assert.equal((await read("/clientDirectory/get/TUESDAY")).name, "Tuesday Tea");
});

job("Add a webhook, and retry a failed delivery", "operator", async ({ page, click, choose, fill, go, rows }) => {
  receiver.answer = { status: 500, body: "the shop is closed" };
  await go("Webhooks");
  await click(page.getByRole("button", { name: "Add webhook" }), "**Add webhook**");
  await choose(page.getByRole("main").getByRole("combobox", { name: "Client" }), /^BRAND/, "the client");
  await fill(page.getByRole("textbox", { name: "Address" }), `${receiver.url}/hook`, "the address");
  await click(
    page.getByRole("button", { name: "Create webhook and show its secret" }),
    "**Create webhook and show its secret**",
  );
  await page.getByText(/^whsec_/).waitFor();
  await tellEvents(server, "BRAND", ["WEB-8"]);
  await until("the delivery to have failed", async () => {
    const found =
      "select from webhook_delivery where client_id = 'BRAND' and object_id = 'WEB-8' and status = 'FAILED'";
    return (await server.rows(found)).length > 0;
  });
  receiver.answer = 200;
  await click(page.getByRole("link", { name: "Open the webhook and send a test call" }), "**Open the webhook**");
  await click(rows("Deliveries").filter({ hasText: "WEB-8" }).getByRole("link").first(), "the failed delivery");
  await click(page.getByRole("button", { name: "Replay delivery" }), "**Replay delivery**");
  await page.getByText("Delivered", { exact: true }).first().waitFor();
  // Other events of the client may come in between.
  const sent = receiver.requests.filter(({ body }) => String(body).includes("WEB-8"));
  assert.ok(sent.length > 1);
  assert.equal(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, 1, "the same event is sent again");
});

job("Pause a failing receiver", "operator", async ({ page, click, read }) => {
  const failing = page.getByRole("list", { name: "Subscriptions in trouble" }).getByRole("listitem");
  const ofLumen = failing.filter({ hasText: "LUMEN" }).getByRole("link");
  await click(ofLumen, "the webhook below **Webhooks**");
  const [, clientId, webhookId] = /webhooks\/(\w+)\/([\w-]+)/.exec(page.url()) ?? [];
  await click(page.getByRole("button", { name: "Pause webhook" }), "**Pause webhook**");
  await click(page.getByRole("dialog").getByRole("button", { name: "Pause webhook" }), "**Pause webhook**");
  await page.getByText("Paused", { exact: true }).waitFor();
  assert.equal((await read(`/client/webhook/get/${webhookId}?clientId=${clientId}`)).status, "PAUSED");
});

job("Report the service level of a client", "viewer", async ({ page, visitor, click, go, rows, read }) => {
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * dayMs).toLocaleDateString("sv-SE", { timeZone: "Europe/London" });
  const { items } = await read(`/order/list?clientId=LUMEN&receivedFrom=${day(31)}T00:00:00Z&limit=500`);
  await until("the job of the server to have counted the demo", async () => {
    const { total } = await read(`/overview/serviceLevel?clientId=LUMEN&from=${day(31)}&to=${day(0)}`);
    return total.received === items.length;
  });
  await go("Clients");
  await click(page.getByRole("main").getByRole("link", { name: "LUMEN", exact: true }).first(), "the client");
  await click(page.getByRole("tab", { name: "Service level" }), "**Service level**");
  await rows("Service level of LUMEN by week").first().waitFor();
  const section = page.getByRole("region", { name: "Service level by week", exact: true });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    click(section.getByRole("button", { name: "Export as CSV" }), "**Export as CSV**"),
  ]);
  const [heads = [], ...lines] = readFileSync(await download.path(), "utf8")
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  const sumOf = (head: string) => lines.reduce((sum, cells) => sum + Number(cells[heads.indexOf(head)]), 0);
  const hasLeft = ({ status }: { status: string }) => /^(?:DESPATCHED|DELIVERED|RETURNED_TO_SENDER)$/.test(status);
  assert.equal(sumOf("Orders"), items.length, "all orders of the demo are younger than 30 days");
  assert.equal(
    sumOf("In time") + sumOf("Late"),
    items.filter((order: { status: string; despatchBy: string | null }) => hasLeft(order) && order.despatchBy).length,
  );
  const { items: overdue } = await read("/order/list?clientId=LUMEN&isLate=true&limit=500");
  assert.equal(sumOf("Overdue"), overdue.length);
  assert.ok(overdue.length > 3, "LUMEN has late orders");
  for (const { orderId } of overdue.slice(0, 3))
    await rows("Late orders of LUMEN").filter({ hasText: orderId }).first().waitFor();
  await visitor.shoot("job-service-level", { height: 1600 });
  await visitor.shoot("job-service-level", { height: 1600, scheme: "dark" });
  await visitor.shoot("job-service-level", { width: 390, height: 2400 });
});

job("Report the orders on time of all clients", "viewer", async ({ page, visitor, click, go, rows, read }) => {
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * dayMs).toLocaleDateString("sv-SE", { timeZone: "Europe/London" });
  const { items } = await read("/order/list?clientId=LUMEN&limit=500");
  await until("the job of the server to have counted the demo", async () => {
    const { clients } = await read(`/report/performance?from=${day(60)}&to=${day(0)}`);
    const lumen = clients.find(({ clientId }: { clientId: string }) => clientId === "LUMEN");
    return lumen?.received === items.length;
  });
  const answers = page.waitForResponse("**/report/performance?*");
  await go("Reports");
  await page.getByRole("region", { name: "By client", exact: true }).waitFor();
  await rows("Performance by client").filter({ hasText: "LUMEN" }).waitFor();
  const section = page.getByRole("region", { name: "By client", exact: true });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    click(section.getByRole("button", { name: "Export as CSV" }), "**Export as CSV**"),
  ]);
  const [heads = [], ...lines] = readFileSync(await download.path(), "utf8")
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  const { clients } = (await (await answers).json()) as { clients: readonly Row[] };
  for (const { clientId, received, inTime, late, overdue } of clients) {
    const cells = lines.find(([name]) => name === clientId) ?? assert.fail(`${clientId} is in the report`);
    const due = inTime + late + overdue;
    const share = due === 0 ? "" : `${(Math.floor((1000 * inTime) / due) / 10).toFixed(1)} %`;
    assert.equal(cells[heads.indexOf("Orders")], String(received), clientId);
    assert.equal(cells[heads.indexOf("On time")], share, clientId);
  }
  await visitor.shoot("report-performance", { height: 1600 });
  await visitor.shoot("report-performance", { height: 1600, scheme: "dark" });
  await visitor.shoot("report-performance", { width: 390, height: 2400 });
  // On paper: every row and figure, without the frame. A sheet of A4 has 595 × 842 points.
  const sheet = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  assert.match(sheet.toString("latin1"), /\/MediaBox \[0 0 84[12]\S* 59[45]\S*\]/, "landscape");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("navigation", { name: "Screens" }).isVisible(), false);
  assert.equal(await section.getByRole("button", { name: "Export as CSV" }).isVisible(), false);
  await rows("Performance by week").last().waitFor();
  await visitor.shoot("report-print", { width: 1047, height: 1400 });
  await page.emulateMedia({ media: "screen" });

  await visitor.open(`/reports?tab=activity&month=${day(0).slice(0, 7)}`);
  await page
    .getByRole("region", { name: /^Activity by client/ })
    .locator("tbody tr[aria-rowindex]")
    .first()
    .waitFor();
  await visitor.checkBoth();
  await visitor.shoot("report-activity");
  await visitor.shoot("report-activity", { width: 390, height: 1600 });
  await page.getByRole("main").getByRole("link", { name: "LUMEN", exact: true }).click();
  await page
    .getByRole("region", { name: /^Activity of LUMEN/ })
    .locator("tbody tr[aria-rowindex]")
    .first()
    .waitFor();
  await visitor.shoot("report-activity-client", { height: 1400 });
  await page.getByRole("link", { name: "Orders cancelled" }).first().click();
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  assert.match(page.url(), /client=LUMEN.*status=CANCELLED/);

  await visitor.open("/clients");
  const late = rows("Clients").filter({ hasText: "LUMEN" }).locator("a[href*='isLate=true']");
  const { items: overdue } = await read("/order/list?clientId=LUMEN&isLate=true&limit=500");
  assert.equal(await late.innerText(), String(overdue.length));
  await visitor.shoot("clients-figures");
});

interface Row {
  readonly clientId: string;
  readonly received: number;
  readonly inTime: number;
  readonly late: number;
  readonly overdue: number;
}
