import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { DocumentLine, FaultLine } from "./document-line.tsx";
import type { DocumentFault, DocumentRow, DocumentSource } from "./document-source.ts";
import styles from "./document-view.module.css";
import { entryId, FaultList } from "./fault-list.tsx";

interface DocumentViewProps {
  /** For screen readers: "Document 019a…". */
  readonly label: string;
  readonly source: DocumentSource;
  readonly faults?: readonly DocumentFault[];
  /** Maximum height in pixels. The box ends at the bottom of the browser window, if there is enough room. */
  readonly height?: number;
  /** Buttons at the right of the bar. */
  readonly actions?: ReactNode;
}

const rowHeight = 22;
const faultHeight = 52;
const chunkRows = 400;
const heightMin = 200;
const roomBelow = 32;
const noFaults: readonly DocumentFault[] = [];

/** A rendered item: a row, or a fault below its row. */
type Item = { readonly row: number } | { readonly fault: number };

/**
 * A document with line numbers, and each fault below its line. Only visible rows are read and rendered, so that a
 * catalogue of 50 000 items scrolls smoothly. The list above links to the faults, and they link back.
 */
export function DocumentView({ label, source, faults = noFaults, height = 640, actions }: DocumentViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const layout = useMemo(() => layoutOf(source.rowTotal, faults), [source.rowTotal, faults]);
  const virtualizer = useVirtualizer({
    count: layout.count,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => ("row" in layout.itemAt(i) ? rowHeight : faultHeight),
    overscan: 20,
  });
  const room = useRoom(scroller, height);
  const shown = virtualizer.getVirtualItems();
  const rows = useRows(
    source,
    shown.flatMap(({ index }) => {
      const item = layout.itemAt(index);
      return "row" in item ? item.row : [];
    }),
  );

  const choose = (fault: number, focus: boolean) => {
    setChosen(fault);
    const index = layout.indexOf(fault);
    if (index === undefined) return;
    virtualizer.scrollToIndex(index, { align: "center" });
    if (focus) scroller.current?.focus({ preventScroll: true });
  };
  const first = faults.findIndex(({ row }) => row !== null);
  const documentKey = JSON.stringify(source.key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each document, and not again when it is drawn anew.
  useEffect(() => {
    if (first >= 0) choose(first, false);
  }, [documentKey, first]);

  const back = (fault: number) => {
    setChosen(fault);
    document.getElementById(entryId(label, fault))?.focus();
  };

  return (
    <div className={styles.view}>
      <FaultList
        label={label}
        faults={faults}
        lineTotal={source.rowTotal}
        chosen={chosen}
        choose={(fault) => choose(fault, true)}
        actions={actions}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section ref={scroller} className={styles.scroll} style={{ height: room }} aria-label={label} tabIndex={0}>
        <div className={styles.sizer} style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, start, key }) => {
            const item = layout.itemAt(index);
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                {"row" in item ? (
                  <DocumentLine row={rows.get(item.row)} number={item.row} faults={layout.faultsOf(item.row)} />
                ) : (
                  <FaultLine
                    fault={faults[item.fault] as DocumentFault}
                    isChosen={chosen === item.fault}
                    choose={() => back(item.fault)}
                  />
                )}
              </div>
            );
          })}
        </div>
      </section>
    </div>
  );
}

/** Pixels between the top of the box and the bottom of the window, within bounds. */
function useRoom(box: RefObject<HTMLElement | null>, most: number): number {
  const [room, setRoom] = useState(heightMin);
  useLayoutEffect(() => {
    const measure = () => {
      const top = (box.current?.getBoundingClientRect().top ?? 0) + scrollY;
      setRoom(Math.min(most, Math.max(heightMin, innerHeight - top - roomBelow)));
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [box, most]);
  return room;
}

interface Layout {
  readonly count: number;
  itemAt(index: number): Item;
  /** Index of a fault; undefined if it concerns no specific place. */
  indexOf(fault: number): number | undefined;
  faultsOf(row: number): readonly DocumentFault[];
}

/** Layout of all items: all rows, with faults below some of them. */
function layoutOf(rowTotal: number, faults: readonly DocumentFault[]): Layout {
  const placed = faults
    .flatMap(({ row }, fault) => (row === null ? [] : { row, fault }))
    .sort((left, right) => left.row - right.row || left.fault - right.fault);
  // A fault comes after its row, and every earlier fault moves it down by one.
  const indexes = placed.map(({ row }, i) => row + i);
  const places = new Map(placed.map(({ fault }, i) => [fault, indexes[i]]));
  const byRow = Map.groupBy(placed, ({ row }) => row);
  return {
    count: rowTotal + placed.length,
    itemAt(index) {
      let low = 0;
      let high = indexes.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((indexes[middle] as number) < index) low = middle + 1;
        else high = middle;
      }
      const at = placed[low];
      return at !== undefined && indexes[low] === index ? { fault: at.fault } : { row: index - low + 1 };
    },
    indexOf: (fault) => places.get(fault),
    faultsOf: (row) => (byRow.get(row) ?? []).map(({ fault }) => faults[fault] as DocumentFault),
  };
}

/** The visible rows and their neighbours, as far as they are loaded. */
function useRows(source: DocumentSource, seen: readonly number[]): ReadonlyMap<number, DocumentRow> {
  const chunks = [...new Set(seen.map((row) => Math.floor((row - 1) / chunkRows)))];
  return useQueries({
    queries: chunks.map((chunk) => ({
      queryKey: ["documentRows", ...source.key, chunk],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.load(chunk * chunkRows + 1, chunkRows, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((row) => [row.row, row])),
  });
}
