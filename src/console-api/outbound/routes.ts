import type { OperatorContext } from "#/console-api/context.ts";
import { addChannelRoutes } from "#/console-api/outbound/channel-routes.ts";
import { addDocumentRoutes } from "#/console-api/outbound/document-routes.ts";
import { addMailRoutes } from "#/console-api/outbound/mail-routes.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** Outbound data other than webhooks, and the mails that report failures. */
export function addOutboundRoutes(service: HttpServer, context: OperatorContext): void {
  addDocumentRoutes(service, context);
  addChannelRoutes(service, context);
  addMailRoutes(service, context);
}
