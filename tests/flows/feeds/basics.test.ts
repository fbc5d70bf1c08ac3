import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const sample = (name: string) => readFileSync(new URL(`../../../samples/accepted/${name}`, import.meta.url));

test("a catalogue and an order are accepted, acknowledged and processed", async () => {
  const catalogue = await demo.send("CAT", sample("CAT.xml"));
  assert.equal(catalogue.status, 200);
  assert.ok(catalogue.isAccepted, catalogue.body);
  assert.equal(catalogue.objectId, undefined);
  const order = await demo.send("NO", sample("NO.xml"));
  assert.ok(order.isAccepted, order.body);
  assert.equal(order.objectId, "WEB-100045");
  assert.equal(order.headers.get("x-correlation-token"), order.token);
  assert.equal((await demo.outcome(order.token)).state, "PROCESSED");
});
