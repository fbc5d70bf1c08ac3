// Anything in any order, several at once, on the whole server: buckets sum, balances equal movements, nothing is negative,
// allocated is what orders and work orders hold, no state goes where its table forbids (lifecycle.md), and the client's
// documents add up to its stock (outbound.md).
//
// CROSSDOCK_TEST_SEQUENCES=10000 is the nightly form; CROSSDOCK_TEST_SEED repeats a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { testSeed } from "../faults/load/sender.ts";
import { testServer } from "../support/app/server.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";
import { type Action, type ActionName, act, actions } from "./actions.ts";
import { check, checkAtRest } from "./checks.ts";
import { makeWorld, type World } from "./world.ts";

const sequences = Number(process.env.CROSSDOCK_TEST_SEQUENCES ?? 200);
/**
 * The number of concurrent sequences, and of sequences in a test; a test stays within its timeout even on a busy
 * machine.
 */
const atATime = 5;
const sequencesOfTest = 20;

const server = await testServer();
const ports = [await warehouseOf(server, "DC1"), await warehouseOf(server, "DC2")];
const seed = testSeed();

/** Frequent actions lead to progress; rare ones disturb it. */
const weights: Partial<Record<ActionName, number>> = {
  order: 6,
  findStock: 5,
  pick: 4,
  pickAll: 4,
  pack: 5,
  despatch: 4,
  carrierEvent: 4,
  wait: 3,
  moveOrder: 2,
  workOrder: 2,
  transfer: 2,
  shipTransfer: 3,
  assemble: 3,
  receive: 3,
  receiveCarton: 2,
  purchaseOrder: 2,
  authoriseReturn: 2,
  returnGoods: 3,
  returnParcel: 2,
};

const action: fc.Arbitrary<Action> = fc.record({
  name: fc.oneof(
    ...(Object.keys(actions) as ActionName[]).map((name) => ({
      weight: weights[name] ?? 1,
      arbitrary: fc.constant(name),
    })),
  ),
  a: fc.nat(1000),
  b: fc.nat(1000),
  c: fc.nat(1000),
});

/** The initial actions of a client: goods, and orders for them; most sequences go further, up to parcels in transit. */
const opening: readonly Action[] = [
  { name: "findStock", a: 0, b: 7, c: 2 },
  { name: "findStock", a: 1, b: 7, c: 2 },
  { name: "findStock", a: 2, b: 5, c: 2 },
  { name: "findStock", a: 3, b: 3, c: 2 },
  { name: "order", a: 1, b: 0, c: 1 },
  { name: "order", a: 2, b: 2, c: 1 },
];
/** Each facility has what the other lacks, so that orders are split. */
const splitOpening: readonly Action[] = [
  { name: "findStock", a: 0, b: 7, c: 0 },
  { name: "findStock", a: 1, b: 7, c: 1 },
  { name: "findStock", a: 2, b: 5, c: 0 },
  { name: "findStock", a: 3, b: 3, c: 1 },
  { name: "order", a: 1, b: 0, c: 1 },
  { name: "order", a: 1, b: 2, c: 1 },
];
const furtherOn: readonly Action[] = [
  { name: "wait", a: 1, b: 0, c: 0 },
  { name: "pickAll", a: 0, b: 0, c: 0 },
  { name: "pack", a: 0, b: 1, c: 0 },
  { name: "despatch", a: 0, b: 1, c: 0 },
  { name: "carrierEvent", a: 0, b: 1, c: 5 },
];

/** A step is one action, or several concurrent ones. */
const sequence = fc.record({
  backorder: fc.constantFrom("WAIT", "SHIP_AND_WAIT", "SHIP_AND_CANCEL"),
  splitOrders: fc.constantFrom("false", "true"),
  stage: fc.nat(furtherOn.length),
  steps: fc.array(
    fc.oneof({ weight: 2, arbitrary: action.map((step) => [step]) }, fc.array(action, { minLength: 2, maxLength: 3 })),
    { minLength: 6, maxLength: 20, size: "max" },
  ),
});

async function atRest(world: World): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    const [row] = await server.rows<{ due: boolean }>(
      `select exists (select from outbox where client_id = $1 and state = 'PENDING')
         or exists (select from stock_change where client_id = $1 and needs_allocation) as due`,
      world.clientId,
    );
    if (row?.due === false) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${world.clientId} does not come to rest`);
}

for (let from = 0; from < sequences; from += sequencesOfTest) {
  test(`the books are right after any actions on goods and orders: sequences ${from + 1} on`, async (t) => {
    t.diagnostic(`seed ${seed + from}`);
    const property = fc.asyncProperty(sequence, async ({ backorder, splitOrders, stage, steps }) => {
      const world = await makeWorld(server, ports, { backorder, splitOrders });
      const first = world.splitsOrders ? splitOpening : opening;
      for (const action of [...first, ...furtherOn.slice(0, stage)]) await act(world, action);
      for (const step of steps) {
        await Promise.all(step.map((deed) => act(world, deed)));
        await check(world);
      }
      await atRest(world);
      await check(world);
      await checkAtRest(world);
    });
    const numRuns = Math.ceil(Math.min(sequencesOfTest, sequences - from) / atATime);
    const runs = Array.from({ length: atATime }, (_, i) =>
      fc.assert(property, {
        seed: seed + from + i,
        numRuns,
        interruptAfterTimeLimit: 200_000,
        markInterruptAsFailure: true,
        endOnFailure: true,
      }),
    );
    for (const run of await Promise.allSettled(runs)) if (run.status === "rejected") throw run.reason;
  });
}
