import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { revokeCredential } from "#/modules/clients/credentials/credentials.ts";

export const credentialsRevoke = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const revoked = await platform.change((tx, change) => revokeCredential(tx, change, call.argument("CREDENTIAL_ID")));
    if (!revoked.ok) return revoked;
    const { credentialId, kind, revokedAt } = revoked.value;
    return done(revoked.value, [`Credential ${credentialId} (${kind}) is revoked since ${revokedAt}.`]);
  });
