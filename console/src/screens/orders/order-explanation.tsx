import type { ReactNode } from "react";
import type { components } from "#operator";
import { Id } from "../../parts/id.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { Age, Time, useNow } from "../../parts/time.tsx";
import { WithTimes } from "../../parts/with-times.tsx";
import { hasLeft, inWords, type Order } from "./order-words.ts";
import styles from "./orders.module.css";

export type OrderExplanation = components["schemas"]["ClientOrderExplanation"];
export type ExplainedLine = components["schemas"]["ClientExplainedLine"];
type StockRefusal = components["schemas"]["ClientStockRefusal"];

interface OrderSummaryProps {
  readonly order: Order;
  readonly explanation: OrderExplanation;
  /** The holds and other causes of the wait. */
  readonly children: ReactNode;
}

/** Whether the order is late, why it has not shipped, and what happens next, in sentences. */
export function OrderSummary({ order, explanation, children }: OrderSummaryProps) {
  const now = useNow();
  const { summary, next, isShipped, holds, lines, routing, nextCutOffAt } = explanation;
  const isShort = lines.some(({ qtyShort }) => qtyShort > 0);
  const tone = isShipped ? "done" : hasLeft(order) ? "ended" : holds.length > 0 || isShort ? "waiting" : "moving";
  const facility = order.distributionCentre;
  const isLate = order.despatchBy !== null && !hasLeft(order) && Date.parse(order.despatchBy) < now;
  const isCutOffNamed = nextCutOffAt === null || next?.includes(nextCutOffAt);
  return (
    <section className={styles.notice} data-tone={isLate ? "failed" : tone} aria-label="Why the order has not shipped">
      {isLate ? (
        <strong className={styles.late}>
          Late by <Age since={order.despatchBy} />: it missed the collection of{" "}
          <Time at={order.despatchBy} facility={facility} isExact />.
        </strong>
      ) : null}
      <strong>
        <WithTimes text={inWords(summary)} facility={facility} />
      </strong>
      {next === null ? null : (
        <span>
          <WithTimes text={inWords(next)} facility={facility} />
        </span>
      )}
      {isShipped || hasLeft(order) ? null : (
        <span className={styles.detail}>
          {routing.text}
          {isCutOffNamed ? null : (
            <>
              {" "}
              Next cut-off: <Time at={nextCutOffAt} facility={facility} isExact />.
            </>
          )}
        </span>
      )}
      {children}
    </section>
  );
}

/** Why a line lacks goods: each refusal in the order of allocation, and the goods that are expected. */
export function LineReasons({ line, facility }: { readonly line: ExplainedLine; readonly facility: string }) {
  const { lineNumber, qtyShort, uom, refusals, refusalsOmitted, expectedReceipts } = line;
  return (
    <details className={styles.reasons} open={refusals.length <= openMax}>
      <summary>
        Why {qtyText(qtyShort)} {uom} of line {lineNumber} wait
      </summary>
      <ol aria-label={`Reasons of line ${lineNumber}`}>
        {refusals.map((refusal) => (
          <li key={keyOf(refusal)}>
            {refusal.scope === "LOT" ? <strong>{lotOf(refusal)} </strong> : null}
            <WithTimes text={inWords(refusal.text)} facility={facility} />
            {refusal.release === null ? null : <span className={styles.detail}>To change it: {refusal.release}</span>}
          </li>
        ))}
        {refusalsOmitted === 0 ? null : <li>{refusalsOmitted} more lots refused.</li>}
      </ol>
      {expectedReceipts.length === 0 ? null : (
        <ul aria-label={`Expected for line ${lineNumber}`}>
          {expectedReceipts.map(({ poNumber, vendorOrderId, qty, announcedAt, expectedDate }) => (
            <li key={`${poNumber} ${vendorOrderId}`}>
              Purchase order <Id text={poNumber} /> expects {qtyText(qty)} {uom}, announced{" "}
              <Time at={announcedAt} facility={facility} />
              {expectedDate === null ? "" : `, expected date ${expectedDate}`}.
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** A longer list is closed at first. */
const openMax = 5;

function keyOf({ scope, code, facilityCode, stockPool, batchRef, expiryDate, condition, since }: StockRefusal) {
  return [scope, code, facilityCode, stockPool, batchRef, expiryDate, condition, since].join(" ");
}

/** The lot of a refusal; the other refusals name their place in their text. */
function lotOf({ batchRef, stockPool, qty }: StockRefusal): string {
  const pool = stockPool === null || stockPool === "DEFAULT" ? "" : ` of pool ${stockPool}`;
  return `${batchRef === null ? "Stock" : `Lot ${batchRef}`}${pool} (${qtyText(qty ?? 0)}):`;
}
