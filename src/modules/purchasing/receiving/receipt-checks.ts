import { conflict, notFound, type Refusal, unprocessable, unprocessableField } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { faultsOfLot, type ItemRules } from "#/modules/catalogue/index.ts";
import { type Book, balanceKey, findSerials } from "#/modules/inventory/index.ts";
import type { NamedReceipt } from "#/modules/purchasing/receiving/receipt-contract.ts";
import {
  type ReceiptBooking,
  type ReceivedGoods,
  refusalOfReceipt,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import type {
  ReceivingHeader,
  StoredReceipt,
  StoredReceivingLine,
} from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** The purchase order of a report: by its notice, which may be omitted while there is only one. */
export function findNotice(
  { poNumber, vendorOrderId }: Pick<NamedReceipt, "poNumber" | "vendorOrderId">,
  headers: readonly ReceivingHeader[],
  facilityCode: string,
): Result<ReceivingHeader, Refusal> {
  const notices = headers.filter((header) => header.poNumber === poNumber);
  const named =
    vendorOrderId !== undefined || notices.length > 1
      ? notices.find((header) => header.vendorOrderId === (vendorOrderId ?? ""))
      : notices[0];
  // To another facility the order does not exist.
  if (named?.distributionCentre === facilityCode) return ok(named);
  if (vendorOrderId === undefined && notices.length > 1) {
    const several = notices.map((notice) => notice.vendorOrderId).join(", ");
    return refused(
      unprocessable(`Purchase order ${poNumber} has several vendorOrderIds; name one of them: ${several}.`),
    );
  }
  const which = vendorOrderId === undefined ? "" : ` with vendorOrderId ${vendorOrderId}`;
  return refused(notFound(`The client has no purchase order ${poNumber}${which} at facility ${facilityCode}.`));
}

export interface ReceiptMatter {
  readonly body: NamedReceipt;
  readonly book: Book;
  readonly at: string;
  readonly header: ReceivingHeader;
  readonly lines: readonly StoredReceivingLine[];
  readonly goods: readonly ReceivedGoods[];
  readonly rules: ReadonlyMap<string, ItemRules>;
  readonly receipts: ReadonlyMap<string, StoredReceipt>;
}

/** All faults of the receipt except those of its serial numbers. */
export function faultsOfReceipt(matter: ReceiptMatter): Refusal[] {
  const { body, at, header, lines, goods, rules } = matter;
  const faults = faultsOfReceiptIds(matter);
  const refusal = refusalOfReceipt({
    state: header.status,
    closedAt: header.closedAt,
    at,
    hasLines: goods.length > 0,
    isCorrection: body.correctsReceiptId !== undefined,
    isClosing: body.closeOrder === true,
  });
  if (refusal !== undefined) faults.push(conflict(`Purchase order ${purchaseOrderId(header)}: ${refusal}.`));
  const skuOfLine = new Map(lines.map(({ lineNumber, sku }) => [lineNumber, sku]));
  for (const [i, { lineNumber, sku, qty, serials, ...lot }] of goods.entries()) {
    const fault = (field: string, text: string) => faults.push(unprocessableField(i, field, text));
    const item = rules.get(sku);
    if (!item) {
      fault("sku", `SKU ${sku} is not known; send it with a CAT first`);
      continue;
    }
    if (lineNumber !== undefined && skuOfLine.get(lineNumber) !== sku) {
      const ordered = skuOfLine.get(lineNumber);
      fault(
        "lineNumber",
        ordered === undefined
          ? `line ${lineNumber} is not on purchase order ${purchaseOrderId(header)}`
          : `line ${lineNumber} of purchase order ${purchaseOrderId(header)} is SKU ${ordered}, not ${sku}`,
      );
    }
    // An invalid quantity has already been reported.
    const wrong = qty > 0 ? faultsOfLot(item, qty, { ...lot, serials }) : [];
    for (const { field, message } of wrong) fault(field, message);
  }
  return faults;
}

function faultsOfReceiptIds({ body, header, receipts }: ReceiptMatter): Refusal[] {
  const { receiptId, correctsReceiptId } = body;
  const faults: Refusal[] = [];
  if (receipts.has(receiptId))
    faults.push(conflict(`Receipt ${receiptId} is already booked; a correction needs a separate id.`));
  if (correctsReceiptId === undefined) return faults;
  const corrected = receipts.get(correctsReceiptId);
  if (!corrected) {
    faults.push(conflict(`Receipt ${correctsReceiptId}, which the correction names, is not known.`));
  } else if (purchaseOrderId(corrected) !== purchaseOrderId(header)) {
    faults.push(conflict(`Receipt ${correctsReceiptId} is of purchase order ${purchaseOrderId(corrected)}.`));
  } else if (corrected.correctedBy !== undefined) {
    faults.push(conflict(`Receipt ${correctsReceiptId} was corrected by ${corrected.correctedBy}; correct that one.`));
  }
  return faults;
}

/**
 * A received serial number must be new or gone. The units of a corrected receipt must still be at their place and
 * unowned; otherwise the receipt cannot be corrected.
 */
export async function faultsOfReceivedSerials(
  tx: ClientTx,
  book: Book,
  hasSerials: (sku: string) => boolean,
  bookings: readonly ReceiptBooking[],
  allGoods: readonly ReceivedGoods[],
): Promise<Refusal[]> {
  const before = namedUnits(bookings.filter(({ sku }) => hasSerials(sku)));
  const goods = namedUnits(allGoods.filter(({ sku }) => hasSerials(sku)));
  const places = await findSerials(tx, [...before, ...goods]);
  const placeOf = new Map(places.map((place) => [unitKey(place), place]));
  const bookingOf = new Map(before.map((unit) => [unitKey(unit), unit.of]));
  const faults: Refusal[] = [];
  const seen = new Set<string>();
  for (const { sku, serial } of goods) {
    const key = unitKey({ sku, serial });
    if (seen.has(key)) faults.push(unprocessable(`Serial ${serial} of SKU ${sku} is on two lines.`));
    seen.add(key);
    if (!bookingOf.has(key) && placeOf.get(key)?.state === "IN_STOCK") {
      faults.push(conflict(`Serial ${serial} of SKU ${sku} is in stock already.`));
    }
  }
  for (const { sku, serial, of } of before) {
    const place = placeOf.get(unitKey({ sku, serial }));
    const isThere =
      place?.state === "IN_STOCK" &&
      place.ownerType === undefined &&
      place.facilityCode === book.facilityCode &&
      balanceKey(place) === balanceKey(of);
    if (isThere) continue;
    faults.push(conflict(`Serial ${serial} of SKU ${sku} is not where the receipt put it; it cannot be corrected.`));
  }
  return faults;
}

const unitKey = ({ sku, serial }: { readonly sku: string; readonly serial: string }) => JSON.stringify([sku, serial]);

function namedUnits<Goods extends { readonly sku: string; readonly serials?: readonly string[] | undefined }>(
  goods: readonly Goods[],
) {
  return goods.flatMap((of) => (of.serials ?? []).map((serial) => ({ sku: of.sku, serial, of })));
}

/** Lines whose total would exceed the highest quantity. */
export function faultsOfTotals(lines: readonly { lineNumber: number; sku: string; received: number }[]): Refusal[] {
  return lines
    .filter(({ received }) => received > quantityMaxThousandths)
    .map(({ lineNumber, sku }) =>
      unprocessable(`Line ${lineNumber}: the received quantity of SKU ${sku} would be too large.`),
    );
}
