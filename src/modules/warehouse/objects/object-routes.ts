import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, type Refused } from "#/http/problems/problem.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Clock } from "#/kernel/clock.ts";
import { refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { createDetailsReader, detailedInventory, detailedItem } from "#/modules/inventory/index.ts";
import { type OrderRecord, orderLineSchema, orderSchema, readOrder } from "#/modules/orders/index.ts";
import { listMilestonesOf, olpnRecord, olpnSchema } from "#/modules/parcels/index.ts";
import { numbersOf, readPurchaseOrder, warehousePurchaseOrder } from "#/modules/purchasing/index.ts";
import { readReturn, rmaSchema } from "#/modules/returns/index.ts";
import { readTransfers, transferRecord, transferSchema } from "#/modules/transfers/index.ts";
import { chooseClient, findParcel, type NamedObject, unknownObject } from "#/modules/warehouse/objects/owners.ts";
import { item, task } from "#/modules/warehouse/tasks/list-contract.ts";
import { itemRecord, taskRecord } from "#/modules/warehouse/tasks/list-record.ts";
import { readPickFacts } from "#/modules/warehouse/tasks/pick-shipment.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";
import { readWorkOrders, workOrderRecord, workOrderSchema } from "#/modules/workorders/index.ts";
import type { ClientTx, Database, Tx } from "#/store/db/database.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

// Single objects of the facility (warehouse.md), as the warehouse sees them.

/** A warehouse needs no prices and no payer to ship an order; customs papers have their values. */
const commercialFields = ["billToAddress", "payments", "shippingCost", "subtotal", "totalPrice", "taxes"] as const;
const commercialLineFields = ["lineTotal", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice", "taxes"] as const;

const line = Type.Omit(orderLineSchema, [...commercialLineFields], {
  ...closed,
  title: "WarehouseOrderLine",
  description: "A line of an order, without its prices.",
});

const warehouseOrder = Type.Object(
  {
    ...Type.Omit(orderSchema, [...commercialFields, "lines"]).properties,
    lines: Type.Array(line, { description: "By lineNumber." }),
  },
  { ...closed, title: "WarehouseOrder", description: "An order as a warehouse needs it: without prices and payer." },
);

type WarehouseOrderRecord = Static<typeof warehouseOrder>;

/** Leaves out what a warehouse does not need. */
function warehouseOrderRecord(order: OrderRecord): WarehouseOrderRecord {
  return {
    ...without(order, commercialFields),
    lines: order.lines.map((record) => without(record, commercialLineFields)),
  };
}

function without<Fields extends object, Name extends keyof Fields>(
  record: Fields,
  names: readonly Name[],
): Omit<Fields, Name> {
  const kept = Object.entries(record).filter(([name]) => !names.some((left) => left === name));
  return Object.fromEntries(kept) as Omit<Fields, Name>;
}

const warehouseStock = Type.Object(
  { ...Type.Omit(detailedInventory, ["items"]).properties, ...detailedItem.properties },
  { ...closed, title: "WarehouseStock", description: "Stock of one SKU in the facility, by lot." },
);

const clientId = Type.Optional(
  Type.String({
    pattern: "^[A-Za-z0-9_-]{1,10}$",
    description: "Client; required where several clients of the facility have an object with this id.",
    examples: ["DEMO"],
  }),
);

const objectQuery = Type.Object({ clientId }, closed);
const noQuery = Type.Object({}, closed);

const orderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);
const taskPath = Type.Object({ taskId: identifier("The task.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") }, closed);
const parcelPath = Type.Object({ olpnId: identifier("The parcel.", "006141410000000012") }, closed);
const skuPath = Type.Object({ sku: identifier("The product.", "MUG-BLUE-330") }, closed);
const returnPath = Type.Object({ rmaNumber: identifier("The return.", "RMA-5001") }, closed);
const workOrderPath = Type.Object({ workOrderId: identifier("The work order.", "WO-100") }, closed);
const transferPath = Type.Object({ transferId: identifier("The transfer.", "TR-100") }, closed);
const purchaseOrderPath = Type.Object(
  {
    purchaseOrderId: Type.String({
      minLength: 1,
      // Two identifiers and the slash.
      maxLength: 129,
      description: "The objectId of its task: poNumber, or poNumber/vendorOrderId with the slash as %2F.",
      examples: ["PO-7001"],
    }),
  },
  closed,
);

interface WarehouseObjectContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly isHeld: AskHold | undefined;
  readonly carrierSets: CarrierSets;
  facilityOf(request: FastifyRequest): string;
  /** The stock pools that the client counts as available. */
  availablePoolsOf(clientId: string): Promise<"*" | readonly string[]>;
}

/** Single objects of the facility. An object of another facility is answered as not found. */
export function addWarehouseObjectRoutes(service: HttpServer, context: WarehouseObjectContext): void {
  const { database, facilityOf } = context;
  const readDetails = createDetailsReader(context);

  /** Reads an object of the client that has it, in one state of the store. */
  async function answer<Record extends { readonly version: number }>(
    request: FastifyRequest<{ Querystring: { clientId?: string } }>,
    reply: FastifyReply,
    object: NamedObject & {
      listClients(tx: Tx, facilityCode: string): Promise<readonly string[]>;
      read(tx: ClientTx): Promise<Record | undefined>;
    },
  ): Promise<Record | Refused> {
    const candidates = await object.listClients(database, facilityOf(request));
    const client = chooseClient(candidates, request.query.clientId, object);
    if (!client.ok) return client;
    const record = await readSnapshot(database, (tx) => object.read(tx.of(client.value)));
    if (!record) return refused(unknownObject(object));
    reply.header("ETag", entityTag(record.version));
    return record;
  }

  service.get(
    "/task/get/:taskId",
    {
      schema: {
        operationId: "getTask",
        summary: "One task, also after it was withdrawn",
        params: taskPath,
        querystring: noQuery,
        response: { 200: task },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const taskId = request.params.taskId.toLowerCase();
      // After a restore a task may be out of date, so none is answered until an operator releases the list.
      const isAnswered = isUuidV7(taskId) && !context.isHeld?.("TASKS");
      const found = isAnswered ? await queries.findTask(database, facilityOf(request), taskId) : undefined;
      if (!found) return refused(problem("not-found", "The facility has no task of this taskId."));
      const facts = await readPickFacts(database, context.carrierSets, facilityOf(request), [found]);
      return reply.header("ETag", entityTag(found.version)).send(taskRecord(found, facts));
    },
  );

  service.get(
    "/order/get/:orderId",
    {
      schema: {
        operationId: "getWarehouseOrder",
        summary: "One order with its lines and their quantities",
        description: "Without prices and payer, which a warehouse does not need.",
        params: orderPath,
        querystring: objectQuery,
        response: { 200: warehouseOrder },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { orderId } = request.params;
      return answer(request, reply, {
        kind: "an order",
        idName: "orderId",
        id: orderId,
        listClients: (tx, facilityCode) => queries.listClientsWithOrder(tx, facilityCode, orderId),
        async read(tx) {
          const found = await readOrder(tx, orderId);
          return found && warehouseOrderRecord(found);
        },
      });
    },
  );

  service.get(
    "/parcel/get/:olpnId",
    {
      schema: {
        operationId: "getParcel",
        summary: "One parcel with its contents and its events",
        params: parcelPath,
        querystring: noQuery,
        response: { 200: olpnSchema },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const { olpnId } = request.params;
      const found = await findParcel(database, facilityOf(request), olpnId);
      if (!found) return refused(unknownObject({ kind: "a parcel", idName: "olpnId", id: olpnId }));
      const { clientId, parcel } = found;
      return olpnRecord(parcel, await listMilestonesOf(database.of(clientId), parcel.orderId, [olpnId]));
    },
  );

  service.get(
    "/item/get/:sku",
    {
      schema: {
        operationId: "getWarehouseItem",
        summary: "One item",
        params: skuPath,
        querystring: objectQuery,
        response: { 200: item },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { sku } = request.params;
      const rows = await queries.listItemsOfSku(database, facilityOf(request), sku);
      const clientIds = rows.map(({ client_id }) => client_id);
      const client = chooseClient(clientIds, request.query.clientId, { kind: "an item", idName: "sku", id: sku });
      if (!client.ok) return client;
      const row = rows.find(({ client_id }) => client_id === client.value) as queries.ListedItem;
      reply.header("ETag", entityTag(row.version));
      return itemRecord(row);
    },
  );

  service.get(
    "/stock/get/:sku",
    {
      schema: {
        operationId: "getStock",
        summary: "Stock of one SKU in the facility, by lot",
        params: skuPath,
        querystring: objectQuery,
        response: { 200: warehouseStock },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const { sku } = request.params;
      const facilityCode = facilityOf(request);
      const named = { kind: "an item", idName: "sku", id: sku };
      // Goods may be in stock of an item that is not in the catalogue: then only the request can name the client.
      const candidates =
        request.query.clientId === undefined
          ? (await queries.listItemsOfSku(database, facilityCode, sku)).map(({ client_id }) => client_id)
          : await queries.listClientsOfFacility(database, facilityCode);
      const client = chooseClient(candidates, request.query.clientId, named);
      if (!client.ok) return client;
      const { items, ...head } = await readDetails(client.value, facilityCode, [sku]);
      const [stock] = items;
      if (!stock || (!stock.found && stock.lots.length === 0)) return refused(unknownObject(named));
      return { ...head, ...stock };
    },
  );

  service.get(
    "/purchaseOrder/get/:purchaseOrderId",
    {
      schema: {
        operationId: "getPurchaseOrder",
        summary: "One purchase order with its ordered and received quantities",
        params: purchaseOrderPath,
        querystring: objectQuery,
        response: { 200: warehousePurchaseOrder },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { purchaseOrderId: id } = request.params;
      return answer(request, reply, {
        kind: "a purchase order",
        idName: "purchaseOrderId",
        id,
        listClients: (tx, facilityCode) => queries.listClientsWithPurchaseOrder(tx, facilityCode, id, numbersOf(id)),
        read: (tx) => readPurchaseOrder(tx, id),
      });
    },
  );

  service.get(
    "/rma/get/:rmaNumber",
    {
      schema: {
        operationId: "getWarehouseRma",
        summary: "One return with its lines and the grades of the goods",
        params: returnPath,
        querystring: objectQuery,
        response: { 200: rmaSchema },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { rmaNumber } = request.params;
      return answer(request, reply, {
        kind: "a return",
        idName: "rmaNumber",
        id: rmaNumber,
        listClients: (tx, facilityCode) => queries.listClientsWithReturn(tx, facilityCode, rmaNumber),
        read: (tx) => readReturn(tx, rmaNumber),
      });
    },
  );

  service.get(
    "/workOrder/get/:workOrderId",
    {
      schema: {
        operationId: "getWarehouseWorkOrder",
        summary: "One work order with its components",
        params: workOrderPath,
        querystring: objectQuery,
        response: { 200: workOrderSchema },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { workOrderId } = request.params;
      return answer(request, reply, {
        kind: "a work order",
        idName: "workOrderId",
        id: workOrderId,
        listClients: (tx, facilityCode) => queries.listClientsWithWorkOrder(tx, facilityCode, workOrderId),
        async read(tx) {
          const [found] = await readWorkOrders(tx, [workOrderId]);
          return found && workOrderRecord(tx.clientId, found);
        },
      });
    },
  );

  service.get(
    "/transfer/get/:transferId",
    {
      schema: {
        operationId: "getWarehouseTransfer",
        summary: "One transfer that the facility ships, with what the other facility has received",
        params: transferPath,
        querystring: objectQuery,
        response: { 200: transferSchema },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { transferId } = request.params;
      return answer(request, reply, {
        kind: "a transfer",
        idName: "transferId",
        id: transferId,
        listClients: (tx, facilityCode) => queries.listClientsWithTransfer(tx, facilityCode, transferId),
        async read(tx) {
          const [found] = await readTransfers(tx, [transferId]);
          return found && transferRecord(tx.clientId, found);
        },
      });
    },
  );
}
