import { type Command, done, misuse } from "#/cli/command.ts";
import { readCallersFile, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { clientCredentialKinds, issueCredential } from "#/modules/clients/index.ts";

export const credentialsIssue: Command = {
  name: "credentials issue",
  summary: "Issues an additional credential and prints it once. Existing credentials stay valid.",
  arguments: [{ name: "ID", meaning: "the client" }],
  options: [
    {
      name: "kind",
      value: clientCredentialKinds.join("|"),
      meaning: "what the credential gives access to",
      isRequired: true,
    },
    {
      name: "public-key",
      value: "FILE",
      meaning: "with --kind sftp: an OpenSSH public key (.pub) in the place of a password",
    },
  ],
  notes: ["To rotate: issue a new one, have the client use it, then revoke the old one."],
  async run(call) {
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
  },
};
