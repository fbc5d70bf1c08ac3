import { type KeyboardEvent, type PointerEvent, useState } from "react";
import styles from "./column-head.module.css";
import type { ListColumn } from "./columns.tsx";
import type { ListData } from "./list-data.ts";
import { columnPixelsMin } from "./list-layout.ts";

/** Pixels of a key press. */
const widthStep = 16;

interface ColumnHeadProps<Row> {
  readonly column: ListColumn<Row>;
  readonly data: ListData<Row>;
  readonly listId: string;
  readonly width: number;
  readonly isMovable: boolean;
  /** @param pixels undefined: the width of the list */
  setWidth(pixels: number | undefined): void;
  /** Moves another column to the place of this one. */
  takePlace(key: string): void;
}

/** The heading of a column: sorts on a click, moves the column when dragged, and has its width at the right edge. */
export function ColumnHead<Row>({ column, data, listId, width, isMovable, setWidth, takePlace }: ColumnHeadProps<Row>) {
  const { key, header, align } = column;
  const [isTarget, setTarget] = useState(false);
  // Only headings of the same list are taken.
  const kind = `application/x-column-${listId}`;
  const order = orderOf(column, data.sort);
  return (
    <th
      scope="col"
      className={styles.head}
      // Otherwise the name would include that of the handle.
      aria-label={header}
      data-kind={column.kind}
      data-align={align}
      data-target={isTarget || undefined}
      {...(order === undefined ? {} : { "aria-sort": order })}
      {...(isMovable
        ? {
            draggable: true,
            onDragStart: ({ dataTransfer }) => dataTransfer.setData(kind, key),
            onDragOver: (event) => {
              if (!event.dataTransfer.types.includes(kind)) return;
              event.preventDefault();
              setTarget(true);
            },
            onDragLeave: () => setTarget(false),
            onDrop: (event) => {
              event.preventDefault();
              setTarget(false);
              takePlace(event.dataTransfer.getData(kind));
            },
          }
        : {})}
    >
      {order === undefined ? (
        header
      ) : (
        <button type="button" className={styles.sort} onClick={() => data.setSort(nextSort(column, data.sort))}>
          {header}
          <span aria-hidden="true">{order === "ascending" ? " ↑" : order === "descending" ? " ↓" : ""}</span>
        </button>
      )}
      <WidthHandle header={header} width={width} setWidth={setWidth} />
    </th>
  );
}

/** The order that the arrow shows; undefined if the API does not sort by the column. */
function orderOf<Row>({ sort: name, isAge = false }: ListColumn<Row>, sort: string | undefined) {
  if (name === undefined) return undefined;
  const isFalling = sort === `-${name}`;
  return sort !== name && !isFalling ? "none" : isFalling === isAge ? "ascending" : "descending";
}

function nextSort<Row>(
  { sort: name = "", isAscendingFirst = false }: ListColumn<Row>,
  sort: string | undefined,
): string {
  const isFalling = isAscendingFirst ? sort === name : sort !== `-${name}`;
  return isFalling ? `-${name}` : name;
}

interface WidthHandleProps {
  readonly header: string;
  readonly width: number;
  setWidth(pixels: number | undefined): void;
}

function WidthHandle({ header, width, setWidth }: WidthHandleProps) {
  const [drag, setDrag] = useState<{ readonly x: number; readonly width: number }>();
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ x: event.clientX, width: shownWidth(event.currentTarget) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (steps === undefined && event.key !== "Enter") return;
    event.preventDefault();
    setWidth(steps === undefined ? undefined : shownWidth(event.currentTarget) + steps * widthStep);
  };
  return (
    <hr
      tabIndex={0}
      className={styles.handle}
      aria-label={`Width of ${header}`}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={columnPixelsMin}
      data-drag={drag !== undefined || undefined}
      // Otherwise the heading would be dragged.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={start}
      onPointerMove={({ clientX }) => drag && setWidth(drag.width + clientX - drag.x)}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={() => setWidth(undefined)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The pixels of the column, which may be more than its width. */
const shownWidth = (handle: HTMLElement) => handle.parentElement?.offsetWidth ?? 0;
