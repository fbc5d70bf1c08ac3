import { useMediaQuery } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useGo } from "../../scope.ts";
import type { ListData } from "./list-data.ts";
import { ListRow } from "./list-row.tsx";
import styles from "./list-table.module.css";
import type { Column } from "./list-types.ts";

const rowPixels = 36;
/** Below this width the rows are cards, as list-table.module.css lays them out. */
const asCards = "(max-width: 599px)";
/** Until a card is measured. */
const cardPixels = 150;
/** The bar at the top of the window, and a gap. */
const roomAroundCards = 72;
const choicePixels = 40;
const columnPixels = 140;
/** Number of rows before the end at which the next page is requested. */
const rowsAhead = 60;

interface ListTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly data: ListData<Row>;
  rowId(row: Row): string;
  rowTo?(row: Row): string;
  readonly height?: number;
  readonly chosen?: ReadonlySet<string>;
  setChosen?(change: (chosen: ReadonlySet<string>) => ReadonlySet<string>): void;
}

/** Renders the visible rows, and blank space as high as the others. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, columns, data, rowId, rowTo, height, chosen } = props;
  const { rows, fetchMore, atTop } = data;
  const box = useRef<HTMLElement>(null);
  const go = useGo();
  const choose = useChoice(props);
  const place = usePlace(label);
  const isCards = useMediaQuery(asCards, matchMedia(asCards).matches);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isCards ? cardPixels : rowPixels),
    scrollPaddingStart: rowPixels,
    overscan: 8,
    initialOffset: place.before,
  });
  // Sizes of the other layout no longer apply.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout alone changes the sizes
  useLayoutEffect(() => virtual.measure(), [isCards]);
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastSeen >= rows.length - rowsAhead) fetchMore();
  }, [lastSeen, rows.length, fetchMore]);
  const room = useRoom(box);
  const roomOfRows = isCards ? Math.max(roomPixelsMin, innerHeight - roomAroundCards) : room;
  const width = columns.reduce((sum, column) => sum + (column.width ?? columnPixels), chosen ? choicePixels : 0);

  return (
    <section
      ref={box}
      className={styles.box}
      aria-label={label}
      // A scrollable region must be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
      tabIndex={0}
      style={{ maxHeight: height ?? roomOfRows }}
      onScroll={({ currentTarget: { scrollTop } }) => {
        atTop(scrollTop < rowPixels);
        place.keep(scrollTop);
      }}
      onKeyDown={moveBetweenRows}
    >
      <table
        className={styles.table}
        style={isCards ? undefined : { minWidth: width }}
        aria-rowcount={data.isComplete ? rows.length + 1 : -1}
      >
        <colgroup>
          {chosen ? <col style={{ width: choicePixels }} /> : null}
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width ?? columnPixels }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <ChooseAll {...props} />
            {columns.map((column) => (
              <Head key={column.key} column={column} data={data} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const row = rows[index] as Row;
            const id = rowId(row);
            return (
              <ListRow
                key={id}
                row={row}
                id={id}
                index={index}
                columns={columns}
                go={go}
                choose={choose}
                measure={isCards ? virtual.measureElement : undefined}
                to={rowTo?.(row)}
                isChosen={chosen?.has(id)}
              />
            );
          })}
          <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  );
}

/** Scroll positions of lists by history entry, so that going back shows the row that was open. */
const places = new Map<string, number>();
const placesMax = 100;

function usePlace(label: string) {
  // Each entry of the browser history has a key. A newly opened list begins at its top.
  const key = `${useLocation().key} ${label}`;
  return {
    before: () => places.get(key) ?? 0,
    keep(scrollTop: number) {
      places.delete(key);
      places.set(key, scrollTop);
      const [oldest] = places.keys();
      if (places.size > placesMax && oldest !== undefined) places.delete(oldest);
    },
  };
}

const roomPixelsMin = 320;
const roomBelow = 25;

/** Pixels between the top of the list and the bottom of the window. */
function useRoom(box: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(roomPixelsMin);
  useLayoutEffect(() => {
    const measure = () => {
      const top = (box.current?.getBoundingClientRect().top ?? 0) + scrollY;
      setRoom(Math.max(roomPixelsMin, innerHeight - top - roomBelow));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(document.body);
    addEventListener("resize", measure);
    return () => {
      watcher.disconnect();
      removeEventListener("resize", measure);
    };
  }, [box]);
  return room;
}

function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles.gap} data-gap>
      <td style={{ height }} />
    </tr>
  );
}

/** Toggles the selection of a row; with Shift, of all rows from the previous one on. */
function useChoice<Row>({ data, rowId, setChosen }: ListTableProps<Row>) {
  const last = useRef<number | undefined>(undefined);
  const current = useRef({ rows: data.rows, rowId, setChosen });
  current.current = { rows: data.rows, rowId, setChosen };
  return useCallback((index: number, isRange: boolean) => {
    const { rows, rowId, setChosen } = current.current;
    const from = isRange ? (last.current ?? index) : index;
    last.current = index;
    setChosen?.((chosen) => {
      const next = new Set(chosen);
      const isOn = !chosen.has(rowId(rows[index] as Row));
      for (const row of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) {
        if (isOn) next.add(rowId(row));
        else next.delete(rowId(row));
      }
      return next;
    });
  }, []);
}

function ChooseAll<Row>({ chosen, setChosen, data, rowId }: ListTableProps<Row>) {
  if (!chosen || !setChosen) return null;
  const isAll = chosen.size > 0 && chosen.size === data.rows.length;
  return (
    <th scope="col" className={styles.choice}>
      <label className={styles.choiceArea}>
        <input
          type="checkbox"
          aria-label="Select all loaded rows"
          checked={isAll}
          ref={(input) => {
            if (input) input.indeterminate = chosen.size > 0 && !isAll;
          }}
          onChange={() => setChosen(() => new Set(isAll ? [] : data.rows.map(rowId)))}
        />
        <span className={styles.tick} />
      </label>
    </th>
  );
}

function Head<Row>({ column, data }: { readonly column: Column<Row>; readonly data: ListData<Row> }) {
  const { sort: name, header, align, isAge = false, isAscendingOnly = false } = column;
  if (name === undefined) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    );
  }
  const isFalling = data.sort === `-${name}`;
  const order = data.sort !== name && !isFalling ? "none" : isFalling === isAge ? "ascending" : "descending";
  const next = isFalling || isAscendingOnly ? name : `-${name}`;
  return (
    <th scope="col" data-align={align} aria-sort={order}>
      <button type="button" className={styles.sort} onClick={() => data.setSort(next)}>
        {header}
        <span aria-hidden="true">{order === "ascending" ? " ↑" : order === "descending" ? " ↓" : ""}</span>
      </button>
    </th>
  );
}

/** The arrow keys move from a row's first control to that of the next. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const row = (event.target as HTMLElement).closest("tbody tr");
  const next = row
    ? event.key === "ArrowDown"
      ? row.nextElementSibling
      : row.previousElementSibling
    : event.currentTarget.querySelector("tbody tr:not([data-gap])");
  const control = next?.querySelector<HTMLElement>("a,button,input");
  if (!control) return;
  event.preventDefault();
  control.focus();
}
