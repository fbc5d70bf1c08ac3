import assert from "node:assert/strict";
import type { Refusal, RefusalKind } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { resolveSettings } from "#/modules/clients/index.ts";
import { checkStock, listReservations, type SerialPlace, writeSerials } from "#/modules/inventory/index.ts";
import { answerCancel, type CancelReport } from "#/modules/orders/fulfilment/cancel-answer.ts";
import {
  type CarrierEventReport,
  type CarrierEventSource,
  reportCarrierEvent,
} from "#/modules/orders/fulfilment/carrier-event.ts";
import { type DespatchReport, reportDespatch } from "#/modules/orders/fulfilment/despatch.ts";
import type { FulfilmentResult } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { type LoadReport, removeFromLoad, reportLoad } from "#/modules/orders/fulfilment/load.ts";
import { reportPack } from "#/modules/orders/fulfilment/packing/pack.ts";
import type { PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
import type { PickReport } from "#/modules/orders/fulfilment/pick.ts";
import { reportPick } from "#/modules/orders/fulfilment/pick.ts";
import { voidParcel } from "#/modules/orders/fulfilment/void-parcel.ts";
import { createSsccMint, listParcels } from "#/modules/parcels/index.ts";
import { resultOf } from "#/modules/warehouse/reports/report-kind.ts";
import type { Transaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { CommandResult } from "#/store/outbox/append.ts";
import { at, changeAt, database, topicsOf, world } from "../builders/stocked-orders.ts";
import { determinationContext, seedCarriers } from "../carriers/carriers.ts";

/** Dependencies of pack reports. */
export const packTerms = {
  ssccs: createSsccMint(database, "0614141", { blockSize: 50 }),
  carriers: determinationContext(),
};
await seedCarriers(database);

/** A client with its data, and the warehouse floor of DC1. A rejected report must not have written anything. */
export async function floor(clientId: string, settings: Readonly<Record<string, unknown>> = {}) {
  const base = await world(clientId, settings);
  let tick = Date.parse(at);

  async function run(
    report: (tx: Transaction, moment: string) => Promise<FulfilmentResult | CommandResult<Result<object, Refusal>>>,
  ): Promise<FulfilmentResult> {
    tick += 60_000;
    const before = await trace();
    const { answer, events } = await database.transaction(async (tx) => {
      const done = await report(tx, new Date(tick).toISOString());
      return "ok" in done ? resultOf(clientId, done) : done;
    });
    if (answer.ok) return ok({ answer: answer.value, events });
    if (events.length === 0) assert.equal(await trace(), before, "a refused report has written nothing");
    return answer;
  }

  /** Everything that a report could change, as one text. */
  async function trace(): Promise<string> {
    const rows = await database.of(clientId).query<{ text: string }>(sql`select concat_ws('|',
          (select string_agg(o::text, ';' order by o.order_id) from sales_order o where o.client_id = ${tenant}),
          (select string_agg(l::text, ';' order by l.order_id, l.line_number) from sales_order_line l
            where l.client_id = ${tenant}),
          (select string_agg(r::text, ';' order by r::text) from stock_reservation r where r.client_id = ${tenant}),
          (select string_agg(p::text, ';' order by p.olpn_id) from parcel p where p.client_id = ${tenant}),
          (select count(*) from stock_movement m where m.client_id = ${tenant}),
          (select count(*) from order_milestone i where i.client_id = ${tenant}),
          (select count(*) from audit_log a where a.client_id = ${tenant})) as text limit 1`);
    return rows[0]?.text ?? "";
  }

  const facility = "DC1";
  const reports = {
    pick: (body: PickReport, at_ = facility) =>
      run((tx, moment) => reportPick(tx.of(clientId, changeAt(moment)), at_, body)),
    pack: (body: PackReport, at_ = facility) =>
      run(async (tx, moment) => {
        const pack = {
          clientId,
          seller: { name: clientId, customs: resolveSettings({}) },
          facilityCode: at_,
          body,
          at: moment,
        };
        return reportPack(tx, changeAt(moment), packTerms, pack);
      }),
    load: (body: LoadReport, at_ = facility) =>
      run((tx, moment) => reportLoad(tx.of(clientId, changeAt(moment)), at_, body)),
    unload: (body: Pick<LoadReport, "loadId" | "olpnIds">, at_ = facility) =>
      run((tx, moment) => removeFromLoad(tx.of(clientId, changeAt(moment)), at_, body)),
    despatch: (body: DespatchReport, at_ = facility) =>
      run((tx, moment) => reportDespatch(tx.of(clientId, changeAt(moment)), at_, body)),
    voidParcel: (olpnId: string, at_ = facility) =>
      run((tx, moment) => voidParcel(tx.of(clientId, changeAt(moment)), at_, { olpnId })),
    cancel: (body: CancelReport, at_ = facility) =>
      run((tx, moment) => answerCancel(tx.of(clientId, changeAt(moment)), at_, body)),
    carrier: (body: CarrierEventReport, source: CarrierEventSource = {}) =>
      run((tx, moment) => reportCarrierEvent(tx.of(clientId, changeAt(moment)), source, body)),
  };

  /** A released order of line 1, `qty` of `sku`. */
  async function released(orderId: string, sku: string, qty: number): Promise<void> {
    await base.order(orderId, [{ sku, qty }]);
    await base.allocate({ orderIds: [orderId] });
  }

  async function picked(orderId: string, sku: string, qty: number): Promise<void> {
    await released(orderId, sku, qty);
    accepted(await reports.pick({ orderId, lines: [{ lineNumber: 1, qtyPicked: qty }] }));
  }

  /** Packs `qty` of line 1; returns the parcel's number. */
  async function packOne(orderId: string, qty: number): Promise<string> {
    const { answer } = accepted(await reports.pack({ orderId, olpns: [parcelOf(qty)] }));
    return (answer as { olpns: { olpnId: string }[] }).olpns[0]?.olpnId ?? "";
  }

  /** Despatches an order in parcels of these quantities; returns their numbers. */
  async function shipped(orderId: string, sku: string, ...parts: readonly number[]): Promise<string[]> {
    await picked(
      orderId,
      sku,
      parts.reduce((sum, qty) => sum + qty, 0),
    );
    const olpnIds: string[] = [];
    for (const qty of parts) olpnIds.push(await packOne(orderId, qty));
    accepted(await reports.despatch({ olpnIds }));
    return olpnIds;
  }

  /** Reservations of the order by line and lot: `1 B1: a2 p1 k0 FIFO`. */
  async function holdings(orderId: string): Promise<string[]> {
    const rows = await listReservations(database.of(clientId), "ORDER", [orderId]);
    return rows
      .map(
        ({ lineNumber, batchRef, allocated, picked, packed, chosenBy }) =>
          `${lineNumber} ${batchRef || "-"}: a${allocated / 1000} p${picked / 1000} k${packed / 1000} ${chosenBy}`,
      )
      .sort();
  }

  const hold = (orderId: string) =>
    update(
      sql`update sales_order set holds = '[{"type":"OTHER","reason":"wait","since":"2026-11-02T10:00:00Z","by":"t"}]'
        where client_id = ${tenant} and order_id = ${orderId}`,
    );
  const askCancel = async (orderId: string, qty: number) => {
    await update(
      sql`update sales_order set cancel_requested_at = ${at}::timestamptz, cancel_reason = 'not wanted'
        where client_id = ${tenant} and order_id = ${orderId}`,
    );
    await update(
      sql`update sales_order_line set qty_cancel_requested = ${qty}
        where client_id = ${tenant} and order_id = ${orderId}`,
    );
  };
  const captureBatch = (sku: string) =>
    update(sql`update item set capture_batch_ref = true where client_id = ${tenant} and sku = ${sku}`);
  async function update(statement: ReturnType<typeof sql>): Promise<void> {
    await database.of(clientId).query(statement);
  }

  const serials = (places: readonly Pick<SerialPlace, "sku" | "serial" | "batchRef">[]) =>
    database.transaction(async (tx) =>
      writeSerials(
        tx.of(clientId),
        at,
        places.map((place) => ({
          ...place,
          state: "IN_STOCK",
          facilityCode: facility,
          stockPool: "DEFAULT",
          expiryDate: "infinity",
          condition: "GOOD",
        })),
      ),
    );

  const balances = async (sku: string): Promise<string[]> => {
    const rows = await database.of(clientId).query<{
      c: string;
      b: string;
      q: string;
      a: string;
    }>(sql`select condition as c, batch_ref as b, qty as q, allocated as a from stock_balance
        where client_id = ${tenant} and facility_code = ${facility} and sku = ${sku}
        order by condition, batch_ref limit 100`);
    return rows.map(({ c, b, q, a }) => `${c} ${b || "-"}: ${Number(q)}/${Number(a)}`);
  };

  const clean = async () => assert.deepEqual(await checkStock(database.of(clientId)), []);
  const parcels = (orderId: string) => listParcels(database.of(clientId), [orderId]);
  const tools = { released, picked, packOne, shipped, holdings, hold, askCancel, captureBatch, serials, balances };
  return { ...base, ...reports, ...tools, clean, parcels };
}

export const parcelOf = (qty: number, fields: Partial<PackReport["olpns"][number]> = {}) => ({
  weight: 1.25,
  weightUomCode: "kg",
  contents: [{ lineNumber: 1, qty }],
  ...fields,
});

export function accepted(result: FulfilmentResult): CommandResult {
  assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.fault));
  return result.value;
}

/** Topics and codes of the events of an accepted report. */
export const eventsBy = (result: FulfilmentResult): string[] => topicsOf(accepted(result).events);

export function assertRefused(result: FulfilmentResult, kind: RefusalKind, pattern: RegExp): void {
  assert.ok(!result.ok, "the report was accepted");
  assert.equal(result.fault.kind, kind, result.fault.detail);
  assert.match(result.fault.detail, pattern);
}
