import { addFactorRoutes } from "#/console-api/access/factors/factor-routes.ts";
import { addSessionRoutes } from "#/console-api/access/sign-in/session-routes.ts";
import { addUserRoutes } from "#/console-api/access/user-routes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import type { HttpServer } from "#/http/server/server.ts";

export function addAccessRoutes(service: HttpServer, context: OperatorContext): void {
  addSessionRoutes(service, context);
  addFactorRoutes(service, context);
  addUserRoutes(service, context);
}
