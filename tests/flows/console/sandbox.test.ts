// warehouse.md: operators control the simulated warehouse, from a node other than the one that runs it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { checkStock } from "#/modules/inventory/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { type ConsoleAnswer, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";

const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-sandbox-"));
atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
const server = await testServer();
await seedCarriers(server.database);
const client = await server.onboard("ACME", { facilities: ["DC1"] });
await client.accept("CAT", catalogue("ACME", ["MUG"]));
const anna = await signIn(server);

const startSim = (speed: number) =>
  server.startNode({
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: String(speed),
    CROSSDOCK_DATA_DIR: dataDir,
  });
const sandbox = async () => (await anna.get("/sandbox/get")).body;
const step = async (body: object) => answered(await anna.post("/sandbox/step", body), 200);

/** Applies settings, which are in force with the answer. */
const patch = async (body: object): Promise<ConsoleAnswer["body"]> =>
  answered(await anna.patch("/sandbox/patch", body), 200);

function answered({ status, body }: ConsoleAnswer, wanted: number): ConsoleAnswer["body"] {
  assert.equal(status, wanted, JSON.stringify(body));
  return body;
}

const statusOf = async (orderId: string) => String((await client.order(orderId))?.status);
const becomes = (orderId: string, status: string) =>
  until(`${orderId} to be ${status}`, async () => (await statusOf(orderId)) === status, 60_000);

/**
 * Waits until the simulated warehouse has read the object. A step waits for it too, but no longer than it takes on an
 * idle machine.
 */
const inHand = (objectId: string) =>
  until(
    `${objectId} to be in hand`,
    async () => {
      const { facilities } = await sandbox();
      return facilities.some(({ jobs }: { jobs: { objectId: string }[] }) =>
        jobs.some((job) => job.objectId === objectId),
      );
    },
    60_000,
  );

/** Stocks enough of everything by adjustment, so that no receipt is under way. */
async function stock(): Promise<void> {
  await client.accept("PO", purchaseOrder("ACME", "PO-1", [{ sku: "MUG", qty: 500 }]));
  const sim = await startSim(50);
  await until(
    "the stock to be there",
    async () => {
      const [row] = await server.rows<{ status: string }>("select status from purchase_order where po_number = 'PO-1'");
      return row?.status === "RECEIVED";
    },
    60_000,
  );
  await sim.stop();
}

test("without a simulated warehouse there is nothing to set and nothing to step", async () => {
  assert.equal((await sandbox()).isOn, false);
  const refusals = [
    await anna.patch("/sandbox/patch", { speed: 10 }),
    await anna.post("/sandbox/step", { clientId: "ACME", objectId: "O-1" }),
  ];
  for (const { status, body } of refusals) {
    assert.equal(status, 409);
    assert.match(body.detail, /No simulated warehouse is running/);
  }
});

test("a paused simulation only executes manual steps", async () => {
  await stock();
  const sim = await startSim(1);
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    const set = await patch({ speed: 0 });
    assert.deepEqual([set.speed, set.changedBy], [0, `user:${anna.userName}`]);
    await client.accept("NO", order("ACME", "O-1", [{ sku: "MUG", qty: 2 }]));
    await becomes("O-1", "ALLOCATED");
    await inHand("O-1");
    const accepted = await step({ clientId: "ACME", objectId: "O-1" });
    assert.deepEqual(accepted, { done: ["accept"], reason: null, text: null });
    assert.deepEqual((await step({ clientId: "ACME", objectId: "O-1", until: "pack" })).done, ["pick", "pack"]);
    assert.equal(await statusOf("O-1"), "PACKED");
    const { facilities } = await until("its work to be shown", async () => {
      const shown = await sandbox();
      return shown.facilities[0]?.jobs.some(({ next }: { next: string }) => next === "load") ? shown : undefined;
    });
    const dc1 = facilities.find(({ facilityCode }: { facilityCode: string }) => facilityCode === "DC1");
    assert.deepEqual(
      dc1.reports
        .slice(0, 2)
        .map(({ action, outcome, objectId }: Record<string, string>) => [action, outcome, objectId]),
      [
        ["pack", "TAKEN", "O-1"],
        ["pick", "TAKEN", "O-1"],
      ],
    );
    const whole = await step({ clientId: "ACME", objectId: "O-1", until: "deliver" });
    assert.deepEqual([whole.done.slice(0, 2), whole.done.at(-1)], [["load", "despatch"], "deliver"]);
    await becomes("O-1", "DELIVERED");
    assert.deepEqual(await step({ clientId: "ACME", objectId: "O-1" }), {
      done: [],
      reason: "NOTHING_TO_DO",
      text: null,
    });
  } finally {
    await sim.stop();
  }
});

test("a pace that is set reaches it at once, and a client that is worked by hand is left alone", async () => {
  const sim = await startSim(1);
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    assert.equal((await sandbox()).speed, 0, "settings survive a restart");
    await patch({ speed: 100, byHand: ["ACME"] });
    await client.accept("NO", order("ACME", "O-2", [{ sku: "MUG", qty: 1 }]));
    await becomes("O-2", "ALLOCATED");
    await inHand("O-2");
    assert.deepEqual((await step({ facilityCode: "DC1" })).done, ["accept"]);
    assert.equal(await statusOf("O-2"), "ALLOCATED");
    await patch({ byHand: [] });
    await becomes("O-2", "DELIVERED");
  } finally {
    await sim.stop();
  }
});

test("it continues an object that it has not followed from its present state", async () => {
  const sim = await startSim(1);
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    await patch({ speed: 0 });
    await client.accept("NO", order("ACME", "O-3", [{ sku: "MUG", qty: 3 }]));
    await becomes("O-3", "ALLOCATED");
    await inHand("O-3");
    assert.equal((await step({ clientId: "ACME", objectId: "O-3", until: "pack" })).done.at(-1), "pack");
  } finally {
    await sim.stop();
  }
  // Another machine, whose journal is empty.
  const elsewhere = mkdtempSync(path.join(os.tmpdir(), "crossdock-sandbox-"));
  const other = await server.startNode({ CROSSDOCK_WAREHOUSE_SIM: "true", CROSSDOCK_DATA_DIR: elsewhere });
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    const gone = await step({ clientId: "ACME", objectId: "O-3", until: "despatch" });
    assert.deepEqual(gone.done, ["load", "despatch"]);
    assert.equal((await step({ clientId: "ACME", objectId: "O-3", until: "deliver" })).done.at(-1), "deliver");
    assert.deepEqual(await server.database.transaction((tx) => checkStock(tx.of("ACME"))), []);
  } finally {
    await other.stop();
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test("configured faults occur, and a silent facility sends no reports", async () => {
  const sim = await startSim(50);
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    const set = await patch({ speed: 100, faults: { refusedReport: 1 } });
    assert.deepEqual([set.faults.refusedReport, set.faults.shortPick], [1, 0]);
    await client.accept("NO", order("ACME", "O-4", [{ sku: "MUG", qty: 1 }]));
    await becomes("O-4", "DELIVERED");
    const refused = await server.rows("select 1 from operator_exception where object_id = 'O-4'");
    assert.ok(refused.length > 0, "its first pick was refused");
    await patch({ faults: { refusedReport: 0 }, silent: ["DC1"] });
    await client.accept("NO", order("ACME", "O-5", [{ sku: "MUG", qty: 1 }]));
    await becomes("O-5", "ALLOCATED");
    const silent = await step({ clientId: "ACME", objectId: "O-5", facilityCode: "DC1" });
    assert.deepEqual([silent.done, silent.reason], [[], "SILENT"]);
    await patch({ silent: [] });
    await becomes("O-5", "DELIVERED");
    answered(await anna.post("/sandbox/step", { facilityCode: "NOWHERE" }), 404);
  } finally {
    await sim.stop();
  }
});

test("viewers change nothing; limited users step their own objects, and change no global setting", async () => {
  const sim = await startSim(1);
  try {
    await until("it to be seen", async () => ((await sandbox()).isOn ? true : undefined));
    const viewer = await signIn(server, "viewer");
    answered(await viewer.get("/sandbox/get"), 200);
    answered(await viewer.patch("/sandbox/patch", { speed: 1 }), 403);
    const limited = await signIn(server, "operator", { clientIds: ["ACME"] });
    answered(await limited.patch("/sandbox/patch", { speed: 1 }), 403);
    answered(await limited.post("/sandbox/step", { facilityCode: "DC1" }), 403);
    answered(await limited.post("/sandbox/step", { clientId: "ACME", objectId: "O-5" }), 200);
    const { body } = await anna.get("/audit/list?objectType=sandbox");
    assert.ok(
      body.items.some(({ action, actor }: Record<string, string>) => action === "step" && actor?.startsWith("user:")),
    );
  } finally {
    await sim.stop();
  }
});
