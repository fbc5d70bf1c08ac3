import { qtyText } from "../../parts/qty.tsx";
import styles from "./quantity-bar.module.css";

/** Quantities of an order or of one of its lines by bucket (contract lifecycle.md §1), in the order of processing. */
export interface Quantities {
  readonly ordered: number;
  readonly open: number;
  readonly backordered: number;
  readonly allocated: number;
  readonly picked: number;
  readonly packed: number;
  readonly despatched: number;
  readonly cancelled: number;
}

const buckets = [
  ["despatched", "despatched"],
  ["packed", "packed"],
  ["picked", "picked"],
  ["allocated", "allocated"],
  ["open", "open"],
  ["backordered", "back-ordered"],
  ["cancelled", "cancelled"],
] as const satisfies readonly (readonly [keyof Quantities, string])[];

/** "2 allocated, 3 back-ordered", without zero quantities. */
export function quantityText(quantities: Quantities): string {
  return buckets
    .flatMap(([bucket, word]) => (quantities[bucket] > 0 ? `${qtyText(quantities[bucket])} ${word}` : []))
    .join(", ");
}

interface QuantityBarProps {
  readonly quantities: Quantities;
  /** Shows every number next to its colour; otherwise they are in the tooltip. */
  readonly hasNumbers?: boolean;
  /** Shows the quantity that was ordered beside the bar. */
  readonly hasTotal?: boolean;
}

/** The progress of a line's units as one bar. Every part also has its number as text. */
export function QuantityBar({ quantities, hasNumbers = false, hasTotal = false }: QuantityBarProps) {
  const parts = buckets.filter(([bucket]) => quantities[bucket] > 0);
  const text = quantityText(quantities);
  return (
    <div className={hasTotal ? styles.beside : styles.around} title={hasNumbers ? undefined : text}>
      {hasTotal ? <span className={styles.total}>{qtyText(quantities.ordered)}</span> : null}
      <div className={styles.bar} role="img" aria-label={`Of ${qtyText(quantities.ordered)}: ${text}`}>
        {parts.map(([bucket]) => (
          <span
            key={bucket}
            className={styles.part}
            data-bucket={bucket}
            style={{ width: `${(100 * quantities[bucket]) / Math.max(quantities.ordered, 0.001)}%` }}
          />
        ))}
      </div>
      {hasNumbers ? (
        <ul className={styles.words}>
          {parts.map(([bucket, word]) => (
            <li key={bucket}>
              <span className={styles.part} data-bucket={bucket} />
              {qtyText(quantities[bucket])} {word}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
