import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { createClientTurns, namesOf } from "#/store/db/client-turns.ts";

const failing = (code: string) => Object.assign(new pg.DatabaseError(code, 0, "error"), { code });
const timeOut = failing("57014");
const contention = failing("40P01");
const away = failing("57P01");

/** The clients that were served, in order, and the error that was thrown. */
async function run(
  clients: string,
  faults: Readonly<Record<string, Error>> = {},
  { turns = createClientTurns(1), turnsOfA = 1, isOver = (): boolean => false } = {},
) {
  let served = "";
  let left = turnsOfA;
  let thrown: unknown;
  const work = async (client: string) => {
    const fault = faults[client];
    if (fault) throw fault;
    served += client;
    return client === "A" && --left > 0;
  };
  await turns.run(namesOf(clients), work, isOver).catch((error: unknown) => {
    thrown = error;
  });
  return { served, thrown };
}

test("a client whose work fails does not stop the others, and its failure is thrown in the end, with its name", async () => {
  assert.deepEqual(await run("ABCD"), { served: "ABCD", thrown: undefined });
  const { served, thrown } = await run("ABCD", { A: timeOut, C: contention, D: new TypeError("no such thing") });
  assert.equal(served, "B");
  assert.ok(thrown instanceof AggregateError);
  assert.match(thrown.message, /the work failed for A, D$/);
  assert.equal(thrown.errors[0], timeOut);
  assert.deepEqual(await run("ABCD", { B: contention }), { served: "ACD", thrown: contention });
});

test("an unavailable database ends the run at once", async () => {
  assert.deepEqual(await run("ABCD", { B: away }), { served: "A", thrown: away });
});

test("a client with much work has one turn before each of the others has had one", async () => {
  assert.equal((await run("ABC", {}, { turnsOfA: 3 })).served, "ABCAA");
});

test("the next run starts with the clients that were served longest ago", async () => {
  const turns = createClientTurns(1);
  const isOver = () => true;
  const served = [];
  for (let round = 0; round < 4; round++) served.push((await run("ABC", {}, { turns, isOver, turnsOfA: 9 })).served);
  assert.deepEqual(served, ["A", "B", "C", "A"]);
});

test("a client that failed is left out of the next run, until its back-off ends", async () => {
  const turns = createClientTurns(1);
  await run("AB", { A: timeOut }, { turns });
  assert.deepEqual(turns.listPostponed(), ["A"]);
  assert.equal((await run("AB", {}, { turns })).served, "B");
});

test("two clients with endless work leave a slot to the others", async () => {
  const turns = createClientTurns(4);
  const [ends, served] = [Promise.withResolvers<boolean>(), [] as string[]];
  const rest = Promise.withResolvers<void>();
  const running = turns.run(namesOf("ABCDEF"), (client) => {
    if (client === "A" || client === "B") return ends.promise;
    served.push(client);
    if (served.length === 4) rest.resolve();
    return Promise.resolve(false);
  });
  await rest.promise;
  assert.deepEqual(served, ["C", "D", "E", "F"]);
  ends.resolve(false);
  await running;
});
