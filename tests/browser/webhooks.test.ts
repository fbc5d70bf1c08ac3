// Journey 3: "the client says webhook Y never came". Subscription, delivery, the receiver's own answer, replay.
import assert from "node:assert/strict";
import { atEnd } from "../support/app/at-end.ts";
import { until } from "../support/app/until.ts";
import { browserWorld } from "../support/browser/chromium.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { tellEvents } from "../support/webhooks/webhooks.ts";

const world = await browserWorld({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.2" });
const receiver = await startReceiver();
atEnd(() => receiver.close());

world.test(
  "a delivery that the receiver refused is found with its answer, and replayed, in three clicks",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    receiver.answer = { status: 500, headers: { "content-type": "text/plain" }, body: "the shop is closed" };
    await operator.open("/webhooks/new");
    await page.getByRole("main").getByRole("combobox", { name: "Client or warehouse" }).click();
    await page.getByRole("option", { name: /^DEMO/ }).click();
    await page.getByRole("combobox", { name: "Topic" }).click();
    await page.getByRole("option", { name: "order:delivered" }).click();
    await page.getByRole("option", { name: "parcel:* (all of parcel)" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/hook`);
    await page.getByRole("textbox", { name: "Description" }).fill("Delivered orders");
    await operator.checkBoth();
    await operator.shoot("webhook-new");
    await operator.shoot("webhook-new", { scheme: "dark" });
    await page.getByRole("button", { name: "Create webhook and show its secret" }).click();
    await page.getByText(/^whsec_/).waitFor();
    await operator.check();
    await tellEvents(world.server, "DEMO", ["WEB-4711"]);
    await receiver.waitFor(3);
    await until("the delivery to have failed", async () => {
      const failed = await world.server.rows(
        "select from webhook_delivery where client_id = 'DEMO' and object_id = 'WEB-4711' and status = 'FAILED'",
      );
      return failed.length > 0;
    });

    await operator.open("/webhooks?client=DEMO");
    const row = page.getByRole("row").filter({ hasText: new URL(receiver.url).host });
    await row.waitFor();
    await operator.checkBoth();
    await operator.shoot("webhooks");
    await operator.shoot("webhooks", { scheme: "dark" });
    await operator.shoot("webhooks", { width: 1024, height: 768 });
    await row.getByRole("link").first().click();
    const delivery = page.getByRole("row").filter({ hasText: "WEB-4711" });
    await delivery.getByText("Failed").waitFor();
    await operator.checkBoth();
    await operator.shoot("webhook");
    await operator.shoot("webhook", { scheme: "dark" });
    await delivery.getByRole("link").first().click();
    await page.getByText("the shop is closed").first().waitFor();
    await operator.settled();
    await operator.checkBoth();
    await operator.shoot("delivery");
    await operator.shoot("delivery", { scheme: "dark" });
    await operator.shoot("delivery", { width: 1024, height: 768 });
    await page.getByRole("tab", { name: "Payload" }).click();
    const payload = page.getByRole("region", { name: "Payload", exact: true });
    const sent = receiver.requests.find(({ body }) => body.includes("WEB-4711"))?.body.toString() ?? "";
    assert.deepEqual(JSON.parse(await payload.innerText()), JSON.parse(sent), "the body as it was sent");
    await operator.checkBoth();
    for (const scheme of ["light", "dark"] as const) {
      await operator.shoot("delivery-payload", { scheme });
      await operator.shoot("delivery-payload", { scheme, width: 390, height: 844 });
    }
    receiver.answer = 200;
    await page.getByRole("button", { name: "Replay delivery" }).click();
    await page.getByText("Delivered", { exact: true }).first().waitFor({ timeout: 60_000 });
    assert.equal(receiver.requests.at(-1)?.headers["webhook-id"], receiver.requests[0]?.headers["webhook-id"]);
  },
);

world.test("a delivery that waits for a failing webhook shows the reason and the last success", async (open) => {
  const viewer = await open("viewer");
  const { page, user } = viewer;
  const failing = await user?.get("/webhook/list?status=FAILING&kind=WEBHOOK");
  assert.equal(failing?.status, 200);
  const [webhook] = failing.body.items as { clientId: string; webhookId: string; lastSuccessAt: string }[];
  assert.ok(webhook);
  const { clientId, webhookId } = webhook;
  const waiting = await user?.get(`/client/webhook/deliveries/${webhookId}?clientId=${clientId}&status=PENDING`);
  assert.equal(waiting?.status, 200);
  const [delivery] = waiting.body.items as { deliveryId: string }[];
  await viewer.open("/overview");
  const troubled = page.getByRole("list", { name: "Subscriptions in trouble" });
  await troubled.getByText("last delivered 1 d ago").waitFor();
  await troubled.getByRole("link").click();
  await page.getByRole("main").getByText("last delivered 1 d ago").waitFor();
  await viewer.settled();
  await viewer.check();
  await viewer.shoot("webhook-failing", { width: 1280 });
  await viewer.open(`/webhooks/deliveries/${clientId}/${delivery?.deliveryId}`);
  await page.getByRole("note").getByText("The delivery waits for a successful probe of its webhook").waitFor();
  await page.getByText("No attempt yet.").waitFor();
  await viewer.checkBoth();
  await viewer.shoot("delivery-waiting", { width: 1280 });
  await page.getByRole("link", { name: "See the failing deliveries" }).click();
  await page.waitForURL(`**/${webhookId}`);
});

world.test("a webhook is tested, paused, resumed and given another secret", async (open) => {
  const operator = await open("operator");
  const { page, user } = operator;
  receiver.answer = { status: 204 };
  const fields = { clientId: "DEMO", topicName: "*", facilityCode: "*", contentType: "application/json" };
  const made = await user?.post("/client/webhook/create?clientId=DEMO", { ...fields, url: `${receiver.url}/second` });
  assert.equal(made?.status, 201);
  await operator.open(`/webhooks/DEMO/${made?.body.webhookId}`);
  await page.getByRole("button", { name: "Send test call" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send test call" }).click();
  await page.getByText("Answered 204").waitFor();
  await operator.checkBoth();
  await operator.shoot("webhook-tested");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  // Until the dialogue is closed, its text equals that of the button below it.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "Pause webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause webhook" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("The webhook is paused in 5 seconds.").waitFor();
  await operator.checkBoth();
  await operator.shoot("webhook-pause-undo");
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resume webhook" }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Recover" }).click();
  const recover = page.getByRole("dialog", { name: "Resend the deliveries of a range of time" });
  await recover.getByLabel("To").fill("2000-01-01T00:00");
  await recover.getByRole("button", { name: "Recover" }).click();
  await recover.getByRole("alert").getByText("The end is not after the start.").waitFor();
  await operator.checkBoth();
  await operator.shoot("webhook-recover");
  await operator.shoot("webhook-recover", { width: 390, height: 844, scheme: "dark" });
  await recover.getByLabel("To").fill("");
  await recover.getByRole("button", { name: "Recover" }).click();
  await page.getByText(/deliver(y is|ies are) sent again/).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
});

world.test("a webhook is edited in place: waiting deliveries and stored headers are explained before", async (open) => {
  const operator = await open("operator");
  const { page, user } = operator;
  receiver.answer = 200;
  const fields = { clientId: "DEMO", topicName: "order:*", facilityCode: "*", contentType: "application/json" };
  const customHeaders = { "X-Hook-Key": "open sesame", "X-Old": "old" };
  const url = "http://127.0.0.1:9/moved";
  const made = await user?.post("/client/webhook/create?clientId=DEMO", { ...fields, url, customHeaders, isPaused: 1 });
  assert.equal(made?.status, 201);
  const { webhookId } = made.body;
  await operator.open(`/webhooks/DEMO/${webhookId}`);
  await page.getByRole("button", { name: "Edit webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/No delivery waits.*stays paused.*events from now on/).waitFor();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Order page of the shop");
  const headers = dialog.getByRole("textbox", { name: "Headers" });
  assert.equal(await headers.inputValue(), "X-Hook-Key: ***\nX-Old: ***");
  assert.equal(await dialog.getByRole("note").count(), 0);
  await dialog.getByRole("textbox", { name: "Content type" }).fill("application/vnd.shop+json");
  await dialog.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/edited`);
  await dialog.getByRole("note").getByText("may see").waitFor();
  await headers.fill("X-Hook-Key: ***\nnonsense");
  await dialog.getByText("“nonsense” is not a header").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Save webhook" }).isDisabled());
  await headers.fill("X-Hook-Key: ***\nX-New: new");
  const topics = dialog.getByRole("combobox", { name: "Topics" });
  await topics.press("Backspace");
  assert.ok(await dialog.getByRole("button", { name: "Save webhook" }).isDisabled(), "a webhook has a topic");
  for (const name of ["All events", "order:* (all of order)", "parcel:* (all of parcel)", "return:received"]) {
    await topics.fill(name.split(" ")[0] ?? "");
    await page.getByRole("option", { name, exact: true }).click();
  }
  await headers.focus();
  await page.getByRole("listbox").waitFor({ state: "hidden" });
  await operator.settled();
  await operator.checkBoth();
  for (const scheme of ["light", "dark"] as const) {
    await operator.shoot("webhook-edit", { scheme });
    await operator.shoot("webhook-edit", { scheme, width: 390, height: 844 });
  }
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Order page of the shop").waitFor();
  await page.getByRole("heading", { name: /order:\*, parcel:\* and 1 more → 127\.0\.0\.1/ }).waitFor();
  await page.getByText("order:*, parcel:*, return:received", { exact: true }).waitFor();
  const edited = await user?.get(`/client/webhook/get/${webhookId}?clientId=DEMO`);
  assert.deepEqual(edited?.body.customHeaders, { "X-Hook-Key": "***", "X-New": "***" });
  assert.equal(edited.body.status, "PAUSED");
  assert.deepEqual(
    [edited.body.topicName, edited.body.additionalTopicNames],
    ["order:*", ["parcel:*", "return:received"]],
  );
  await page.getByRole("button", { name: "Resume webhook" }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  await tellEvents(world.server, "DEMO", ["WEB-4712"]);
  /** The other webhooks of the client have the same receiver. */
  const pushes = () => receiver.requests.filter(({ path }) => path === "/edited");
  await until("the event to be pushed", () => pushes().length > 0);
  await page.getByRole("button", { name: "Send test call" }).click();
  const test = page.getByRole("dialog", { name: "Send test call" });
  await test.getByRole("combobox", { name: "Topic" }).click();
  await page.getByRole("option", { name: "return:received", exact: true }).click();
  const sample = test.getByRole("textbox", { name: "Sample" });
  const shows = (words: string) =>
    until(`the data has ${words}`, async () => (await sample.inputValue()).includes(words));
  await shows("rmaNumber");
  await test.getByRole("combobox", { name: "Topic" }).click();
  await page.getByRole("option", { name: "order:*", exact: true }).click();
  await test.getByRole("combobox", { name: "Data" }).click();
  await page.getByRole("option", { name: /^order:delivered for WEB-4712/ }).click();
  await shows('"status": "DELIVERED"');
  await operator.checkBoth();
  await operator.shoot("webhook-test-call");
  await operator.shoot("webhook-test-call", { width: 390, height: 844, scheme: "dark" });
  const sentNow = () => JSON.parse(String(pushes().at(-1)?.body)) as { data: Record<string, unknown> };
  await test.getByRole("button", { name: "Send test call" }).click();
  await page.getByText("Answered 200").waitFor();
  assert.equal(sentNow().data.topicName, "order:delivered", "the topic of the event");
  await page.getByRole("button", { name: "Send test call" }).click();
  await sample.fill("[1]");
  await test.getByText("This is not a JSON object.").waitFor();
  await test.getByRole("combobox", { name: "Topic" }).click();
  await page.getByRole("option", { name: "return:received", exact: true }).click();
  await shows("rmaNumber");
  await sample.fill('{"rmaNumber":"edited"}');
  await test.getByRole("button", { name: "Send test call" }).click();
  await test.waitFor({ state: "hidden" });
  assert.deepEqual(sentNow().data, { webhookId, topicName: "return:received", sample: { rmaNumber: "edited" } });
  assert.equal(pushes().at(-1)?.headers["x-hook-key"], "open sesame");
  assert.equal(pushes().at(-1)?.headers["content-type"], "application/vnd.shop+json");
  await page.getByRole("button", { name: "Pause webhook" }).click();
  await dialog.getByText("Events that occur meanwhile are skipped").waitFor();
  await operator.checkBoth();
  await operator.shoot("webhook-pause");
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();

  // Another user saves while the dialog is open.
  await page.getByRole("button", { name: "Edit webhook" }).click();
  const patch = { description: "By another user" };
  await user?.patch(`/client/webhook/patch/${webhookId}?clientId=DEMO`, patch);
  await dialog.getByRole("textbox", { name: "Description" }).fill("Mine");
  operator.expectStatuses(412);
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByText("By another user").waitFor();
  await operator.open("/webhooks?client=DEMO");
  const row = page.getByRole("row").filter({ hasText: "By another user" });
  await row.getByText("order:*, parcel:* and 1 more").waitFor();
  await row.getByTitle("order:*, parcel:*, return:received").waitFor();
  await operator.shoot("webhooks-described");
  await operator.shoot("webhooks-described", { width: 390, height: 844 });
});

world.test("undelivered events, outbound documents and mails are listed and opened", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/webhooks/undelivered");
  await operator.checkBoth();
  await operator.shoot("undelivered-receivers");
  await operator.shoot("undelivered-receivers", { width: 390, height: 844 });
  await page.getByRole("table").getByRole("link", { name: "127.0.0.1:9" }).first().click();
  await page.waitForURL(/webhookId=/);
  await page.getByRole("table").getByRole("link", { name: / for / }).first().waitFor();
  await operator.checkBoth();
  await operator.shoot("undelivered");
  await operator.shoot("undelivered", { scheme: "dark" });
  await page.getByRole("button", { name: "By receiver" }).click();
  await page.getByRole("columnheader", { name: "Given up" }).waitFor();
  await operator.open("/outbound?rows=groups");
  await operator.checkBoth();
  await operator.shoot("outbound-clients");
  await page.getByRole("table").getByRole("link", { name: "LUMEN" }).click();
  await page.waitForURL(/client=LUMEN&waiting=any/);
  await page.getByRole("table").getByRole("link", { name: "Inventory snapshot" }).first().waitFor();
  await operator.open("/outbound");
  await operator.checkBoth();
  await operator.shoot("outbound");
  await operator.shoot("outbound", { scheme: "dark" });
  await operator.shoot("outbound", { width: 1024, height: 768 });
  await page.getByRole("table").getByRole("link").first().click();
  await page.getByText("<?xml").waitFor();
  await operator.checkBoth();
  await operator.shoot("outbound-document");
  await operator.shoot("outbound-document", { scheme: "dark" });
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByText("The document is sent again.").waitFor();
  await operator.open("/mails");
  await operator.checkBoth();
  await operator.shoot("mails");
  await operator.shoot("mails", { scheme: "dark" });
});

world.test("a viewer sees webhooks and replays nothing", async (open) => {
  const viewer = await open("viewer");
  await viewer.open("/webhooks");
  assert.equal(await viewer.page.getByRole("button", { name: "Add webhook" }).count(), 0);
  await viewer.open("/outbound");
  await viewer.check();
});

world.test("an operator without limits creates the webhook of a warehouse, which receives tasks only", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/webhooks/new");
  await page.getByRole("main").getByRole("combobox", { name: "Client or warehouse" }).click();
  await page.getByRole("option", { name: /^facility DC1/ }).click();
  await page.getByRole("combobox", { name: "Topic" }).click();
  await page.getByRole("option", { name: "task:released" }).waitFor();
  assert.equal(await page.getByRole("option", { name: /^order:/ }).count(), 0);
  await page.getByRole("option", { name: "task:released" }).click();
  await page.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/tasks`);
  await operator.checkBoth();
  await operator.shoot("webhook-new-warehouse");
  await page.getByRole("button", { name: "Create webhook and show its secret" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("link", { name: "Open the webhook and send a test call" }).click();
  await page.getByRole("heading", { level: 1, name: /facility DC1/ }).waitFor();

  const limited = await open("operator", { limits: { clientIds: ["DEMO"] } });
  await limited.open("/webhooks/new");
  await limited.page.getByRole("main").getByRole("combobox", { name: "Client", exact: true }).click();
  await limited.page.getByRole("option", { name: /^DEMO/ }).waitFor();
  assert.equal(await limited.page.getByRole("option", { name: /^facility/ }).count(), 0);
});
