import { qtyText } from "../../parts/qty.tsx";
import styles from "./quantity-bar.module.css";

/** Where the units of an order or of one of its lines are (contract lifecycle.md §1), in the order of their way. */
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

/** "2 allocated, 3 back-ordered": what is not there is not said. */
export function quantityText(quantities: Quantities): string {
  return buckets
    .flatMap(([bucket, word]) => (quantities[bucket] > 0 ? `${qtyText(quantities[bucket])} ${word}` : []))
    .join(", ");
}

interface QuantityBarProps {
  readonly quantities: Quantities;
  /** With every number beside its colour; without them they are in the tooltip. */
  readonly hasNumbers?: boolean;
}

/** How far the units of a line have come, as one bar; every part has its number in words as well. */
export function QuantityBar({ quantities, hasNumbers = false }: QuantityBarProps) {
  const parts = buckets.filter(([bucket]) => quantities[bucket] > 0);
  const said = quantityText(quantities);
  return (
    <div className={styles.around} title={hasNumbers ? undefined : said}>
      <div className={styles.bar} role="img" aria-label={`Of ${qtyText(quantities.ordered)}: ${said}`}>
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
