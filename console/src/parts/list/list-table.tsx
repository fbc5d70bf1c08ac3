import { useMediaQuery } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useGo } from "../../scope.ts";
import { ColumnHead } from "./column-head.tsx";
import type { ListColumn } from "./columns.tsx";
import type { ListData } from "./list-data.ts";
import { listMark } from "./list-keys.ts";
import { columnPixelsMin, isMovable, type ListLayout, moveColumn, type SetLayout, widthOf } from "./list-layout.ts";
import { ListRow } from "./list-row.tsx";
import styles from "./list-table.module.css";

const rowPixels = { comfortable: 36, compact: 28 } as const;
const headPixels = 36;
/** Below this width the rows are cards, as list-table.module.css lays them out. */
const asCards = "(max-width: 599px)";
/** Until a card is measured. */
const cardPixels = 150;
/** A row with a sentence of three lines until it is measured: with less, rows that are out of sight are rendered too. */
const wrappedPixels = 77;
/** The bar at the top of the window, and a gap. */
const roomAroundCards = 72;
const choicePixels = 40;
/** Number of rows before the end at which the next page is requested. */
const rowsAhead = 60;

interface ListTableProps<Row> {
  readonly id: string;
  readonly label: string;
  /** In the order of the layout. */
  readonly allColumns: readonly ListColumn<Row>[];
  /** The visible columns. */
  readonly columns: readonly ListColumn<Row>[];
  readonly layout: ListLayout;
  readonly setLayout: SetLayout;
  readonly data: ListData<Row>;
  rowId(row: Row): string;
  rowTo?(row: Row): string;
  readonly height?: number;
  /** One row: "order". */
  readonly noun: string;
  readonly chosen?: ReadonlySet<string>;
  setChosen?(change: (chosen: ReadonlySet<string>) => ReadonlySet<string>): void;
}

/** Renders the visible rows, and blank space as high as the others. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { id: listId, label, allColumns, columns, layout, setLayout, data, rowId, rowTo, height, chosen } = props;
  const { rows, fetchMore, atTop } = data;
  const box = useRef<HTMLElement>(null);
  const go = useGo();
  const choose = useChoice(props);
  const place = usePlace(label);
  const isWrapped = columns.some(({ wraps }) => wraps === true) && layout.density === "comfortable";
  const isCards = useMediaQuery(asCards, matchMedia(asCards).matches);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => rowId(rows[index] as Row),
    estimateSize: () => (isCards ? cardPixels : isWrapped ? wrappedPixels : rowPixels[layout.density]),
    scrollPaddingStart: headPixels,
    overscan: 8,
    initialOffset: place.before,
  });
  // Sizes of the other layout no longer apply.
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards and the layout alone change the sizes
  useLayoutEffect(() => virtual.measure(), [isCards, layout]);
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastSeen >= rows.length - rowsAhead) fetchMore();
  }, [lastSeen, rows.length, fetchMore]);
  const sideways = useSideways(box);
  const room = useRoom(box);
  const roomOfRows = isCards ? Math.max(roomPixelsMin, innerHeight - roomAroundCards) : room;
  const width = columns.reduce((sum, column) => sum + widthOf(layout, column), chosen ? choicePixels : 0);
  const [first] = columns;
  // A focused cell is not hidden behind the column that stays.
  const stays = (chosen ? choicePixels : 0) + (first ? widthOf(layout, first) : 0);
  // The widest text takes the remaining room; beside columns of a chosen width, the last column.
  const isSized = columns.some(({ key }) => layout.widths[key] !== undefined);
  const growing = isSized ? columns.length - 1 : growingOf(columns);
  const setWidth = (key: string, pixels: number | undefined) => {
    const shown = shownWidths(box.current, columns);
    setLayout((before) => {
      const { [key]: _, ...others } = { ...before.widths, ...shown };
      const chosenWidth = pixels === undefined ? {} : { [key]: Math.max(columnPixelsMin, Math.round(pixels)) };
      return { ...before, widths: { ...others, ...chosenWidth } };
    });
  };
  const takePlace = (key: string, at: string) => {
    const keys = allColumns.map((column) => column.key);
    setLayout((before) => ({ ...before, order: moveColumn(keys, key, at) }));
  };

  return (
    <div className={styles.frame}>
      <section
        ref={box}
        {...listMark}
        className={styles.box}
        aria-label={label}
        // A scrollable region must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
        tabIndex={0}
        style={{ maxHeight: height ?? roomOfRows, scrollPaddingLeft: stays }}
        onScroll={({ currentTarget: { scrollTop } }) => {
          sideways.measure();
          atTop(scrollTop < rowPixels[layout.density]);
          place.keep(scrollTop);
        }}
      >
        <table
          className={styles.table}
          data-density={layout.density}
          style={isCards ? undefined : { minWidth: width }}
          aria-rowcount={data.isComplete ? rows.length + 1 : -1}
        >
          <colgroup>
            {chosen ? <col style={{ width: choicePixels }} /> : null}
            {columns.map((column, i) => (
              <col key={column.key} style={i === growing ? undefined : { width: widthOf(layout, column) }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <ChooseAll {...props} />
              {columns.map((column) => (
                <ColumnHead
                  key={column.key}
                  column={column}
                  data={data}
                  listId={listId}
                  width={widthOf(layout, column)}
                  isMovable={isMovable(allColumns, column)}
                  setWidth={(pixels) => setWidth(column.key, pixels)}
                  takePlace={(key) => takePlace(key, column.key)}
                />
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
                  measure={isCards || isWrapped ? virtual.measureElement : undefined}
                  to={rowTo?.(row)}
                  isChosen={chosen?.has(id)}
                  noun={props.noun}
                />
              );
            })}
            <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </section>
      {sideways.left ? <div className={styles.shade} data-shade="left" style={{ left: stays }} /> : null}
      {sideways.right ? <div className={styles.shade} data-shade="right" style={{ right: sideways.bar }} /> : null}
    </div>
  );
}

/** The place of the widest text, or of the widest column. */
function growingOf<Row>(columns: readonly ListColumn<Row>[]): number {
  const texts = columns.filter(({ wraps }) => wraps);
  const [widest] = (texts.length > 0 ? texts : columns).toSorted((left, right) => right.width - left.width);
  return columns.indexOf(widest as ListColumn<Row>);
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

/** Whether columns lie beyond the left and the right edge, and the pixels of the scroll bar. */
function useSideways(box: RefObject<HTMLElement | null>) {
  const [beyond, setBeyond] = useState({ left: false, right: false, bar: 0 });
  const measure = useCallback(() => {
    if (box.current === null) return;
    const { scrollLeft, scrollWidth, clientWidth, offsetWidth, clientLeft } = box.current;
    const left = scrollLeft > 0;
    // Widths are rounded: one pixel is none.
    const right = scrollWidth - clientWidth - scrollLeft > 1;
    const bar = offsetWidth - clientWidth - clientLeft;
    const isSame = (before: typeof beyond) => before.left === left && before.right === right && before.bar === bar;
    setBeyond((before) => (isSame(before) ? before : { left, right, bar }));
  }, [box]);
  useLayoutEffect(() => {
    measure();
    const watcher = new ResizeObserver(measure);
    for (const part of [box.current, box.current?.querySelector("table")]) if (part) watcher.observe(part);
    return () => watcher.disconnect();
  }, [box, measure]);
  return { ...beyond, measure };
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

/**
 * The pixels of the visible columns, so that a column that becomes wider leaves the others as they are. The last one
 * gives room.
 */
function shownWidths<Row>(box: HTMLElement | null, columns: readonly ListColumn<Row>[]): Record<string, number> {
  const heads = [...(box?.querySelectorAll<HTMLElement>("thead th[aria-label]") ?? [])];
  return Object.fromEntries(columns.slice(0, -1).map(({ key }, i) => [key, heads[i]?.offsetWidth ?? columnPixelsMin]));
}
