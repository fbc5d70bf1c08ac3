import styles from "./qty.module.css";

const format = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 3 });

/** A quantity as people write it: "1,204.5". */
export const qtyText = (value: number): string => format.format(value).replace("-", "−");

interface QtyProps {
  /** In stock units. */
  readonly value: number | null | undefined;
  /** None of it is bad news. */
  readonly isWanted?: boolean;
  /** With its sign, as an entry of a ledger has it. */
  readonly isSigned?: boolean;
}

/** A quantity; a zero steps back, unless it is the one that matters. */
export function Qty({ value, isWanted = false, isSigned = false }: QtyProps) {
  if (value === null || value === undefined) return <span>–</span>;
  const text = `${isSigned && value > 0 ? "+" : ""}${qtyText(value)}`;
  if (value > 0 || isSigned) return <span>{text}</span>;
  return <span className={isWanted ? styles.missing : styles.none}>{text}</span>;
}
