import type { ReactNode } from "react";
import type { DocumentFault, DocumentRow } from "./document-source.ts";
import styles from "./document-view.module.css";

interface DocumentLineProps {
  /** undefined while loading. */
  readonly row: DocumentRow | undefined;
  readonly number: number;
  readonly faults: readonly DocumentFault[];
}

/** A row of a document: line number, text, and a mark at the place of a fault. */
export function DocumentLine({ row, number, faults }: DocumentLineProps) {
  const worst = faults.find(({ kind }) => kind === "error") ?? faults[0];
  const column = worst?.column;
  const at = row !== undefined && column !== null && column !== undefined ? column - row.column : undefined;
  return (
    <div className={styles.row} data-kind={worst?.kind} data-row={number}>
      <span className={styles.number}>{row === undefined ? "" : row.column === 1 ? row.line : "·"}</span>
      <code className={styles.text}>{row === undefined ? " " : marked(row.text, at)}</code>
    </div>
  );
}

/** Marks the text from the place of a fault to the end of the affected part. */
export function marked(text: string, at: number | undefined): ReactNode {
  if (at === undefined || at < 0 || at >= text.length) return coloured(text);
  // Skips the indentation, which is not at fault.
  const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
  const rest = text.slice(start);
  const about = /^<[^>]*>[^<]*(?:<\/[^>]*>)?/.exec(rest)?.[0] ?? rest;
  return (
    <>
      {coloured(text.slice(0, start))}
      <mark>{about}</mark>
      {coloured(rest.slice(about.length))}
    </>
  );
}

function coloured(text: string): ReactNode {
  return text.split(/(<[^>]*>)/).map((part, i) =>
    part.startsWith("<") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no names.
      <span key={i} className={styles.tag}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

interface FaultLineProps {
  readonly fault: DocumentFault;
  readonly isChosen: boolean;
  /** Returns to its entry in the list. */
  choose(): void;
}

/** The fault of the row above, with advice. */
export function FaultLine({ fault, isChosen, choose }: FaultLineProps) {
  return (
    <div className={`${styles.fault} ${isChosen ? styles.chosen : ""}`} data-kind={fault.kind}>
      <button type="button" className={styles.sentence} onClick={choose} title="Back to the list above">
        <span className={styles.words}>
          {fault.code === "" ? null : <span className={styles.code}>{fault.code} </span>}
          {withoutPlace(fault.text)}
        </span>
        {fault.remedy === null ? null : <span className={styles.remedy}>{fault.remedy}</span>}
      </button>
    </div>
  );
}

/** The sentence without its line number, which is shown next to it. */
export const withoutPlace = (text: string) => text.replace(/^Line \d+(?:, column \d+)?: /, "");
