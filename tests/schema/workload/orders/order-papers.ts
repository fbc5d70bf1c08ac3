// Related objects of an order in REST: returns, purchase orders, parcels and printed documents; for the workload of plans.test.ts.

import { systemClock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { activeCarrierData, saveCarrierData } from "#/modules/carriers/index.ts";
import { deleteDocuments, keepDocuments, listBatchPapers, type PaperOrder } from "#/modules/documents/index.ts";
import { withDigests } from "#/modules/documents/print-documents.ts";
import { findDocument, listDocuments, listForms } from "#/modules/documents/repository.ts";
import { listMilestonesOf, listParcelPage } from "#/modules/parcels/index.ts";
import { listPurchaseOrders } from "#/modules/purchasing/list-repository.ts";
import { findRma, listRmaDispositions, listRmaLines, listRmas } from "#/modules/returns/rest-repository.ts";
import type { Database } from "#/store/db/database.ts";
import { slip, sscc } from "../../../support/papers/papers.ts";

const ids = createIds();
const sorts = ["receivedAt", "-receivedAt"] as const;

/**
 * @param orderId of an order of the client
 * @param rmaNumber of a return of that order
 */
export async function runOrderPapers(
  database: Database,
  clientId: string,
  orderId: string,
  rmaNumber: string,
): Promise<void> {
  const at = new Date().toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  await readReturns(database, clientId, orderId, rmaNumber);
  await readPurchaseOrders(database, clientId);
  for (const sort of sorts) {
    const page = { orderId, sort, limit: 100 };
    await listParcelPage(database.of(clientId), { ...page, after: undefined });
    await listParcelPage(database.of(clientId), { ...page, after: { us: 0, id: "106141412345678908" } });
  }
  await listMilestonesOf(database.of(clientId), orderId, ["106141412345678908"]);

  const paper: PaperOrder = { orderId, olpnId: sscc, type: "PACKING_SLIP", slip: slip({ orderId }) };
  const [kept] = await database.transaction((tx) => keepDocuments(tx.of(clientId, change), [paper]));
  if (!kept) throw new Error("no document was kept");
  await findDocument(database.of(clientId), kept.documentId);
  const bytes = Buffer.from("%PDF-1.7");
  const printService = { print: async () => [bytes], printBook: async () => bytes, draw: async () => bytes };
  const printing = { database, clock: systemClock, printService };
  await withDigests(printing, clientId, [kept]);
  await listForms(database.of(clientId), kept);
  await listBatchPapers(database.of(clientId), [{ orderId, olpnId: sscc }], { types: ["PACKING_SLIP"], format: "pdf" });
  for (const sort of sorts) {
    for (const after of [undefined, kept.documentId]) {
      for (const olpnId of [undefined, "106141412345678908"])
        await listDocuments(database.of(clientId), { orderId, olpnId, sort, after, limit: 100 });
    }
  }

  await database.transaction(async (tx) => deleteDocuments(tx.of(clientId), orderId, ["106141412345678908"]));

  const saved = await database.transaction((tx) =>
    saveCarrierData(tx, change, { owner: clientId, data: { services: [], rateCards: [] } }),
  );
  if (!saved.ok) throw new Error("the carrier data were refused");
  await activeCarrierData(database.of(clientId));
}

/** A page of purchase orders with each REST filter, in both directions, first and following. */
async function readPurchaseOrders(database: Database, clientId: string): Promise<void> {
  const none = {
    status: undefined,
    distributionCentre: undefined,
    receivedFrom: undefined,
    receivedTo: undefined,
    updatedSince: undefined,
  };
  const [from, to] = [new Date(Date.now() - dayMs).toISOString(), new Date(Date.now() + dayMs).toISOString()];
  for (const filter of [
    none,
    { ...none, status: "OPEN" },
    { ...none, distributionCentre: "DC1" },
    { ...none, receivedFrom: from, receivedTo: to },
    { ...none, updatedSince: from },
  ]) {
    for (const sort of sorts) {
      for (const after of [undefined, { us: Date.parse(from) * 1000, id: "PO-1\nV-1" }]) {
        await listPurchaseOrders(database.of(clientId), { filter, sort, after, limit: 100 });
      }
    }
  }
}

/** A page of returns with each REST filter, in both directions, first and following. */
async function readReturns(database: Database, clientId: string, orderId: string, rmaNumber: string): Promise<void> {
  const found = await findRma(database.of(clientId), rmaNumber);
  if (!found) throw new Error(`there is no return ${rmaNumber}`);
  await listRmaLines(database.of(clientId), [rmaNumber], 100);
  await listRmaDispositions(database.of(clientId), [rmaNumber], 100);
  const none = {
    status: undefined,
    distributionCentre: undefined,
    orderIds: undefined,
    receivedFrom: undefined,
    receivedTo: undefined,
    updatedSince: undefined,
  };
  const [from, to] = [new Date(Date.now() - dayMs).toISOString(), new Date(Date.now() + dayMs).toISOString()];
  const filters = [
    none,
    { ...none, status: "AUTHORISED" },
    { ...none, distributionCentre: "DC1" },
    { ...none, orderIds: [orderId] },
    { ...none, receivedFrom: from, receivedTo: to },
    { ...none, updatedSince: from },
    { ...none, orderIds: [orderId], updatedSince: from },
  ];
  for (const filter of filters) {
    for (const sort of sorts) {
      for (const after of [undefined, { us: Date.parse(found.receivedAt) * 1000, id: rmaNumber }]) {
        await listRmas(database.of(clientId), { filter, sort, after, limit: 100 });
      }
    }
  }
}
