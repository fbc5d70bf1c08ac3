import assert from "node:assert/strict";
import { test } from "node:test";
import { faultOfPool } from "#/kernel/values/stock-pools.ts";

test("DEFAULT is known to every client, other pools where a setting names them", () => {
  const none = { stockPools: [], availablePools: "*" } as const;
  assert.equal(faultOfPool(none, "DEFAULT"), undefined);
  assert.equal(faultOfPool(none, "B2B"), "'B2B' is not a stock pool of the client; it has DEFAULT");
  assert.equal(faultOfPool({ ...none, stockPools: ["B2B"] }, "B2B"), undefined);
  assert.equal(faultOfPool({ ...none, availablePools: ["B2B"] }, "B2B"), undefined);
  assert.equal(faultOfPool({ ...none, stockPools: "*" }, "anything"), undefined);
  assert.match(faultOfPool({ stockPools: ["SHOP"], availablePools: ["SHOP"] }, "shop") ?? "", /it has DEFAULT, SHOP$/);
});
