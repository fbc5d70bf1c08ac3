import type { StoredDocument } from "#/intake/feeds/repository.ts";
import { escapeText } from "#/intake/xml/index.ts";
import { sentence } from "#/kernel/feed-codes.ts";

/** The outcome of a document (feeds.md §1, Follow-up). */
export interface FeedStatus extends Omit<StoredDocument, "channel" | "bodyBytes" | "findings"> {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly missingSkus: readonly string[];
  readonly outbound: readonly { readonly messageId: string; readonly type: string }[];
}

export function statusOf(document: StoredDocument, outbound: FeedStatus["outbound"]): FeedStatus {
  const { token, feedType, objectId, state, receivedAt, processedAt, findings } = document;
  return {
    token,
    feedType,
    objectId,
    state,
    receivedAt,
    processedAt,
    errors: findings?.errors ?? [],
    warnings: (findings?.warnings ?? []).map(sentence),
    missingSkus: findings?.missingSkus ?? [],
    outbound,
  };
}

/** The status as XML, for senders without a JSON parser: root `feedStatus`, lists as in the ACK. */
export function writeStatusXml(status: FeedStatus): string {
  const element = (name: string, value: string | null) =>
    value === null ? "" : `<${name}>${escapeText(value)}</${name}>`;
  const many = (list: string, name: string, values: readonly string[]) =>
    values.length === 0 ? "" : `<${list}>${values.map((value) => element(name, value)).join("")}</${list}>`;
  const outbound = status.outbound.map(
    ({ messageId, type }) => `<message>${element("messageId", messageId)}${element("type", type)}</message>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<feedStatus>',
    element("token", status.token),
    element("feedType", status.feedType),
    element("objectId", status.objectId),
    element("state", status.state),
    element("receivedAt", status.receivedAt),
    element("processedAt", status.processedAt),
    many("errors", "error", status.errors),
    many("warnings", "warning", status.warnings),
    many("missingSkus", "sku", status.missingSkus),
    outbound.length === 0 ? "" : `<outbound>${outbound.join("")}</outbound>`,
    "</feedStatus>\n",
  ].join("");
}
