import { openSecretBox } from "#/app/secrets/open-secret-box.ts";
import { columns, table } from "#/cli/columns.ts";
import { type Call, misuse, type Outcome, type Refusal, type Report, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import {
  type SetChannels,
  type ShownChannels,
  setChannels,
  showChannels,
} from "#/delivery/outbound/channel-service.ts";
import { listUndelivered, type StoredDelivery } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import type { PushRequest } from "#/delivery/webhooks/subscriptions/push-service.ts";
import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";
import { showClient } from "#/modules/clients/service.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

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

/** For each push. */
const undeliveredMax = 1_000;

export const outboundShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clientId = call.argument("ID");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const shown = await readSnapshot(database, async (tx) => {
      const view = tx.of(clientId);
      const feeds = await showChannels(view);
      const all = [];
      for (const feed of feeds) {
        const { push } = feed;
        const undelivered = push ? await listUndelivered(view, push.webhookId, undeliveredMax) : [];
        all.push({ ...feed, undelivered });
      }
      return all;
    });
    return ok(shownWaysReport(clientId, shown));
  });

function readOutboundTypes(texts: readonly string[]): Result<readonly OutboundType[], Refusal> {
  const types = new Set<OutboundType>();
  for (const text of texts) {
    const type = outboundTypes.find((outboundType) => outboundType === text.toUpperCase());
    if (type === undefined) {
      const nearest = nearestName(text.toUpperCase(), outboundTypes);
      const meant = nearest === undefined ? outboundTypes.join(", ") : `${nearest}?`;
      return misuse(
        `--type '${text}' is no outbound feed; ${nearest === undefined ? "there are" : "did you mean"} ${meant}`,
      );
    }
    types.add(type);
  }
  return ok([...types]);
}

/** The result of `outbound set`; a new signing secret is shown only here. */
function setChannelsReport(clientId: string, set: readonly SetChannels[]): Report {
  const secrets = set.filter(({ signingSecret }) => signingSecret !== undefined);
  return {
    json: {
      clientId,
      feeds: set.map((feed) => ({
        type: feed.type,
        pull: feed.isHttp,
        sftp: feed.isSftp,
        push: feed.push === undefined ? null : { ...pushOf(feed.push), signingSecret: feed.signingSecret },
      })),
    },
    lines: [
      ...table(headings, set.map(rowOf), ""),
      ...(secrets.length === 0
        ? []
        : [
            "",
            "Signing secret, shown only now:",
            ...columns(secrets.map(({ type, signingSecret = "" }) => [`  ${type}`, signingSecret])),
          ]),
    ],
  };
}

const headings = ["TYPE", "PULL", "SFTP", "PUSH", "STATUS"];

const pushOf = ({ webhookId, url, status }: NonNullable<SetChannels["push"]>) => ({ webhookId, url, status });

const rowOf = ({ type, isHttp, isSftp, push }: Omit<SetChannels, "signingSecret">) => [
  ...[type, isHttp ? "yes" : "-", isSftp ? "yes" : "-"],
  ...[push?.url ?? "-", push?.status ?? "-"],
];

/** For each push, in the output for people. */
const undeliveredShown = 20;

type ShownFeed = ShownChannels & { readonly undelivered: readonly StoredDelivery[] };

function shownWaysReport(clientId: string, feeds: readonly ShownFeed[]): Report {
  const undelivered = feeds.flatMap((feed) => feed.undelivered.slice(0, undeliveredShown));
  const leftOut = feeds.reduce((sum, feed) => sum + feed.undelivered.length, 0) - undelivered.length;
  const ids = ["DELIVERY", "TYPE", "OBJECT", "MESSAGE", "STATUS", "ATTEMPTS", "LAST ERROR"];
  return {
    json: {
      clientId,
      feeds: feeds.map((feed) => ({
        type: feed.type,
        pull: feed.isHttp,
        sftp: feed.isSftp,
        push:
          feed.push === undefined
            ? null
            : { ...pushOf(feed.push), health: feed.push.health, undelivered: feed.undelivered.map(recordOf) },
      })),
    },
    lines: [
      ...table(
        [...headings, "PENDING", "FAILURES", "LAST SUCCESS (UTC)", "LAST FAILURE (UTC)"],
        feeds.map((feed) => {
          const health = feed.push?.health;
          return [
            ...rowOf(feed),
            ...(health ? [String(health.pending), String(health.consecutiveFailures)] : ["-", "-"]),
            ...[health?.lastSuccessAt?.slice(0, 19) ?? "-", health?.lastFailureAt?.slice(0, 19) ?? "-"],
          ];
        }),
        "",
      ),
      ...(undelivered.length === 0
        ? []
        : [
            "",
            "Undelivered, the newest of each push; `crossdock webhook replay DELIVERY` sends one again:",
            ...table(
              ids,
              undelivered.map((row) => [
                ...[row.deliveryId, row.topicName, row.objectId, row.eventId, row.status],
                ...[String(row.tries), row.lastError ?? "-"],
              ]),
              "",
            ),
            ...(leftOut > 0 ? [`${leftOut} more with --json`] : []),
          ]),
    ],
  };
}

const recordOf = ({ deliveryId, eventId, objectId, status, tries, nextTryAt, lastError }: StoredDelivery) => ({
  deliveryId,
  messageId: eventId,
  objectId,
  status,
  tries,
  nextTryAt,
  lastError,
});
