import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, invalid, notFound, type Refusal, type RequestFault, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";
import { faultOfPathSegment } from "#/kernel/values/path-segment.ts";
import { formatQuantity, isWhole, quantityOf } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { shareFacilities } from "#/modules/clients/index.ts";
import {
  type Book,
  createHoldings,
  type FreeAllocations,
  freeHeld,
  type HolderKind,
  type Holdings,
  listReservations,
  listReservationsOfLots,
  openBook,
  postMovements,
  readFreeStock,
  sumOf,
  takeStock,
  writeReservations,
} from "#/modules/inventory/index.ts";
import * as repository from "#/modules/transfers/repository.ts";
import type { TransferCreate } from "#/modules/transfers/rest-contract.ts";
import { type Transfer, type TransferLine, transferEvent } from "#/modules/transfers/transfer.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

export type TransferResult = Result<CommandResult<Transfer>, Refusal>;

export const transferHolder = {
  ownerType: "TRANSFER",
  referenceType: "transfer",
  outgoing: "DESPATCH",
} as const satisfies HolderKind;

export const keyOf = (transferId: string, { lineNumber, sku }: Pick<TransferLine, "lineNumber" | "sku">) => ({
  ownerId: transferId,
  lineNumber,
  sku,
});

/**
 * Creates a transfer and reserves its goods in the sending facility, all of them or none: it never waits for stock.
 * Refused as 400 (shape), 409 (the transferId is taken) or 422 (facilities, SKUs, units, stock).
 */
export async function createTransfer(tx: UnitOfWork, request: TransferCreate): Promise<TransferResult> {
  const { change } = tx;
  const { fromFacility, toFacility, notes } = request;
  const shape = faultsOfShape(request);
  if (shape.length > 0) return refused(invalid(shape));
  const transferId = request.transferId ?? change.ids.next(Date.parse(change.at));
  const skus = request.lines.map(({ sku }) => sku);
  const [facilities, taken, rules] = await Promise.all([
    shareFacilities(tx),
    repository.findSender(tx, transferId),
    findItemRules(tx, skus),
  ]);
  if (taken !== undefined) {
    return refused(conflict(`Transfer ${transferId} exists already; choose another transferId.`));
  }
  const faults = (["fromFacility", "toFacility"] as const).flatMap((name) =>
    faultOfFacility(`#/${name}`, request[name], facilities),
  );
  request.lines.forEach(({ sku, qty }, i) => {
    const item = rules.get(sku);
    if (!item) {
      faults.push({ pointer: `#/lines/${i}/sku`, message: `SKU '${sku}' is not known; send it by CAT first` });
    } else if (item.stockUom === defaultStockUnit && !isWhole(quantityOf(qty))) {
      faults.push({ pointer: `#/lines/${i}/qty`, message: `SKU ${sku} is counted in whole ${defaultStockUnit}` });
    }
  });
  if (faults.length > 0) return refused(unprocessableFaults(faults));

  const book = await openBook(tx, fromFacility, change.at);
  const { allocatable } = await readFreeStock(tx, book, skus);
  const holdings = createHoldings(transferHolder, book, []);
  const lines = request.lines.map(({ sku, qty }, i): TransferLine => {
    const ordered = quantityOf(qty);
    const line = { lineNumber: i + 1, sku, uom: rules.get(sku)?.stockUom as string, ordered, allocated: ordered };
    const parts = takeStock(allocatable.get(sku) ?? [], ordered);
    for (const part of parts) holdings.reserve(keyOf(transferId, line), part.lot, part.qty);
    if (sumOf(parts) < ordered) faults.push(faultOfShortage(i, sku, fromFacility, sumOf(parts)));
    return { ...line, shipped: 0, received: 0, damaged: 0 };
  });
  if (faults.length > 0) return refused(unprocessableFaults(faults));

  const transfer: Transfer = {
    transferId,
    fromFacility,
    toFacility,
    status: "RELEASED",
    notes: notes ?? null,
    carrierCode: null,
    trackingNumber: null,
    shippedAt: null,
    receivedAt: change.at,
    updatedAt: change.at,
    version: 1,
    lines,
  };
  repository.insertTransfer(tx, transfer);
  writeStock(tx, book, holdings);
  recordAudits(tx, [{ action: "create", objectType: "transfer", objectId: transferId }]);
  return ok({ answer: transfer, events: [transferEvent(tx.clientId, "transfer:created", transfer)] });
}

function faultsOfShape({ transferId, fromFacility, toFacility, lines }: TransferCreate): RequestFault[] {
  const faults: RequestFault[] = [];
  const unreachable = faultOfPathSegment(transferId);
  if (unreachable !== undefined) faults.push({ pointer: "#/transferId", message: unreachable });
  if (fromFacility === toFacility) faults.push({ pointer: "#/toFacility", message: "is the facility that ships" });
  lines.forEach(({ sku }, i) => {
    const first = lines.findIndex((other) => other.sku === sku);
    if (first < i) faults.push({ pointer: `#/lines/${i}/sku`, message: `is present twice, first in lines/${first}` });
  });
  return faults;
}

function faultOfFacility(pointer: string, facilityCode: string, facilities: readonly string[]): RequestFault[] {
  if (facilities.includes(facilityCode)) return [];
  const nearest = nearestName(facilityCode, facilities);
  const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return [{ pointer, message: `'${facilityCode}' is not a facility of the client${meant}` }];
}

const faultOfShortage = (index: number, sku: string, facilityCode: string, there: number): RequestFault => ({
  pointer: `#/lines/${index}/qty`,
  message: `${formatQuantity(there)} of SKU ${sku} are free in ${facilityCode}; move less, or wait for stock`,
});

/** Cancels a transfer before it ships, and releases its goods. Refused as 404, 412 or 409 (state). */
export async function cancelTransfer(
  tx: UnitOfWork,
  { transferId, ifMatch }: { readonly transferId: string; readonly ifMatch?: string | undefined },
  reason?: string,
): Promise<TransferResult> {
  const unknown = notFound("The client has no transfer of this transferId.");
  const fromFacility = await repository.findSender(tx, transferId);
  if (fromFacility === undefined) return refused(unknown);
  const book = await openBook(tx, fromFacility, tx.change.at);
  const opened = await openTransfer(tx, book, transferId);
  if (!opened) return refused(unknown);
  const { before, holdings } = opened;
  const stale = refusalOfVersion(ifMatch, before.version);
  if (stale) return refused(stale);
  if (before.status !== "RELEASED") {
    const remedy = before.status === "CANCELLED" ? "it has ended" : "it can be cancelled until it ships";
    return refused(conflict(`Transfer ${transferId} is ${before.status}: ${remedy}.`));
  }
  const [cancelled] = settleTransfers(
    tx,
    book,
    holdings,
    "cancel",
    [{ ...withoutHoldings(before, holdings), status: "CANCELLED" }],
    reason === undefined ? {} : { reason },
  ) as [Transfer];
  return ok({ answer: cancelled, events: [transferEvent(tx.clientId, "transfer:cancelled", cancelled)] });
}

/** Locks a transfer and its reservations; the book of its facility is open. */
export async function openTransfer(
  tx: UnitOfWork,
  book: Book,
  transferId: string,
): Promise<{ readonly before: Transfer; readonly holdings: Holdings } | undefined> {
  const [[before], reservations] = await Promise.all([
    repository.lockTransfers(tx, [transferId]),
    listReservations(tx, transferHolder.ownerType, [transferId]),
  ]);
  return before && { before, holdings: createHoldings(transferHolder, book, reservations) };
}

/** The transfer without reservations. */
export function withoutHoldings(transfer: Transfer, holdings: Holdings): Transfer {
  const lines = transfer.lines.map((line) => {
    freeHeld(holdings, keyOf(transfer.transferId, line), line.allocated);
    return { ...line, allocated: 0 };
  });
  return { ...transfer, lines };
}

/**
 * Writes planned changes: the transfers with a new version, their audit lines, the ledger and the reservations.
 *
 * @returns the written transfers, in the given order.
 */
export function settleTransfers(
  tx: UnitOfWork,
  book: Book,
  holdings: Holdings,
  action: string,
  transfers: readonly Transfer[],
  detail: Readonly<Record<string, unknown>> = {},
): Transfer[] {
  const written = transfers.map((transfer) => ({
    ...transfer,
    version: transfer.version + 1,
    updatedAt: tx.change.at,
  }));
  if (written.length === 0) return [];
  repository.writeTransfers(tx, written);
  writeStock(tx, book, holdings);
  recordAudits(
    tx,
    written.map(({ transferId, status }) => ({
      action,
      objectType: "transfer",
      objectId: transferId,
      detail: { status, ...detail },
    })),
  );
  return written;
}

function writeStock(tx: UnitOfWork, book: Book, holdings: Holdings): void {
  postMovements(tx, book, tx.change.ids, holdings.movements);
  const reservations = holdings.changed();
  if (reservations.length > 0) writeReservations(tx, reservations);
}

/** Takes up to `qty` of a missing lot back from transfers, the newest first: they ship less. */
export const freeTransferAllocations: FreeAllocations = async (tx, book, lot, qty) => {
  const held = (await listReservationsOfLots(tx, book.facilityCode, [lot])).filter(
    ({ ownerType }) => ownerType === transferHolder.ownerType,
  );
  const locked = await repository.lockTransfers(tx, [...new Set(held.map(({ ownerId }) => ownerId))]);
  const holdings = createHoldings(transferHolder, book, held);
  locked.sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));
  let left = qty;
  const changed = locked.flatMap((transfer) => {
    if (left === 0) return [];
    const lines = transfer.lines.map((line) => {
      const key = keyOf(transfer.transferId, line);
      const part = Math.min(left, sumOf(holdings.heldBy(key).map(({ allocated }) => ({ qty: allocated }))));
      if (part === 0) return line;
      holdings.free(key, lot, part);
      left -= part;
      return { ...line, allocated: line.allocated - part };
    });
    return [{ ...transfer, lines }];
  });
  const written = settleTransfers(tx, book, holdings, "free", changed, { sku: lot.sku });
  return {
    freed: qty - left,
    drafts: written.map((transfer) => transferEvent(tx.clientId, "transfer:updated", transfer)),
  };
};
