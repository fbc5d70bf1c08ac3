import { type MouseEvent, memo } from "react";
import type { ListColumn } from "./columns.tsx";
import styles from "./list-table.module.css";

interface ListRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  /** From 0. */
  readonly index: number;
  readonly columns: readonly ListColumn<Row>[];
  /** The page of the row. */
  readonly to: string | undefined;
  /** One row: "order". */
  readonly noun: string;
  /** undefined: rows are not selectable here. */
  readonly isChosen: boolean | undefined;
  go(to: string): void;
  choose(index: number, isRange: boolean): void;
  /** Takes the height of the row, where rows have different heights. */
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
}

/** Pixels of a column from which its value takes a whole line of a card. */
const wideColumn = 180;

/** Shown by columns for a value that is absent. */
const nothing = "–";

function PlainRow<Row>({ row, id, index, columns, to, noun, isChosen, go, choose, measure }: ListRowProps<Row>) {
  return (
    // The first cell contains the link. A click on the rest of the row serves the mouse.
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      data-chosen={isChosen}
      data-way={to !== undefined || undefined}
      onClick={(event) => {
        if (to !== undefined && !isOnControl(event)) go(to);
      }}
    >
      {isChosen === undefined ? null : (
        <td className={styles.choice}>
          <label className={styles.choiceArea}>
            <input
              type="checkbox"
              aria-label={`Select ${noun} ${columns[0]?.text(row) ?? id}`}
              checked={isChosen}
              onChange={(event) => choose(index, (event.nativeEvent as { shiftKey?: boolean }).shiftKey === true)}
            />
            <span className={styles.tick} />
          </label>
        </td>
      )}
      {columns.map((column) => {
        const value = column.cell(row);
        return (
          <td
            key={column.key}
            data-align={column.align}
            data-label={column.header}
            data-wide={column.width >= wideColumn || undefined}
            data-empty={value === nothing || undefined}
          >
            {column.wraps === true ? (
              <div className={styles.text} title={typeof value === "string" ? value : undefined}>
                {value}
              </div>
            ) : (
              value
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Re-renders a row only if its record or index has changed, so that scrolling renders only new rows. */
export const ListRow = memo(PlainRow) as typeof PlainRow;

/**
 * Whether a click hit an interactive part: a link, a button, a field, or a dialog opened from the row. (React
 * propagates the dialog's clicks, although it is elsewhere on the page.) It is also true if the click ended a text
 * selection.
 */
function isOnControl(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  if (!event.currentTarget.contains(target)) return true;
  return target.closest("a,button,input,label") !== null || (getSelection()?.toString() ?? "") !== "";
}
