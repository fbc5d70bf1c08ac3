import { addAccessRoutes } from "#/console-api/access/routes.ts";
import { addAuditRoutes } from "#/console-api/audit/routes.ts";
import { addLaneRoutes } from "#/console-api/carriers/lanes/routes.ts";
import { addCarrierDataRoutes } from "#/console-api/carriers/routes.ts";
import { addClientRoutes } from "#/console-api/clients/routes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { addExceptionRoutes } from "#/console-api/exceptions/routes.ts";
import { addFeedLogRoutes } from "#/console-api/feeds/routes.ts";
import { addInboundRoutes } from "#/console-api/inbound/routes.ts";
import { addOrderListRoutes } from "#/console-api/orders/routes.ts";
import { addOutboundRoutes } from "#/console-api/outbound/routes.ts";
import { addOverviewRoutes } from "#/console-api/overview/routes.ts";
import { addRequestRoutes } from "#/console-api/requests/routes.ts";
import { addRestoreRoutes } from "#/console-api/restore/routes.ts";
import { addSandboxRoutes } from "#/console-api/sandbox/routes.ts";
import { addSearchRoutes } from "#/console-api/search/routes.ts";
import { addAdjustRoutes } from "#/console-api/stock/adjust-routes.ts";
import { addCountRoutes } from "#/console-api/stock/count-routes.ts";
import { addStockListRoutes } from "#/console-api/stock/routes.ts";
import { addViewRoutes } from "#/console-api/views/routes.ts";
import { addWebhookListRoutes } from "#/console-api/webhooks/routes.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** Every operation of the console in addition to those of the clients' services: one line per screen. */
export function addOperatorRoutes(service: HttpServer, context: OperatorContext): void {
  addAccessRoutes(service, context);
  addOverviewRoutes(service, context);
  addExceptionRoutes(service, context);
  addFeedLogRoutes(service, context);
  addOrderListRoutes(service, context);
  addSearchRoutes(service, context);
  addStockListRoutes(service, context);
  addCountRoutes(service, context);
  addAdjustRoutes(service, context);
  addInboundRoutes(service, context);
  addCarrierDataRoutes(service, context);
  addLaneRoutes(service, context);
  addWebhookListRoutes(service, context);
  addOutboundRoutes(service, context);
  addClientRoutes(service, context);
  addRestoreRoutes(service, context);
  addSandboxRoutes(service, context);
  addAuditRoutes(service, context);
  addRequestRoutes(service, context);
  addViewRoutes(service, context);
}
