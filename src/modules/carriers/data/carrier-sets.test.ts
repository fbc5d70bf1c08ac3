import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createCarrierSets, saveCarrierData } from "#/modules/carriers/index.ts";
import { views } from "#/store/db/client-view.ts";
import type { Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { carrierSet } from "../../../../tests/support/carriers/carrier-data.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database);
const ids = createIds();
const change = () => ({ actor: "test", origin: "test", at: new Date(systemClock.now()).toISOString(), ids });
const save = (owner: string) =>
  database.transaction((tx) => saveCarrierData(tx, change(), { owner, data: carrierSet }));

/** Counts the reads of a whole set. */
function counting(fails = 0): Tx & { readonly whole: () => number } {
  let whole = 0;
  return {
    ...views,
    whole: () => whole,
    query(statement) {
      if (statement.text.startsWith("select data")) {
        whole++;
        if (whole <= fails) return Promise.reject(new Error("the store went away"));
      }
      return database.query(statement);
    },
  };
}

test("without any data there is an empty set, of version 0", async () => {
  const { data, owner } = await createCarrierSets().activeFor(database.of("DEMO"));
  assert.deepEqual([data.version, data.services.length, owner], [0, 0, ""]);
});

test("a version is read and compiled once for concurrent requests, and the next version separately", async () => {
  await save("");
  const sets = createCarrierSets();
  const tx = counting();
  const found = await Promise.all(Array.from({ length: 20 }, () => sets.activeFor(tx.of("DEMO"))));
  assert.equal(tx.whole(), 1);
  assert.equal(new Set(found.map(({ data }) => data)).size, 1);
  await save("");
  assert.equal((await sets.activeFor(tx.of("DEMO"))).data.version, 2);
  assert.equal(tx.whole(), 2);
  await save("DEMO");
  const set = await sets.activeFor(tx.of("DEMO"));
  assert.deepEqual([set.owner, set.data.version, tx.whole()], ["DEMO", 1, 3]);
});

test("a set that could not be read is read again at the next request", async () => {
  const sets = createCarrierSets();
  const tx = counting(1);
  await assert.rejects(sets.activeFor(tx.of("OTHER")), /went away/);
  assert.equal((await sets.activeFor(tx.of("OTHER"))).data.services.length, carrierSet.services.length);
});

test("the cache keeps the most recently used owners", async () => {
  const owners = Array.from({ length: 66 }, (_, i) => `C${i}`);
  await database.query(
    sql`insert into carrier_data (owner, version, data, created_by, created_at, activated_at)
      select x, 1, '{"services":[],"rateCards":[]}', 'test', '2026-01-01', '2026-01-01' from unnest(${owners}::text[]) x
      returning owner`,
  );
  const sets = createCarrierSets();
  const tx = counting();
  for (const owner of owners) await sets.activeFor(tx.of(owner));
  assert.equal(tx.whole(), 66);
  await sets.activeFor(tx.of("C65"));
  assert.equal(tx.whole(), 66, "the last one is kept");
  await sets.activeFor(tx.of("C0"));
  assert.equal(tx.whole(), 67, "the first one is not");
});
