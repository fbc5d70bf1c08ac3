import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { issueCarrierCredential } from "#/modules/clients/credentials/credentials.ts";

export const carrierAccountCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const { environment } = platform.config;
    const carrierCode = call.argument("CODE");
    const issued = await platform.change((tx, change) =>
      issueCarrierCredential(tx, change, { carrierCode, environment }),
    );
    if (!issued.ok) return issued;
    const lines = [`Credentials of the carrier ${carrierCode} (${environment}), shown only now:`];
    return done(issued.value, [...lines, ...credentialLines({ oauth: issued.value.oauth })]);
  });
