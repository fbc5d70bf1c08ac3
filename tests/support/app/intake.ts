// Purchase orders, returns and parcels with their reports, below the level of feeds and the port.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { renderDraft } from "#/delivery/outbound/documents/render.ts";
import { statusOf } from "#/http/problems/problem.ts";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { checkStock, openBook } from "#/modules/inventory/index.ts";
import { freeOrderAllocations } from "#/modules/orders/allocation/deallocation.ts";
import { insertParcels, type ParcelFacts } from "#/modules/parcels/index.ts";
import { type GoodsReceiptBody, reportGoodsReceipt } from "#/modules/purchasing/index.ts";
import { insertPurchaseOrders, replaceLines } from "#/modules/purchasing/repository.ts";
import { type ReturnBody, reportReturn } from "#/modules/returns/index.ts";
import { insertReturnLines, insertReturns } from "#/modules/returns/repository.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import { at, changeAt, database, world } from "../builders/stocked-orders.ts";
import { patient } from "../postgres/database.ts";

const ids = createIds();

/** Pieces by SKU, in the order of the lines. */
export type Wanted = readonly (readonly [sku: string, qty: number])[];

export interface Reporting {
  readonly at?: string;
  readonly facilityCode?: string;
  readonly tolerance?: number;
}

const lineOf = ([sku, qty]: Wanted[number], i: number) => ({
  path: "",
  lineNumber: i + 1,
  sku,
  qty: qty * 1000,
  feedQty: qty * 1000,
  feedUom: undefined,
  uom: "EA",
});

/** A client for tests of inbound goods and returns. */
export async function intakeWorld(clientId: string) {
  const base = await world(clientId);

  const purchaseOrder = (poNumber: string, wanted: Wanted, vendorOrderId = "") =>
    database.transaction(async (tx) => {
      const lines = wanted.map((entry, i) => ({
        ...lineOf(entry, i),
        lineId: undefined,
        altSku: undefined,
        productName: undefined,
      }));
      const message = {
        poNumber,
        vendorOrderId,
        action: "NEW" as const,
        revision: undefined,
        distributionCentre: "DC1",
        messageId: undefined,
        extendedAttributes: {},
        lines,
      };
      const order = { key: { poNumber, vendorOrderId }, message, token: ids.next(Date.parse(at)), receivedAt: at };
      insertPurchaseOrders(tx.of(clientId), [order]);
      replaceLines(tx.of(clientId), [order]);
    });

  const authorise = (rmaNumber: string, wanted: Wanted, orderId?: string, receivedAt = at) =>
    database.transaction(async (tx) => {
      const lines = wanted.map((entry, i) => ({
        ...lineOf(entry, i),
        returnReasonCode: undefined,
        attributeOne: undefined,
        attributeThree: undefined,
      }));
      const entry = {
        token: ids.next(Date.parse(at)),
        receivedAt,
        bodySha256: Buffer.alloc(32),
        faults: [],
        warnings: [],
        parkKey: undefined,
        missingSkus: [],
        replayOf: undefined,
        message: {
          rmaNumber,
          distributionCentre: "DC1",
          orderReference: orderId,
          orderId,
          creationTimeStamp: undefined,
          lines,
        },
      };
      insertReturns(tx.of(clientId), [entry]);
      insertReturnLines(tx.of(clientId), [entry]);
    });

  const receive = async (body: Omit<GoodsReceiptBody, "clientId">, reporting: Reporting = {}) => {
    const moment = reporting.at ?? at;
    return database.transaction(
      async (tx) =>
        reportGoodsReceipt(
          tx.of(clientId, changeAt(moment)),
          await openBook(tx.of(clientId), reporting.facilityCode ?? "DC1", moment),
          { clientId, ...body },
          { overReceiptTolerance: reporting.tolerance ?? 10, free: freeOrderAllocations },
        ),
      patient,
    );
  };

  const takeBack = async (body: Omit<ReturnBody, "clientId">, reporting: Reporting = {}) => {
    const moment = reporting.at ?? at;
    return database.transaction(
      async (tx) =>
        reportReturn(
          tx.of(clientId, changeAt(moment)),
          await openBook(tx.of(clientId), reporting.facilityCode ?? "DC1", moment),
          {
            clientId,
            ...body,
          },
        ),
      patient,
    );
  };

  /** Despatches an order in one parcel, with these serials of its first line. */
  const despatched = async (
    orderId: string,
    olpnId: string,
    wanted: Wanted,
    status: ParcelFacts["status"] = "DESPATCHED",
  ) => {
    await base.order(
      orderId,
      wanted.map(([sku, qty]) => ({ sku, qty })),
    );
    await query(sql`update sales_order_line set qty_despatched = qty_ordered, qty_open = 0
      where client_id = ${tenant} and order_id = ${orderId} returning line_number`);
    await query(sql`update sales_order set status = 'DESPATCHED'
      where client_id = ${tenant} and order_id = ${orderId} returning order_id`);
    await database.transaction(async (tx) => insertParcels(tx.of(clientId), at, [parcelOf(orderId, olpnId, wanted)]));
    await query(sql`update parcel set status = ${status}, despatched_at = ${at}::timestamptz
      where client_id = ${tenant} and olpn_id = ${olpnId} returning olpn_id`);
  };

  const query = <Row>(statement: ReturnType<typeof sql>) => database.of(clientId).query<Row>(statement);

  /** Stock as `SKU CONDITION pool/batch/expiry: pieces`. */
  const stockOf = async (): Promise<string[]> => {
    const rows = await query<{ sku: string; condition: string; p: string; b: string; e: string; qty: string }>(
      sql`select sku, condition, stock_pool as p, batch_ref as b, expiry_date as e, qty from stock_balance
        where client_id = ${tenant} and facility_code = 'DC1' and sku > '' and qty > 0
        order by sku, condition, stock_pool, batch_ref, expiry_date limit 100`,
    );
    return rows.map(({ sku, condition, p, b, e, qty }) => {
      const lot = [p, b, e].filter((part) => part !== "DEFAULT" && part !== "" && part !== "infinity");
      return `${sku} ${condition}${lot.length > 0 ? ` ${lot.join("/")}` : ""}: ${Number(qty)}`;
    });
  };

  const serialsOf = async (sku: string): Promise<string[]> => {
    const rows = await query<{ serial: string; state: string; condition: string }>(
      sql`select serial, state, condition from stock_serial where client_id = ${tenant} and sku = ${sku}
        order by serial limit 100`,
    );
    return rows.map(({ serial, state, condition }) => `${serial} ${state === "GONE" ? state : condition}`);
  };

  const exceptions = () =>
    query<{ kind: string; object_id: string; summary: string; detail: Record<string, unknown> }>(
      sql`select kind, object_id, summary, detail from operator_exception where client_id = ${tenant}
        order by exception_id limit 100`,
    );

  const audits = async (objectId: string, actor = "test"): Promise<string[]> => {
    const rows = await query<{ action: string }>(
      sql`select action from audit_log
        where client_id = ${tenant} and object_id = ${objectId} and actor = ${actor} order by audit_id limit 100`,
    );
    return rows.map(({ action }) => action);
  };

  /** Asserts the invariants that the nightly job checks. */
  const assertSound = async () => assert.deepEqual(await checkStock(database.of(clientId)), []);

  return {
    ...base,
    purchaseOrder,
    authorise,
    receive,
    takeBack,
    despatched,
    query,
    stockOf,
    serialsOf,
    exceptions,
    audits,
    assertSound,
  };
}

function parcelOf(orderId: string, olpnId: string, wanted: Wanted): ParcelFacts {
  return {
    olpnId,
    orderId,
    facilityCode: "DC1",
    status: "PACKED",
    statusAt: undefined,
    version: 1,
    isDelivered: false,
    isReturning: false,
    carrierCode: undefined,
    carrierServiceCode: undefined,
    trackingNumber: undefined,
    trackingUrl: undefined,
    decisionId: undefined,
    isGeneratedTrackingNumber: false,
    weight: 1,
    weightUomCode: "KG",
    length: undefined,
    width: undefined,
    height: undefined,
    dimensionsUomCode: undefined,
    loadId: undefined,
    packedAt: at,
    loadedAt: undefined,
    despatchedAt: undefined,
    contents: wanted.map(([sku, qty], i) => ({
      lineNumber: i + 1,
      sku,
      qty: qty * 1000,
      serials: [],
      stockPool: "DEFAULT",
      batchRef: "",
      expiryDate: "infinity",
    })),
  };
}

/** The value of an accepted report. */
export function accepted<Value>(result: Result<Value, Refusal>): Value {
  assert(result.ok, result.ok ? "" : result.fault.detail);
  return result.value;
}

/** The reason of a rejected report: `409 sentence`. */
export function refusalOf(result: Result<unknown, Refusal>): string {
  assert(!result.ok, "the report was accepted");
  return `${statusOf(result.fault)} ${result.fault.detail}`;
}

export const topics = (drafts: readonly EventDraft[]) => drafts.map(({ topic }) => topic);

const engine = await createXmlEngine();
const schemas = new Map(
  (["GR", "RS", "OS"] as const).map((type) => {
    return [type as string, engine.compile(readFileSync(new URL(`../../../schemas/xsd/${type}.xsd`, import.meta.url)))];
  }),
);
const envelope = {
  messageId: "019a4c2e-8f00-7abc-8def-000000000001",
  clientId: "DEMO",
  distributionCentre: "DC1",
  creationTimeStamp: at,
};

/** The outbound documents of the events, each validated against its published XSD. */
export const contents = (drafts: readonly EventDraft[]) =>
  drafts.flatMap(({ outbound }) => {
    if (outbound === undefined) return [];
    const schema = schemas.get(outbound.type);
    assert(schema, `no schema of ${outbound.type}`);
    const read = engine.read(renderDraft(outbound, envelope), { schema, shape: element({ children: {} }) });
    assert(read.ok, read.ok ? "" : JSON.stringify(read.fault.problems));
    return [outbound.content];
  });
