// An order that was accepted while 0.2.0 could run has its content in its own row (docs/decisions/0081). It answers, changes
// and is erased as one that has it in order_content.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eraseOrders } from "#/app/retention/erasure/erase-orders.ts";
import { listPersonTexts } from "#/app/retention/erasure/subject-repository.ts";
import { unpackJson } from "#/store/packed/packed.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, leeds } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "DEMO", { items: ["A"] });
const anna = await signIn(server, "viewer");
const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
const ids = ["ASIDE", "OWN"];

const greta = {
  firstName: "Greta",
  lastName: "Archer",
  address1: "4 Park Row",
  city: "Bristol",
  zip: "BS1 5HX",
  country: "GB",
  email: "greta.archer@example.com",
  phone: "+44 7700 900123",
};
const more = {
  distributionCentre: "DC1",
  billToAddress: { ...leeds, lastName: "Payer" },
  taxes: { "@unit": "GBP", "@amount": "1.50", tax: { "@type": "VAT", "#": "1.50" } },
  extendedAttributes: attributes({ WebOrderId: "4711" }),
};

/** Without what differs between any two orders. */
const plain = (orderId: string, value: unknown) =>
  JSON.stringify(value)
    .replaceAll(orderId, "ID")
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|"[0-9a-f]{8}-[0-9a-f-]{27}"|"taskId":"[^"]*"/g, "-");

/** Expects that both orders show the same, and returns one of them. */
async function alike<T>(read: (orderId: string) => Promise<T>): Promise<T> {
  const [aside, own] = await Promise.all([read("ASIDE"), read("OWN")]);
  assert.equal(plain("OWN", own), plain("ASIDE", aside));
  return own;
}
const record = () => alike((orderId) => life.client.order(orderId) as Promise<Record<string, unknown>>);
const list = async (orderId: string) => {
  const { body } = await call("GET", "/order/list?limit=100");
  return (body.items as { orderId: string }[]).find((order) => order.orderId === orderId);
};
const consoleList = async (orderId: string) => (await anna.get(`/order/list?text=${orderId}`)).body.items;
const found = async (text: string) => {
  const { body: inSearch } = await anna.get(`/search?text=${encodeURIComponent(text)}`);
  const { body: inList } = await anna.get(`/order/list?customer=${encodeURIComponent(text)}`);
  const named = inSearch.items.map(({ id }: { id: string }) => id).sort();
  assert.deepEqual(inList.items.map(({ orderId }: { orderId: string }) => orderId).sort(), named, text);
  return named;
};
const forms = () =>
  server.rows(
    `select o.order_id as id, o.ship_to_address <> '{}' as own, c.order_id is not null as aside
     from sales_order o left join order_content c using (client_id, order_id) order by 1`,
  );

test("an order of either form answers, changes and is erased alike", async () => {
  await life.stock([{ sku: "A", qty: 10 }]);
  for (const id of ids) await life.place(id, [{ sku: "A", qty: 1 }], { ...more, shipToAddress: greta });
  // As 0.2.0 stores it.
  await server.rows(
    `with gone as (delete from order_content where order_id = 'OWN' returning *)
     update sales_order o set ship_to_address = g.ship_to_address, bill_to_address = g.bill_to_address, taxes = g.taxes,
       payments = g.payments, extended_attributes = g.extended_attributes
     from gone g where o.client_id = g.client_id and o.order_id = g.order_id`,
  );
  const eachForm = [
    { id: "ASIDE", own: false, aside: true },
    { id: "OWN", own: true, aside: false },
  ];
  assert.deepEqual(await forms(), eachForm);

  const shown = await record();
  assert.equal((shown.shipToAddress as typeof greta).city, "Bristol");
  assert.equal((shown.billToAddress as typeof greta).lastName, "Payer");
  assert.deepEqual(shown.extendedAttributes, { WebOrderId: "4711" });
  assert.ok(shown.taxes);
  assert.ok(await alike(list));
  const [listed] = await alike(consoleList);
  assert.deepEqual([listed.shipToName, listed.country], ["Greta Archer", "GB"]);
  for (const text of ["Greta Archer", "archer", "greta.archer@", "bs15hx", "07700 900123"])
    assert.deepEqual(await found(text), ["ASIDE", "OWN"], text);
  assert.deepEqual(
    await listPersonTexts(server.database.of("DEMO"), ["OWN"]),
    await listPersonTexts(server.database.of("DEMO"), ["ASIDE"]),
  );
  const shipTo = async (id: string) => {
    await life.quiet();
    const text = "select content from warehouse_task where type = 'PICK' and object_id = $1 and withdrawn_at is null";
    const rows = await server.rows<{ content: unknown }>(text, id);
    return rows.map(({ content }) => ({ city: (unpackJson(content) as { shipTo: typeof greta }).shipTo.city }));
  };
  assert.deepEqual(await alike(shipTo), [{ city: "Bristol" }]);

  const patch = { shipToAddress: { city: "Bath", zip: "BA1 1AA" }, extendedAttributes: { WebOrderId: "4712" } };
  for (const id of ids) assert.equal((await call("PATCH", `/order/update/${id}`, patch)).status, 200);
  const patched = await record();
  assert.equal((patched.shipToAddress as typeof greta).city, "Bath");
  assert.deepEqual(patched.extendedAttributes, { WebOrderId: "4712" });
  assert.deepEqual(await alike(shipTo), [{ city: "Bath" }]);
  assert.deepEqual([await found("BA1 1AA"), await found("bs15hx")], [ids, []]);
  for (const id of ids) assert.equal((await call("PATCH", `/order/update/${id}`, { billToAddress: null })).status, 200);
  assert.equal((await record()).billToAddress, null);

  const zoe = { ...greta, firstName: "Zoe" };
  for (const id of ids) await life.update(id, [{ sku: "A", qty: 2 }], { ...more, shipToAddress: zoe });
  assert.equal(((await record()).shipToAddress as typeof greta).firstName, "Zoe");
  assert.deepEqual([await found("Zoe Archer"), await found("Greta Archer")], [ids, []]);
  assert.deepEqual(await forms(), eachForm, "an order keeps its form");

  for (const id of ids) await life.cancel(id);
  await server.operate((tx, change) => eraseOrders(tx.of("DEMO", change), ids));
  const erased = await record();
  assert.deepEqual(
    [(erased.shipToAddress as typeof greta).country, (erased.shipToAddress as typeof greta).city],
    ["GB", null],
  );
  assert.deepEqual(await found("archer"), []);
  assert.doesNotMatch(
    JSON.stringify(
      await server.rows("select o, c from sales_order o left join order_content c using (client_id, order_id)"),
    ),
    /Archer|4711|Payer/,
  );
  await life.assertSound();
});
