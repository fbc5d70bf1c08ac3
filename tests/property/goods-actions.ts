// Goods that are expected, received, returned, and assembled.
import assert from "node:assert/strict";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { cancelWorkOrder, createWorkOrder } from "#/modules/workorders/index.ts";
import { authorisation, catalogue, type Parts, purchaseOrder } from "../support/builders/documents.ts";
import {
  type Choice,
  facilities,
  finishedGood,
  incoming,
  items,
  lot,
  operate,
  orders,
  pick,
  report,
  serialsOf,
  skus,
  type World,
  write,
} from "./world.ts";

const dispositions = ["RESELLABLE", "DAMAGED", "QUARANTINE", "SCRAP"];

export const goodsActions = {
  async purchaseOrder(world: World, { a, b }: Choice) {
    const lines = [
      { sku: skus[a % 4] as string, qty: 2 + (b % 9) },
      { sku: skus[b % 4] as string, qty: 1 + (a % 5) },
    ];
    const poNumber = `PO-${++world.number}`;
    // The goods of a line in a carton, more of them than is ordered, or an unknown content.
    const content = [
      { line: [{ lineNumber: 1, qty: 2 + (b % 4), ...(lines[0]?.sku === "LOT" ? { batchRef: "B0" } : {}) }] },
      undefined,
    ][a % 2];
    const cartons =
      b % 3 === 0
        ? {}
        : {
            cartons: {
              carton: [{ sscc: ssccOf("4012345", world.number % 40), ...(content ? { lines: content } : {}) }],
            },
          };
    await world.client.send("PO", purchaseOrder(world.clientId, poNumber, lines, cartons));
  },
  /** A carton comes by its SSCC, as announced or counted, once or again. */
  async receiveCarton(world: World, { a, b, c }: Choice) {
    const cartons = await world.server.rows<{ sscc: string; facility: string; sku: string; receipt_id: string | null }>(
      `select c.sscc, p.distribution_centre as facility, l.sku, r.receipt_id
       from purchase_order_carton c join purchase_order p using (client_id, po_number, vendor_order_id)
       join purchase_order_line l using (client_id, po_number, vendor_order_id)
       left join goods_receipt r on r.client_id = c.client_id and r.po_number = c.po_number and r.sscc = c.sscc
       where c.client_id = $1 order by 1, 3, 4`,
      world.clientId,
    );
    const carton = pick(cartons, a);
    if (!carton) return;
    const qty = 1 + (b % 6);
    const lines = c % 3 === 0 ? [{ sku: carton.sku, qty, ...incoming(world, carton.sku, qty, c) }] : undefined;
    await report(world, carton.facility, "goodsReceipt", {
      sscc: carton.sscc,
      receiptId: `R-${++world.number}`,
      ...(b % 4 === 0 && carton.receipt_id !== null ? { correctsReceiptId: carton.receipt_id } : {}),
      ...(lines ? { lines } : {}),
    });
  },
  /** An UPDATE, a CANCEL, or the close over REST. Goods may have arrived, or arrive afterwards. */
  async changePurchaseOrder(world: World, { a, b, c }: Choice) {
    const { clientId, client, rest } = world;
    const numbers = await world.server.rows<{ po_number: string }>(
      "select po_number from purchase_order where client_id = $1 order by 1",
      clientId,
    );
    const poNumber = pick(numbers, a)?.po_number;
    if (poNumber === undefined) return;
    if (b % 3 === 0) {
      const body = { clientId, reason: "test" };
      await write(
        rest.orders.POST("/v1/orderService/purchaseOrder/close/{poNumber}", { params: { path: { poNumber } }, body }),
      );
      return;
    }
    const lines = [{ sku: skus[c % 4] as string, qty: 1 + (c % 9) }];
    const actionType = b % 3 === 1 ? "UPDATE" : "CANCEL";
    await client.send("PO", purchaseOrder(clientId, poNumber, lines, { actionType }));
  },
  /** The cancellation or the close over REST. Goods may have arrived, or arrive afterwards. */
  async endReturn(world: World, { a, b }: Choice) {
    const { clientId, rest } = world;
    const numbers = await world.server.rows<{ rma_number: string }>(
      "select rma_number from return_authorisation where client_id = $1 order by 1",
      clientId,
    );
    const rmaNumber = pick(numbers, a)?.rma_number;
    if (rmaNumber === undefined) return;
    const path = b % 2 === 0 ? "/v1/orderService/rma/cancel/{rmaNumber}" : "/v1/orderService/rma/close/{rmaNumber}";
    await write(rest.orders.POST(path, { params: { path: { rmaNumber } }, body: { clientId, reason: "test" } }));
  },
  /** A CAT that makes an item inactive or active, or changes how long it must last. Units stay as they are in use. */
  async changeItem({ client, clientId }: World, { a, b, c }: Choice) {
    const item = pick(items, a) as Parts;
    const { attribute = [] } = (item.extendedAttributes ?? {}) as { attribute?: readonly Parts[] };
    const changed = [
      ...(b % 3 === 0 ? [{ "@name": "Active", "#": String(c % 4 !== 0) }] : []),
      ...(b % 3 === 1 ? [{ "@name": "MinShelfLifeDays", "#": c % 30 }] : []),
      ...(b % 3 === 2 ? [{ "@name": "StockUom", "#": c % 2 === 0 ? "EA" : "KG" }] : []),
    ];
    await client.send(
      "CAT",
      catalogue(clientId, [
        { ...item, weight: 1 + (c % 5), extendedAttributes: { attribute: [...attribute, ...changed] } },
      ]),
    );
  },
  async receive(world: World, { a, b, c }: Choice) {
    const lines = await world.server.rows<{
      po_number: string;
      line_number: number;
      sku: string;
      qty: number;
      facility: string;
    }>(
      `select l.po_number, l.line_number, l.sku, l.qty::int, p.distribution_centre as facility
       from purchase_order_line l join purchase_order p using (client_id, po_number, vendor_order_id)
       where l.client_id = $1 order by 1, 2`,
      world.clientId,
    );
    const line = pick(lines, a);
    if (!line) return;
    const qty = 1 + (b % (line.qty + 2));
    await report(world, line.facility, "goodsReceipt", {
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
      facility: string;
      po_number: string;
      line_number: number | null;
      sku: string;
      condition: string;
      stock_pool: string;
      batch_ref: string;
      expiry_date: string;
    }>(
      `select r.receipt_id, r.facility_code as facility, r.po_number, l.line_number, l.sku, l.condition, l.stock_pool, l.batch_ref, l.expiry_date::text
       from goods_receipt r join goods_receipt_line l using (client_id, facility_code, receipt_id)
       where client_id = $1 and r.corrected_by is null and l.sku <> 'SER' order by 1`,
      world.clientId,
    );
    const target = pick(receipts, a);
    if (!target) return;
    await report(world, target.facility, "goodsReceipt", {
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
  async authoriseReturn(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    const lines = [{ sku: [...skus.slice(0, 3), finishedGood][b % 4] as string, quantityReturned: 1 + (c % 4) }];
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
    const disposition = pick(dispositions, c);
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
  /** A parcel comes back to its sender: a line of its contents, sometimes more than it contained. */
  async returnParcel(world: World, { a, b, c }: Choice) {
    const rows = await world.server.rows<{
      olpn_id: string;
      facility: string;
      line: { lineNumber: number; sku: string; qty: number; serials?: readonly string[] };
    }>(
      `select p.olpn_id, p.facility_code as facility, c.line from parcel p, jsonb_array_elements(p.contents) c (line)
       where p.client_id = $1 order by p.packed_at, p.olpn_id, c.line`,
      world.clientId,
    );
    const target = pick(rows, a);
    if (!target) return;
    const { lineNumber, sku, qty: packed, serials } = target.line;
    const qty = 1 + (b % (sku === "SER" ? packed : packed + 1));
    const units = sku === "SER" ? { serials: serials?.slice(0, qty) } : incoming(world, sku, qty, b);
    await report(world, target.facility, "return", {
      olpnId: target.olpn_id,
      lines: [{ lineNumber, sku, qty, disposition: pick(dispositions, c), ...units }],
      close: c % 5 === 0,
    });
  },
  /** More than is free is refused. */
  async transfer(world: World, { a, b, c }: Choice) {
    const { clientId, rest } = world;
    const from = a % 2;
    const [fromFacility, toFacility] = [facilities[from] as string, facilities[1 - from] as string];
    const lines = [
      { sku: skus[b % 4] as string, qty: 1 + (c % 4) },
      ...(c % 3 === 0 ? [{ sku: finishedGood, qty: 1 }] : []),
    ];
    const body = { clientId, transferId: `T-${++world.number}`, fromFacility, toFacility, lines };
    const { response, error } = await rest.inventory.POST("/v1/inventoryService/transfer/create", { body });
    assert.ok([201, 422, 503].includes(response.status), JSON.stringify(error));
  },
  /** Any lot of the sender, sometimes less or more than is reserved; or the cancellation. */
  async shipTransfer(world: World, { a, b, c }: Choice) {
    const rows = await world.server.rows<{ transfer_id: string; facility: string; sku: string; qty: number }>(
      `select t.transfer_id, t.from_facility as facility, l.sku, l.qty_ordered::int as qty
       from transfer t join transfer_line l using (client_id, transfer_id)
       where t.client_id = $1 and (t.status = 'RELEASED' or $2) order by 1, 2`,
      world.clientId,
      c % 7 === 0,
    );
    const target = pick(rows, a);
    if (!target) return;
    const { transfer_id: transferId, facility, sku } = target;
    if (b % 6 === 0) {
      const params = { path: { transferId } };
      await write(world.rest.inventory.POST("/v1/inventoryService/transfer/cancel/{transferId}", { params, body: {} }));
      return;
    }
    const qty = Math.max(1, target.qty + (b % 5) - 2);
    const serials = await serialsOf(world, facility, sku, qty);
    const units = sku === "SER" ? { serials, qty: Math.max(1, serials.length) } : {};
    const captured = sku === "LOT" ? incoming(world, sku, qty, c) : {};
    await report(world, facility, "transfer", { transferId, lines: [{ sku, qty, ...captured, ...units }] });
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
      const done = await createWorkOrder(tx.of(world.clientId, change), request);
      assert.ok(done.ok, JSON.stringify(done));
      return done.value.events;
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
      const done = await cancelWorkOrder(tx.of(world.clientId, change), { workOrderId: target.work_order_id });
      return done.ok ? done.value.events : [];
    });
  },
};
