import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { forEachClient } from "#/db/each-client.ts";

const failing = (code: string) => Object.assign(new pg.DatabaseError(code, 0, "error"), { code });
const timeOut = failing("57014");
const contention = failing("40P01");
const away = failing("57P01");

/** The clients that were served, and the error that was thrown. */
async function run(faults: Readonly<Record<string, Error>>) {
  const served: string[] = [];
  let thrown: unknown;
  await forEachClient(["A", "B", "C", "D"], async (client) => {
    const fault = faults[client];
    if (fault) throw fault;
    served.push(client);
  }).catch((error: unknown) => {
    thrown = error;
  });
  return { served: served.join(""), thrown };
}

test("a client whose work fails does not stop those behind it, and its failure is thrown in the end", async () => {
  assert.deepEqual(await run({}), { served: "ABCD", thrown: undefined });
  assert.deepEqual(await run({ A: timeOut }), { served: "BCD", thrown: timeOut });
  assert.deepEqual(await run({ A: contention, C: timeOut }), { served: "BD", thrown: timeOut });
  assert.deepEqual(await run({ B: contention }), { served: "ACD", thrown: contention });
});

test("several failures are thrown together", async () => {
  const { served, thrown } = await run({ A: timeOut, D: new TypeError("no such thing") });
  assert.equal(served, "BC");
  assert.ok(thrown instanceof AggregateError);
  assert.equal(thrown.errors.length, 2);
});

test("a store that is away ends the run at once", async () => {
  assert.deepEqual(await run({ B: away }), { served: "A", thrown: away });
});
