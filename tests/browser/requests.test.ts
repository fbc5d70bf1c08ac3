// "Why did my call fail at 14:02?": from the page of the client to the request, its problem and its remedy.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld } from "../support/browser/chromium.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();

world.test("an operator finds a failed call of a client, its problem, its body and its document", async (open) => {
  const acme = await world.server.onboard("ACME", { settings: { requestLogBodies: "true" } });
  await acme.accept("CAT", catalogue("ACME", ["MUG"]));
  const rejected = await acme.send("NO", order("ACME", "O-1", [{ sku: "NEVER" }]));
  const { client_id, client_secret } = acme.credentials.oauth;
  const token = await fetch(`${world.server.url}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const failed = await fetch(`${world.server.url}/v1/orderService/order/cancel/O-404`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: '{"reason":7}',
  });
  assert.equal(failed.status, 400);
  const failedToken = failed.headers.get("x-correlation-token") ?? "";
  const operator = await open("operator");
  const { page } = operator;
  await until("the request in the log", async () => {
    const answer = await operator.user?.get(`/request/list?clientId=ACME&token=${failedToken}`);
    return answer?.body.items.length === 1;
  });

  await operator.open("/clients/ACME");
  await page.getByRole("main").getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Requests of ACME" }).waitFor();
  await page.getByRole("link", { name: "POST /v1/orderService/order/cancel/O-404" }).waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("requests");
  await operator.shoot("requests", { width: 390, height: 844 });
  await operator.shoot("requests", { scheme: "dark" });
  await operator.open("/clients/ACME/requests?result=failed");
  const rows = page.locator("main tbody").getByRole("link");
  await page.getByRole("link", { name: "POST /feeds/ACME/NO" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "POST /feeds/ACME/CAT" }).count(), 0);
  assert.ok((await rows.count()) >= 2);

  await page.getByRole("link", { name: "POST /v1/orderService/order/cancel/O-404" }).click();
  await page.getByRole("heading", { level: 1, name: "Request POST /v1/orderService/order/cancel/O-404" }).waitFor();
  const main = page.getByRole("main");
  await main.getByText("The request does not have the required shape").waitFor();
  await main.getByText("#/reason", { exact: true }).waitFor();
  await main.getByText("Correct every field that errors names.").waitFor();
  assert.equal(
    await main.getByRole("link", { name: "invalid-request" }).getAttribute("href"),
    "/problems/invalid-request",
  );
  assert.equal(await main.getByRole("link", { name: "O-404" }).getAttribute("href"), "/console/orders/ACME/O-404");
  await main.getByRole("region", { name: "Body of the request" }).getByText('{"reason":7}').waitFor();
  await operator.settled();
  await operator.checkBoth();
  await operator.shoot("request");
  await operator.shoot("request", { width: 390, height: 844 });
  await operator.shoot("request", { scheme: "dark" });

  await operator.open(`/clients/ACME/requests/${rejected.token}`);
  await main.getByText("The document was rejected: its page has the errors.").waitFor();
  await main.getByRole("link", { name: "Order O-1, with its ACK" }).click();
  await page.getByRole("heading", { level: 1, name: /^Order document O-1 of ACME$/ }).waitFor();
});

world.test("an operator finds a failed call of a warehouse on the page of its facility", async (open) => {
  const dc1 = await warehouseOf(world.server);
  const webhookId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b99";
  assert.equal((await dc1.get(`/webhook/get/${webhookId}`)).status, 404);
  const operator = await open("operator");
  const { page } = operator;
  await until("the request in the log", async () => {
    const answer = await operator.user?.get("/request/list?clientId=facility:DC1&result=failed");
    return answer?.body.items.length > 0;
  });
  await operator.open("/facilities/DC1");
  await page.getByRole("link", { name: "Requests of the warehouse" }).click();
  await page.getByRole("heading", { level: 1, name: "Requests of DC1" }).waitFor();
  await operator.settled();
  await operator.checkBoth();
  await page
    .getByRole("link", { name: `GET /v1/warehouseService/webhook/get/${webhookId}` })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: /^Request GET / }).waitFor();
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "not-found" }).waitFor();
  await operator.checkBoth();
  await main.getByRole("link", { name: "DC1", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: /^Facility/ }).waitFor();
});
