import { table } from "#/cli/columns.ts";
import { done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listClients } from "#/modules/clients/service.ts";

export const clientList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clients = await listClients(database);
    return done(
      clients.map(({ clientId, name, status, facilities, createdAt }) => ({
        clientId,
        name,
        status,
        facilities,
        createdAt,
      })),
      table(
        ["CLIENT", "STATUS", "FACILITIES", "SINCE", "NAME"],
        clients.map((client) => [
          client.clientId,
          client.status,
          client.facilities.join(",") || "-",
          client.createdAt.slice(0, 10),
          client.name,
        ]),
        "No client yet; create one with 'crossdock client create ID'.",
      ),
    );
  });
