// The sandbox and the demo's own rows, for the workload of plans.test.ts.

import * as sandbox from "#/console-api/sandbox/repository.ts";
import { readKnownOrder } from "#/console-api/sandbox/routes.ts";
import { createIds } from "#/kernel/values/ids.ts";
import * as demo from "#/sandbox/demo/repository.ts";
import * as control from "#/sandbox/simulator/control-repository.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

export async function runConsoleSandbox(database: Database, clientId: string): Promise<void> {
  const at = new Date().toISOString();
  await readKnownOrder(database.of(clientId), "WEB-100045");
  await database.transaction(async (tx) => {
    const setting = await sandbox.lockSetting(tx, at, "user:test");
    await sandbox.putSetting(tx, setting);
  });
  await sandbox.findSetting(database);
  await sandbox.listFacilities(database, at);
  const stepId = ids.next(Date.now());
  const step = { stepId, clientId, facilityCode: "DC1", objectId: "WEB-100045", known: {}, by: "user:test", at };
  await sandbox.insertStep(database, step);
  await sandbox.findOutcome(database, stepId);
  await control.findSettings(database);
  await control.listAskedSteps(database, at);
  await control.endStep(database, stepId, at, { done: [] });
  await control.silenceFacility(database, { at, actor: "user:test", origin: "test", ids }, "DC9");
  await control.showFacility(database, "DC1", at, {});
  await control.hideFacilities(database, ["DC1"]);
  await control.purgeSteps(database, at);
  await demo.listStages(database);
  await demo.beginStage(database, "workload", at);
  await demo.endStage(database, "workload", at);
  await demo.hasPending(database.of(clientId));
  await demo.keepByHand(database, [clientId], at);
  await database.transaction(async (tx) => {
    await demo.lockDemo(tx, "workload");
    const document = {
      token: ids.next(Date.now()),
      type: "NO",
      channel: "HTTP" as const,
      objectId: "PAST-1",
      receivedAt: at,
      settledAt: at,
      sha256: Buffer.alloc(32),
      payload: Buffer.from("<x/>"),
      ack: Buffer.from("<y/>"),
    };
    demo.insertPastDocuments(tx.of(clientId), [document]);
  });
}
