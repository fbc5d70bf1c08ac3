import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { withoutPlace } from "./document-line.tsx";
import type { DocumentFault } from "./document-source.ts";
import styles from "./document-view.module.css";

interface FaultListProps {
  /** Of the document, for screen readers. */
  readonly label: string;
  readonly faults: readonly DocumentFault[];
  readonly lineTotal: number;
  /** Index of the fault that was chosen last. */
  readonly chosen: number | undefined;
  choose(fault: number): void;
  /** The remedies are in the list; otherwise they are below the lines of the document. */
  readonly hasRemedies?: boolean;
  /** Buttons at the right of the bar. */
  readonly actions?: ReactNode;
}

/** Id of a fault's entry in the list, which the fault below its line leads back to. */
export const entryId = (label: string, fault: number) => `${label.replace(/\W+/g, "-")}-fault-${fault}`;

/** The faults of a document above its text: a summary, and an entry for each that leads to its place. */
export function FaultList(props: FaultListProps) {
  const { label, faults, lineTotal, chosen, choose, hasRemedies = false, actions } = props;
  const placed = faults.flatMap(({ row }, i) => (row === null ? [] : i));
  const step = (by: number) => {
    const at = chosen === undefined ? -1 : placed.indexOf(chosen);
    const next = placed[(at + by + placed.length) % placed.length];
    if (next !== undefined) choose(next);
  };
  return (
    <>
      <div className={styles.bar}>
        <Summary faults={faults} lineTotal={lineTotal} />
        {placed.length > 1 ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => step(-1)}>
              Previous
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => step(1)}>
              Next
            </Button>
          </>
        ) : null}
        {actions}
      </div>
      {faults.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <ul className={styles.list} aria-label={`Findings in ${label}`} tabIndex={0}>
          {faults.map((fault, i) => {
            const words = (
              <>
                <span className={styles.place}>{fault.line === null ? "no line" : `Line ${fault.line}`}</span>
                <span>
                  {fault.code === "" ? null : <span className={styles.code}>{fault.code} </span>}
                  {withoutPlace(fault.text)}
                  {hasRemedies && fault.remedy !== null ? <span className={styles.remedy}>{fault.remedy}</span> : null}
                </span>
              </>
            );
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes, and two faults may be equal.
              <li key={i}>
                {fault.row === null ? (
                  <div className={styles.entry} data-kind={fault.kind}>
                    {words}
                  </div>
                ) : (
                  <button
                    type="button"
                    id={entryId(label, i)}
                    className={`${styles.entry} ${chosen === i ? styles.chosen : ""}`}
                    data-kind={fault.kind}
                    aria-current={chosen === i}
                    onClick={() => choose(i)}
                  >
                    {words}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function Summary({ faults, lineTotal }: { readonly faults: readonly DocumentFault[]; readonly lineTotal: number }) {
  const errors = faults.filter(({ kind }) => kind === "error").length;
  const warnings = faults.length - errors;
  const summary = [
    ...(errors === 0 ? [] : [errors === 1 ? "1 error" : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
  ];
  return (
    <span className={styles.summary}>
      {summary.length === 0 ? "No errors" : summary.join(", ")}{" "}
      <small>in {lineTotal === 1 ? "1 line" : `${lineTotal.toLocaleString("en-GB")} lines`}</small>
    </span>
  );
}
