import { addClientDirectoryRoutes } from "#/console-api/clients/client-routes.ts";
import { addCredentialRoutes } from "#/console-api/clients/credential-routes.ts";
import { addFacilityDirectoryRoutes } from "#/console-api/clients/facility-routes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** Clients, facilities and credentials, as the command line maintains them (operations.md §2). */
export function addClientRoutes(service: HttpServer, context: OperatorContext): void {
  addClientDirectoryRoutes(service, context);
  addFacilityDirectoryRoutes(service, context);
  addCredentialRoutes(service, context);
}
