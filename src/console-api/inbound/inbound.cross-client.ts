/** Inbound goods, returns, work orders, transfers and goods without a purchase order over all clients, for operators: read-only, by receipt, a page at a time. */
import {
  type ReturnSummary,
  returnSummary,
  type StoredPurchaseOrder,
  storedPurchaseOrder,
  type TransferSummary,
  transferSummary,
  type WorkOrderSummary,
  workOrderSummary,
} from "#/console-api/inbound/contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { expectedDateOf } from "#/modules/purchasing/index.ts";
import { openPurchaseOrder, openPurchaseOrderStates } from "#/modules/purchasing/states.ts";
import { openReturn, openReturnStates } from "#/modules/returns/states.ts";
import { openTransfer, openTransferStates } from "#/modules/transfers/states.ts";
import { type UnidentifiedReceipt, unidentifiedReceipt } from "#/modules/warehouse/index.ts";
import { waitingUnidentified, waitingUnidentifiedStates } from "#/modules/warehouse/unidentified/states.ts";
import { openWorkOrder, openWorkOrderStates } from "#/modules/workorders/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** Position in a list that is sorted by receipt. */
export interface ArrivalPlace {
  /** ISO 8601, with the precision of the store. */
  readonly receivedAt: string;
  readonly clientId: string;
  /** Id of the object; a line feed joins the parts of a composite id. */
  readonly id: string;
}

export interface ArrivalFilter extends Scope {
  readonly statuses: readonly string[] | undefined;
  readonly isNewestFirst: boolean;
  readonly after: ArrivalPlace | undefined;
  /** The last position of the scan; undefined: the end of the list. */
  readonly reach?: ArrivalPlace | undefined;
  readonly limit: number;
}

/** The present day of each facility. */
export interface FacilityDay {
  readonly code: string;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/** @param at ISO 8601 */
export function listFacilityDays(tx: Tx, at: string): Promise<FacilityDay[]> {
  return tx.query(
    sql`select f.facility_code as code, to_char(${at}::timestamptz at time zone f.timezone, 'YYYY-MM-DD') as today
      from facility f limit 10000`,
  );
}

/** A filter on open purchase orders by their expected day. */
export interface DueFilter {
  readonly due: "OVERDUE" | "TODAY";
  readonly days: readonly FacilityDay[];
}

const isOpenPurchaseOrder = sql`o.status in ${openPurchaseOrder}`;
const expectedDate = expectedDateOf(sql`o.extended_attributes`);

/** The day is compared in arrays, as those of orders: Citus refuses facilities in a subquery of clients' rows. */
function isDue({ due, days }: DueFilter): Statement {
  const todays = days.map(({ today }) => today);
  const place = sql`array_position(${days.map(({ code }) => code)}::text[], o.distribution_centre)`;
  const today = sql`(${todays}::text[])[${place}]`;
  const latest = todays.toSorted().at(-1) ?? "";
  return due === "TODAY"
    ? sql`${isOpenPurchaseOrder} and ${expectedDate} <= ${latest} and ${expectedDate} = ${today}`
    : sql`${isOpenPurchaseOrder} and ${expectedDate} <= ${latest} and ${expectedDate} < ${today}`;
}

/** The number of open purchase orders that are due, up to a limit. */
export async function countDue(tx: Tx, scope: Scope, filter: DueFilter, limit: number): Promise<number> {
  const { clientIds, facilityCodes } = scope;
  const conditions = allOf([
    isDue(filter),
    clientIds === null ? undefined : sql`o.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`o.distribution_centre = any(${facilityCodes}::text[])`,
  ]);
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from (
        select o.client_id from purchase_order o where ${conditions} limit ${limit}) c limit 1`,
  );
  return rows[0]?.count ?? 0;
}

const lowest: ArrivalPlace = { receivedAt: "-infinity", clientId: "", id: "" };
const highest: ArrivalPlace = { receivedAt: "infinity", clientId: "\u{10FFFF}", id: "\u{10FFFF}" };

/** Whether the list has no filter at all. */
const isWhole = ({ clientIds, facilityCodes, statuses }: ArrivalFilter) =>
  clientIds === null && facilityCodes === null && statuses === undefined;

const isOpen = ({ statuses }: ArrivalFilter, open: readonly string[]) =>
  statuses?.every((status) => open.includes(status)) ?? false;

/** The filter on clients, facilities and states. The statement itself defines the columns of position and state. */
function conditionsOf(filter: ArrivalFilter, facility: Statement): Statement {
  const { clientIds, facilityCodes, statuses } = filter;
  return allOf([
    clientIds === null ? undefined : sql`o.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`${facility} = any(${facilityCodes}::text[])`,
    statuses === undefined ? undefined : sql`o.status = any(${statuses}::text[])`,
  ]);
}

const isOpenReturn = sql`o.status in ${openReturn}`;
const isOpenWorkOrder = sql`o.status in ${openWorkOrder}`;
const isOpenTransfer = sql`o.status in ${openTransfer}`;
const isWaitingUnidentified = sql`o.status in ${waitingUnidentified}`;
/** Condition of the index that covers all rows; the condition of no list of one client implies it. */
const all = sql`o.received_at > '-infinity'`;

/** The key of a list by receipt: its columns after the client, and the values of those columns in a position. */
interface ArrivalKey {
  readonly ascending: Statement;
  readonly descending: Statement;
  at(place: ArrivalPlace): Statement;
}

const byName = ({ receivedAt, clientId, id }: ArrivalPlace) => sql`(${receivedAt}::timestamptz, ${clientId}, ${id})`;
const purchaseKey: ArrivalKey = {
  ascending: sql`o.po_number, o.vendor_order_id`,
  descending: sql`o.po_number desc, o.vendor_order_id desc`,
  at({ receivedAt, clientId, id }) {
    const [poNumber = "", vendorOrderId = id] = id.split("\n");
    return sql`(${receivedAt}::timestamptz, ${clientId}, ${poNumber}, ${vendorOrderId})`;
  },
};
const returnKey: ArrivalKey = { ascending: sql`o.rma_number`, descending: sql`o.rma_number desc`, at: byName };
const workOrderKey: ArrivalKey = {
  ascending: sql`o.work_order_id`,
  descending: sql`o.work_order_id desc`,
  at: byName,
};
const transferKey: ArrivalKey = { ascending: sql`o.transfer_id`, descending: sql`o.transfer_id desc`, at: byName };
const unidentifiedKey: ArrivalKey = {
  ascending: sql`o.unidentified_id`,
  descending: sql`o.unidentified_id desc`,
  at: byName,
};

const ofLines = { lines: "l", qtyReceived: "l", discrepancies: "l" };
const purchaseOrderColumns = columnsOf(storedPurchaseOrder, "o", {
  ...ofLines,
  qty: "l",
  qtyDamaged: "l",
  cartons: "k",
  cartonsReceived: "k",
  expectedDate,
});
const returnColumns = columnsOf(returnSummary, "o", { ...ofLines, qtyExpected: "l" });
const workOrderColumns = columnsOf(workOrderSummary, "o", {
  distributionCentre: sql`o.facility_code`,
  finishedGoodName: sql`i.name`,
  components: "c",
  shortages: "c",
});

const transferColumns = columnsOf(transferSummary, "o", {
  distributionCentre: sql`o.from_facility`,
  lines: "l",
  qtyOrdered: "l",
  qtyShipped: "l",
  qtyReceived: "l",
});

/** Purchase orders by receipt, with expected and received quantities. */
export function listPurchaseOrders(
  tx: Tx,
  filter: ArrivalFilter & { readonly due?: DueFilter | undefined },
): Promise<StoredPurchaseOrder[]> {
  const kind = isOpen(filter, openPurchaseOrderStates) ? isOpenPurchaseOrder : all;
  const { bound, order } = placed(filter, purchaseKey);
  return tx.query(
    sql`select ${purchaseOrderColumns}
      from purchase_order o
      left join lateral (
        select count(*)::integer as lines, coalesce(sum(p.qty), 0) as qty,
          coalesce(sum(p.qty_received), 0) as qty_received, coalesce(sum(p.qty_damaged), 0) as qty_damaged,
          count(*) filter (where p.discrepancy <> 'NONE')::integer as discrepancies
        from purchase_order_line p
        where p.client_id = o.client_id and p.po_number = o.po_number and p.vendor_order_id = o.vendor_order_id
      ) l on true
      left join lateral (
        select count(*)::integer as cartons, count(r.receipt_id)::integer as cartons_received
        from purchase_order_carton c
          left join goods_receipt r on r.client_id = c.client_id and r.po_number = c.po_number
            and r.vendor_order_id = c.vendor_order_id and r.sscc = c.sscc and r.corrected_by is null
        where c.client_id = o.client_id and c.po_number = o.po_number and c.vendor_order_id = o.vendor_order_id
      ) k on true
      where ${kind} and ${bound} and ${conditionsOf(filter, sql`o.distribution_centre`)}
        and ${allOf([filter.due && isDue(filter.due)])}
      order by ${order} limit ${filter.limit}`,
  );
}

/** Returns by receipt of their authorisation, with authorised and received quantities. */
export function listReturns(tx: Tx, filter: ArrivalFilter): Promise<ReturnSummary[]> {
  const kind = isOpen(filter, openReturnStates) ? isOpenReturn : all;
  const { bound, order } = placed(filter, returnKey);
  return tx.query(
    sql`select ${returnColumns}
      from return_authorisation o
      left join lateral (
        select count(*)::integer as lines, coalesce(sum(p.qty_expected), 0) as qty_expected,
          coalesce(sum(p.qty_received), 0) as qty_received,
          count(*) filter (where p.discrepancy <> 'NONE')::integer as discrepancies
        from return_authorisation_line p where p.client_id = o.client_id and p.rma_number = o.rma_number
      ) l on true
      where ${kind} and ${bound} and ${conditionsOf(filter, sql`o.distribution_centre`)}
      order by ${order} limit ${filter.limit}`,
  );
}

/** Work orders by receipt, with the number of their components that wait for stock. */
export function listWorkOrders(tx: Tx, filter: ArrivalFilter): Promise<WorkOrderSummary[]> {
  const kind = isOpen(filter, openWorkOrderStates) ? isOpenWorkOrder : all;
  const { bound, order } = placed(filter, workOrderKey);
  return tx.query(
    sql`select ${workOrderColumns}
      from work_order o
      left join item i on i.client_id = o.client_id and i.sku = o.finished_good_sku
      left join lateral (
        select count(*)::integer as components, count(*) filter (where w.is_waiting)::integer as shortages
        from work_order_component w where w.client_id = o.client_id and w.work_order_id = o.work_order_id
      ) c on true
      where ${kind} and ${bound} and ${conditionsOf(filter, sql`o.facility_code`)}
      order by ${order} limit ${filter.limit}`,
  );
}

/** Transfers by receipt, with ordered, shipped and received quantities; they are at the facility that ships. */
export function listTransfers(tx: Tx, filter: ArrivalFilter): Promise<TransferSummary[]> {
  const kind = isOpen(filter, openTransferStates) ? isOpenTransfer : all;
  const { bound, order } = placed(filter, transferKey);
  return tx.query(
    sql`select ${transferColumns}
      from transfer o
      left join lateral (
        select count(*)::integer as lines, coalesce(sum(p.qty_ordered), 0) as qty_ordered,
          coalesce(sum(p.qty_shipped), 0) as qty_shipped, coalesce(sum(p.qty_received), 0) as qty_received
        from transfer_line p where p.client_id = o.client_id and p.transfer_id = o.transfer_id
      ) l on true
      where ${kind} and ${bound} and ${conditionsOf(filter, sql`o.from_facility`)}
      order by ${order} limit ${filter.limit}`,
  );
}

const unidentifiedColumns = columnsOf(unidentifiedReceipt, "o");

/** Goods without a purchase order by receipt. */
export function listUnidentified(tx: Tx, filter: ArrivalFilter): Promise<UnidentifiedReceipt[]> {
  const kind = isOpen(filter, waitingUnidentifiedStates) ? isWaitingUnidentified : all;
  const { bound, order } = placed(filter, unidentifiedKey);
  return tx.query(
    sql`select ${unidentifiedColumns} from unidentified_receipt o
      where ${kind} and ${bound} and ${conditionsOf(filter, sql`o.distribution_centre`)}
      order by ${order} limit ${filter.limit}`,
  );
}

/**
 * The last of the first `looked` rows of a list, or of its open rows where the filter is a state of them; undefined
 * where there are fewer, or for the whole list.
 */
export async function findReachOfArrivals(
  tx: Tx,
  list: ArrivalList,
  filter: ArrivalFilter,
  looked: number,
): Promise<ArrivalPlace | undefined> {
  const { table, key, open, ofOpen } = lists[list];
  if (isWhole(filter)) return undefined;
  const kind = isOpen(filter, open) ? ofOpen : all;
  const { bound, order } = placed(filter, key);
  const rows = await tx.query<{ received_at: string; client_id: string; id: string }>(
    sql`select o.received_at, o.client_id, concat_ws(chr(10), ${key.ascending}) as id from ${table}
      where ${kind} and ${bound} order by ${order} limit 1 offset ${looked - 1}`,
  );
  return rows[0] && { receivedAt: rows[0].received_at, clientId: rows[0].client_id, id: rows[0].id };
}

export type ArrivalList = "purchaseOrders" | "returns" | "workOrders" | "transfers" | "unidentifiedReceipts";

const lists = {
  purchaseOrders: {
    table: sql`purchase_order o`,
    key: purchaseKey,
    open: openPurchaseOrderStates,
    ofOpen: isOpenPurchaseOrder,
  },
  returns: { table: sql`return_authorisation o`, key: returnKey, open: openReturnStates, ofOpen: isOpenReturn },
  workOrders: { table: sql`work_order o`, key: workOrderKey, open: openWorkOrderStates, ofOpen: isOpenWorkOrder },
  transfers: { table: sql`transfer o`, key: transferKey, open: openTransferStates, ofOpen: isOpenTransfer },
  unidentifiedReceipts: {
    table: sql`unidentified_receipt o`,
    key: unidentifiedKey,
    open: waitingUnidentifiedStates,
    ofOpen: isWaitingUnidentified,
  },
} satisfies Record<ArrivalList, { table: Statement; key: ArrivalKey; open: readonly string[]; ofOpen: Statement }>;

/** Bound and order of a list by receipt: from after one position up to another. */
function placed(
  { isNewestFirst, after = isNewestFirst ? highest : lowest, reach }: ArrivalFilter,
  { ascending, descending, at }: ArrivalKey,
): { bound: Statement; order: Statement } {
  const key = sql`(o.received_at, o.client_id, ${ascending})`;
  return isNewestFirst
    ? {
        bound: allOf([
          sql`o.received_at <= ${after.receivedAt}::timestamptz and ${key} < ${at(after)}`,
          reach && sql`o.received_at >= ${reach.receivedAt}::timestamptz and ${key} >= ${at(reach)}`,
        ]),
        order: sql`o.received_at desc, o.client_id desc, ${descending}`,
      }
    : {
        bound: allOf([
          sql`o.received_at >= ${after.receivedAt}::timestamptz and ${key} > ${at(after)}`,
          reach && sql`o.received_at <= ${reach.receivedAt}::timestamptz and ${key} <= ${at(reach)}`,
        ]),
        order: sql`o.received_at, o.client_id, ${ascending}`,
      };
}
