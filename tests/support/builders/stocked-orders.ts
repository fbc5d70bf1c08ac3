// Orders with their lines, items and stock, below the level of feeds and reports. Import it once per file.

import { createIds } from "#/kernel/values/ids.ts";
import { type Condition, type Lot, lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { allocateOrders } from "#/modules/orders/allocation/allocation.ts";
import type { OrderContent, OrderLine } from "#/modules/orders/intake/check-order.ts";
import { insertLines, insertOrders } from "#/modules/orders/intake/repository.ts";
import { codesOfReceipt, insertMilestones } from "#/modules/orders/milestone-repository.ts";
import type { Hold, Order } from "#/modules/orders/order.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import { testDatabase } from "../postgres/database.ts";
import { insertClient } from "./client.ts";
import { noContent, plainLine } from "./order-content.ts";

export const { database, url } = await testDatabase();
const ids = createIds();
export const at = "2026-11-02T10:00:00.000Z";

export const changeAt = (moment = at): Change => ({ actor: "test", origin: "test", at: moment, ids });

export interface ItemFields {
  readonly isActive?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface LineFields {
  readonly sku: string;
  /** Pieces. */
  readonly qty: number;
  readonly stockPool?: string;
}

export interface OrderFields {
  readonly priority?: number;
  readonly receivedAt?: string;
  readonly shipPartial?: boolean;
  readonly holds?: readonly Hold[];
  readonly distributionCentre?: string;
  readonly despatchBy?: string;
  /** False: its receipt is not published, so it has no code yet. */
  readonly isPublished?: boolean;
  readonly content?: Partial<OrderContent>;
}

/** One client with its data, separate per test, so that no test sees another's stock. */
export async function world(clientId: string, settings: Readonly<Record<string, unknown>> = {}) {
  await insertClient(database, { clientId });
  await database.query(
    sql`update client set settings = ${JSON.stringify(settings)}::jsonb where client_id = ${clientId} returning client_id`,
  );
  const items = (skus: readonly string[], fields: ItemFields = {}) =>
    database.transaction(async (tx) => insertItems(tx.of(clientId), skus, fields));

  const stock = (
    lots: readonly (Partial<Lot> & { sku: string; qty: number; at?: string; condition?: Condition })[],
    facilityCode = "DC1",
  ): Promise<void> =>
    database.transaction(async (tx) => {
      for (const [moment, group] of Map.groupBy(lots, (lot) => lot.at ?? "2026-10-01T00:00:00.000Z")) {
        const book = await openBook(tx.of(clientId), facilityCode, moment);
        const movements = group.map((lot) => ({
          ...lotOf(lot),
          type: "RECEIPT" as const,
          sku: lot.sku,
          condition: lot.condition ?? ("GOOD" as const),
          qty: lot.qty * 1000,
          referenceType: "receipt",
          referenceId: "R",
        }));
        postMovements(tx.of(book.clientId), book, ids, movements);
      }
    });

  const order = (orderId: string, lines: readonly LineFields[], fields: OrderFields = {}): Promise<void> =>
    orders([{ orderId, lines, ...fields }]);

  const orders = (all: readonly (OrderFields & { orderId: string; lines: readonly LineFields[] })[]): Promise<void> =>
    database.transaction(async (tx) => {
      const rows = all.map(({ orderId, lines, ...fields }) => {
        const { priority = 5, shipPartial = false } = fields;
        const content = contentOf(lines, { ...fields.content, priority, shipPartial });
        return {
          orderId,
          token: ids.next(Date.parse(at)),
          receivedAt: fields.receivedAt ?? at,
          status: (fields.holds ?? []).length > 0 ? ("ON_HOLD" as const) : ("RECEIVED" as const),
          distributionCentre: fields.distributionCentre ?? "DC1",
          isRouted: false,
          holds: fields.holds ?? [],
          revision: undefined,
          despatchBy: fields.despatchBy,
          content,
        };
      });
      insertOrders(tx.of(clientId), rows);
      insertLines(tx.of(clientId), rows);
      // As the consumer of order:received raises them.
      const published = rows.filter((_, i) => all[i]?.isPublished ?? true);
      const steps = published.flatMap(({ orderId }) => codesOfReceipt.map((code) => ({ orderId, code })));
      insertMilestones(
        tx.of(clientId),
        steps.map((step) => ({ ...step, milestoneId: ids.next(Date.parse(at)), at, receivedAt: at })),
      );
    });

  const read = async (orderId: string): Promise<Order> => {
    const [found] = await readOrders(database.of(clientId), [orderId]);
    if (!found) throw new Error(`there is no order ${orderId}`);
    return found;
  };

  /** The quantities of an order's line in pieces; default: its first line. */
  const buckets = async (orderId: string, lineNumber = 1): Promise<Partial<Record<string, number>>> => {
    const line = (await read(orderId)).lines.find((line) => line.lineNumber === lineNumber);
    return Object.fromEntries(
      Object.entries(line?.buckets ?? {}).flatMap(([name, qty]) => (qty === 0 ? [] : [[name, qty / 1000]])),
    );
  };

  const allocate = (ask: Parameters<typeof allocateOrders>[2], facilityCode = "DC1", moment = at) =>
    database.transaction(async (tx) =>
      allocateOrders(tx.of(clientId, changeAt(moment)), await openBook(tx.of(clientId), facilityCode, moment), ask),
    );

  /** Reservations of an order: `batch or expiry or pool: pieces`. */
  const held = async (orderId: string): Promise<string[]> => {
    const rows = await database.of(clientId).query<{
      p: string;
      b: string;
      e: string;
      q: string;
      c: string;
    }>(sql`select stock_pool as p, batch_ref as b, expiry_date as e, qty_allocated as q, chosen_by as c
        from stock_reservation where client_id = ${tenant} and owner_id = ${orderId}
        order by line_number, stock_pool, batch_ref, expiry_date limit 100`);
    return rows.map(
      ({ p, b, q, c }) =>
        `${[p, b].filter((part) => part !== "" && part !== "DEFAULT").join("/") || "-"}: ${Number(q)} ${c}`,
    );
  };

  return { clientId, items, stock, order, orders, read, buckets, allocate, held };
}

export const topicsOf = (drafts: readonly EventDraft[]) =>
  drafts.map(({ topic, objectId, data }) =>
    topic === "carrier:trackAndTrace"
      ? `${objectId} ${(data as { eventCode: number }).eventCode}`
      : `${objectId} ${topic}`,
  );

export const feedsOf = (drafts: readonly EventDraft[]) =>
  drafts.flatMap(({ outbound }) => (outbound ? [outbound] : []));

function insertItems(tx: ClientTransaction, skus: readonly string[], fields: ItemFields): void {
  const rows = skus.map((sku) => ({ s: sku, t: ids.next(Date.parse(at)) }));
  tx.send(sql`insert into item as i (client_id, sku, name, is_active, extended_attributes, dated_at, feed_token, created_at, updated_at)
      select t.client_id, x.s, x.s, ${fields.isActive ?? true}, ${JSON.stringify(fields.attributes ?? {})}::jsonb,
        ${at}::timestamptz, x.t, ${at}::timestamptz, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, t uuid)
      where t.client_id = ${tenant}`);
}

export function contentOf(lines: readonly LineFields[], more: Partial<OrderContent> = {}): OrderContent {
  const shipToAddress = { country: "GB", zip: "LS1 4AP", city: "Leeds" };
  return { ...noContent, orderDate: "2026-11-02T09:00:00Z", shipToAddress, ...more, lines: lines.map(lineOf) };
}

function lineOf({ sku, qty, stockPool = "DEFAULT" }: LineFields, i: number): OrderLine {
  return { ...plainLine, lineNumber: i + 1, sku, feedQty: qty * 1000, qty: qty * 1000, stockPool };
}
