import { registerService } from "#/http/bearer.ts";
import type { ServiceContext } from "#/http/operation.ts";
import type { HttpServer } from "#/http/server.ts";
import { addOrderRoutes } from "#/modules/orders/index.ts";
import { addWorkOrderRoutes } from "#/modules/workorders/index.ts";

export interface ClientServicesContext extends ServiceContext {
  /** The facilities that a client may use, in the order of routing. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
}

/** The REST services of clients (contract rest.md §3): which operations of which modules each is made of. */
export function registerClientServices(app: HttpServer, context: ClientServicesContext): void {
  const { bearer } = context;

  registerService(app, "/v1/orderService", bearer, (service) => addOrderRoutes(service, context), {
    name: "order",
    title: "Order",
    description:
      "Orders and what belongs to them: their state, changes and cancellation, returns, documents, parcels (OLPN) and the services of carriers.",
  });

  registerService(app, "/v1/workOrderService", bearer, (service) => addWorkOrderRoutes(service, context), {
    name: "work-order",
    title: "Work Order",
    description: "Work orders assemble finished goods from component SKUs.",
  });
}
