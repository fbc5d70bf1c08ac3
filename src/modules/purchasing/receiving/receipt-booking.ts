import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { raiseException } from "#/modules/facilities/index.ts";
import { type Book, fieldsOfLot, postMovements, writeSerials } from "#/modules/inventory/index.ts";
import type { GoodsReceiptBody } from "#/modules/purchasing/receiving/receipt-contract.ts";
import type { StockDifference } from "#/modules/purchasing/receiving/receipt-differences.ts";
import type { ReceiptBooking, SplitBooking } from "#/modules/purchasing/receiving/receiving-domain.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import type { ReceivingHeader } from "#/modules/purchasing/receiving/receiving-repository.ts";

/** Movements and places of serial numbers. */
export function bookStock(
  tx: Transaction,
  change: Change,
  book: Book,
  body: GoodsReceiptBody,
  hasSerials: (sku: string) => boolean,
  differences: readonly StockDifference[],
): void {
  const reference = { referenceType: "receipt", referenceId: body.receiptId };
  const when = body.occurredAt === undefined ? {} : { occurredAt: body.occurredAt };
  postMovements(
    tx,
    book,
    change.ids,
    differences.map(({ serials, reason, ...rest }) => ({
      type: "RECEIPT" as const,
      ...rest,
      ...(serials.length === 0 ? {} : { serials }),
      ...(reason === undefined ? {} : { reason }),
      ...reference,
      ...when,
    })),
  );
  const placesOf = (state: "IN_STOCK" | "GONE") => {
    const isIn = state === "IN_STOCK";
    return differences
      .filter(({ sku, qty }) => hasSerials(sku) && qty > 0 === isIn)
      .flatMap(({ serials, qty: _, reason: __, ...place }) =>
        serials.map((serial) => ({ ...place, serial, state, facilityCode: book.facilityCode })),
      );
  };
  // A serial number that leaves one lot and comes in another gets its new place: the last place counts.
  writeSerials(tx.of(book.clientId), book.at, [...placesOf("GONE"), ...placesOf("IN_STOCK")]);
}

/** Raises one exception for each line and reason with more quantity on hold than before. */
export function raiseExcess(
  tx: Transaction,
  change: Change,
  book: Book,
  header: ReceivingHeader,
  receiptId: string,
  before: readonly ReceiptBooking[],
  bookings: readonly SplitBooking[],
): void {
  const keyOf = ({ reason, sku, lineNumber }: ReceiptBooking) => JSON.stringify([reason, sku, lineNumber]);
  const sum = (of: readonly ReceiptBooking[]) => of.reduce((total, { qty }) => total + qty, 0);
  const earlier = Map.groupBy(before, keyOf);
  const objectId = purchaseOrderId(header);
  const unplanned = header.status === "CANCELLED" ? "the order is CANCELLED" : "it is not on the order";
  for (const [key, group] of Map.groupBy(bookings, keyOf)) {
    const [{ reason, sku, lineNumber }] = group as [SplitBooking, ...SplitBooking[]];
    const qty = sum(group) - sum(earlier.get(key) ?? []);
    if (reason === undefined || qty <= 0) continue;
    const why = reason === "UNPLANNED" ? unplanned : `it exceeds what line ${lineNumber} allows`;
    raiseException(tx.of(book.clientId, change), {
      kind: reason,
      facilityCode: book.facilityCode,
      objectType: "purchaseOrder",
      objectId,
      summary: `Purchase order ${objectId}, receipt ${receiptId}: ${formatQuantity(qty)} of SKU ${sku} are ON_HOLD, because ${why}`,
      detail: {
        receiptId,
        ...(lineNumber === undefined ? {} : { lineNumber }),
        sku,
        qty: quantityToNumber(qty),
        lots: group.map((lot) => ({
          ...fieldsOfLot(lot),
          reportedCondition: lot.reported,
          qty: quantityToNumber(lot.qty),
          ...(lot.serials === undefined ? {} : { serials: lot.serials }),
        })),
      },
    });
  }
}
