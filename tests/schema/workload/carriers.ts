// Carrier determination for the workload of plans.test.ts.
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { findDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { createCarrierSets, determine, runDraft, saveCarrierData, simulate } from "#/modules/carriers/index.ts";
import type { Database } from "#/store/db/database.ts";
import { carrierSet } from "../../support/carriers/carrier-data.ts";

const ids = createIds();

/** Decides for a shipment and for an order, reads a decision, and repeats all of them. */
export async function runCarriers(database: Database, clientId: string, orderId: string): Promise<void> {
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  const saved = await database.transaction((tx) => saveCarrierData(tx, change, { owner: clientId, data: carrierSet }));
  if (!saved.ok) throw new Error(JSON.stringify(saved.fault));
  const context = { clock: systemClock, ids, sets: createCarrierSets() };
  const request = { distributionCentre: "DC1", shipTo: { country: "GB", zip: "BS1 5TY" }, parcels: [{ weight: 1 }] };
  for (const target of [{}, { orderId }, { orderId, olpnId: "106141412345678908" }]) {
    const decided = await database.transaction((tx) => determine(tx, context, { clientId, request, of: target }));
    if (!decided.ok) throw new Error(JSON.stringify(decided.fault));
    await findDecision(database.of(clientId), decided.value.decisionId);
  }
  const span = { fromMs: Date.now() - 60_000, toMs: Date.now() + 60_000 };
  const { decisions } = await simulate(database, clientId, span, runDraft(carrierSet), {
    decisionsMax: 100,
    msMax: 10_000,
  });
  if (decisions !== 3) throw new Error(`${decisions} decisions were run again`);
}
