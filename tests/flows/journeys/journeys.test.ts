// The published journeys are clean Arazzo documents, and a server takes their steps.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { createConfig, lintFromString, logger } from "@redocly/openapi-core";
import { atEnd } from "../../support/app/at-end.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { type Journey, runJourney } from "./run-journey.ts";

const folder = new URL("../../../schemas/arazzo/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(".json", ""));

const server = await testServer();
await seedCarriers(server.database);
const demo = await server.onboard("DEMO", { facilities: ["DC1"] });
const token = await accessTokenOf(server.url, demo.credentials.oauth);
const published = async (name: string) => (await (await fetch(`${server.url}/arazzo/${name}.json`)).json()) as Journey;
const sentAt = new Date().toISOString();

logger.info = () => {};

test("each journey is published as it is in the folder, and clean under Redocly", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  for (const name of names) {
    const source = readFileSync(new URL(`${name}.json`, folder), "utf8");
    assert.deepEqual(await published(name), JSON.parse(source));
    const problems = await lintFromString({ source, absoluteRef: `${name}.json`, config });
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${name} ${ruleId}: ${message}`),
      [],
    );
  }
  const { items } = (await (await fetch(`${server.url}/arazzo`)).json()) as { items: { url: string }[] };
  assert.deepEqual(
    items.map(({ url }) => url),
    names.map((name) => `/arazzo/${name}.json`),
  );
});

test("a recall is run to its end", async () => {
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "OIL", captureBatchRef: true }]));
  const dc1 = await warehouseOf(server);
  const lines = [{ sku: "OIL", qty: 5, batchRef: "B-1" }];
  await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: "A-1", reasonCode: "INITIAL", lines });
  const outputs = await runJourney(server.url, token, await published("recall"), {
    sku: "OIL",
    lotNumber: "B-1",
    key: "17",
  });
  assert.deepEqual(outputs, { orders: [] });
});

test("an order and a return are run to their end, with a simulated warehouse", async () => {
  await demo.accept("CAT", catalogue("DEMO", ["TEE"]));
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "TEE", qty: 50 }]));
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-journeys-"));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const sim = await server.startNode({
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "100",
    CROSSDOCK_DATA_DIR: dataDir,
  });
  await until(
    "the stock",
    async () => {
      const [row] = await server.rows<{ status: string }>("select status from purchase_order where po_number = 'PO-1'");
      return row?.status === "RECEIVED";
    },
    60_000,
  );
  const sent = await runJourney(server.url, token, await published("order"), { sku: "TEE", orderId: "1", sentAt });
  assert.match(String(sent.event), /^evt_/);
  assert.match(String(sent.trackingNumber), /\S/);
  const returned = await runJourney(server.url, token, await published("return"), {
    sku: "TEE",
    rmaNumber: "R-1",
    sentAt,
  });
  assert.equal(returned.status, "CLOSED");
  await sim.stop();
});
