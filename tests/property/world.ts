// A client whose goods and orders anything may happen to: each action as a brand, a warehouse or an operator would take it,
// on whatever is there at the moment. Actions are allowed to be refused; nothing is allowed to break.
import assert from "node:assert/strict";
import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { isWorthRepeating } from "#/db/errors.ts";
import { createIds } from "#/kernel/ids.ts";
import { cancelOrderLine, holdOrder, releaseOrder, updateOrderLine } from "#/modules/orders/index.ts";
import { cancelWorkOrder, createWorkOrder } from "#/modules/workorders/index.ts";
import { createOutboxWriter, type EventDraft } from "#/outbox/append.ts";
import { authorisation, cancelOrder, catalogue, order, purchaseOrder } from "../support/documents.ts";
import type { TestClient, TestServer } from "../support/server.ts";
import type { Port } from "../support/warehouse-port.ts";

/** Three numbers that an action makes its choices by. */
export interface Choice {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export type ActionName = keyof typeof actions;

export interface Action extends Choice {
  readonly name: ActionName;
}

export interface World {
  readonly clientId: string;
  readonly server: TestServer;
  readonly client: TestClient;
  readonly ports: readonly Port[];
  /** Names of the sequence's own objects run on. */
  number: number;
}

export const facilities = ["DC1", "DC2"] as const;
/** Plain, of two pools; with lots; with serial numbers; a finished good of the first two. */
const skus = ["A", "B", "LOT", "SER"] as const;
const finishedGood = "KIT";
const ids = createIds();
const writer = createOutboxWriter(ids);

const items = [
  { sku: "A" },
  { sku: "B" },
  { sku: "LOT", captureBatchRef: true, extendedAttributes: captures("CaptureExpiry") },
  { sku: "SER", extendedAttributes: captures("CaptureSerial") },
  { sku: finishedGood },
];

function captures(name: string) {
  return { attribute: [{ "@name": name, "#": "true" }] };
}

let worlds = 0;

export async function makeWorld(
  server: TestServer,
  ports: readonly Port[],
  settings: Record<string, string> = {},
): Promise<World> {
  const clientId = `P${++worlds}`;
  const client = await server.onboard(clientId, { facilities });
  if (Object.keys(settings).length > 0) await client.set(settings);
  await client.accept("CAT", catalogue(clientId, items));
  return { clientId, server, client, ports, number: 0 };
}

export async function act(world: World, { name, ...choice }: Action): Promise<void> {
  await actions[name](world, choice);
}

const pick = <T>(list: readonly T[], by: number): T | undefined => list[by % Math.max(1, list.length)];

/** What the warehouse and carriers report: accepted, or refused for a reason. */
async function report(world: World, facilityCode: string, kind: string, body: object): Promise<void> {
  const port = world.ports[facilities.indexOf(facilityCode as "DC1")] as Port;
  const answer = await port.post(`/${kind}/report`.replace(/^\/(parcel\/void|load\/remove)\/report$/, "/$1"), {
    clientId: world.clientId,
    ...body,
  });
  assert.ok([200, 400, 404, 409, 422, 503].includes(answer.status), `${kind}: ${JSON.stringify(answer.body)}`);
}

/** A service that REST will offer, in a transaction as its route opens one. */
async function operate(
  world: World,
  work: (tx: Transaction, change: Change) => Promise<readonly EventDraft[]>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const change: Change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
    try {
      await world.server.database.transaction(async (tx) => {
        const drafts = await work(tx, change);
        writer.append(tx, world.clientId, change.at, drafts);
      });
      return;
    } catch (error) {
      if (!isWorthRepeating(error) || tries === 10) throw error;
    }
  }
}

interface OrderRow {
  readonly order_id: string;
  readonly facility: string;
}

function orders({ server, clientId }: World): Promise<OrderRow[]> {
  return server.rows(
    "select order_id, distribution_centre as facility from sales_order where client_id = $1 order by order_id",
    clientId,
  );
}

interface HeldRow extends OrderRow {
  readonly line_number: number;
  readonly sku: string;
  readonly stock_pool: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly allocated: number;
  readonly picked: number;
}

function held({ server, clientId }: World, bucket: "allocated" | "picked"): Promise<HeldRow[]> {
  return server.rows(
    `select owner_id as order_id, facility_code as facility, line_number, sku, stock_pool, batch_ref, expiry_date::text,
       qty_allocated::int as allocated, qty_picked::int as picked
     from stock_reservation where client_id = $1 and owner_type = 'ORDER' and qty_${bucket} > 0 order by 1, 3, 5, 6`,
    clientId,
  );
}

interface ParcelRow {
  readonly olpn_id: string;
  readonly facility: string;
  readonly status: string;
  readonly load_id: string | null;
}

function parcels({ server, clientId }: World, ...statuses: string[]): Promise<ParcelRow[]> {
  return server.rows(
    `select olpn_id, facility_code as facility, status, load_id from parcel
     where client_id = $1 and (status = any($2) or $2 = '{}') order by packed_at, olpn_id`,
    clientId,
    statuses,
  );
}

async function serialsOf(
  world: World,
  facility: string,
  sku: string,
  count: number,
  owner?: string,
): Promise<string[]> {
  if (sku !== "SER") return [];
  const rows = await world.server.rows<{ serial: string }>(
    `select serial from stock_serial where client_id = $1 and sku = $2 and facility_code = $3 and state = 'IN_STOCK'
       and condition = 'GOOD' and owner_id is not distinct from $4 order by serial limit $5`,
    world.clientId,
    sku,
    facility,
    owner ?? null,
    count,
  );
  return rows.map(({ serial }) => serial);
}

/** What is captured of goods that come in: lots of two batches, serials nobody has seen. */
function incoming(world: World, sku: string, qty: number, by: number): object {
  if (sku === "LOT") return { batchRef: `B${by % 2}`, expiryDate: by % 3 === 0 ? "2031-01-31" : "2030-06-30" };
  if (sku === "SER") return { serials: Array.from({ length: qty }, () => `S${++world.number}`) };
  return by % 4 === 0 ? { stockPool: "RETAIL" } : {};
}

/** A lot as the store has it, as a report names it. */
function lot(row: { stock_pool: string; batch_ref: string; expiry_date: string }): object {
  return {
    stockPool: row.stock_pool,
    ...(row.batch_ref === "" ? {} : { batchRef: row.batch_ref }),
    ...(row.expiry_date === "infinity" ? {} : { expiryDate: row.expiry_date }),
  };
}

async function anyLot(world: World, by: number) {
  const rows = await world.server.rows<{
    facility: string;
    sku: string;
    condition: string;
    stock_pool: string;
    batch_ref: string;
    expiry_date: string;
    qty: number;
  }>(
    `select facility_code as facility, sku, condition, stock_pool, batch_ref, expiry_date::text, qty::int from stock_balance
     where client_id = $1 and qty > 0 order by 1, 2, 3, 4, 5, 6`,
    world.clientId,
  );
  return pick(rows, by);
}

const orderLines = ({ a, b, c }: Choice) =>
  Array.from({ length: 1 + (a % 3) }, (_, i) => ({
    sku: skus[(b + i) % skus.length] as string,
    qty: 1 + ((c + i) % 5),
    ...((a + i) % 5 === 0 ? { stockPool: "RETAIL" } : {}),
  }));

const headerOf = ({ a, b, c }: Choice) => ({
  ...(a % 4 === 0 ? {} : { distributionCentre: facilities[b % 2] as string }),
  ...(c % 7 === 0 ? { doNotShip: 1 } : {}),
  extendedAttributes: {
    attribute: [
      { "@name": "Priority", "#": 1 + (b % 9) },
      { "@name": "ShipPartial", "#": String(c % 3 === 0) },
    ],
  },
});

export const actions = {
  async order(world: World, choice: Choice) {
    await world.client.send("NO", order(world.clientId, `O-${++world.number}`, orderLines(choice), headerOf(choice)));
  },
  async updateOrder(world: World, choice: Choice) {
    const target = pick(await orders(world), choice.a);
    if (!target) return;
    const more = { actionType: "UPDATE", ...headerOf(choice) };
    await world.client.send("NO", order(world.clientId, target.order_id, orderLines(choice), more));
  },
  async cancelOrder(world: World, { a }: Choice) {
    const target = pick(await orders(world), a);
    if (target) await world.client.send("NO", cancelOrder(world.clientId, target.order_id));
  },
  async cancelLine(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const request = { orderId: target.order_id, lineNumber: 1 + (b % 3), reason: "test" };
    await operate(world, async (tx, change) => {
      const done = await cancelOrderLine(tx, change, world.clientId, {
        ...request,
        ...(c % 2 === 0 ? { qty: 1000 } : {}),
      });
      return done.ok ? done.value.drafts : [];
    });
  },
  async updateLine(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const request = { orderId: target.order_id, lineNumber: 1 + (b % 3), qty: (1 + (c % 6)) * 1000 };
    await operate(world, async (tx, change) => {
      const done = await updateOrderLine(tx, change, world.clientId, request);
      return done.ok ? done.value.drafts : [];
    });
  },
  async hold(world: World, { a, b }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const type = b % 2 === 0 ? "CLIENT_REQUEST" : "OTHER";
    await operate(world, async (tx, change) => {
      const done = await holdOrder(tx, change, world.clientId, { orderId: target.order_id, type, reason: "test" });
      return done.ok ? done.value.drafts : [];
    });
  },
  async release(world: World, { a }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    await operate(world, async (tx, change) => {
      const done = await releaseOrder(tx, change, world.clientId, { orderId: target.order_id });
      return done.ok ? done.value.drafts : [];
    });
  },
  async findStock(world: World, { a, b, c }: Choice) {
    const sku = skus[a % skus.length] as string;
    const qty = 1 + (b % 8);
    const line = { sku, qty, ...incoming(world, sku, qty, c) };
    const adjustmentId = `ADJ-${++world.number}`;
    await report(world, facilities[c % 2] as string, "adjustment", {
      adjustmentId,
      reasonCode: "FOUND",
      lines: [line],
    });
  },
  async loseStock(world: World, { a, b }: Choice) {
    const found = await anyLot(world, a);
    if (!found) return;
    const qty = Math.min(found.qty, 1 + (b % 6));
    const serials = await serialsOf(world, found.facility, found.sku, qty);
    const line = { sku: found.sku, qty: -qty, condition: found.condition, ...lot(found) };
    await report(world, found.facility, "adjustment", {
      adjustmentId: `ADJ-${++world.number}`,
      reasonCode: "LOST",
      lines: [{ ...line, ...(found.sku === "SER" ? { serials } : {}) }],
    });
  },
  async changeCondition(world: World, { a, b, c }: Choice) {
    const found = await anyLot(world, a);
    if (!found) return;
    const toCondition = pick(["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"], b) as string;
    const qty = Math.min(found.qty, 1 + (c % 4));
    const serials = await serialsOf(world, found.facility, found.sku, qty);
    const line = { sku: found.sku, qty, fromCondition: found.condition, toCondition, ...lot(found) };
    await report(world, found.facility, "hold", {
      reasonCode: "CONDITION",
      lines: [{ ...line, ...(found.sku === "SER" ? { serials } : {}) }],
    });
  },
  async count(world: World, { a, b, c }: Choice) {
    const found = await anyLot(world, a);
    // Serial numbers are counted by name: another report's matter.
    if (!found || found.sku === "SER") return;
    const line = { sku: found.sku, countedQty: b % 10, condition: found.condition, ...lot(found) };
    await report(world, found.facility, "count", {
      countId: `CNT-${++world.number}`,
      includesStaged: c % 2 === 0,
      lines: [line],
    });
  },
  async purchaseOrder(world: World, { a, b }: Choice) {
    const lines = [
      { sku: skus[a % 4] as string, qty: 2 + (b % 9) },
      { sku: skus[b % 4] as string, qty: 1 + (a % 5) },
    ];
    await world.client.send("PO", purchaseOrder(world.clientId, `PO-${++world.number}`, lines));
  },
  async receive(world: World, { a, b, c }: Choice) {
    const lines = await world.server.rows<{ po_number: string; line_number: number; sku: string; qty: number }>(
      "select po_number, line_number, sku, qty::int from purchase_order_line where client_id = $1 order by 1, 2",
      world.clientId,
    );
    const line = pick(lines, a);
    if (!line) return;
    const qty = 1 + (b % (line.qty + 2));
    await report(world, "DC1", "goodsReceipt", {
      poNumber: line.po_number,
      receiptId: `R-${++world.number}`,
      lines: [
        {
          ...(c % 5 === 0 ? {} : { lineNumber: line.line_number }),
          sku: line.sku,
          qty,
          condition: c % 6 === 0 ? "DAMAGED" : "GOOD",
          ...incoming(world, line.sku, qty, c),
        },
      ],
      closeOrder: c % 8 === 0,
    });
  },
  async correctReceipt(world: World, { a, b }: Choice) {
    const receipts = await world.server.rows<{
      receipt_id: string;
      po_number: string;
      line_number: number | null;
      sku: string;
      condition: string;
      stock_pool: string;
      batch_ref: string;
      expiry_date: string;
    }>(
      `select r.receipt_id, r.po_number, l.line_number, l.sku, l.condition, l.stock_pool, l.batch_ref, l.expiry_date::text
       from goods_receipt r join goods_receipt_line l using (client_id, facility_code, receipt_id)
       where client_id = $1 and r.corrected_by is null and l.sku <> 'SER' order by 1`,
      world.clientId,
    );
    const target = pick(receipts, a);
    if (!target) return;
    await report(world, "DC1", "goodsReceipt", {
      poNumber: target.po_number,
      receiptId: `R-${++world.number}`,
      correctsReceiptId: target.receipt_id,
      lines: [
        {
          ...(target.line_number === null ? {} : { lineNumber: target.line_number }),
          sku: target.sku,
          qty: 1 + (b % 7),
          ...lot(target),
        },
      ],
    });
  },
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
    // Sometimes another lot than the one that was allocated.
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
    for (const row of rows.filter(({ order_id }) => order_id === target.order_id)) {
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
    for (const row of rows.filter(({ order_id }) => order_id === target.order_id)) {
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
      // Late ones and repeated ones too.
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
  async authoriseReturn(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    const lines = [{ sku: skus[b % 3] as string, quantityReturned: 1 + (c % 4) }];
    const more = target && a % 2 === 0 ? { orderReference: target.order_id } : {};
    await world.client.send("RMA", authorisation(world.clientId, `RMA-${++world.number}`, lines, more));
  },
  async returnGoods(world: World, { a, b, c }: Choice) {
    const lines = await world.server.rows<{ rma_number: string; line_number: number; sku: string }>(
      "select rma_number, line_number, sku from return_authorisation_line where client_id = $1 order by 1, 2",
      world.clientId,
    );
    const line = pick(lines, a);
    if (!line) return;
    const qty = 1 + (b % 4);
    const disposition = pick(["RESELLABLE", "DAMAGED", "QUARANTINE", "SCRAP"], c) as string;
    await report(world, "DC1", "return", {
      ...(c % 6 === 0 ? {} : { rmaNumber: line.rma_number }),
      lines: [
        {
          ...(c % 6 === 0 ? {} : { lineNumber: line.line_number }),
          sku: line.sku,
          qty,
          disposition,
          ...incoming(world, line.sku, qty, b),
        },
      ],
      close: c % 9 === 0,
    });
  },
  async workOrder(world: World, { a, b, c }: Choice) {
    const components = [
      { sku: "A", qtyPer: 2 },
      { sku: "B", qtyPer: 1 },
    ];
    const request = {
      facilityCode: facilities[a % 2] as string,
      workOrderId: `W-${++world.number}`,
      finishedGoodSku: finishedGood,
      qty: 1 + (b % 3),
      components,
      ...(c % 3 === 0 ? { consumption: "REPORTED" as const } : {}),
    };
    await operate(world, async (tx, change) => {
      const done = await createWorkOrder(tx, change, { clientId: world.clientId, facilities }, request);
      assert.ok(done.ok, JSON.stringify(done));
      return done.value.drafts;
    });
  },
  async assemble(world: World, { a, b, c }: Choice) {
    const rows = await world.server.rows<{ work_order_id: string; facility: string; consumption: string }>(
      "select work_order_id, facility_code as facility, consumption from work_order where client_id = $1 order by 1",
      world.clientId,
    );
    const target = pick(rows, a);
    if (!target) return;
    const used = c % 3 === 0 || target.consumption === "REPORTED";
    const reason = target.consumption === "REPORTED" ? {} : { reason: "SCRAP" };
    await report(world, target.facility, "workOrder", {
      workOrderId: target.work_order_id,
      ...(b % 4 === 0 ? {} : { finishedGood: { qty: 1 } }),
      ...(used ? { components: [{ sku: b % 2 === 0 ? "A" : "B", qty: 1, ...reason }] } : {}),
      close: c % 7 === 0,
    });
  },
  async cancelWorkOrder(world: World, { a }: Choice) {
    const rows = await world.server.rows<{ work_order_id: string }>(
      "select work_order_id from work_order where client_id = $1 order by 1",
      world.clientId,
    );
    const target = pick(rows, a);
    if (!target) return;
    await operate(world, async (tx, change) => {
      const done = await cancelWorkOrder(tx, change, world.clientId, { workOrderId: target.work_order_id });
      return done.ok ? done.value.drafts : [];
    });
  },
  /** Lets the relay and the allocator catch up. */
  async wait(_world: World, { a }: Choice) {
    await new Promise((resolve) => setTimeout(resolve, 50 + (a % 3) * 100));
  },
};
