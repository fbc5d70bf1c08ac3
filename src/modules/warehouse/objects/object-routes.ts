import type { FastifyReply, FastifyRequest } from "fastify";
import type { ClientTx, Database, Tx } from "#/db/database.ts";
import type { AskHold } from "#/db/store/restore-hold.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, type Refused } from "#/http/problems/problem.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Clock } from "#/kernel/clock.ts";
import { refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { createDetailsReader } from "#/modules/inventory/index.ts";
import { readOrder } from "#/modules/orders/index.ts";
import { listMilestonesOf, olpnRecord, olpnSchema } from "#/modules/parcels/index.ts";
import { numbersOf, readPurchaseOrder, warehousePurchaseOrder } from "#/modules/purchasing/index.ts";
import { readReturn, rmaSchema } from "#/modules/returns/index.ts";
import * as contract from "#/modules/warehouse/objects/object-contract.ts";
import { chooseClient, findParcel, type NamedObject, unknownObject } from "#/modules/warehouse/objects/owners.ts";
import { item, task } from "#/modules/warehouse/tasks/list-contract.ts";
import { itemRecord, taskRecord } from "#/modules/warehouse/tasks/list-record.ts";
import { readPickFacts } from "#/modules/warehouse/tasks/pick-shipment.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";
import { readWorkOrders, workOrderRecord, workOrderSchema } from "#/modules/workorders/index.ts";

export interface WarehouseObjectContext {
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
        params: contract.taskPath,
        querystring: contract.noQuery,
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
        params: contract.orderPath,
        querystring: contract.objectQuery,
        response: { 200: contract.warehouseOrder },
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
          return found && contract.warehouseOrderRecord(found);
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
        params: contract.parcelPath,
        querystring: contract.noQuery,
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
        params: contract.skuPath,
        querystring: contract.objectQuery,
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
        params: contract.skuPath,
        querystring: contract.objectQuery,
        response: { 200: contract.warehouseStock },
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
        params: contract.purchaseOrderPath,
        querystring: contract.objectQuery,
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
        params: contract.returnPath,
        querystring: contract.objectQuery,
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
        params: contract.workOrderPath,
        querystring: contract.objectQuery,
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
}
