import styles from "./qty.module.css";

const format = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 3 });

/** A formatted quantity: "1,204.5". */
export const qtyText = (value: number): string => format.format(value).replace("-", "−");

interface QtyProps {
  /** In stock units. */
  readonly value: number | null | undefined;
  /** A zero here is bad news. */
  readonly isWanted?: boolean;
  /** Shown with its sign, as in a ledger. */
  readonly isSigned?: boolean;
}

/** A quantity. A zero is dimmed, unless it matters. */
export function Qty({ value, isWanted = false, isSigned = false }: QtyProps) {
  if (value === null || value === undefined) return <span>–</span>;
  const text = `${isSigned && value > 0 ? "+" : ""}${qtyText(value)}`;
  if (value > 0 || isSigned) return <span>{text}</span>;
  return <span className={isWanted ? styles.missing : styles.none}>{text}</span>;
}
