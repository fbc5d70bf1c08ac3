import {
  checkFacility,
  checkLimit,
  checkLineNumbers,
  checkPathSegments,
  linePath,
  orderLinesMax,
} from "#/intake/feeds/intake/checks.ts";
import type { Checked, FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import { parseQuantity } from "#/kernel/values/quantity.ts";
import type { QuantityLine } from "#/modules/catalogue/index.ts";
import type { ReturnMerchandiseAuthorization } from "#/modules/returns/contract.ts";

export interface ReturnMessage {
  readonly rmaNumber: string;
  readonly distributionCentre: string;
  readonly orderReference: string | undefined;
  /** Set when the reference is found. */
  orderId: string | undefined;
  readonly creationTimeStamp: string | undefined;
  readonly lines: readonly ReturnLine[];
}

export interface ReturnLine extends QuantityLine {
  readonly lineNumber: number;
  readonly returnReasonCode: string | undefined;
  readonly attributeOne: string | undefined;
  readonly attributeThree: string | undefined;
}

/** Checks everything in an RMA that needs no database. */
export function checkReturn(raw: ReturnMerchandiseAuthorization, client: FeedClient): Checked<ReturnMessage> {
  const faults: Finding[] = [
    ...checkLimit(raw.line.length, orderLinesMax, "lines"),
    ...checkPathSegments({ rmaNumber: raw.rmaNumber }),
    ...checkFacility(raw.distributionCentre, client.facilities, client.clientId),
  ];
  const lines = raw.line.slice(0, orderLinesMax).map((line, i): ReturnLine => {
    return {
      path: `${linePath("", i, raw.line.length)}/quantityReturned`,
      lineNumber: Number(line.lineNumber),
      sku: line.sku as string,
      returnReasonCode: line.returnReasonCode,
      feedQty: parseQuantity((line.quantityReturned as string).trim()) as number,
      feedUom: line.qtyUom,
      qty: 0,
      uom: "",
      attributeOne: line.attributeOne,
      attributeThree: line.attributeThree,
    };
  });
  faults.push(
    ...checkLineNumbers(
      lines.map(({ lineNumber, path }) => ({ lineNumber, path: path.slice(0, -"/quantityReturned".length) })),
    ),
  );
  const message: ReturnMessage = {
    rmaNumber: raw.rmaNumber as string,
    distributionCentre: raw.distributionCentre as string,
    orderReference: raw.orderReference,
    orderId: undefined,
    creationTimeStamp: raw.creationTimeStamp,
    lines,
  };
  return { message, faults, warnings: [] };
}
