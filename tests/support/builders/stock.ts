import { createIds } from "#/kernel/values/ids.ts";
import {
  type Book,
  checkStock,
  type FreeAllocations,
  listBalances,
  listReservationsOfLots,
  lotOf,
  type Movement,
  openBook,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const ids = createIds();
/**
 * Tests run many concurrent transactions on one book. The last one waits longer than the program's limit of one second.
 */
const queueMsMax = 20_000;
const feedToken = "00000000-0000-7000-8000-000000000000";

export function changeAt(atMs = Date.now()): Change {
  return { actor: "test", origin: "test", at: new Date(atMs).toISOString(), ids };
}

/** Inserts items without an order or a feed. */
export async function insertItems(
  database: Database,
  clientId: string,
  items: readonly { sku: string; batch?: boolean; attributes?: Record<string, string> }[],
): Promise<void> {
  const at = "2026-01-01T00:00:00Z";
  await database.transaction(async (tx) => {
    for (const { sku, batch = false, attributes = {} } of items) {
      tx.of(
        clientId,
      ).send(sql`insert into item (client_id, sku, name, capture_batch_ref, extended_attributes, dated_at, feed_token,
          created_at, updated_at)
        values (${tenant}, ${sku}, ${sku}, ${batch}, ${JSON.stringify(attributes)}::jsonb, ${at}, ${feedToken}, ${at},
          ${at})`);
    }
  });
}

/** One transaction with the book of a facility open. */
export function withBook<T>(
  database: Database,
  clientId: string,
  work: (tx: Transaction, book: Book, change: Change) => Promise<T>,
  { facilityCode = "DC1", atMs = Date.now() } = {},
): Promise<T> {
  const change = changeAt(atMs);
  return database.transaction(
    async (tx) => work(tx, await openBook(tx.of(clientId), facilityCode, change.at), change),
    {
      lockTimeoutMs: queueMsMax,
    },
  );
}

/** Posts entries, by default a RECEIPT of GOOD stock; `qty` in thousandths. */
export function post(
  database: Database,
  clientId: string,
  movements: readonly (Partial<Movement> & { sku: string; qty: number })[],
  options?: { facilityCode?: string; atMs?: number },
): Promise<number> {
  return withBook(
    database,
    clientId,
    async (tx, book, change) => {
      postMovements(tx.of(book.clientId), book, change.ids, movements.map(movementOf));
      return book.position;
    },
    options,
  );
}

export function movementOf(fields: Partial<Movement> & { sku: string; qty: number }): Movement {
  return {
    type: "RECEIPT",
    condition: "GOOD",
    referenceType: "receipt",
    referenceId: "R-1",
    ...lotOf(fields),
    ...fields,
  };
}

export function reservationOf(fields: Partial<Reservation> & { sku: string }): Reservation {
  return {
    ownerType: "ORDER",
    ownerId: "O-1",
    lineNumber: 1,
    facilityCode: "DC1",
    ...lotOf(fields),
    allocated: 0,
    picked: 0,
    packed: 0,
    chosenBy: "FIFO",
    allocatedAt: "2026-01-01T00:00:00.000Z",
    ...fields,
  };
}

/** An order line with its reservation, as left by allocation and picking. The rest of its quantity is open. */
export async function hold(
  database: Database,
  clientId: string,
  reservation: Partial<Reservation> & { sku: string },
  qtyOrdered = 100_000,
): Promise<void> {
  const held = reservationOf(reservation);
  const { allocated, picked, packed } = held;
  const total = allocated + picked + packed;
  await withBook(database, clientId, async (tx, book, change) => {
    writeReservations(tx.of(clientId), [held]);
    const entry = { ...held, condition: "GOOD", referenceType: "order", referenceId: held.ownerId } as const;
    postMovements(tx.of(book.clientId), book, change.ids, [
      movementOf({ ...lotFields(entry), sku: held.sku, type: "ALLOCATION", qty: total, allocatedChange: total }),
      ...(picked + packed === 0
        ? []
        : [movementOf({ ...lotFields(entry), sku: held.sku, type: "PICK", qty: picked + packed })]),
    ]);
    const open = (qtyOrdered - total) / 1000;
    tx.of(
      clientId,
    ).send(sql`insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty,
        qty_ordered, qty_open, qty_allocated, qty_picked, qty_packed, facility_code, priority, accepted_at)
      values (${tenant}, ${held.ownerId}, ${held.lineNumber}, ${held.sku}, ${held.stockPool}, 'EA', ${qtyOrdered / 1000},
        ${qtyOrdered / 1000}, ${open}, ${allocated / 1000}, ${picked / 1000}, ${packed / 1000}, ${held.facilityCode}, 5,
        ${change.at})`);
  });
}

function lotFields({ stockPool, batchRef, expiryDate, referenceType, referenceId }: Omit<Movement, "type" | "qty">) {
  return { stockPool, batchRef, expiryDate, referenceType, referenceId };
}

/** Releases one order's reservation like deallocation: line, reservation, entry. */
export const freeOne: FreeAllocations = async (tx, book, lot, qty) => {
  const { facilityCode } = book;
  let freed = 0;
  for (const held of await listReservationsOfLots(tx, facilityCode, [lot])) {
    const taken = Math.min(held.allocated, qty - freed);
    if (taken === 0) continue;
    freed += taken;
    writeReservations(tx, [{ ...held, allocated: held.allocated - taken }]);
    tx.send(sql`update sales_order_line set qty_allocated = qty_allocated - ${taken / 1000}::numeric,
        qty_open = qty_open + ${taken / 1000}::numeric
      where client_id = ${tenant} and order_id = ${held.ownerId} and line_number = ${held.lineNumber}`);
    postMovements(tx, book, tx.change.ids, [
      movementOf({
        ...lotFields({ ...held, condition: "GOOD", referenceType: "order", referenceId: held.ownerId }),
        sku: held.sku,
        type: "DEALLOCATION",
        qty: -taken,
        allocatedChange: -taken,
      }),
    ]);
  }
  return { freed, drafts: [{ topic: "order:backordered", objectType: "order", objectId: "O-1", data: {} }] };
};

export const freeNothing: FreeAllocations = async () => ({ freed: 0, drafts: [] });

/** `GOOD 5/2` for five pieces of which two are allocated. Zero balances are left out. */
export async function stockOf(database: Database, clientId: string, sku: string, facilityCode = "DC1") {
  const balances = await listBalances(database.of(clientId), facilityCode, [sku]);
  return balances
    .map(({ condition, batchRef, qty, allocated }) =>
      [condition, batchRef, `${qty / 1000}/${allocated / 1000}`].filter(Boolean).join(" "),
    )
    .sort();
}

export async function brokenRules(database: Database, clientId: string): Promise<string[]> {
  return (await checkStock(database.of(clientId))).map(({ rule, object, found, expected }) => {
    return `${rule} ${object}: ${found / 1000} for ${expected / 1000}`;
  });
}
