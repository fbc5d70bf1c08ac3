import assert from "node:assert/strict";
import { test } from "node:test";
import { openPlacement } from "#/store/db/citus/client-nodes.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import type { Statement } from "#/store/db/sql.ts";

/** A coordinator that answers a statement by the first word of `answers` in its text. */
function coordinatorOf(answers: Readonly<Record<string, (statement: Statement) => unknown[]>>) {
  const questions: string[] = [];
  return {
    questions,
    async query<Row>(statement: Statement): Promise<Row[]> {
      const [word, answer] = Object.entries(answers).find(([name]) => statement.text.includes(name)) ?? [];
      questions.push(word ?? statement.text);
      return (answer?.(statement) ?? []) as Row[];
    },
  };
}

const shardOf: Readonly<Record<string, number>> = { A: 1, B: 2, C: 3, NEW: 9 };
const onCitus = {
  citus_tables: () => [{ is_there: true }],
  pg_dist_placement: () => [
    { shard: 1, node: "worker-1:5432" },
    { shard: 2, node: "worker-2:5433" },
    { shard: 3, node: null },
  ],
  get_shard_id_for: ({ values }: Statement) => [{ shard: shardOf[String(values[0])] }],
};

test("a client's node is read once; one without synced metadata, or on the coordinator, is not used", async () => {
  const coordinator = coordinatorOf(onCitus);
  const placement = openPlacement(coordinator);
  for (let i = 0; i < 2; i++) {
    assert.equal(await placement.nodeOf("A"), "worker-1:5432");
    assert.equal(await placement.nodeOf("B"), "worker-2:5433");
    assert.equal(await placement.nodeOf("C"), undefined);
  }
  assert.equal(placement.isOneServer(), false);
  assert.deepEqual(coordinator.questions, ["citus_tables", "pg_dist_placement", ...Array(3).fill("get_shard_id_for")]);
});

test("a client of a shard that is not known yet is served by the coordinator", async () => {
  assert.equal(await openPlacement(coordinatorOf(onCitus)).nodeOf("NEW"), undefined);
});

test("on one PostgreSQL nothing is questions after the first answer", async () => {
  const coordinator = coordinatorOf({ citus_tables: () => [{ is_there: false }] });
  const placement = openPlacement(coordinator);
  assert.equal(placement.isOneServer(), false);
  for (const client of ["A", "B"]) assert.equal(await placement.nodeOf(client), undefined);
  assert.equal(placement.isOneServer(), true);
  assert.deepEqual(coordinator.questions, ["citus_tables"]);
});

test("a coordinator that does not answer is questions again by the next work", async () => {
  let isAway = true;
  const placement = openPlacement(
    coordinatorOf({
      ...onCitus,
      citus_tables() {
        if (isAway) throw new StoreUnavailableError("away");
        return [{ is_there: true }];
      },
    }),
  );
  assert.equal(await placement.nodeOf("A"), undefined);
  isAway = false;
  assert.equal(await placement.nodeOf("A"), "worker-1:5432");
});
