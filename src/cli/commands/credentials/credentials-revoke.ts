import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { revokeCredential } from "#/modules/clients/index.ts";

export const credentialsRevoke: Command = {
  name: "credentials revoke",
  summary: "Revokes a credential: running servers refuse it at once, and tokens issued with it within 60 s.",
  arguments: [{ name: "CREDENTIAL_ID", meaning: "as `credentials list` shows it; for OAuth, the client_id" }],
  options: [],
  run: (call) =>
    withPlatform(async (platform) => {
      const revoked = await platform.change((tx, change) =>
        revokeCredential(tx, change, call.argument("CREDENTIAL_ID")),
      );
      if (!revoked.ok) return revoked;
      const { credentialId, kind, revokedAt } = revoked.value;
      return done(revoked.value, [`Credential ${credentialId} (${kind}) is revoked since ${revokedAt}.`]);
    }),
};
