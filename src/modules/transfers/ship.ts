import { readDateTime } from "#/http/requests/date-time.ts";
import { conflict, joinRefusals, notFound, type Refusal, unprocessableField } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { formatQuantity, quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { faultsOfLot, findItemRules } from "#/modules/catalogue/index.ts";
import type { Work } from "#/modules/facilities/index.ts";
import {
  type Adjustment,
  type Book,
  composeDocuments,
  fieldsOfLot,
  type LotFields,
  listReservations,
  lotsOfSerials,
  readFreeStock,
  type SerialPlace,
  serialPlaces,
  sumOf,
  takeOut,
  transferReason,
  writeSerials,
} from "#/modules/inventory/index.ts";
import { readTransfers } from "#/modules/transfers/repository.ts";
import { keyOf, openTransfer, settleTransfers, transferHolder, withoutHoldings } from "#/modules/transfers/service.ts";
import { type Transfer, type TransferLine, transferEvent } from "#/modules/transfers/transfer.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

/** Transfers have no priority field. */
const middlePriority = 5;

/** The shipping work of the sending facility: the reserved lots, until they ship. Unknown transfers are absent. */
export async function listShippingWork(tx: ClientTx, transferIds: readonly string[]): Promise<Work[]> {
  const [transfers, reservations] = await Promise.all([
    readTransfers(tx, transferIds),
    listReservations(tx, transferHolder.ownerType, transferIds),
  ]);
  const reservationsOf = Map.groupBy(reservations, ({ ownerId }) => ownerId);
  return transfers.map(({ transferId, fromFacility, toFacility, status, notes, lines }): Work => {
    const held = (reservationsOf.get(transferId) ?? []).filter(({ allocated }) => allocated > 0);
    const uomOf = new Map(lines.map(({ lineNumber, uom }) => [lineNumber, uom]));
    return {
      type: "TRANSFER",
      objectId: transferId,
      facilityCode: fromFacility,
      isWanted: status === "RELEASED",
      priority: middlePriority,
      notes: notes ?? undefined,
      toFacility,
      lines: held.map(({ lineNumber, sku, allocated: qty, ...lot }) => ({
        lineNumber,
        sku,
        qty,
        uom: uomOf.get(lineNumber) ?? "",
        ...fieldsOfLot(lot),
      })),
    };
  });
}

/** A body of `POST /transfer/report` (warehouse.md). */
export interface TransferReport {
  readonly transferId: string;
  readonly lines: readonly (LotFields & {
    readonly sku: string;
    /** A JSON number in the stock unit. */
    readonly qty: number;
    readonly serials?: readonly string[] | undefined;
  })[];
  readonly carrierCode?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly occurredAt?: string | undefined;
}

/** The goods that the receiving facility expects of a transfer. */
export interface Expectation {
  readonly transferId: string;
  readonly fromFacility: string;
  readonly toFacility: string;
  readonly lines: readonly { readonly lineNumber: number; readonly sku: string; readonly qty: number }[];
}

/**
 * Books the goods that left the sending facility, once for a transfer: they are in transit, and what did not ship is free
 * again. Refused as 404, 409 (state, stock, serials) or 422 (SKUs, lots).
 *
 * @param book of the sending facility, opened before.
 * @param expect announces the goods to the receiving facility; its refusal is that of the report.
 */
export async function shipTransfer(
  tx: UnitOfWork,
  book: Book,
  body: TransferReport,
  expect: (tx: UnitOfWork, goods: Expectation) => Promise<Refusal | undefined>,
): Promise<Result<CommandResult<object>, Refusal>> {
  const { transferId } = body;
  const opened = await openTransfer(tx, book, transferId);
  if (opened?.before.fromFacility !== book.facilityCode) {
    return refused(notFound(`There is no transfer ${transferId} of client ${tx.clientId} in this facility.`));
  }
  const { before, holdings } = opened;
  if (before.status !== "RELEASED") {
    return refused(conflict(`Transfer ${transferId} is ${before.status}: it ships once, from RELEASED.`));
  }
  const skus = before.lines.map(({ sku }) => sku);
  const [rules, free] = await Promise.all([findItemRules(tx, skus), readFreeStock(tx, book, skus)]);
  const faults = body.lines.flatMap((line, i): Refusal[] => {
    const item = rules.get(line.sku);
    if (!item) return [unprocessableField(i, "sku", `SKU ${line.sku} is not on transfer ${transferId}`)];
    const ofLot = faultsOfLot(item, quantityOf(line.qty), line);
    return ofLot.map(({ field, message }) => unprocessableField(i, field, message));
  });
  const [first, ...others] = faults;
  if (first) return refused(joinRefusals([first, ...others]));

  const occurredAt = body.occurredAt === undefined ? undefined : readDateTime(body.occurredAt);
  const shipped = new Map<number, { qty: number; ofHeld: number }>();
  const lineOf = new Map(before.lines.map((line) => [line.sku, line]));
  const goneOf = new Map<string, Set<string>>();
  const gone: SerialPlace[] = [];
  const left: Adjustment["lines"][number][] = [];
  const owner = { ownerType: transferHolder.ownerType, ownerId: transferId };
  // Named lots go first, so that the lot is still there.
  for (const { sku, qty, serials = [], ...lot } of body.lines.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const line = lineOf.get(sku) as TransferLine;
    const units = await lotsOfSerials(tx, book, sku, serials, lot);
    if (!units.ok) return units;
    const known = goneOf.get(sku) ?? new Set();
    goneOf.set(sku, known);
    if (serials.some((serial) => known.has(serial))) {
      return refused(conflict(`Serials of SKU ${sku} are in the report twice.`));
    }
    for (const serial of serials) known.add(serial);
    const named = rankOf(lot) === 0 ? lot : undefined;
    const parts =
      units.value.length > 0
        ? units.value.map((unit) => ({ ...unit, qty: unit.serials.length * 1000 }))
        : [{ lot: named, serials: undefined, qty: quantityOf(qty) }];
    const sum = shipped.get(line.lineNumber) ?? { qty: 0, ofHeld: 0 };
    shipped.set(line.lineNumber, sum);
    for (const part of parts) {
      const { held, rest } = takeOut(holdings, keyOf(transferId, line), part, free, {
        serials: part.serials,
        occurredAt,
      });
      const there = sumOf(held) + sumOf(rest);
      sum.qty += part.qty;
      sum.ofHeld += sumOf(held);
      if (there < part.qty || sum.qty > line.ordered) return refused(excess(before, line, sum.qty, part.qty, there));
      for (const { lot: of, qty: taken } of [...held, ...rest]) {
        left.push({ ...of, sku, qty: -taken, fromCondition: "GOOD" });
      }
      if (part.serials) gone.push(...serialPlaces(book, sku, part.lot, part.serials, "GONE", owner));
    }
  }
  const lines = before.lines.map((line) => {
    const { qty, ofHeld } = shipped.get(line.lineNumber) ?? { qty: 0, ofHeld: 0 };
    return { ...line, shipped: qty, allocated: line.allocated - ofHeld };
  });
  const { fromFacility, toFacility } = before;
  const sent = lines.filter((line) => line.shipped > 0).map((line) => ({ ...line, qty: line.shipped }));
  const refusal = await expect(tx, { transferId, fromFacility, toFacility, lines: sent });
  if (refusal) return refused(refusal);
  writeSerials(tx, tx.change.at, gone);
  const after: Transfer = {
    ...withoutHoldings({ ...before, lines }, holdings),
    status: "SHIPPED",
    carrierCode: body.carrierCode ?? null,
    trackingNumber: body.trackingNumber ?? null,
    shippedAt: occurredAt ?? tx.change.at,
  };
  const [transfer] = settleTransfers(tx, book, holdings, "ship", [after]) as [Transfer];
  const answer = {
    transferId,
    status: transfer.status,
    lines: transfer.lines.map(({ lineNumber, sku, shipped: qty }) => ({
      lineNumber,
      sku,
      qtyShipped: quantityToNumber(qty),
    })),
  };
  // The books of the client: the GR of the other facility adds the goods again.
  const adjustment = { adjustmentId: transferId, reasonCode: transferReason, lines: left };
  const [outbound] = await composeDocuments(tx, book, [adjustment]);
  return ok({ answer, events: [{ ...transferEvent(tx.clientId, "transfer:shipped", transfer), outbound }] });
}

const rankOf = ({ stockPool, batchRef, expiryDate }: LotFields) =>
  stockPool === undefined && batchRef === undefined && expiryDate === undefined ? 1 : 0;

function excess(
  { transferId }: Transfer,
  { sku, uom, ordered }: TransferLine,
  sum: number,
  qty: number,
  there: number,
) {
  return conflict(
    sum > ordered
      ? `Transfer ${transferId}: ${formatQuantity(sum)} ${uom} of SKU ${sku} would ship, but ${formatQuantity(ordered)} are ordered.`
      : `Transfer ${transferId}: ${formatQuantity(qty)} ${uom} of SKU ${sku} would ship, but ${formatQuantity(there)} are reserved for it or free; correct the quantity, or report the missing stock first.`,
  );
}
