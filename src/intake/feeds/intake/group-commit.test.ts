import assert from "node:assert/strict";
import { test } from "node:test";
import { createGroupCommit, type GroupCommit, type Lane } from "#/intake/feeds/intake/group-commit.ts";
import { noteClientOf, StoreUnavailableError } from "#/store/db/errors.ts";
import { until } from "../../../../tests/support/app/until.ts";

/** A document of a client, for example "A1". */
const ownerOf = (document: string) => document.slice(0, 1);
const named = (documents: readonly string[]) => documents.join(" ");

/** An error of PostgreSQL, in a statement of this client. */
function errorOf(code: string, owner?: string): Error {
  const error = new StoreUnavailableError("the database does not answer", {
    cause: Object.assign(new Error(`SQLSTATE ${code}`), { code }),
  });
  const thrown = code === "57014" ? error : (error.cause as Error);
  if (owner !== undefined) noteClientOf(thrown, owner);
  return thrown;
}

interface Store {
  /** The documents of each transaction, in the order of their starts, and its lane. */
  readonly runs: string[];
  /** The error of a transaction of these documents. */
  failureOf: (documents: readonly string[], lane: Lane) => Error | undefined;
  /** Holds transactions from now on; the returned function lets them end. */
  hold(): () => void;
}

function startLane({ isDistributed = false } = {}): { store: Store; lane: GroupCommit<string, string> } {
  let held: Promise<void> = Promise.resolve();
  const store: Store = {
    runs: [],
    failureOf: () => undefined,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
  const lane = createGroupCommit<string, string>({
    async run(documents, lane) {
      store.runs.push(`${lane} ${named(documents)}`);
      await held;
      const error = store.failureOf(documents, lane);
      if (error !== undefined) throw error;
      return documents.map((document) => `stored ${document}`);
    },
    ownerOf,
    isDistributed,
    isLarge: () => false,
    isStoreDown: () => false,
  });
  return { store, lane };
}

/** The outcome of each document; "503" for an error. */
const submit = (lane: GroupCommit<string, string>, documents: readonly string[]) =>
  Promise.all(documents.map((document) => lane.submit(document).catch(() => "503")));

/** Submits the documents while a transaction runs, so that they share the next one. */
async function submitTogether({ store, lane }: ReturnType<typeof startLane>, ...documents: string[]) {
  const letGo = store.hold();
  const first = lane.submit("Z0");
  const submitted = submit(lane, documents);
  letGo();
  await first;
  return submitted;
}

const timesOut = (...slow: string[]) => {
  return (documents: readonly string[]) => {
    const owner = slow.find((candidate) => documents.some((document) => ownerOf(document) === candidate));
    return owner === undefined ? undefined : errorOf("57014", owner);
  };
};

test("two clients whose statements time out are refused, and the others of their batch are stored", async () => {
  const world = startLane();
  world.store.failureOf = timesOut("A", "B");
  assert.deepEqual(await submitTogether(world, "A1", "B1", "C1", "D1", "A2"), [
    "503",
    "503",
    "stored C1",
    "stored D1",
    "503",
  ]);
  assert.deepEqual(world.store.runs.slice(0, 3), ["fast Z0", "fast A1 B1 C1 D1 A2", "fast B1 C1 D1"]);
  assert.ok(world.store.runs.includes("fast C1 D1"));
  // With the usual time-out, each of the two is tried alone.
  assert.ok(world.store.runs.includes("slow A1 A2"));
  assert.ok(world.store.runs.includes("slow B1"));
  await world.lane.close();
});

test("a client whose statement has timed out shares no batch for a while, and one writer is free of such clients", async () => {
  const world = startLane();
  const { store, lane } = world;
  store.failureOf = timesOut("A", "B");
  await submitTogether(world, "A1", "B1", "C1");
  store.runs.length = 0;
  const letGo = store.hold();
  const slow = submit(lane, ["A2", "B2", "A3"]);
  const others = submit(lane, ["C2", "D2"]);
  assert.deepEqual(store.runs, ["slow A2", "fast C2"]);
  letGo();
  assert.deepEqual(await others, ["stored C2", "stored D2"]);
  assert.deepEqual(await slow, ["503", "503", "503"]);
  assert.deepEqual(store.runs.toSorted(), ["fast C2", "fast D2", "slow A2", "slow A3", "slow B2"]);
  store.failureOf = () => undefined;
  store.runs.length = 0;
  assert.deepEqual(await submitTogether(world, "A4", "C4"), ["stored A4", "stored C4"]);
  assert.deepEqual(await submitTogether(world, "A5", "C5"), ["stored A5", "stored C5"]);
  assert.deepEqual(store.runs, ["fast Z0", "slow A4", "fast C4", "fast Z0", "fast A5 C5"]);
  await lane.close();
});

test("a batch that has run for long is not a reason to wait for its writer", async () => {
  const { store, lane } = startLane();
  const letGo = store.hold();
  const first = lane.submit("A1");
  const second = lane.submit("B1");
  assert.deepEqual(store.runs, ["fast A1"]);
  await until("the second writer", () => store.runs.includes("fast B1"));
  letGo();
  assert.deepEqual(await Promise.all([first, second]), ["stored A1", "stored B1"]);
  await lane.close();
});

test("after a time-out of no known client, each client of the batch runs alone once", async () => {
  const world = startLane();
  const { store, lane } = world;
  store.failureOf = (documents) => (documents.length > 1 ? errorOf("57014") : undefined);
  assert.deepEqual(await submitTogether(world, "A1", "B1", "C1"), ["503", "503", "503"]);
  assert.deepEqual(await submitTogether(world, "A2", "B2", "C2"), ["stored A2", "stored B2", "stored C2"]);
  store.failureOf = () => undefined;
  store.runs.length = 0;
  assert.deepEqual(await submitTogether(world, "A3", "B3", "C3"), ["stored A3", "stored B3", "stored C3"]);
  assert.deepEqual(store.runs, ["fast Z0", "fast A3 B3 C3"]);
  await lane.close();
});

test("only the documents of the client whose statement failed run one by one", async () => {
  const world = startLane();
  world.store.failureOf = (documents, lane) =>
    lane === "fast" && documents.includes("A1") ? errorOf("55P03", "A") : undefined;
  const outcomes = await submitTogether(world, "A1", "B1", "A2", "C1");
  assert.deepEqual(outcomes, ["stored A1", "stored B1", "stored A2", "stored C1"]);
  assert.deepEqual(world.store.runs.toSorted(), [
    "careful A1",
    "careful A2",
    "fast A1 B1 A2 C1",
    "fast B1 C1",
    "fast Z0",
  ]);
  await world.lane.close();
});

test("an unreachable store refuses the whole batch at once", async () => {
  const world = startLane();
  world.store.failureOf = (documents) =>
    documents.includes("A1") ? new StoreUnavailableError("the database cannot be reached") : undefined;
  assert.deepEqual(await submitTogether(world, "A1", "B1"), ["503", "503"]);
  assert.deepEqual(world.store.runs, ["fast Z0", "fast A1 B1"]);
  await world.lane.close();
});

test("on a store of several nodes a batch has one client, and documents wait for their client's next batch", async () => {
  const { store, lane } = startLane({ isDistributed: true });
  const letGo = store.hold();
  const submitted = submit(lane, ["A0", "B0", "C0", "D0", "C1", "D1", "C2"]);
  assert.deepEqual(store.runs, ["fast A0", "fast B0"]);
  letGo();
  const outcomes = await submitted;
  assert.ok(outcomes.every((outcome) => outcome.startsWith("stored")));
  assert.deepEqual(store.runs.slice(2), ["fast C0 C1 C2", "fast D0 D1"]);
  await lane.close();
});

test("on a store of several nodes a batch that is held up keeps no other client waiting", async () => {
  const { store, lane } = startLane({ isDistributed: true });
  const letGo = store.hold();
  const held = submit(lane, ["A0", "B0"]);
  const submitted = submit(lane, ["C0"]);
  assert.equal(store.runs.length, 2);
  await until("the third client's batch", () => store.runs.length === 3);
  letGo();
  assert.deepEqual([...(await held), ...(await submitted)], ["stored A0", "stored B0", "stored C0"]);
  await lane.close();
});

test("on a store of several nodes a dozen waiting clients get further writers, at most two for each client", async () => {
  const { store, lane } = startLane({ isDistributed: true });
  const letGo = store.hold();
  const clients = Array.from({ length: 13 }, (_, i) => String.fromCharCode(65 + i));
  const submitted = submit(
    lane,
    clients.flatMap((client) => [`${client}0`, `${client}1`]),
  );
  assert.deepEqual(store.runs.slice(0, 2), ["fast A0", "fast B0"]);
  const later = submit(
    lane,
    Array.from({ length: 26 }, (_, i) => `A${i + 2}`),
  );
  await until("all writers to be held up", () => store.runs.length === 8);
  assert.equal(store.runs.filter((run) => run.startsWith("fast A")).length, 2);
  letGo();
  const outcomes = [...(await submitted), ...(await later)];
  assert.ok(outcomes.every((outcome) => outcome.startsWith("stored")));
  for (const run of store.runs) assert.equal(new Set(run.split(" ").slice(1).map(ownerOf)).size, 1, run);
  await lane.close();
});
