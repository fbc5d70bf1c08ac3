import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listCredentials } from "#/modules/clients/credentials/credentials.ts";

export const credentialsList = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const listed = await listCredentials(database.of(call.argument("ID")));
    if (!listed.ok) return refuse(listed.fault);
    const rows = listed.value.map((row) => [
      row.credentialId,
      row.kind + (row.hasPublicKey ? " (key)" : ""),
      row.environment,
      row.username ?? "-",
      row.createdAt.slice(0, 19),
      row.revokedAt === null ? "live" : `revoked ${row.revokedAt.slice(0, 19)}`,
    ]);
    const heading = ["CREDENTIAL", "KIND", "ENVIRONMENT", "USER", "ISSUED (UTC)", "STATE"];
    return done(listed.value, table(heading, rows, "The client has no credential."));
  });
