import {
  type ActionType,
  checkFacility,
  checkLimit,
  checkLineNumbers,
  checkPathSegments,
  checkRequired,
  linePath,
  purchaseOrderLinesMax,
  readAction,
  readRevision,
} from "#/intake/feeds/intake/checks.ts";
import type { Checked, FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import type { QuantityLine } from "#/modules/catalogue/index.ts";
import { type Carton, readCartons } from "#/modules/purchasing/cartons.ts";
import type { VendorOrder } from "#/modules/purchasing/contract.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/states.ts";

export interface PurchaseOrderMessage {
  readonly poNumber: string;
  /** Undefined in an UPDATE or CANCEL, which may omit it while only one notice exists. */
  readonly vendorOrderId: string | undefined;
  readonly action: ActionType;
  readonly revision: number | undefined;
  readonly distributionCentre: string;
  readonly messageId: string | undefined;
  readonly extendedAttributes: Readonly<Record<string, string>>;
  readonly lines: readonly PurchaseOrderLine[];
  readonly carrierCode?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly cartons?: readonly Carton[];
  /** Of the goods of a transfer: the facility that shipped them. */
  readonly fromFacility?: string | undefined;
}

export interface PurchaseOrderLine extends QuantityLine {
  readonly lineNumber: number;
  readonly lineId: string | undefined;
  readonly altSku: string | undefined;
  readonly productName: string | undefined;
}

/** Checks everything in a PO that needs no database. */
export function checkVendorOrder(raw: VendorOrder, client: FeedClient): Checked<PurchaseOrderMessage> {
  const action = readAction(raw.actionType);
  const { revision, faults: revisionFaults } = readRevision(raw.extendedAttributes);
  const elements = action === "CANCEL" ? [] : (raw.lines ?? []);
  const faults: Finding[] = [...revisionFaults];
  if (action !== "CANCEL") faults.push(...checkRequired({ "lines/line": elements.length > 0 }));
  const { poNumber, vendorOrderId } = raw;
  // An order that was accepted before must still accept changes and a cancellation.
  if (action === "NEW") faults.push(...checkPathSegments({ poNumber, vendorOrderId }));
  faults.push(...checkLimit(elements.length, purchaseOrderLinesMax, "lines"));
  faults.push(...checkFacility(raw.distributionCentre, client.facilities, client.clientId));
  const lines = elements.slice(0, purchaseOrderLinesMax).map((line, i): PurchaseOrderLine => {
    return {
      path: `${linePath("lines/", i, elements.length)}/qty`,
      lineNumber: Number(line.lineNumber),
      lineId: line.lineId,
      sku: line.sku as string,
      altSku: line.altSku,
      productName: line.productName,
      feedQty: parseQuantity((line.qty as string).trim()) as number,
      feedUom: line.qtyUom,
      qty: 0,
      uom: "",
    };
  });
  faults.push(
    ...checkLineNumbers(lines.map(({ lineNumber, path }) => ({ lineNumber, path: path.slice(0, -"/qty".length) }))),
  );
  const { cartons, faults: cartonFaults } = readCartons(action === "CANCEL" ? [] : (raw.cartons ?? []), lines);
  faults.push(...cartonFaults);
  const message: PurchaseOrderMessage = {
    poNumber: raw.poNumber as string,
    vendorOrderId: raw.vendorOrderId,
    action,
    revision,
    distributionCentre: raw.distributionCentre as string,
    messageId: raw.messageId,
    extendedAttributes: {
      ...Object.fromEntries(raw.extendedAttributes ?? []),
      ...(raw.expectedDate === undefined ? {} : { ExpectedDate: raw.expectedDate }),
    },
    lines,
    carrierCode: raw.carrierCode,
    trackingNumber: raw.trackingNumber,
    cartons,
  };
  return { message, faults, warnings: [] };
}

export interface StoredLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** The current ordered quantity, in integer thousandths of the stock unit. */
  readonly qty: number;
  readonly received: number;
}

/**
 * The refusals of an UPDATE or CANCEL by the state of the purchase order (lifecycle.md §2); each affected line is
 * named.
 */
export function refusalsOfChange(
  state: PurchaseOrderState,
  action: "UPDATE" | "CANCEL",
  stored: readonly StoredLine[],
  wanted: readonly Pick<PurchaseOrderLine, "lineNumber" | "sku" | "qty">[],
): string[] {
  if (state === "CANCELLED" || state === "CLOSED") return [`${action} is not allowed in state ${state}`];
  const received = stored.filter((line) => line.received > 0);
  if (action === "CANCEL") {
    return state === "OPEN" && received.length === 0
      ? []
      : [`CANCEL is not allowed in state ${state}: goods were received`];
  }
  return received.flatMap((line) => {
    const was = `line ${line.lineNumber}: ${formatQuantity(line.received)} of SKU ${line.sku} were received`;
    const after = wanted.find(({ lineNumber }) => lineNumber === line.lineNumber);
    if (!after) return [`UPDATE leaves out ${was}`];
    if (after.sku !== line.sku) return [`UPDATE changes the SKU of ${was}`];
    // More was received than ordered: an unchanged line reduces nothing.
    if (after.qty < line.received && after.qty < line.qty)
      return [`UPDATE asks for ${formatQuantity(after.qty)} in ${was}`];
    return [];
  });
}
