// Kits in orders (docs/decisions/0058-kits.md). The client sees a single line. Its rows hold the stock: the first
// for kits that are taken from stock of the kit, and a further one for each component of the others.

import { isOfStock, lineNumberOf, rowNumberOf } from "#/kernel/values/kit-lines.ts";
import { multiplyQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { KitContent } from "#/modules/catalogue/index.ts";
import {
  type Buckets,
  bucketRecord,
  bucketsOfNew,
  lineStateOf,
  moved,
  type Order,
  type OrderKit,
  type OrderLine,
} from "#/modules/orders/order.ts";
import type { OrderState } from "#/modules/orders/states.ts";

/** One kit in thousandths: kits are whole. */
const kitUnit = 1_000;

/** The rows of a kit: kits from stock, and the components of the others in the order of the catalogue. */
export interface KitRows {
  readonly built: OrderLine;
  readonly components: readonly OrderLine[];
}

/** A row of the components, which knows its quantity in each kit. */
const per = ({ kitQty = kitUnit }: OrderLine) => kitQty;
const ofKits = (line: OrderLine, kits: number) => (kits * per(line)) / kitUnit;
const least = (rows: readonly OrderLine[], qtyOf: (row: OrderLine) => number) =>
  Math.min(...rows.map((row) => Math.floor(qtyOf(row) / per(row)))) * kitUnit;
const most = (rows: readonly OrderLine[], qtyOf: (row: OrderLine) => number) =>
  Math.max(...rows.map((row) => Math.ceil(qtyOf(row) / per(row)))) * kitUnit;

export const rowsOf = (lines: readonly OrderLine[], lineNumber: number): KitRows => rowsByKit(lines)(lineNumber);

/** The rows of each kit, for several kits of an order: the lines are read once, because an order may have thousands. */
export function rowsByKit(lines: readonly OrderLine[]): (lineNumber: number) => KitRows {
  const ofKits = lines.filter(({ lineNumber }) => lineNumberOf(lineNumber) !== lineNumber);
  const byLine = Map.groupBy(ofKits, ({ lineNumber }) => lineNumberOf(lineNumber));
  return (lineNumber) => {
    const rows = byLine.get(lineNumber) ?? [];
    const built = rows.find((row) => isOfStock(row.lineNumber)) as OrderLine;
    return { built, components: rows.filter((row) => row !== built) };
  };
}

/** A line of an order as the client sees it. */
export type ShownLine = OrderLine & { readonly components?: readonly OrderLine[] };

/** The lines of an order as the client sees them, each kit with its components. */
export function shownLines({ lines, kits }: Pick<Order, "lines" | "kits">): readonly ShownLine[] {
  if (kits.length === 0) return lines;
  const plain = lines.filter(({ kitQty }) => kitQty === undefined);
  const kitRows = rowsByKit(lines);
  const shown = kits.map((kit) => {
    const rows = kitRows(kit.lineNumber);
    return { ...shownKit(kit, rows), components: rows.components };
  });
  return [...plain, ...shown].sort((left, right) => left.lineNumber - right.lineNumber);
}

/**
 * The day on which purchase orders bring all that a line waits for; undefined if none says, or it waits for nothing.
 * A kit waits for the last of its components.
 */
export function promisedOnOf(
  line: ShownLine,
  dayOf: (row: OrderLine) => string | undefined = ({ promisedOn }) => promisedOn,
): string | undefined {
  const waiting = (line.components ?? [line]).filter(({ buckets }) => buckets.open + buckets.backordered > 0);
  const days = waiting.map((row) => dayOf(row));
  return days.includes(undefined) ? undefined : days.toSorted().at(-1);
}

/** The quantities of a component in records and events. */
export function componentRecord({ sku, kitQty = kitUnit, buckets, delivered, returned }: OrderLine) {
  return {
    sku,
    qtyPerKit: quantityToNumber(kitQty),
    ...bucketRecord(buckets),
    qtyDelivered: quantityToNumber(delivered),
    qtyReturned: quantityToNumber(returned),
  };
}

/** A line in events and the OS. */
export function lineRecord(line: ShownLine, order: { readonly status: OrderState; readonly holds: Order["holds"] }) {
  return {
    lineNumber: line.lineNumber,
    sku: line.sku,
    status: lineStateOf(line, order),
    ...bucketRecord(line.buckets),
    qtyDelivered: quantityToNumber(line.delivered),
    qtyReturned: quantityToNumber(line.returned),
    ...(line.components === undefined ? {} : { components: line.components.map(componentRecord) }),
  };
}

/**
 * The line of a kit, from its rows. A kit has come as far as the component that is farthest behind; a kit that lacks
 * a cancelled component is cancelled.
 */
function shownKit({ lineNumber, sku, stockPool, uom }: OrderKit, { built, components }: KitRows): OrderLine {
  const ordered = least(components, ({ buckets }) => buckets.ordered);
  const cancelled = most(components, ({ buckets }) => buckets.cancelled);
  const remaining = ordered - cancelled;
  const upTo = (qtyOf: (buckets: Buckets) => number) =>
    Math.min(
      remaining,
      least(components, (row) => qtyOf(row.buckets)),
    );
  const despatched = upTo((of) => of.despatched);
  const packed = upTo((of) => of.despatched + of.packed);
  const picked = upTo((of) => of.despatched + of.packed + of.picked);
  const allocated = upTo(heldOf);
  const open = Math.min(
    remaining - allocated,
    most(components, (row) => row.buckets.open),
  );
  const ofStock = built.buckets;
  return {
    lineNumber,
    facilityCode: built.facilityCode,
    sku,
    stockPool,
    uom,
    buckets: {
      ordered: ordered + ofStock.ordered,
      open: open + ofStock.open,
      backordered: remaining - allocated - open + ofStock.backordered,
      allocated: allocated - picked + ofStock.allocated,
      picked: picked - packed + ofStock.picked,
      packed: packed - despatched + ofStock.packed,
      despatched: despatched + ofStock.despatched,
      cancelled: cancelled + ofStock.cancelled,
    },
    delivered:
      Math.min(
        despatched,
        least(components, (row) => row.delivered),
      ) + built.delivered,
    returned:
      Math.min(
        despatched,
        least(components, (row) => row.returned),
      ) + built.returned,
    cancelRequested: 0,
  };
}

/** The quantity that is reserved for a row or has left. */
const heldOf = ({ allocated, picked, packed, despatched }: Buckets) => allocated + picked + packed + despatched;

/** The lines of the kits whose rows have changed; they are stored as the client sees them. */
export function changedKits({ lines, kits }: Order, isChanged: (line: OrderLine) => boolean): OrderLine[] {
  const kitRows = rowsByKit(lines);
  return kits.flatMap((kit) => {
    const rows = kitRows(kit.lineNumber);
    return [rows.built, ...rows.components].some(isChanged) ? shownKit(kit, rows) : [];
  });
}

/** A new line of `kits` kits: the rows of its components are open. */
export function rowsOfNew(
  { lineNumber, facilityCode, sku, stockPool, uom }: OrderKit,
  contents: readonly KitContent[],
  kits: number,
): OrderLine[] {
  const row = (place: number, content: KitContent, qty: number): OrderLine => ({
    lineNumber: rowNumberOf(lineNumber, place),
    facilityCode,
    sku: content.sku,
    stockPool,
    uom: content.uom,
    kitQty: content.qty,
    buckets: bucketsOfNew(qty),
    delivered: 0,
    returned: 0,
    cancelRequested: 0,
  });
  return [
    row(1, { sku, uom, qty: kitUnit }, 0),
    ...contents.map((content, i) => row(i + 2, content, multiplyQuantity(kits, content.qty) as number)),
  ];
}

/** The lines of new orders, all open. */
export function linesOfNew(
  contents: readonly (OrderKit & { readonly qty: number; readonly components?: readonly KitContent[] })[],
): Pick<Order, "lines" | "kits"> {
  const kits = contents.filter(({ components }) => components !== undefined);
  const lines = contents.flatMap(({ lineNumber, facilityCode, sku, stockPool, uom, qty, components }) => {
    const line = { lineNumber, facilityCode, sku, stockPool, uom };
    if (components !== undefined) return rowsOfNew(line, components, qty);
    return { ...line, buckets: bucketsOfNew(qty), delivered: 0, returned: 0, cancelRequested: 0 };
  });
  return { lines, kits };
}

export const contentsOf = ({ components }: KitRows): KitContent[] =>
  components.map(({ sku, uom, kitQty = kitUnit }) => ({ sku, uom, qty: kitQty }));

/**
 * Kits that wait are taken from stock of the kit instead.
 *
 * @param qty whole kits, of none of which a component is reserved
 */
export function withBuilt(rows: KitRows, qty: number): readonly OrderLine[] {
  if (qty === 0) return [rows.built, ...rows.components];
  const { buckets } = rows.built;
  return [
    {
      ...rows.built,
      buckets: { ...buckets, ordered: buckets.ordered + qty, allocated: buckets.allocated + qty },
    },
    ...rows.components.map((row) => {
      const less = ofKits(row, qty);
      const ofOpen = Math.min(row.buckets.open, less);
      const { ordered, open, backordered } = row.buckets;
      return {
        ...row,
        buckets: {
          ...row.buckets,
          ordered: ordered - less,
          open: open - ofOpen,
          backordered: backordered - (less - ofOpen),
        },
      };
    }),
  ];
}

/** Kits from stock that lost their stock are made of components again. */
export function withoutLostBuilt(order: Order): Order {
  if (order.kits.length === 0) return order;
  const changed = new Map<number, OrderLine>();
  const kitRows = rowsByKit(order.lines);
  for (const { lineNumber } of order.kits) {
    const { built, components } = kitRows(lineNumber);
    const lost = built.buckets.open + built.buckets.backordered;
    if (lost === 0) continue;
    const { ordered } = built.buckets;
    changed.set(built.lineNumber, {
      ...built,
      buckets: { ...built.buckets, ordered: ordered - lost, open: 0, backordered: 0 },
    });
    for (const row of components) {
      const more = ofKits(row, lost);
      const buckets = { ...row.buckets, ordered: row.buckets.ordered + more, open: row.buckets.open + more };
      changed.set(row.lineNumber, { ...row, buckets });
    }
  }
  return changed.size === 0 ? order : withChanged(order, changed);
}

const withChanged = (order: Order, changed: ReadonlyMap<number, OrderLine>): Order => ({
  ...order,
  lines: order.lines.map((line) => changed.get(line.lineNumber) ?? line),
});

/** Whole kits of which no component is reserved. */
export const wholeWaiting = ({ components }: KitRows): number =>
  Math.max(
    0,
    least(components, ({ buckets }) => buckets.open + buckets.backordered),
  );

/**
 * What each component may get of the stock that is free for it: as much as makes whole kits.
 *
 * @param waitingOf what a component waits for, integer thousandths as all quantities
 */
export function grantsOf(
  { components }: KitRows,
  waitingOf: (row: OrderLine) => number,
  freeOf: (row: OrderLine) => number,
): ReadonlyMap<OrderLine, number> {
  const whole = least(components, (row) => heldOf(row.buckets) + Math.min(waitingOf(row), freeOf(row)));
  return new Map(components.map((row) => [row, Math.max(0, ofKits(row, whole) - heldOf(row.buckets))]));
}

/** A row of a kit with quantity that goes. */
export interface RowPart {
  readonly lineNumber: number;
  readonly qty: number;
}

/**
 * The parts of the rows that make up kits of a line that have not left: first kits of components, which may wait, then
 * those from stock. Undefined if there are not so many.
 */
export function partsOf(rows: KitRows, kits: number): RowPart[] | undefined {
  const leftOf = ({ buckets: { ordered, despatched, cancelled } }: OrderLine) => ordered - despatched - cancelled;
  const ofComponents = Math.min(kits, Math.max(0, least(rows.components, leftOf)));
  const ofStock = kits - ofComponents;
  if (ofStock > leftOf(rows.built)) return undefined;
  return [rows.built, ...rows.components].flatMap((row) => {
    const qty = row === rows.built ? ofStock : ofKits(row, ofComponents);
    return qty === 0 ? [] : { lineNumber: row.lineNumber, qty };
  });
}

/**
 * What the components hold beyond whole kits, because another component was lost or not found: allocated quantity that
 * goes back to stock.
 */
export function surplusOf({ lines, kits }: Pick<Order, "lines" | "kits">): RowPart[] {
  const kitRows = rowsByKit(lines);
  return kits.flatMap(({ lineNumber }) => {
    const { components } = kitRows(lineNumber);
    const whole = least(components, ({ buckets }) => heldOf(buckets));
    return components.flatMap((row) => {
      const qty = Math.min(row.buckets.allocated, heldOf(row.buckets) - ofKits(row, whole));
      return qty > 0 ? { lineNumber: row.lineNumber, qty } : [];
    });
  });
}

/** Quantities of components that can no longer be in a kit, because another component of the kit is cancelled. */
export function orphansOf({ lines, kits }: Order): RowPart[] {
  const kitRows = rowsByKit(lines);
  return kits.flatMap(({ lineNumber }) => {
    const { components } = kitRows(lineNumber);
    const lost = most(components, ({ buckets }) => buckets.cancelled);
    return components.flatMap((row) => {
      const { ordered, despatched, cancelled } = row.buckets;
      const qty = Math.min(ofKits(row, lost), ordered - despatched) - cancelled;
      return qty > 0 ? { lineNumber: row.lineNumber, qty } : [];
    });
  });
}

/** The components of kits that came back as such; as many as have left and not come back. */
export function withReturnedKits({ components }: KitRows, kits: number) {
  const room = least(components, ({ buckets, returned }) => buckets.despatched - returned);
  const whole = Math.max(0, Math.min(room, Math.floor(kits / kitUnit) * kitUnit));
  return {
    kits: whole,
    components: components.map((row) => ({ ...row, returned: row.returned + ofKits(row, whole) })),
  };
}

/** Surplus goes back to waiting. */
export const withSurplusWaiting = (order: Order, surplus: readonly RowPart[]): Order => {
  const qtyOf = new Map(surplus.map(({ lineNumber, qty }) => [lineNumber, qty]));
  return {
    ...order,
    lines: order.lines.map((line) => moved(line, "allocated", "backordered", qtyOf.get(line.lineNumber) ?? 0)),
  };
};
