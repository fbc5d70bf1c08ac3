// docs/figures-for-a-bill.md: the figures of a client that has sent two orders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { billedMeasureNames, restateAll } from "#/modules/activity/index.ts";
import { signIn } from "../support/app/console.ts";
import { dateIn } from "../support/app/midnight.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { cancelOrder, catalogue, order } from "../support/builders/documents.ts";
import { answered, clientOf, refused } from "../support/http/rest-client.ts";
import { assertActivity } from "../support/oracles/activity.ts";
import { readPage } from "./fences.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const page = "docs/figures-for-a-bill.md";
const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["TEE-M", "TEE-L"]));
await demo.accept("NO", order("DEMO", "WEB-1", [{ sku: "TEE-M", qty: 2 }]));
await demo.accept(
  "NO",
  order("DEMO", "WEB-2", [
    { sku: "TEE-M", qty: 1 },
    { sku: "TEE-L", qty: 3 },
  ]),
);

test("the page reads the figures of a month", async (context) => {
  await assertActivity(server.database, "DEMO");
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = demo.credentials.oauth;
  await walkGuide(context, page, {
    url: server.url,
    values: { BASE: server.url, CLIENT: "DEMO", CLIENT_ID, CLIENT_SECRET },
    environment: environmentOf(server),
  });
});

test("the page says what each measure counts", () => {
  const text = readPage(page);
  assert.deepEqual(
    billedMeasureNames.filter((name) => !text.includes(`\`${name}\``)),
    [],
  );
});

test("a cancellation counts on the day of the order, by day too; an unknown facility is refused", async () => {
  await demo.accept("NO", cancelOrder("DEMO", "WEB-1"));
  const unpublished = "select from outbox where client_id = 'DEMO'";
  await until("the events to be published", async () => (await server.rows(unpublished)).length === 0);
  await assertActivity(server.database, "DEMO");
  const rest = clientOf(server, demo);
  const [month, query] = [dateIn("Europe/London", 0).slice(0, 7), { clientId: "DEMO" }];
  const read = (more: { readonly by?: "DAY"; readonly distributionCentre?: string; readonly month?: string }) =>
    rest.orders.GET("/v1/orderService/activity/get", { params: { query: { ...query, month, ...more } } });
  const whole = await answered(200, read({}));
  const quantityOf = (measure: string, items: typeof whole.items) =>
    items.filter((figure) => figure.measure === measure).map(({ quantity }) => quantity);
  assert.deepEqual(
    [quantityOf("ORDERS_RECEIVED", whole.items), quantityOf("ORDERS_CANCELLED", whole.items)],
    [[2], [1]],
  );
  const { items, isComplete } = await answered(200, read({ by: "DAY", distributionCentre: "DC1" }));
  assert.deepEqual(
    [items.find(({ measure }) => measure === "ORDERS_CANCELLED")?.day?.slice(0, 7), isComplete],
    [month, false],
  );
  assert.equal((await answered(200, read({ month: "2020-02" }))).isComplete, true);
  await refused(422, read({ distributionCentre: "NOWHERE" }));
  await refused(400, read({ month: "2026-13" }));
  const viewer = await signIn(server, "viewer");
  const uncomputed = async () => (await viewer.get(`/report/activity?month=${month}&clientId=DEMO`)).body.uncomputed;
  await until("a client without figures to be reported", async () => {
    await server.database.transaction(async (tx) => restateAll(tx.of("DEMO")));
    return (await uncomputed()) === 1;
  });
  await assertActivity(server.database, "DEMO");
  await until("the answer of before to be too old", async () => (await uncomputed()) === 0);
});
