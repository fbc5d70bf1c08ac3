import { addCertificateRoutes, type CertificateContext } from "#/delivery/certificate/index.ts";
import {
  addDeliveryRoutes,
  addEventRoutes,
  addSubscriptionRoutes,
  addTopicRoutes,
  type DeliveryRoutesContext,
  type WebhookOwner,
} from "#/delivery/webhooks/index.ts";
import type { BearerHooks } from "#/http/access/bearer.ts";
import type { ServiceDocument } from "#/http/openapi/openapi.ts";
import { addOwnRequestRoutes } from "#/http/request-log/routes.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import { registerService } from "#/http/routes/service.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { JsonIntakeContext } from "#/intake/json/routes.ts";
import { addActivityRoutes } from "#/modules/activity/index.ts";
import { addCarrierRoutes, addDeterminationRoutes, type CarrierSets } from "#/modules/carriers/index.ts";
import { addItemRoutes } from "#/modules/catalogue/index.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { addDocumentRoutes, type PrintContext } from "#/modules/documents/index.ts";
import { addFacilityRoutes } from "#/modules/facilities/index.ts";
import { addInventoryRoutes, addStockHistoryRoutes } from "#/modules/inventory/index.ts";
import { addLotRoutes } from "#/modules/lots/index.ts";
import { addOrderRoutes, findOrderStatuses, shipmentOfOrder } from "#/modules/orders/index.ts";
import { addParcelRoutes } from "#/modules/parcels/index.ts";
import { addPurchaseOrderRoutes } from "#/modules/purchasing/index.ts";
import { addReturnRoutes } from "#/modules/returns/index.ts";
import { addTransferRoutes } from "#/modules/transfers/index.ts";
import { addUnidentifiedRoutes } from "#/modules/warehouse/index.ts";
import { addWorkOrderRoutes } from "#/modules/workorders/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

export interface ClientServicesContext
  extends ServiceContext,
    PrintContext,
    Omit<JsonIntakeContext, "findClient">,
    Omit<DeliveryRoutesContext, keyof ServiceContext>,
    Omit<CertificateContext, keyof ServiceContext> {
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  /** The facilities that a client may use, in routing order. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
  /** The stock pools that count as available for a client. */
  availablePoolsOf(clientId: string): Promise<"*" | readonly string[]>;
  /** Carrier data, compiled for decisions. */
  readonly sets: CarrierSets;
}

/** A REST service for clients: its operations, and the document that describes them. */
export interface ClientService {
  readonly prefix: string;
  readonly document: ServiceDocument;
  add(service: HttpServer): void;
}

/** The REST services for clients, behind bearer tokens. */
export function registerClientServices(
  app: HttpServer,
  context: ClientServicesContext & { readonly bearer: BearerHooks },
): void {
  for (const { prefix, document, add } of listClientServices(context)) {
    registerService(app, prefix, context.bearer, add, document);
  }
}

/**
 * Composes each client service from the operations of the modules (contract rest.md §3).
 *
 * @param webhookOwner whose webhooks the Webhook service has: users of the console work on those of facilities too.
 */
export function listClientServices(
  context: ClientServicesContext,
  webhookOwner: WebhookOwner = "client",
): readonly ClientService[] {
  const ofOrders = { ...context, hasOrder };
  const ofShipments = { ...context, shipmentOfOrder };
  return [
    {
      prefix: "/v1/orderService",
      document: {
        name: "order",
        title: "Order",
        description:
          "Orders and what belongs to them: their state, changes and cancellation, returns, purchase orders, documents, parcels (OLPN), the services of carriers, and the figures of a month.",
      },
      add(service) {
        addOrderRoutes(service, context);
        addReturnRoutes(service, context);
        addPurchaseOrderRoutes(service, context);
        addUnidentifiedRoutes(service, context);
        addDocumentRoutes(service, ofOrders);
        addParcelRoutes(service, ofOrders);
        addCarrierRoutes(service, context);
        addActivityRoutes(service, context);
      },
    },
    {
      prefix: "/v1/inventoryService",
      document: {
        name: "inventory",
        title: "Inventory",
        description:
          "Stock by product and by lot, its movements, past stock at the end of a day, reconciliation, the trace of a lot, and transfers between facilities.",
      },
      add(service) {
        addInventoryRoutes(service, context);
        addStockHistoryRoutes(service, context);
        addLotRoutes(service, context);
        addTransferRoutes(service, context);
      },
    },
    {
      prefix: "/v1/workOrderService",
      document: {
        name: "work-order",
        title: "Work Order",
        description: "Work orders assemble finished goods from component SKUs.",
      },
      add: (service) => addWorkOrderRoutes(service, context),
    },
    {
      prefix: "/v1/facilityService",
      document: {
        name: "facility",
        title: "Facility",
        description: "Facilities of the client: address, operating times and capabilities.",
      },
      add: (service) => addFacilityRoutes(service, context),
    },
    {
      prefix: "/v1/itemMasterService",
      document: {
        name: "item-master",
        title: "Item Master",
        description: "Items of the client's catalogues.",
      },
      add: (service) => addItemRoutes(service, context),
    },
    {
      prefix: "/v1/carrierDeterminationService",
      document: {
        name: "carrier-determination",
        title: "Carrier Determination",
        description:
          "The carrier service of a shipment, its times and its price, and why other services were excluded: by services, price matrices and rules.",
      },
      add: (service) => addDeterminationRoutes(service, ofShipments),
    },
    {
      prefix: "/v1/webhookService",
      document: {
        name: "webhook",
        title: "Webhook",
        description:
          "Events about the client's orders, goods and documents: webhooks, their deliveries, the topics, and the log of all events; the log of the client's own requests; and the certificate of going live. [Receiving webhooks](/docs/webhooks) explains how to write a receiver.",
      },
      add(service) {
        addSubscriptionRoutes(service, context, webhookOwner);
        addDeliveryRoutes(service, context, webhookOwner);
        addEventRoutes(service, context);
        addTopicRoutes(service, webhookOwner);
        addCertificateRoutes(service, context);
        // Users of the console have the log of every client, and the bodies (console-api/requests).
        if (webhookOwner === "client") addOwnRequestRoutes(service, context);
      },
    },
  ];
}

/** The webhooks of facilities, and the log of their requests, for the warehouse port. */
export function addFacilityWebhooks(service: HttpServer, context: ClientServicesContext): void {
  addSubscriptionRoutes(service, context, "facility");
  addDeliveryRoutes(service, context, "facility");
  addTopicRoutes(service, "facility");
  addOwnRequestRoutes(service, context, "facility");
}

async function hasOrder(tx: ClientTx, orderId: string): Promise<boolean> {
  return (await findOrderStatuses(tx, [orderId])).length > 0;
}
