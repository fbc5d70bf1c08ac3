// Actions of the warehouse and the carriers on orders.
import assert from "node:assert/strict";
import type { Port } from "../support/warehouse/warehouse-port.ts";
import { type Choice, facilities, held, lot, parcels, pick, report, serialsOf, type World } from "./world.ts";

/** The rows of the order at the facility of the target; sometimes also those at another one, which are refused. */
function ofPart<Row extends { readonly order_id: string; readonly facility: string }>(
  rows: readonly Row[],
  target: Row,
  a: number,
): Row[] {
  const ofOrder = rows.filter(({ order_id }) => order_id === target.order_id);
  return a % 7 === 0 ? ofOrder : ofOrder.filter(({ facility }) => facility === target.facility);
}

export const floorActions = {
  async accept(world: World, { a }: Choice) {
    const facility = a % 2;
    const tasks = await world.server.rows<{ task_id: string }>(
      "select task_id from warehouse_task where client_id = $1 and facility_code = $2 order by task_id",
      world.clientId,
      facilities[facility] as string,
    );
    const task = pick(tasks, a);
    if (!task) return;
    const answer = await (world.ports[facility] as Port).post("/task/accept", { taskIds: [task.task_id] });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  },
  async pick(world: World, { a, b, c }: Choice) {
    const target = pick(await held(world, "allocated"), a);
    if (!target) return;
    const qty = 1 + (b % target.allocated);
    const short = c % 5 === 0 ? target.allocated - qty : 0;
    const serials = await serialsOf(world, target.facility, target.sku, qty);
    // Sometimes a lot other than the allocated one.
    const other =
      target.sku === "LOT" && c % 4 === 0 ? { ...target, batch_ref: target.batch_ref === "B0" ? "B1" : "B0" } : target;
    await report(world, target.facility, "pick", {
      orderId: target.order_id,
      lines: [
        {
          lineNumber: target.line_number,
          qtyPicked: qty,
          ...(short > 0 ? { qtyShort: short } : {}),
          ...lot(other),
          ...(target.sku === "SER" ? { serials } : {}),
        },
      ],
    });
  },
  async pickAll(world: World, { a }: Choice) {
    const rows = await held(world, "allocated");
    const target = pick(rows, a);
    if (!target) return;
    const lines = [];
    for (const row of ofPart(rows, target, a)) {
      const serials = await serialsOf(world, row.facility, row.sku, row.allocated);
      const line = { lineNumber: row.line_number, qtyPicked: row.allocated, ...lot(row) };
      lines.push({ ...line, ...(row.sku === "SER" ? { serials } : {}) });
    }
    await report(world, target.facility, "pick", { orderId: target.order_id, lines });
  },
  async pack(world: World, { a, b }: Choice) {
    const rows = await held(world, "picked");
    const target = pick(rows, a);
    if (!target) return;
    const contents = [];
    for (const row of ofPart(rows, target, a)) {
      const qty = b % 3 === 0 ? 1 : row.picked;
      const serials = await serialsOf(world, row.facility, row.sku, qty, row.order_id);
      contents.push({
        lineNumber: row.line_number,
        qty,
        ...(row.batch_ref === "" ? {} : { batchRef: row.batch_ref }),
        ...(row.sku === "SER" ? { serials } : {}),
      });
    }
    await report(world, target.facility, "pack", {
      orderId: target.order_id,
      olpns: [{ weight: 1.5, weightUomCode: "KG", contents }],
    });
  },
  /** Reports that arrive together, some of them on the same order. */
  async rush(world: World, { a, b, c }: Choice) {
    const reports = Array.from({ length: 2 + (c % 9) }, (_, i) => {
      const choice = { a: a + (i >> 1), b: b + i, c: c + i };
      return [floorActions.pickAll, floorActions.pack, floorActions.despatch, floorActions.carrierEvent][(b + i) % 4]?.(
        world,
        choice,
      );
    });
    await Promise.all(reports);
  },
  async voidParcel(world: World, { a }: Choice) {
    const target = pick(await parcels(world), a);
    if (target) await report(world, target.facility, "parcel/void", { olpnId: target.olpn_id });
  },
  async load(world: World, { a, b }: Choice) {
    const target = pick(await parcels(world, "PACKED"), a);
    if (!target) return;
    await report(world, target.facility, "load", { loadId: `${world.clientId}-L${b % 3}`, olpnIds: [target.olpn_id] });
  },
  async removeFromLoad(world: World, { a }: Choice) {
    const target = pick(await parcels(world, "LOADED"), a);
    if (!target) return;
    await report(world, target.facility, "load/remove", { loadId: target.load_id, olpnIds: [target.olpn_id] });
  },
  async despatch(world: World, { a, b }: Choice) {
    const target = pick(await parcels(world, "PACKED", "LOADED"), a);
    if (!target) return;
    const what = target.load_id !== null && b % 2 === 0 ? { loadId: target.load_id } : { olpnIds: [target.olpn_id] };
    await report(world, target.facility, "despatch", what);
  },
  async carrierEvent(world: World, { a, b, c }: Choice) {
    const target = pick(await parcels(world), a);
    if (!target) return;
    const codes = [110, 120, 130, 150, 160, 170, 175, 190, 195, 200, 210, 215, 250, 270, 300, 390, 100];
    await report(world, target.facility, "carrierEvent", {
      olpnId: target.olpn_id,
      eventCode: pick(codes, b) as number,
      // Late and repeated events too.
      occurredAt: new Date(Date.now() + ((c % 11) - 5) * 60_000).toISOString(),
    });
  },
  async answerCancel(world: World, { a, b }: Choice) {
    const lines = await world.server.rows<{ order_id: string; line_number: number; facility: string }>(
      `select order_id, line_number, facility_code as facility from sales_order_line
       where client_id = $1 and qty_cancel_requested > 0 order by 1, 2`,
      world.clientId,
    );
    const target = pick(lines, a);
    if (!target) return;
    const outcome = b % 3 === 0 ? "TOO_LATE" : "CANCELLED";
    await report(world, target.facility, "cancel", {
      orderId: target.order_id,
      lines: [{ lineNumber: target.line_number, outcome }],
    });
  },
};
