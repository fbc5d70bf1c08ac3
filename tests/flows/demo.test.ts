// operations.md §1: the demo that a first start makes, before anybody has sent anything.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/ids.ts";
import { readDemoCredentials } from "#/roles/demo-credentials.ts";
import { seedDemo } from "#/roles/seed.ts";
import { testServer } from "../support/server.ts";

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
