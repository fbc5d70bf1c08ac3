import { type Batch, defineFeed, type Entry, effective } from "#/intake/feeds/intake/definition.ts";
import { resolveDuplicates } from "#/intake/feeds/intake/duplicates.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { convertQuantities } from "#/modules/catalogue/index.ts";
import { recheckFacilities } from "#/modules/clients/index.ts";
import { listDespatched, matchReferences } from "#/modules/orders/index.ts";
import { returnMerchandiseAuthorizationShape } from "#/modules/returns/contract.ts";
import { checkReturn, type ReturnMessage } from "#/modules/returns/domain.ts";
import { recordsOf, returnEvent } from "#/modules/returns/reports/return-events.ts";
import * as repository from "#/modules/returns/repository.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

type ReturnEntry = Entry<ReturnMessage>;

/** Checks the returns against the store: unknown SKUs and orders, duplicates, more than was shipped. */
async function validateReturns(tx: ClientTx, batch: Batch<ReturnMessage>): Promise<void> {
  const { entries } = batch;
  // The units are read after the lock, on the same connection.
  await Promise.all([
    recheckFacilities(tx, entries, ({ distributionCentre }) => distributionCentre),
    convertQuantities(tx, entries, ({ lines }) => lines),
  ]);
  await checkReferences(tx, entries);
  const existing = await repository.findReturns(
    tx,
    entries.map(({ message }) => message.rmaNumber),
  );
  const duplicates = existing.map(({ rma_number, feed_token }) => ({
    entry: entries.find(({ message }) => message.rmaNumber === rma_number) as ReturnEntry,
    object: `Return ${rma_number}`,
    originToken: feed_token,
  }));
  await resolveDuplicates(tx, batch, duplicates, false);
}

async function checkReferences(tx: ClientTx, entries: readonly ReturnEntry[]): Promise<void> {
  const references = [...new Set(entries.flatMap(({ message }) => message.orderReference ?? []))];
  if (references.length === 0) return;
  const matches = await matchReferences(tx, references);
  for (const { message, faults } of entries) {
    if (message.orderReference === undefined) continue;
    const found = matches.filter(({ reference }) => reference === message.orderReference);
    // An orderId takes precedence over an equal externalOrderReference.
    message.orderId = (found.find(({ reference, order_id }) => reference === order_id) ?? found[0])?.order_id;
    if (message.orderId === undefined) {
      faults.push(
        finding("UNKNOWN_ORDER", `orderReference '${message.orderReference}' is not an order of client ${tx.clientId}`),
      );
    }
  }
  await warnOfOverReturn(tx, entries);
}

async function warnOfOverReturn(tx: ClientTx, entries: readonly ReturnEntry[]): Promise<void> {
  const orderIds = [...new Set(entries.flatMap(({ message }) => message.orderId ?? []))];
  if (orderIds.length === 0) return;
  const shipped = await listDespatched(tx, orderIds);
  for (const { message, warnings } of entries) {
    if (message.orderId === undefined) continue;
    const returned = new Map<string, number>();
    for (const { sku, qty } of message.lines) returned.set(sku, (returned.get(sku) ?? 0) + qty);
    for (const [sku, qty] of returned) {
      const row = shipped.find((candidate) => candidate.orderId === message.orderId && candidate.sku === sku);
      const away = (row?.despatched ?? 0) - (row?.returned ?? 0);
      if (qty <= away) continue;
      const came = row?.returned ? `, and ${formatQuantity(row.returned)} of them came back` : "";
      const text = `${formatQuantity(qty)} of SKU ${sku} are announced, ${formatQuantity(row?.despatched ?? 0)} were despatched with order ${message.orderId}${came}`;
      warnings.push(finding("OVER_RETURN", text));
    }
  }
}

async function writeReturns(tx: ClientTransaction, batch: Batch<ReturnMessage>): Promise<readonly EventDraft[]> {
  const accepted = effective(batch).sort((left, right) => (left.message.rmaNumber < right.message.rmaNumber ? -1 : 1));
  if (accepted.length === 0) return [];
  repository.insertReturns(tx, accepted);
  repository.insertReturnLines(tx, accepted);
  return accepted.map(({ message: { rmaNumber, distributionCentre, lines } }) => {
    const expected = lines.map(({ lineNumber, sku, qty }) => {
      return { lineNumber, sku, expected: qty, received: 0, discrepancy: "NONE" as const };
    });
    return returnEvent("return:authorised", {
      objectId: rmaNumber,
      rmaNumber,
      facilityCode: distributionCentre,
      status: "AUTHORISED",
      lines: recordsOf(expected, []),
    });
  });
}

/** The definition of the RMA feed for the receiver. */
export const returnFeed = defineFeed({
  type: "RMA",
  xsd: "RMA.xsd",
  shape: returnMerchandiseAuthorizationShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => raw.rmaNumber,
  check: checkReturn,
  keyOf: (rma) => rma.rmaNumber,
  validate: validateReturns,
  write: writeReturns,
});
