// Delivery settings of outbound feeds, and documents published without a preceding operation.
import assert from "node:assert/strict";
import { type SetChannels, setChannels } from "#/delivery/outbound/index.ts";
import { sampleBody, type Topic, topics } from "#/delivery/webhooks/index.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createOutboxWriter, type EventDraft, type OutboundDraft } from "#/store/outbox/append.ts";
import type { TestServer } from "../app/server.ts";
import * as samples from "./outbound.ts";

export interface WantedChannels {
  readonly pull?: boolean;
  readonly sftp?: boolean;
  readonly push?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly isSecretNew?: boolean;
}

/** Like `crossdock outbound set`. */
export async function setWaysOf(
  server: TestServer,
  clientId: string,
  type: OutboundType,
  { pull = false, sftp = false, push, headers = {}, isSecretNew = false }: WantedChannels,
): Promise<SetChannels> {
  const { config } = server;
  const pushContext = {
    secretBox: createSecretBox(config.secret as string),
    world: { allowsPlainHttp: true, refusalOfUrl: (url: URL) => refusalOfUrl(config.webhooks, url) },
  };
  const request = {
    types: [type],
    isHttp: pull,
    isSftp: sftp,
    push: push === undefined ? undefined : { url: push, headers, isSecretNew },
  };
  const set = await server.operate((tx, change) => setChannels(tx.of(clientId, change), request, pushContext));
  assert.ok(set.ok, JSON.stringify(set));
  return set.value[0] as SetChannels;
}

const writer = createOutboxWriter(createIds());
const allocated = topics.find(({ topicName }) => topicName === "order:allocated") as Topic;

/** Inserts events into the outbox in one transaction, each with the status of one of these orders. */
export async function tellStatuses(
  server: TestServer,
  clientId: string,
  orderIds: readonly string[],
  facilityCode = "DC1",
): Promise<void> {
  const drafts = orderIds.map((orderId): EventDraft => {
    const outbound: OutboundDraft = {
      type: "OS",
      objectId: orderId,
      content: { ...samples.orderStatus, orderId },
    };
    const object = { objectType: "order", objectId: orderId, facilityCode };
    return { topic: "order:allocated", ...object, data: sampleBody(allocated).data, outbound };
  });
  await server.database.transaction(async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), drafts));
  await server.rows("select pg_notify('crossdock_outbox', '')");
}
