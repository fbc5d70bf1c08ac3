import type { HttpServer } from "#/http/server.ts";
import { addFactorRoutes } from "#/modules/operator/access/factors/factor-routes.ts";
import { addSessionRoutes } from "#/modules/operator/access/session-routes.ts";
import { addUserRoutes } from "#/modules/operator/access/user-routes.ts";
import type { OperatorContext } from "#/modules/operator/context.ts";

export function addAccessRoutes(service: HttpServer, context: OperatorContext): void {
  addSessionRoutes(service, context);
  addFactorRoutes(service, context);
  addUserRoutes(service, context);
}
