import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { leftMs, namedWork } from "#/kernel/concurrency/deadline.ts";
import { openConnectionPool } from "#/store/db/connection-pool.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { compute, longWorkDuring } from "../../../tests/support/app/steps.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url } = await testDatabase();
const pool = openConnectionPool({ url, connectionsMax: 1, applicationName: "test" });
atEnd(() => pool.close());

const statement = sql`select 1 as one limit 1`;
const failing = sql`select 1 / 0 as none limit 1`;

for (const [wait, work] of [
  ["a commit", async () => void (await pool.transactionOn(await pool.connect(), (tx) => tx.query(statement)))],
  [
    "a rollback",
    async () => {
      const failed = pool.transactionOn(await pool.connect(), () => Promise.reject(new Error("changed my mind")));
      await assert.rejects(failed, /changed my mind/);
    },
  ],
  [
    "a statement that fails",
    async () => {
      const failed = pool.transactionOn(await pool.connect(), async (tx) => {
        await assert.rejects(tx.query(failing), { code: "22012" });
        leftMs();
      });
      await assert.rejects(failed, { code: "22012" });
    },
  ],
] as const) {
  test(`work of others during the wait for ${wait} is not a step of the work that waits`, async () => {
    const connection = await pool.connect();
    const { stream } = (connection as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    const occupy = () => compute(120);
    connection.release();
    const routes = await longWorkDuring(async () => {
      // Other work in the turn in which the answer arrives.
      stream.prependListener("data", occupy);
      await namedWork("waiting", async () => {
        await work();
        leftMs();
      });
      stream.removeListener("data", occupy);
    });
    assert.deepEqual(routes, []);
  });
}
