import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { defaultPool, fieldsOfLot } from "#/modules/inventory/index.ts";
import type { Disposition, ExpectedLine, ReturnDiscrepancy } from "#/modules/returns/reports/grading-domain.ts";
import type { GradedQuantity, ReturnLineWords } from "#/modules/returns/reports/grading-repository.ts";
import type { ReturnState } from "#/modules/returns/states.ts";
import type { AuditEntry } from "#/store/db/audit.ts";
import { type EventDraft, truncateLines } from "#/store/outbox/append.ts";

type ReturnTopic = `return:${"authorised" | "received" | "closed" | "cancelled" | "expired"}`;

/** The facts of a return for its events. */
export interface ReturnFacts {
  /** The number of the authorisation, else of the parcel, else the warehouse's own. */
  readonly objectId: string;
  /** Undefined for unannounced goods. */
  readonly rmaNumber: string | undefined;
  readonly olpnId?: string | undefined;
  /** As the authorisation names it. */
  readonly orderReference?: string | undefined;
  readonly orderId?: string | undefined;
  readonly facilityCode: string;
  readonly status: ReturnState;
  readonly lines: readonly ReturnRecord[];
}

export interface ReturnRecord {
  readonly lineNumber?: number;
  readonly sku: string;
  /** The statement of the client about the line. */
  readonly words: Partial<ReturnLineWords>;
  readonly expected: number;
  readonly received: number;
  readonly discrepancy: ReturnDiscrepancy | "UNPLANNED";
  readonly dispositions: readonly DispositionRecord[];
}

/** Goods of one lot, with the same grade, reason and remark; absent fields have no value. */
export interface DispositionRecord {
  readonly disposition: Disposition;
  readonly qty: number;
  /** Absent: the default pool. */
  readonly stockPool?: string;
  readonly batchRef?: string;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string;
  readonly serials?: readonly string[];
  readonly returnReasonCode?: string;
  readonly note?: string;
}

/** All lines with all their graded goods so far; unexpected SKUs come last. */
export function recordsOf(
  lines: readonly (ExpectedLine & Partial<ReturnLineWords> & { readonly discrepancy: ReturnDiscrepancy })[],
  graded: readonly GradedQuantity[],
): ReturnRecord[] {
  const byLine = Map.groupBy(graded, ({ lineNumber }) => lineNumber);
  const unplanned = Map.groupBy(byLine.get(undefined) ?? [], ({ sku }) => sku);
  return [
    ...lines.map(({ lineNumber, sku, expected, received, discrepancy, ...line }) => ({
      lineNumber,
      sku,
      words: {
        returnReasonCode: line.returnReasonCode,
        attributeOne: line.attributeOne,
        attributeThree: line.attributeThree,
      },
      expected,
      received,
      discrepancy,
      dispositions: dispositionsOf(byLine.get(lineNumber) ?? []),
    })),
    ...[...unplanned].map(([sku, group]) => ({
      sku,
      words: {},
      expected: 0,
      received: group.reduce((sum, { qty }) => sum + qty, 0),
      discrepancy: "UNPLANNED" as const,
      dispositions: dispositionsOf(group),
    })),
  ];
}

/** One for each grade, lot, reason and remark, in order of first receipt. */
function dispositionsOf(graded: readonly GradedQuantity[]): DispositionRecord[] {
  const groups = Map.groupBy(graded, ({ disposition, returnReasonCode, note, stockPool, batchRef, expiryDate }) =>
    JSON.stringify([disposition, returnReasonCode, note, stockPool, batchRef, expiryDate]),
  );
  return [...groups.values()].map((group) => {
    const [{ disposition, returnReasonCode, note, ...lot }] = group as [GradedQuantity, ...GradedQuantity[]];
    const { stockPool, ...batch } = fieldsOfLot(lot);
    const serials = group.flatMap((gradedQuantity) => gradedQuantity.serials);
    return {
      disposition,
      qty: quantityToNumber(group.reduce((sum, { qty }) => sum + qty, 0)),
      ...(stockPool === defaultPool ? {} : { stockPool }),
      ...batch,
      ...(serials.length === 0 ? {} : { serials }),
      ...(returnReasonCode === undefined ? {} : { returnReasonCode }),
      ...(note === undefined ? {} : { note }),
    };
  });
}

export function returnEvent(topic: ReturnTopic, facts: ReturnFacts): EventDraft {
  const { rmaNumber } = facts;
  const lines = facts.lines.map(({ lineNumber, sku, expected, received, discrepancy, dispositions }) => ({
    lineNumber: lineNumber ?? null,
    sku,
    qtyExpected: quantityToNumber(expected),
    qtyReceived: quantityToNumber(received),
    discrepancy,
    dispositions,
  }));
  const href = rmaNumber === undefined ? undefined : `/v1/orderService/rma/get/${encodeURIComponent(rmaNumber)}`;
  return {
    topic,
    objectType: "return",
    objectId: facts.objectId,
    facilityCode: facts.facilityCode,
    data: {
      rmaNumber: rmaNumber ?? null,
      olpnId: facts.olpnId ?? null,
      status: facts.status,
      ...truncateLines(lines, { href, hasLongLines: true }),
    },
  };
}

/** How the goods were announced; the code of the RS. */
function returnTypeOf({ rmaNumber, olpnId }: ReturnFacts): "AUTHORISED" | "RETURN_TO_SENDER" | "BLIND" {
  if (rmaNumber !== undefined) return "AUTHORISED";
  return olpnId === undefined ? "BLIND" : "RETURN_TO_SENDER";
}

/** The event with the cumulative RS for the client. */
export function withStatusFeed(topic: ReturnTopic, facts: ReturnFacts): EventDraft {
  const { objectId, rmaNumber, olpnId, orderReference, orderId, status } = facts;
  const returnType = returnTypeOf(facts);
  return {
    ...returnEvent(topic, facts),
    outbound: {
      type: "RS",
      objectId,
      content: {
        ...filled({ rmaNumber, returnId: returnType === "BLIND" ? objectId : undefined, olpnId }),
        returnType,
        ...filled({ orderReference, orderId }),
        status,
        lines: facts.lines.map(({ words, expected, received, ...line }) => ({
          ...line,
          ...filled(words),
          quantityReturned: quantityToNumber(expected),
          quantityReceived: quantityToNumber(received),
        })),
      },
    },
  };
}

/** The fields that have a value. */
function filled(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const verbOf: Readonly<Record<ReturnState, string>> = {
  AUTHORISED: "authorise",
  RECEIVING: "startReceiving",
  RECEIVED: "complete",
  CLOSED: "close",
  CANCELLED: "cancel",
  EXPIRED: "expire",
};

/** The audit entries of the steps of a return. */
export function auditsOfSteps(rmaNumber: string, from: ReturnState, steps: readonly ReturnState[]): AuditEntry[] {
  return steps.map((to, i) => ({
    action: verbOf[to],
    objectType: "return",
    objectId: rmaNumber,
    detail: { from: steps[i - 1] ?? from, to },
  }));
}
