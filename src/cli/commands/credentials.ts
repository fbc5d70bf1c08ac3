import { table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { readCallersFile, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { ok, refused } from "#/kernel/result.ts";
import {
  issueCredential,
  issueWarehouseCredential,
  listCredentials,
  revokeCredential,
} from "#/modules/clients/credentials/credentials.ts";
import { clientCredentialKinds } from "#/modules/clients/domain.ts";
import { chooseFacilities } from "#/modules/facilities/service.ts";

export async function credentialsIssue(call: Call): Promise<Outcome> {
  const kind = clientCredentialKinds.find((candidate) => candidate === call.given("kind"));
  if (kind === undefined) return misuse(`--kind is one of ${clientCredentialKinds.join(", ")}`);
  const file = call.option("public-key");
  const publicKey = file === undefined ? undefined : readCallersFile(file);
  if (publicKey?.ok === false) return publicKey;
  return withPlatform(async (platform) => {
    const { environment } = platform.config;
    const issued = await platform.change((tx, change) =>
      issueCredential(tx, change, {
        clientId: call.argument("ID"),
        kind,
        environment,
        publicKey: publicKey?.value.toString(),
      }),
    );
    if (!issued.ok) return issued;
    const lines = [`Credential ${issued.value.credentialId} (${environment}), shown only now:`];
    return done(issued.value, [...lines, ...credentialLines(issued.value)]);
  });
}

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

export const credentialsRevoke = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const revoked = await platform.change((tx, change) => revokeCredential(tx, change, call.argument("CREDENTIAL_ID")));
    if (!revoked.ok) return revoked;
    const { credentialId, kind, revokedAt } = revoked.value;
    return done(revoked.value, [`Credential ${credentialId} (${kind}) is revoked since ${revokedAt}.`]);
  });

export const warehouseCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const { environment } = platform.config;
    const facilityCode = call.argument("FACILITY");
    const issued = await platform.change(async (tx, change) => {
      const chosen = await chooseFacilities(tx, [facilityCode]);
      if (!chosen.ok) return refused(chosen.fault);
      return ok(await issueWarehouseCredential(tx, change, { facilityCode, environment }));
    });
    if (!issued.ok) return issued;
    const lines = [`Credentials of the warehouse ${facilityCode} (${environment}), shown only now:`];
    return done(issued.value, [...lines, ...credentialLines({ oauth: issued.value.oauth })]);
  });
