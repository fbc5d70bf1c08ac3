import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { parseRoleNames } from "#/kernel/config/role-names.ts";

export async function serve(call: Call): Promise<Outcome> {
  const named = call.option("roles");
  const roles = named === undefined ? undefined : parseRoleNames(named);
  if (roles?.ok === false) return misuse(roles.fault);
  // Loaded only here: no other command needs the server.
  const server = await import("#/main.ts");
  await server.serve(roles === undefined ? {} : { roles: roles.value });
  return done(undefined, []);
}
