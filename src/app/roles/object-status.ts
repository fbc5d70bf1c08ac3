import type { StatusOf } from "#/intake/feeds/outcome.ts";
import { findOrderStatuses } from "#/modules/orders/index.ts";
import { findPurchaseOrderStatuses } from "#/modules/purchasing/index.ts";
import { findReturnStatuses } from "#/modules/returns/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

type Documents = Parameters<StatusOf>[2];

/**
 * Status of the objects of feed documents, for their ACKs. Each module reports its own objects. A catalogue has no
 * state.
 */
export const statusOf: StatusOf = (tx, feedType, documents) => {
  switch (feedType) {
    case "NO":
      return findOrders(tx, documents);
    case "PO":
      return findPurchaseOrders(tx, documents);
    case "RMA":
      return findReturns(tx, documents);
    case "CAT":
      return Promise.resolve(new Map());
  }
};

async function findOrders(tx: ClientTx, documents: Documents) {
  const rows = await findOrderStatuses(tx, objectIds(documents));
  const byId = new Map(rows.map((row) => [row.order_id, row]));
  return byToken(documents, ({ objectId }) => byId.get(objectId));
}

async function findReturns(tx: ClientTx, documents: Documents) {
  const rows = await findReturnStatuses(tx, objectIds(documents));
  const byId = new Map(rows.map((row) => [row.rma_number, row]));
  return byToken(documents, ({ objectId }) => byId.get(objectId));
}

/**
 * Several shipping notices may share a number. The result is the one this document wrote, or the later one that
 * replaced it.
 */
async function findPurchaseOrders(tx: ClientTx, documents: Documents) {
  const rows = await findPurchaseOrderStatuses(tx, objectIds(documents));
  const ofToken = new Map(rows.map((row) => [row.feed_token, row]));
  const latest = new Map(rows.map((row) => [row.po_number, row]));
  return byToken(documents, ({ token, objectId }) => ofToken.get(token) ?? latest.get(objectId));
}

function objectIds(documents: Documents): string[] {
  return [...new Set(documents.map(({ objectId }) => objectId))];
}

function byToken(
  documents: Documents,
  find: (document: Documents[number]) => { readonly status: string; readonly distribution_centre: string } | undefined,
) {
  return new Map(
    documents.flatMap((document) => {
      const row = find(document);
      return row ? [[document.token, { status: row.status, facilityCode: row.distribution_centre }] as const] : [];
    }),
  );
}
