import type { OperatorContext } from "#/console-api/index.ts";
import { resendDocument, setChannels, showChannels } from "#/delivery/outbound/index.ts";
import type { Config } from "#/kernel/config/config.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";

/** The console's operations on outbound feeds. The client API and the command line use the same functions. */
export function createOutboundService(
  { environment, webhooks }: Pick<Config, "environment" | "webhooks">,
  secretBox: SecretBox,
): OperatorContext["outbound"] {
  const pushContext = {
    secretBox,
    world: {
      allowsPlainHttp: environment === "sandbox",
      refusalOfUrl: (url: URL) => refusalOfUrl(webhooks, url),
    },
  };
  return {
    resend: (tx, messageId) => resendDocument(tx, tx.change.ids, tx.change.at, messageId),
    showChannels,
    setChannels: (tx, wanted) => setChannels(tx, wanted, pushContext),
  };
}
