import type { HttpServer } from "#/http/server.ts";
import { addAccessRoutes } from "#/modules/operator/access/routes.ts";
import { addAuditRoutes } from "#/modules/operator/audit/routes.ts";
import { addCarrierDataRoutes } from "#/modules/operator/carriers/routes.ts";
import { addClientRoutes } from "#/modules/operator/clients/routes.ts";
import type { OperatorContext } from "#/modules/operator/context.ts";
import { addExceptionRoutes } from "#/modules/operator/exceptions/routes.ts";
import { addFeedLogRoutes } from "#/modules/operator/feeds/routes.ts";
import { addFloorRoutes } from "#/modules/operator/floor/routes.ts";
import { addOrderListRoutes } from "#/modules/operator/orders/routes.ts";
import { addOutboundRoutes } from "#/modules/operator/outbound/routes.ts";
import { addOverviewRoutes } from "#/modules/operator/overview/routes.ts";
import { addRestoreRoutes } from "#/modules/operator/restore/routes.ts";
import { addSandboxRoutes } from "#/modules/operator/sandbox/routes.ts";
import { addSearchRoutes } from "#/modules/operator/search/routes.ts";
import { addStockListRoutes } from "#/modules/operator/stock/routes.ts";
import { addViewRoutes } from "#/modules/operator/views/routes.ts";
import { addWebhookListRoutes } from "#/modules/operator/webhooks/routes.ts";

/** Every operation of the console besides those of the clients' services: a line a screen. */
export function addOperatorRoutes(service: HttpServer, context: OperatorContext): void {
  addAccessRoutes(service, context);
  addOverviewRoutes(service, context);
  addExceptionRoutes(service, context);
  addFeedLogRoutes(service, context);
  addOrderListRoutes(service, context);
  addSearchRoutes(service, context);
  addStockListRoutes(service, context);
  addFloorRoutes(service, context);
  addCarrierDataRoutes(service, context);
  addWebhookListRoutes(service, context);
  addOutboundRoutes(service, context);
  addClientRoutes(service, context);
  addRestoreRoutes(service, context);
  addSandboxRoutes(service, context);
  addAuditRoutes(service, context);
  addViewRoutes(service, context);
}
