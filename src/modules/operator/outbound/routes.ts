import type { HttpServer } from "#/http/server.ts";
import type { OperatorContext } from "#/modules/operator/context.ts";
import { addDocumentRoutes } from "#/modules/operator/outbound/document-routes.ts";
import { addMailRoutes } from "#/modules/operator/outbound/mail-routes.ts";
import { addWayRoutes } from "#/modules/operator/outbound/way-routes.ts";

/** What clients are sent besides webhooks, and the mails that tell of failures. */
export function addOutboundRoutes(service: HttpServer, context: OperatorContext): void {
  addDocumentRoutes(service, context);
  addWayRoutes(service, context);
  addMailRoutes(service, context);
}
