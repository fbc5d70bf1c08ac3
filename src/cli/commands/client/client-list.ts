import { table } from "#/cli/columns.ts";
import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listClients } from "#/modules/clients/index.ts";

export const clientList: Command = {
  name: "client list",
  summary: "Lists the clients.",
  arguments: [],
  options: [],
  run: () =>
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
    }),
};
