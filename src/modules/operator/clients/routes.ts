import type { HttpServer } from "#/http/server.ts";
import { addClientDirectoryRoutes } from "#/modules/operator/clients/client-routes.ts";
import { addCredentialRoutes } from "#/modules/operator/clients/credential-routes.ts";
import { addFacilityDirectoryRoutes } from "#/modules/operator/clients/facility-routes.ts";
import type { OperatorContext } from "#/modules/operator/context.ts";

/** Clients, facilities and credentials, as the command line keeps them (operations.md §2). */
export function addClientRoutes(service: HttpServer, context: OperatorContext): void {
  addClientDirectoryRoutes(service, context);
  addFacilityDirectoryRoutes(service, context);
  addCredentialRoutes(service, context);
}
