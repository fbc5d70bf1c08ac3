// Work orders on items and stock, below the level of feeds and routes. Import it once per file.
import assert from "node:assert/strict";
import type { Result } from "#/kernel/result.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  checkStock,
  describeBroken,
  type Lot,
  listReservations,
  lotOf,
  openBook,
  postMovements,
  writeSerials,
} from "#/modules/inventory/index.ts";
import {
  allocateComponents,
  cancelWorkOrder,
  createWorkOrder,
  freeComponentAllocations,
  reportWorkOrder,
  updateWorkOrder,
  type WorkOrder,
  type WorkOrderReport,
} from "#/modules/workorders/index.ts";
import { readWorkOrders } from "#/modules/workorders/repository.ts";
import type { WorkOrderCreate, WorkOrderPatch } from "#/modules/workorders/rest-contract.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import { insertClient } from "../builders/client.ts";
import { patient, testDatabase } from "../postgres/database.ts";

/** Every statement that was sent, in order. */
export const statements: Statement[] = [];
export const { database } = await testDatabase({ onStatement: (statement) => statements.push(statement) });
export const ids = createIds();

let clockMs = Date.parse("2026-11-02T10:00:00.000Z");

/** Each change is a second after the previous one. */
export function nextChange(): Change {
  clockMs += 1000;
  return { actor: "test", origin: "test", at: new Date(clockMs).toISOString(), ids };
}

export interface ItemFields {
  readonly uom?: string;
  readonly isActive?: boolean;
  readonly captureBatchRef?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

type StockOf = Partial<Lot> & {
  sku: string;
  qty: number;
  facilityCode?: string;
  serials?: readonly string[];
  at?: string;
};

/** One client with its data, separate per test, so that no test sees another's stock. */
export async function world(clientId: string) {
  const facilities = ["DC1", "DC2"];
  await insertClient(database, { clientId, facilities });

  const items = (skus: readonly string[], fields: ItemFields = {}) =>
    database.transaction(async (tx) => insertItems(tx.of(clientId), skus, fields));

  const stock = (...lots: readonly StockOf[]): Promise<void> =>
    database.transaction(async (tx) => {
      for (const { facilityCode = "DC1", serials = [], qty, sku, at = "2026-10-01T00:00:00.000Z", ...rest } of lots) {
        const book = await openBook(tx.of(clientId), facilityCode, at);
        const lot = lotOf(rest);
        const place = { ...lot, sku, condition: "GOOD" as const };
        const reference = { referenceType: "receipt", referenceId: "R" };
        postMovements(tx.of(book.clientId), book, ids, [
          { ...place, type: "RECEIPT", qty: qty * 1000, serials, ...reference },
        ]);
        const units = serials.map((serial) => ({ ...place, serial, state: "IN_STOCK" as const, facilityCode }));
        writeSerials(tx.of(clientId), at, units);
      }
    });

  const create = (request: Partial<WorkOrderCreate> & Pick<WorkOrderCreate, "qty" | "components">) =>
    database.transaction(
      (tx) =>
        createWorkOrder(tx.of(clientId, nextChange()), { facilityCode: "DC1", finishedGoodSku: "SET", ...request }),
      patient,
    );
  const update = (workOrderId: string, patch: WorkOrderPatch, ifMatch?: string) =>
    database.transaction((tx) => updateWorkOrder(tx.of(clientId, nextChange()), { workOrderId, ifMatch }, patch));
  const cancel = (workOrderId: string) =>
    database.transaction((tx) => cancelWorkOrder(tx.of(clientId, nextChange()), { workOrderId }));
  const report = (workOrderId: string, body: Omit<WorkOrderReport, "workOrderId">, facilityCode = "DC1") =>
    database.transaction(async (tx) => {
      const change = nextChange();
      const book = await openBook(tx.of(clientId), facilityCode, change.at);
      return reportWorkOrder(
        tx.of(book.clientId, change),
        book,
        { workOrderId, ...body },
        { publishesAdjustments: true },
      );
    });
  const allocate = (...skus: readonly string[]) =>
    database.transaction(async (tx) => {
      const change = nextChange();
      return allocateComponents(tx.of(clientId, change), await openBook(tx.of(clientId), "DC1", change.at), skus);
    });
  const free = (lot: { sku: string } & Partial<Lot>, qty: number) =>
    database.transaction(async (tx) => {
      const change = nextChange();
      const book = await openBook(tx.of(clientId), "DC1", change.at);
      return freeComponentAllocations(tx.of(clientId, change), book, { sku: lot.sku, ...lotOf(lot) }, qty * 1000);
    });

  const all = (workOrderIds: readonly string[]) => readWorkOrders(database.of(clientId), workOrderIds);
  const read = async (workOrderId: string): Promise<WorkOrder> => {
    const [found] = await all([workOrderId]);
    assert.ok(found, `there is no work order ${workOrderId}`);
    return found;
  };
  /** State and, component by component, `allocated/consumed of required`. */
  const shown = async (workOrderId: string): Promise<string> => {
    const { status, components } = await read(workOrderId);
    const texts = components.map(
      ({ sku, allocated, consumed, required }) => `${sku} ${allocated / 1000}/${consumed / 1000} of ${required / 1000}`,
    );
    return [status, ...texts].join(", ");
  };
  /** Reservations of the work order: `sku batch: pieces`. */
  const held = async (workOrderId: string): Promise<string[]> => {
    const rows = await listReservations(database.of(clientId), "WORK_ORDER", [workOrderId]);
    return rows
      .map(({ sku, batchRef, allocated, chosenBy }) => `${sku} ${batchRef}: ${allocated / 1000} ${chosenBy}`)
      .sort();
  };
  return { clientId, items, stock, create, update, cancel, report, allocate, free, all, read, shown, held };
}

export function accepted<Value>(result: Result<Value, { readonly detail: string }>): Value {
  assert.ok(result.ok, result.ok ? "" : result.fault.detail);
  return result.value;
}

export function refusedBy<Fault>(result: Result<unknown, Fault>): Fault {
  assert.ok(!result.ok, "it was accepted");
  return result.fault;
}

export const dataOf = (drafts: readonly EventDraft[]) => drafts.map(({ data }) => data as Record<string, unknown>);

/**
 * Asserts the invariants of stock (lifecycle.md §8), and that a work order is released exactly when it is fully
 * reserved.
 */
export async function assertSound(clientId: string): Promise<void> {
  const broken = await database.transaction((tx) => checkStock(tx.of(clientId)));
  assert.deepEqual(broken.map(describeBroken), []);
  const off = await database
    .of(clientId)
    .query<{ what: string }>(sql`select w.work_order_id || ' is ' || w.status as what from work_order w
      where w.client_id = ${tenant} and w.status in ('RELEASED', 'WAITING_COMPONENTS')
        and (w.status = 'RELEASED') <> not exists (select from work_order_component c
          where c.client_id = ${tenant} and c.work_order_id = w.work_order_id and c.qty_allocated < c.qty_required)
      limit 100`);
  assert.deepEqual(off, []);
}

function insertItems(tx: ClientTransaction, skus: readonly string[], fields: ItemFields): void {
  const rows = skus.map((sku) => ({ s: sku, t: ids.next(clockMs) }));
  const at = "2026-09-01T00:00:00.000Z";
  tx.send(sql`insert into item as i (client_id, sku, name, stock_uom, is_active, capture_batch_ref, extended_attributes, dated_at,
        feed_token, created_at, updated_at)
      select t.client_id, x.s, x.s, ${fields.uom ?? "EA"}, ${fields.isActive ?? true}, ${fields.captureBatchRef ?? false},
        ${JSON.stringify(fields.attributes ?? {})}::jsonb, ${at}::timestamptz, x.t, ${at}::timestamptz, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, t uuid)
      where t.client_id = ${tenant}`);
}
