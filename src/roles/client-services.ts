import type { Tx } from "#/db/database.ts";
import { registerService } from "#/http/bearer.ts";
import type { ServiceContext } from "#/http/operation.ts";
import type { HttpServer } from "#/http/server.ts";
import { addCarrierRoutes, addDeterminationRoutes, type CarrierSets } from "#/modules/carriers/index.ts";
import { addItemRoutes } from "#/modules/catalogue/index.ts";
import { addDocumentRoutes } from "#/modules/documents/index.ts";
import { addFacilityRoutes } from "#/modules/facilities/index.ts";
import { addInventoryRoutes, addStockHistoryRoutes } from "#/modules/inventory/index.ts";
import { addOrderRoutes, findOrderStatuses, shipmentOfOrder } from "#/modules/orders/index.ts";
import { addParcelRoutes } from "#/modules/parcels/index.ts";
import { addReturnRoutes } from "#/modules/returns/index.ts";
import {
  addDeliveryRoutes,
  addEventRoutes,
  addSubscriptionRoutes,
  type DeliveryRoutesContext,
} from "#/modules/webhooks/index.ts";
import { addWorkOrderRoutes } from "#/modules/workorders/index.ts";

export interface ClientServicesContext extends ServiceContext, Omit<DeliveryRoutesContext, keyof ServiceContext> {
  /** The facilities that a client may use, in the order of routing. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
  /** The stock pools that a client wants counted as available. */
  availablePoolsOf(clientId: string): Promise<"*" | readonly string[]>;
  /** Carrier data in the form in which decisions are made. */
  readonly sets: CarrierSets;
}

/** The REST services of clients (contract rest.md §3): which operations of which modules each is made of. */
export function registerClientServices(app: HttpServer, context: ClientServicesContext): void {
  const { bearer } = context;

  const ofOrders = { ...context, hasOrder };
  const orderOperations = (service: HttpServer) => {
    addOrderRoutes(service, context);
    addReturnRoutes(service, context);
    addDocumentRoutes(service, ofOrders);
    addParcelRoutes(service, ofOrders);
    addCarrierRoutes(service, context);
  };
  registerService(app, "/v1/orderService", bearer, orderOperations, {
    name: "order",
    title: "Order",
    description:
      "Orders and what belongs to them: their state, changes and cancellation, returns, documents, parcels (OLPN) and the services of carriers.",
  });

  const inventoryOperations = (service: HttpServer) => {
    addInventoryRoutes(service, context);
    addStockHistoryRoutes(service, context);
  };
  registerService(app, "/v1/inventoryService", bearer, inventoryOperations, {
    name: "inventory",
    title: "Inventory",
    description:
      "Stock by product and by lot, what happened to it, what there was when a day ended, and whether both sides agree.",
  });

  registerService(app, "/v1/workOrderService", bearer, (service) => addWorkOrderRoutes(service, context), {
    name: "work-order",
    title: "Work Order",
    description: "Work orders assemble finished goods from component SKUs.",
  });

  registerService(app, "/v1/facilityService", bearer, (service) => addFacilityRoutes(service, context), {
    name: "facility",
    title: "Facility",
    description: "The facilities that are open to the client: where they are, when they work and what they can do.",
  });

  registerService(app, "/v1/itemMasterService", bearer, (service) => addItemRoutes(service, context), {
    name: "item-master",
    title: "Item Master",
    description: "Items as the client's catalogues describe them.",
  });

  const ofShipments = { ...context, shipmentOfOrder };
  registerService(
    app,
    "/v1/carrierDeterminationService",
    bearer,
    (service) => addDeterminationRoutes(service, ofShipments),
    {
      name: "carrier-determination",
      title: "Carrier Determination",
      description:
        "Which service of which carrier takes a shipment, when it leaves and arrives, what it costs, and why no other: by services, price matrices and rules.",
    },
  );

  const webhookOperations = (service: HttpServer) => {
    addSubscriptionRoutes(service, context);
    addDeliveryRoutes(service, context);
    addEventRoutes(service, context);
  };
  registerService(app, "/v1/webhookService", bearer, webhookOperations, {
    name: "webhook",
    title: "Webhook",
    description:
      "What happens to the client's orders, goods and documents: webhooks that are told of it, what each was sent, the topics, and the log of all events. How to write a receiver stands in [Receiving webhooks](/docs/webhooks).",
  });
}

async function hasOrder(tx: Tx, clientId: string, orderId: string): Promise<boolean> {
  return (await findOrderStatuses(tx, clientId, [orderId])).length > 0;
}
