import type { AuditEntry } from "#/db/audit.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type {
  Disposition,
  ExpectedLine,
  ReturnDiscrepancy,
  ReturnState,
} from "#/modules/returns/reports/grading-domain.ts";
import type { GradedQuantity, ReturnHeader } from "#/modules/returns/reports/grading-repository.ts";
import type { EventDraft } from "#/outbox/append.ts";
import { truncateLines } from "#/outbox/event-lines.ts";

type ReturnTopic = `return:${"authorised" | "received" | "closed" | "cancelled" | "expired"}`;

/** The facts of a return for its events. */
export interface ReturnFacts {
  /** The number of the authorisation, else of the parcel, else the warehouse's own. */
  readonly objectId: string;
  /** Undefined for unannounced goods. */
  readonly rmaNumber: string | undefined;
  readonly olpnId?: string | undefined;
  readonly facilityCode: string;
  readonly status: ReturnState;
  readonly lines: readonly ReturnRecord[];
}

export interface ReturnRecord {
  readonly lineNumber?: number;
  readonly sku: string;
  readonly expected: number;
  readonly received: number;
  readonly discrepancy: ReturnDiscrepancy | "UNPLANNED";
  readonly dispositions: readonly { disposition: Disposition; qty: number; note?: string }[];
}

/** All lines with all their graded goods so far; unexpected SKUs come last. */
export function recordsOf(
  lines: readonly (ExpectedLine & { readonly discrepancy: ReturnDiscrepancy })[],
  graded: readonly GradedQuantity[],
): ReturnRecord[] {
  const byLine = Map.groupBy(graded, ({ lineNumber }) => lineNumber);
  const unplanned = Map.groupBy(byLine.get(undefined) ?? [], ({ sku }) => sku);
  return [
    ...lines.map(({ lineNumber, sku, expected, received, discrepancy }) => ({
      lineNumber,
      sku,
      expected,
      received,
      discrepancy,
      dispositions: dispositionsOf(byLine.get(lineNumber) ?? []),
    })),
    ...[...unplanned].map(([sku, group]) => ({
      sku,
      expected: 0,
      received: group.reduce((sum, { qty }) => sum + qty, 0),
      discrepancy: "UNPLANNED" as const,
      dispositions: dispositionsOf(group),
    })),
  ];
}

/** One for each grade and remark, in order of first receipt. */
function dispositionsOf(graded: readonly GradedQuantity[]): ReturnRecord["dispositions"] {
  const groups = Map.groupBy(graded, ({ disposition, note }) => JSON.stringify([disposition, note]));
  return [...groups.values()].map((group) => {
    const [{ disposition, note }] = group as [GradedQuantity, ...GradedQuantity[]];
    const qty = quantityToNumber(group.reduce((sum, gradedQuantity) => sum + gradedQuantity.qty, 0));
    return { disposition, qty, ...(note === undefined ? {} : { note }) };
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

/** The event with the cumulative RS for the client. */
export function withStatusFeed(draft: EventDraft, header: ReturnHeader, lines: readonly ReturnRecord[]): EventDraft {
  return {
    ...draft,
    outbound: {
      type: "RS",
      objectId: header.rmaNumber,
      content: {
        rmaNumber: header.rmaNumber,
        ...(header.orderReference === undefined ? {} : { orderReference: header.orderReference }),
        status: header.status,
        lines: lines.map(({ expected, received, ...line }) => ({
          ...line,
          quantityReturned: quantityToNumber(expected),
          quantityReceived: quantityToNumber(received),
        })),
      },
    },
  };
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
