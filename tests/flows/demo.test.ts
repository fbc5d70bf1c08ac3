// operations.md §1: the demo that a first start makes, before anybody has sent anything.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/ids.ts";
import { readDemoCredentials } from "#/roles/demo-credentials.ts";
import { seedDemo } from "#/roles/seed.ts";
import { leeds, order, type Parts } from "../support/documents.ts";
import { until } from "../support/process.ts";
import { testServer } from "../support/server.ts";

const place = (city: string, zip: string, country: string): Parts => ({
  ...{ lastName: "Novak", address1: "1 Main Street", city, zip, country },
});
const abroad = [
  place("Berlin", "10117", "DE"),
  place("Zürich", "8001", "CH"),
  place("Dublin", "D02 X285", "IE"),
  place("New York", "10001", "US"),
];
/** Of the orders in turn: one asks for nothing, the others for how fast they want it. */
const methods: readonly Parts[] = [{}, { shippingMethod: "STANDARD" }, { shippingMethod: "EXPRESS" }];

test("what the demo has in stock is known, and all of it is found", async () => {
  const server = await testServer();
  const { config, database } = server;
  await seedDemo({ config, database, clock: systemClock, ids: createIds() });
  const json = { "content-type": "application/json" };
  const proof = JSON.stringify({ grant_type: "client_credentials", ...readDemoCredentials(config.dataDir)?.oauth });
  const answer = await fetch(`${server.url}/v1/oauth/token`, { method: "POST", headers: json, body: proof });
  const { access_token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const list = `${server.url}/v1/inventoryService/inventory/list?distributionCentre=DC1`;
  const { items } = (await (await fetch(list, { headers })).json()) as {
    items: { sku: string; found: boolean; uom: string | null; onHand: number }[];
  };
  assert.ok(items.some(({ sku, onHand }) => sku === "TEE-M" && onHand > 0));
  assert.deepEqual(
    items.filter(({ found, uom }) => !found || uom === null),
    [],
  );
});

test("what the demo sends is carried: the simulated warehouse names no carrier, and each parcel has one with its papers", async () => {
  const server = await testServer();
  const { config, database, rows } = server;
  await seedDemo({ config, database, clock: systemClock, ids: createIds() });
  const { feed } = readDemoCredentials(config.dataDir) ?? {};
  assert.ok(feed);
  const addresses = [leeds, ...abroad];
  for (const [i, shipToAddress] of addresses.entries()) {
    const body = order("DEMO", `WEB-${i}`, [{ sku: "TEE-M", qty: 2 }], { shipToAddress, ...(methods[i] ?? {}) });
    const sent = await fetch(`${server.url}/feeds/DEMO/NO`, {
      ...{ method: "POST", body, headers: { "x-api-key": feed.apiKey, "content-type": "application/xml" } },
    });
    assert.match(await sent.text(), /<success>true/);
  }
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-demo-"));
  const sim = await server.startNode({
    ...{ CROSSDOCK_WAREHOUSE_SIM: "true", CROSSDOCK_WAREHOUSE_SIM_SPEED: "100", CROSSDOCK_DATA_DIR: dataDir },
  });
  try {
    const orderIds = ["WEB-100045", ...addresses.map((_, i) => `WEB-${i}`)];
    await until("the demo's orders to be delivered", 60_000, async () => {
      const orders = await rows<{ order_id: string; status: string; holds: object[] }>(
        "select order_id, status, holds from sales_order where client_id = 'DEMO' and order_id = any($1)",
        orderIds,
      );
      assert.deepEqual(
        orders.flatMap(({ holds }) => holds),
        [],
      );
      const ended = orders.filter(({ status }) => status === "DELIVERED");
      return ended.length === orderIds.length ? true : undefined;
    });
  } finally {
    await sim.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const parcels = await rows<{ order_id: string; service: string | null; decided: boolean; papers: number }>(
    `select p.order_id, p.carrier_service_code as service, p.decision_id is not null as decided,
        (select count(*)::int from order_document d where d.client_id = p.client_id and d.olpn_id = p.olpn_id) as papers
      from parcel p where p.client_id = 'DEMO' order by p.order_id`,
  );
  assert.ok(parcels.length > addresses.length);
  for (const { order_id, service, decided, papers } of parcels) {
    assert.ok(service !== null && decided && papers >= 3, `${order_id}: ${service}, ${papers} papers`);
  }
});
