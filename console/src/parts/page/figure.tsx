import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { Go } from "../go.tsx";
import type { Tone } from "../tones.ts";
import styles from "./figure.module.css";

interface FigureProps {
  readonly label: string;
  /** undefined while unknown. */
  readonly value: ReactNode;
  readonly unit?: string | undefined;
  /** The list that the number counts. */
  readonly to?: string | undefined;
  /** Set only if the number shows failed or waiting objects. */
  readonly tone?: Tone | undefined;
  /** A short line below: a comparison, or a start time. */
  readonly hint?: ReactNode;
}

interface CountFigureProps extends Omit<FigureProps, "value" | "unit"> {
  /** undefined while unknown. */
  readonly count: number | undefined;
  /** There are more than `count`. */
  readonly isMore?: boolean | undefined;
  /** The number could not be read. */
  readonly isFailed?: boolean;
}

/** A number of objects; its tone applies unless it is zero. */
export function CountFigure({ count, isMore = false, isFailed = false, tone, ...others }: CountFigureProps) {
  const text = count === undefined ? undefined : `${count.toLocaleString("en-GB")}${isMore ? "+" : ""}`;
  return <Figure {...others} value={text ?? (isFailed ? "–" : undefined)} tone={count ? tone : undefined} />;
}

/** A longer value leaves no room for the words beside it: they are above and below it. */
const shortMax = 9;

/** A key figure of a screen, with a link to its list. */
export function Figure({ label, value, unit, to, tone, hint }: FigureProps) {
  const isLong = typeof value === "string" && value.length > shortMax;
  const content = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>
        {value === undefined ? <Skeleton height={24} width={64} my={4} /> : value}
        {unit === undefined || value === undefined ? null : <span className={styles.unit}>{unit}</span>}
      </span>
      <span className={styles.hint}>{hint}</span>
    </>
  );
  if (to === undefined) {
    return (
      <div className={styles.figure} data-tone={tone} data-long={isLong || undefined}>
        {content}
      </div>
    );
  }
  return (
    <div className={styles.around} data-tone={tone} data-long={isLong || undefined}>
      <Go to={to} isPlain className={styles.figure}>
        {content}
      </Go>
    </div>
  );
}
