import { type Command, done, misuse } from "#/cli/command.ts";
import { parseRoleNames, roleNames } from "#/kernel/config/role-names.ts";

export const serve: Command = {
  name: "serve",
  summary: "Runs the server, as `npm start` does.",
  arguments: [],
  options: [
    {
      name: "roles",
      value: "ROLE,…",
      meaning: `some of ${roleNames.join(", ")}; without it CROSSDOCK_ROLES, or all`,
    },
  ],
  isServer: true,
  async run(call) {
    const named = call.option("roles");
    const roles = named === undefined ? undefined : parseRoleNames(named);
    if (roles?.ok === false) return misuse(roles.fault);
    // Loaded only here: no other command needs the server.
    const server = await import("#/main.ts");
    await server.serve(roles === undefined ? {} : { roles: roles.value });
    return done(undefined, []);
  },
};
