import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await database.query(sql`create table reading (n integer)`);

test("the reads of a snapshot do not see what is committed between them, and write nothing", async () => {
  const counts = await readSnapshot(database, async (tx) => {
    const count = sql`select count(*)::integer as n from reading`;
    const before = await tx.query<{ n: number }>(count);
    await database.query(sql`insert into reading values (1)`);
    return [...before, ...(await tx.query<{ n: number }>(count))];
  });
  assert.deepEqual(counts, [{ n: 0 }, { n: 0 }]);
  await assert.rejects(
    readSnapshot(database, (tx) => tx.query(sql`insert into reading values (2)`)),
    StoreUnavailableError,
  );
});
