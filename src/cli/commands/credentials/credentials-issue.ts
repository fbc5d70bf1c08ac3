import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { readCallersFile, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { issueCredential } from "#/modules/clients/credentials/credentials.ts";
import { clientCredentialKinds } from "#/modules/clients/domain.ts";

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
