import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets, findUnknownMethods, saveCarrierData } from "#/modules/carriers/index.ts";
import { views } from "#/store/db/client-view.ts";
import type { Tx } from "#/store/db/database.ts";
import { carrierSet } from "../../../../tests/support/carriers/carrier-data.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const sets = createCarrierSets();

/** The unknown methods, and the number of statements of the look-up. */
async function answerTo(...methods: string[]) {
  let statements = 0;
  const tx: Tx = {
    ...views,
    query(statement) {
      statements++;
      return database.query(statement);
    },
  };
  return { unknown: Object.fromEntries(await findUnknownMethods(tx.of("DEMO"), sets, methods)), statements };
}

test("without carrier data no shipping method is unknown", async () => {
  assert.deepEqual(await answerTo("PIGEON"), { unknown: {}, statements: 1 });
});

test("service levels need no query, and all other methods of a batch need one", async () => {
  const at = new Date(systemClock.now()).toISOString();
  const change = { actor: "test", origin: "test", at, ids: createIds() };
  await database.transaction((tx) => saveCarrierData(tx, change, { owner: "", data: carrierSet }));
  assert.deepEqual(await answerTo(), { unknown: {}, statements: 0 });
  assert.deepEqual(await answerTo("STANDARD", " express ", "NEXT_DAY"), { unknown: {}, statements: 0 });
  const unknown = { PIGEON: "STANDARD", "alpha-48": "STANDARD" };
  const many = ["STANDARD", "PIGEON", "std", " ", "ALPHA-48", "alpha-48", "PIGEON"];
  assert.deepEqual(
    await answerTo(...many),
    { unknown, statements: 2 },
    "the version, and the set that is not held yet",
  );
  assert.deepEqual(await answerTo(...many), { unknown, statements: 1 });
});
