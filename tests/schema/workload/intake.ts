// Inbound goods and returns, for the workload of plans.test.ts.

import type { Result } from "#/kernel/result.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Book, openBook } from "#/modules/inventory/index.ts";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { findAnnouncedCartons, listCartons, replaceCartons } from "#/modules/purchasing/carton-repository.ts";
import {
  closeFinishedPurchaseOrders,
  closePurchaseOrder,
  closeUnfinishedPurchaseOrders,
  listReceivingWork,
  reportGoodsReceipt,
} from "#/modules/purchasing/index.ts";
import { insertPurchaseOrders, replaceLines } from "#/modules/purchasing/repository.ts";
import {
  cancelReturn,
  closeQuietReturns,
  closeReturn,
  expireReturns,
  listReturnWork,
  reportReturn,
} from "#/modules/returns/index.ts";
import { insertReturnLines, insertReturns } from "#/modules/returns/repository.ts";
import { listUnidentified } from "#/modules/warehouse/unidentified/repository.ts";
import { bindUnidentified, closeUnidentified, receiveUnidentified } from "#/modules/warehouse/unidentified/service.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

const ids = createIds();
const at = "2026-11-20T10:00:00.000Z";
const later = "2026-12-20T10:00:00.000Z";
const change = { actor: "test", origin: "test", at, ids };
const terms = { overReceiptTolerance: 10, free: async () => ({ freed: 0, drafts: [] }) };
const poNumber = "PO-INTAKE";
const sscc = ssccOf("4012345", 1);
const rmaNumber = "RMA-INTAKE";

/**
 * Sends every statement of receiving and returns that names a client.
 *
 * @param sku of an item of the client
 * @param olpnId of a parcel of the client that was packed in DC1, despatched or not
 */
export async function runIntake(database: Database, clientId: string, sku: string, olpnId: string): Promise<void> {
  await announce(database, clientId, sku);
  const report = <Value>(work: (tx: Transaction, book: Book) => Promise<Value>) =>
    database.transaction(async (tx) => work(tx, await openBook(tx.of(clientId), "DC1", at)));
  const receive = (receiptId: string, qty: number, correctsReceiptId?: string) =>
    report((tx, book) => {
      const body = {
        clientId,
        poNumber,
        receiptId,
        correctsReceiptId,
        lines: [{ sku, qty, condition: "DAMAGED" as const }],
      };
      return reportGoodsReceipt(tx.of(book.clientId, change), book, body, terms);
    });
  must(await receive("R-1", 5));
  must(await receive("R-2", 10, "R-1"));
  const carton = { clientId, sscc, receiptId: "R-3" };
  must(await report((tx, book) => reportGoodsReceipt(tx.of(book.clientId, change), book, carton, terms)));
  await runUnidentified(database, clientId, sku);
  await findAnnouncedCartons(database.of(clientId), [sscc]);
  await listCartons(database.of(clientId), [poNumber]);
  await listReceivingWork(database.of(clientId), [poNumber]);
  await database.transaction((tx) => closeFinishedPurchaseOrders(tx.of(clientId, { ...change, at: later }), later));
  const unfinished = { quietBefore: at, tolerance: 5, staleBefore: at };
  await database.transaction((tx) => closeUnfinishedPurchaseOrders(tx.of(clientId, change), unfinished));
  const order = { poNumber, vendorOrderId: undefined };
  await database.transaction((tx) => closePurchaseOrder(tx.of(clientId, change), order));
  const takeBack = (source: { rmaNumber?: string; olpnId?: string; returnId?: string }) =>
    report((tx, book) => {
      const lines = [{ sku, qty: 1, disposition: "RESELLABLE" as const }];
      return reportReturn(tx.of(book.clientId, change), book, { clientId, ...source, lines });
    });
  must(await takeBack({ rmaNumber }));
  await takeBack({ olpnId });
  must(await takeBack({ returnId: "RET-1" }));
  await listReturnWork(database.of(clientId), [rmaNumber]);
  must(await database.transaction((tx) => cancelReturn(tx.of(clientId, change), { rmaNumber: `${rmaNumber}-2` })));
  await database.transaction((tx) => expireReturns(tx.of(clientId, { ...change, at: later }), later));
  await database.transaction((tx) => closeReturn(tx.of(clientId, change), { rmaNumber }));
  const quiet = { completeBefore: at, shortBefore: at };
  await database.transaction((tx) => closeQuietReturns(tx.of(clientId, change), quiet));
}

function must(result: Result<unknown, { readonly detail: string }>): void {
  if (!result.ok) throw new Error(result.fault.detail);
}

/** A purchase order and two returns. */
async function announce(database: Database, clientId: string, sku: string): Promise<void> {
  const line = { path: "", lineNumber: 1, sku, qty: 12_000, feedQty: 12_000, feedUom: undefined, uom: "EA" };
  const content = { sentUom: undefined, batchRef: undefined, expiryDate: undefined };
  const token = ids.next(Date.parse(at));
  const key = { poNumber, vendorOrderId: "" };
  const order = {
    ...key,
    action: "NEW" as const,
    revision: undefined,
    distributionCentre: "DC1",
    messageId: undefined,
    extendedAttributes: {},
    lines: [{ ...line, lineId: undefined, altSku: undefined, productName: undefined }],
    cartons: [
      { path: "", sscc, trackingNumber: undefined, lines: [{ ...line, ...content, qty: 1_000, feedQty: 1_000 }] },
    ],
  };
  const returned = { ...line, returnReasonCode: undefined, attributeOne: undefined, attributeThree: undefined };
  const returns = [rmaNumber, `${rmaNumber}-2`].map((rmaNumber) => ({
    token,
    receivedAt: at,
    bodySha256: Buffer.alloc(32),
    faults: [],
    warnings: [],
    parkKey: undefined,
    missingSkus: [],
    replayOf: undefined,
    message: {
      rmaNumber,
      distributionCentre: "DC1",
      orderReference: undefined,
      orderId: undefined,
      creationTimeStamp: undefined,
      lines: [returned],
    },
  }));
  await database.transaction(async (tx) => {
    insertPurchaseOrders(tx.of(clientId), [{ key, message: order, token, receivedAt: at }]);
    replaceLines(tx.of(clientId), [{ key, message: order, token, receivedAt: at }]);
    replaceCartons(tx.of(clientId), [{ key, message: order, token, receivedAt: at }], true);
    replaceCartons(tx.of(clientId), [{ key, message: order, token, receivedAt: at }], false);
    insertReturns(tx.of(clientId), returns);
    insertReturnLines(tx.of(clientId), returns);
  });
}

/** Goods without a purchase order: listed, bound and closed. */
async function runUnidentified(database: Database, clientId: string, sku: string): Promise<void> {
  const came = (receiptId: string) =>
    database.transaction(async (tx) => {
      const goods = { clientId, receiptId, packages: 1, sscc: ssccOf("4012345", 77) };
      const stored = await receiveUnidentified(tx.of(clientId, change), "DC1", goods);
      if (!stored.ok) throw new Error(stored.fault.detail);
      return stored.value.answer.unidentifiedId;
    });
  const [bound, closed] = [await came("R-U1"), await came("R-U2")];
  await database.transaction(async (tx) => {
    const wanted = { poNumber, lines: [{ sku, qty: 1, condition: "DAMAGED" as const }] };
    const terms = { pools: { stockPools: "*", availablePools: "*" } } as const;
    must(await bindUnidentified(tx.of(clientId, change), { unidentifiedId: bound }, wanted, terms));
  });
  await database.transaction(async (tx) => {
    const end = { outcome: "DISPOSED", reason: "broken" } as const;
    must(await closeUnidentified(tx.of(clientId, change), { unidentifiedId: closed }, end));
  });
  const none = { status: undefined, distributionCentre: undefined, updatedSince: undefined };
  for (const filter of [
    none,
    { ...none, status: "WAITING" },
    { ...none, distributionCentre: "DC1" },
    { ...none, updatedSince: at },
  ]) {
    for (const sort of ["receivedAt", "-receivedAt"] as const) {
      await listUnidentified(database.of(clientId), { filter, sort, after: undefined, limit: 10 });
      const after = { us: Date.parse(at) * 1000, id: bound };
      await listUnidentified(database.of(clientId), { filter, sort, after, limit: 10 });
    }
  }
}
