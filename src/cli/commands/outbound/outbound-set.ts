import { type Call, misuse, type Outcome, type Refusal, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { readOutboundTypes, setChannelsReport } from "#/cli/outbound-report.ts";
import { setChannels } from "#/delivery/outbound/channel-service.ts";
import type { PushRequest } from "#/delivery/webhooks/subscriptions/push-service.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import { showClient } from "#/modules/clients/service.ts";
import { openSecretBox } from "#/secrets/open-secret-box.ts";

/** The relay locks the client's list while it publishes a batch of events: longer than other rows may be locked. */
const listLockMsMax = 20_000;

export function outboundSet(call: Call): Promise<Outcome> {
  const types = readOutboundTypes(call.optionList("type"));
  if (!types.ok) return Promise.resolve(types);
  const push = readPush(call);
  if (!push.ok) return Promise.resolve(push);
  const [isHttp, isSftp] = [call.flag("pull"), call.flag("sftp")];
  if (!isHttp && !isSftp && push.value === undefined) {
    return Promise.resolve(misuse("name at least one delivery method: --pull, --sftp or --push URL"));
  }
  return withPlatform(async (platform) => {
    const clientId = call.argument("ID");
    const client = await showClient(platform.database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const { config } = platform;
    const pushContext = {
      secretBox: await openSecretBox(config, platform.database),
      world: {
        allowsPlainHttp: config.environment === "sandbox",
        refusalOfUrl: (url: URL) => refusalOfUrl(config.webhooks, url),
      },
    };
    const request = { types: types.value, isHttp, isSftp, push: push.value };
    const set = await platform.change(
      async (tx, change) => {
        const outcome = await setChannels(tx.of(clientId, change), request, pushContext);
        return outcome.ok ? outcome : refused(outcome.fault.map(sentenceOf).join("\n"));
      },
      { lockTimeoutMs: listLockMsMax, statementTimeoutMs: listLockMsMax },
    );
    if (!set.ok) return set;
    const isNotified = client.value.settings.outboundEmailList.length > 0 || push.value === undefined;
    const notes = isNotified
      ? []
      : [`no one is notified when a push fails: crossdock client set ${clientId} outboundEmailList=…`];
    return ok({ ...setChannelsReport(clientId, set.value), notes });
  });
}

function readPush(call: Call): Result<PushRequest | undefined, Refusal> {
  const url = call.option("push");
  const texts = call.optionList("header");
  const isSecretNew = call.flag("new-secret");
  if (url === undefined) {
    return texts.length > 0 || isSecretNew ? misuse("--header and --new-secret need --push URL") : ok(undefined);
  }
  const headers: Record<string, string | null> = {};
  for (const text of texts) {
    const colon = text.indexOf(":");
    // Omits the text itself: most header values are secret.
    if (colon < 1) return misuse("--header takes 'NAME: VALUE'");
    const name = text.slice(0, colon).trim();
    if (Object.hasOwn(headers, name)) return misuse(`--header ${name} is given twice`);
    const value = text.slice(colon + 1).trim();
    headers[name] = value === "" ? null : value;
  }
  return ok({ url, headers, isSecretNew });
}

/** A fault of the address or a header in the terms of the command line. */
function sentenceOf({ pointer, message }: { readonly pointer: string; readonly message: string }): string {
  if (pointer === "#/url") return `--push ${message.replace("in customHeaders", "with --header")}`;
  const [, , header] = pointer.split("/");
  return `--header ${header === undefined ? "" : `${header.replaceAll("~1", "/").replaceAll("~0", "~")} `}${message}`;
}
