import { columns, table } from "#/cli/columns.ts";
import { misuse, type Refusal, type Report } from "#/cli/command.ts";
import type { SetChannels, ShownChannels } from "#/delivery/outbound/channel-service.ts";
import type { DeliveryRow } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

export function readOutboundTypes(texts: readonly string[]): Result<readonly OutboundType[], Refusal> {
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
export function setChannelsReport(clientId: string, set: readonly SetChannels[]): Report {
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

type ShownFeed = ShownChannels & { readonly undelivered: readonly DeliveryRow[] };

export function shownWaysReport(clientId: string, feeds: readonly ShownFeed[]): Report {
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
                ...[row.delivery_id, row.topic_name, row.object_id, row.event_id, row.status],
                ...[String(row.attempts), row.last_error ?? "-"],
              ]),
              "",
            ),
            ...(leftOut > 0 ? [`${leftOut} more with --json`] : []),
          ]),
    ],
  };
}

const recordOf = (row: DeliveryRow) => ({
  deliveryId: row.delivery_id,
  messageId: row.event_id,
  objectId: row.object_id,
  status: row.status,
  tries: row.attempts,
  nextTryAt: row.due_at,
  lastError: row.last_error,
});
