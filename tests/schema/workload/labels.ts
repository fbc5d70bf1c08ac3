// Label sources and purchases of labels, for the workload of plans.test.ts.
import assert from "node:assert/strict";
import { listPrices } from "#/console-api/labels/invoice-route.ts";
import { findManifest, readDocument } from "#/console-api/labels/manifest.ts";
import { readHealthOfSources } from "#/console-api/labels/purchases.cross-client.ts";
import { listSeenCodes } from "#/console-api/labels/tracking-codes.cross-client.ts";
import { listClientsWithDueChecks } from "#/delivery/addresses/addresses.cross-client.ts";
import {
  listClientsToManifest,
  listClientsToTrack,
  listClientsWithDue,
} from "#/delivery/labels/labels.cross-client.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  listMappedCodes,
  listRates,
  mapCode,
  noteUnknownCode,
  purgeRates,
  saveRates,
} from "#/modules/carriers/index.ts";
import {
  claimManifests,
  claimPurchases,
  claimTracked,
  findPurchaseOf,
  findSource,
  listSources,
  lockManifest,
  lockPurchase,
  moveManifest,
  movePickup,
  movePurchase,
  retryManifest,
  saveSource,
  startManifests,
  startPurchases,
  trackFrom,
  voidPurchases,
} from "#/modules/labels/index.ts";
import { prepareChecks, writeChecks } from "#/modules/orders/addresses/address-check.ts";
import { claimChecks, endCheck, findCheck, postponeCheck } from "#/modules/orders/addresses/repository.ts";
import { labelParcel, listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

/** @param orderId of an order with this parcel */
export async function runLabels(database: Database, clientId: string, orderId: string, olpnId: string): Promise<void> {
  const at = new Date().toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  const sourceCode = "SOURCE";
  const source = {
    sourceCode,
    name: "Source",
    kind: "HTTP" as const,
    url: "https://source.example",
    isActive: true,
    definition: {},
    headersSealed: null,
    updatedBy: "test",
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  await database.transaction(async (tx) => saveSource(tx, source));
  await findSource(database, sourceCode);
  await listSources(database);
  const purchase = {
    orderId,
    olpnId,
    facilityCode: "DC1",
    carrierCode: "RM",
    serviceCode: "RM48",
    sources: [sourceCode],
  };
  await database.transaction(async (tx) => startPurchases(tx.of(clientId, change), [{ ...purchase, request: null }]));
  await listClientsWithDue(database, sourceCode, at);
  await database.transaction(async (tx) => {
    const view = tx.of(clientId, change);
    const [claimed] = await claimPurchases(view, { sourceCode, at, leaseUntil: at, limit: 4 });
    assert.ok(claimed);
    await findPurchaseOf(view, olpnId);
    await lockPurchase(view, claimed.purchaseId);
    const step = { status: "BOUGHT", isSent: true, tries: 1, dueAt: null, error: null, keepsRequest: false } as const;
    movePurchase(view, at, claimed.purchaseId, step);
    const [parcel] = await listParcelsById(view, [olpnId]);
    labelParcel(view, at, { ...(parcel as ParcelFacts), olpnId });
    const since = new Date(Date.now() - dayMs).toISOString();
    const manifests = { facilityCode: "DC1", cutOffAt: null, since, isAsked: true, request: {} };
    await startManifests(view, { ...manifests, sourceCode });
    await startManifests(view, { ...manifests, sourceCode: "OWN" });
    await claimManifests(view, { sourceCode, at, leaseUntil: at });
    const manifestId = ids.next(Date.now());
    await lockManifest(view, manifestId);
    await findManifest(view, manifestId);
    await listPrices(view, [olpnId]);
    await assert.rejects(readDocument(view, manifestId), TypeError);
    moveManifest(view, at, manifestId, { status: "MADE", isSent: true, dueAt: null, error: null });
    movePickup(view, at, manifestId, { state: "BOOKED", tries: 1, dueAt: null, error: null, pickupId: "PU-1" });
    retryManifest(view, at, manifestId);
    voidPurchases(view, at, [olpnId]);
  });
  await database.transaction(async (tx) => {
    const view = tx.of(clientId);
    await claimTracked(view, { sourceCode, at, leaseUntil: at, limit: 4 });
    trackFrom(view, [ids.next(Date.now())], at);
  });
  await listClientsToTrack(database, sourceCode, at);
  await listClientsToManifest(database, { facilityCode: "DC1", cutOffAt: at, since: at });
  await readHealthOfSources(database, new Date(Date.now() - dayMs).toISOString());
}

export async function runRates(database: Database, clientId: string): Promise<void> {
  const view = database.of(clientId);
  const shipment = { distributionCentre: "DC1", shipTo: { country: "GB", zip: "LS1 4AP" } };
  const ratedAt = new Date().toISOString();
  const rate = {
    serviceCode: "RM48",
    sourceCode: "SOURCE",
    weight: 500,
    price: { amount: 4, currency: "GBP" },
    ratedAt,
  };
  await database.transaction(async (tx) => saveRates(tx.of(clientId), shipment, [rate]));
  assert.deepEqual(await listRates(view, shipment), [rate]);
  await purgeRates(view, new Date(Date.now() - dayMs).toISOString(), 10);
}

export async function runTrackingCodes(database: Database, clientId: string): Promise<void> {
  const at = new Date().toISOString();
  await database.transaction(async (tx) => {
    noteUnknownCode(tx.of(clientId), "RM", "Unheard", at);
    mapCode(tx, { carrierCode: "RM", code: "heard", eventCode: 120 });
  });
  await listSeenCodes(database, new Date(Date.now() - dayMs).toISOString());
  await listMappedCodes(database);
}

/** @param orderId of an order */
export async function runAddressChecks(database: Database, clientId: string, orderId: string): Promise<void> {
  const at = new Date().toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  const address = { address1: "Mill Road 1", city: "Leeds", zip: "LS1 4AP", country: "GB" };
  await database.transaction(async (tx) => {
    const view = tx.of(clientId, change);
    writeChecks(view, [...(await prepareChecks(view, { addressCheck: "HOLD" }, [{ orderId, address }], at)).values()]);
  });
  await listClientsWithDueChecks(database, at);
  await database.transaction(async (tx) => {
    const view = tx.of(clientId, change);
    const [claimed] = await claimChecks(view, { at, leaseUntil: at, limit: 4 });
    assert.ok(claimed);
    postponeCheck(view, claimed, at);
    await findCheck(view, orderId, claimed.addressKey);
    const answer = { reason: null, correction: { zip: "LS1 4AQ" }, sourceCode: "SOURCE", checkedAt: at };
    assert.ok(await endCheck(view, claimed, { verdict: "CORRECTED", ...answer }));
  });
}
