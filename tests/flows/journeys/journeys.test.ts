// The published journeys are clean Arazzo documents, and a server takes their steps.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createConfig, lintFromString, logger } from "@redocly/openapi-core";
import { accessTokenOf } from "../../support/app/server.ts";
import { demo, server, startSimulation, stockLot, variablesOf } from "./journey-server.ts";
import { type Collection, runCollection } from "./run-collection.ts";
import { type Journey, runJourney } from "./run-journey.ts";

const folder = new URL("../../../schemas/arazzo/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(".json", ""));

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
  await stockLot();
  const outputs = await runJourney(server.url, token, await published("recall"), {
    sku: "OIL",
    lotNumber: "B-1",
    key: "17",
  });
  assert.deepEqual(outputs, { orders: [] });
});

test("an order and a return are run to their end, with a simulated warehouse, and all of the Postman collection", async () => {
  const sim = await startSimulation();
  const sent = await runJourney(server.url, token, await published("order"), { sku: "TEE", orderId: "1", sentAt });
  assert.match(String(sent.event), /^evt_/);
  assert.match(String(sent.trackingNumber), /\S/);
  const returned = await runJourney(server.url, token, await published("return"), {
    sku: "TEE",
    rmaNumber: "R-1",
    sentAt,
  });
  assert.equal(returned.status, "CLOSED");

  const collection = (await (
    await fetch(`${server.url}/collections/crossdock.postman_collection.json`)
  ).json()) as Collection;
  assert.match(collection.info.schema, /v2\.1\.0/);
  const { tests, variables } = await runCollection(collection, variablesOf("2"));
  const steps = (await Promise.all(names.map(published))).flatMap(({ workflows: [{ steps: all }] }) => all);
  // Each criterion of each step, and the status of the token.
  assert.equal(
    tests.length,
    steps.reduce((sum, { successCriteria }) => sum + successCriteria.length, 1),
  );
  assert.match(String(variables.get("order_events_event")), /^evt_/);
  assert.equal(variables.get("return_inspection_status"), "CLOSED");
  await sim.stop();
});
