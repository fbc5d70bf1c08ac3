import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { issueCarrierCredential } from "#/modules/clients/index.ts";

export const carrierAccountCreate: Command = {
  name: "carrier-account create",
  summary: "Issues OAuth credentials with which a carrier reports its events, and prints them once.",
  arguments: [{ name: "CODE", meaning: "the carrier's code, as orders and parcels name it" }],
  options: [],
  run: (call) =>
    withPlatform(async (platform) => {
      const { environment } = platform.config;
      const carrierCode = call.argument("CODE");
      const issued = await platform.change((tx, change) =>
        issueCarrierCredential(tx, change, { carrierCode, environment }),
      );
      if (!issued.ok) return issued;
      const lines = [`Credentials of the carrier ${carrierCode} (${environment}), shown only now:`];
      return done(issued.value, [...lines, ...credentialLines({ oauth: issued.value.oauth })]);
    }),
};
