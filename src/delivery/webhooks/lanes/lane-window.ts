// What a lane takes at a time: the due deliveries, with their attempts written before any request is sent.
import type { Transaction } from "#/db/database.ts";
import { type BreakerState, isOpen } from "#/delivery/webhooks/incidents/breaker.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { probesNow } from "#/delivery/webhooks/lanes/lane-rules.ts";
import type { Begun } from "#/delivery/webhooks/lanes/settlement.ts";
import type { Message, MessageSource } from "#/delivery/webhooks/sending/messages.ts";
import type { Target } from "#/delivery/webhooks/sending/sender.ts";
import { type DueDelivery, startTries } from "#/delivery/webhooks/sending/try-repository.ts";
import { openTarget } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Ids } from "#/kernel/values/ids.ts";

/** A written attempt and its message; without a message where the event or document is no longer kept. */
export interface Sendable {
  readonly begun: Begun;
  readonly topicName: string;
  /** Undefined where the subscription's secret or headers cannot be decrypted. */
  readonly target: Target | undefined;
  readonly message: (Message & { readonly sequence: number | undefined }) | undefined;
}

export interface WindowContext {
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly sources: Readonly<Record<Subscription["kind"], MessageSource>>;
}

/** The room of a lane. */
export interface Room {
  /** Written, and not settled yet. */
  readonly outstanding: number;
  readonly room: number;
  readonly inFlightMax: number;
}

/** A part of INV or IMS is several megabytes: memory holds no more outbound documents than this, sent or waiting. */
const documentsMax = 8;

/** The number of deliveries to take; with an open breaker, only a probe. */
export function windowSize(
  { kind }: Pick<Subscription, "kind">,
  breaker: BreakerState,
  { outstanding, room: roomOfAny, inFlightMax }: Room,
  nowMs: number,
): number {
  const room = kind === "OUTBOUND" ? Math.min(roomOfAny, documentsMax - outstanding) : roomOfAny;
  if (isOpen(breaker)) return probesNow(breaker, outstanding, room, nowMs);
  // For a failing receiver, no more attempts are written than can be sent now.
  return Math.max(0, breaker.failures > 0 ? Math.min(room, inFlightMax - outstanding) : room);
}

/** Writes the attempts of the taken, locked deliveries, and reads their messages. */
export async function beginTries(
  tx: Transaction,
  { ids, secretBox, sources }: WindowContext,
  subscription: Subscription,
  due: readonly DueDelivery[],
  { isProbe, nowMs }: { readonly isProbe: boolean; readonly nowMs: number },
): Promise<Sendable[]> {
  if (due.length === 0) return [];
  const { clientId, webhookId } = subscription;
  const key: LaneKey = { clientId, webhookId };
  const messages = await sources[subscription.kind](
    tx,
    clientId,
    due.map(({ event_id }) => event_id),
  );
  const target = findTarget(secretBox, subscription, nowMs);
  const taken = due.map((delivery): Sendable => {
    const message = messages.get(delivery.event_id);
    return {
      begun: begunOf(delivery, ids.next(nowMs), isProbe),
      topicName: delivery.topic_name,
      target,
      message: message && { ...message, sequence: delivery.sequence ?? undefined },
    };
  });
  startTries(
    tx,
    key,
    new Date(nowMs).toISOString(),
    taken.map(({ begun }) => begun),
  );
  return taken;
}

/** Undefined for damaged rows, and for rows sealed under a master key that this process does not have. */
function findTarget(secretBox: SecretBox, subscription: Subscription, nowMs: number): Target | undefined {
  try {
    return openTarget(secretBox, subscription, nowMs);
  } catch {
    return undefined;
  }
}

export function begunOf(delivery: DueDelivery, tryId: string, isProbe: boolean): Begun {
  const { blocks_until } = delivery;
  return {
    ...{ tryId, isProbe, deliveryId: delivery.delivery_id, hasUnblocked: delivery.has_unblocked },
    ...{ objectType: delivery.object_type, objectId: delivery.object_id },
    state: {
      attempts: delivery.attempts,
      rejections: delivery.rejections,
      blocksUntilMs: blocks_until === null ? undefined : Date.parse(blocks_until),
    },
  };
}
