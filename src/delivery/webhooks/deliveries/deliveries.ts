// Adds, holds, ends and redelivers deliveries. The caller locks the subscription's row first; `addDeliveries` locks it
// itself. Objects are locked in the order of their key, and the lane last.

import * as repository from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { receives } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { shareStatuses } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

/** An event that a subscription receives, or that is listed as skipped. */
export interface WantedDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly position: number;
  readonly topicName: string;
  readonly objectType: string;
  readonly objectId: string;
}

const nameOf = ({ webhookId, objectType, objectId }: repository.ObjectOfWebhook) =>
  `${webhookId} ${objectType} ${objectId}`;

/** The position up to which a client's events have been fanned out. Locked until the transaction ends. */
export interface Cursor {
  readonly position: number;
  /** This transaction has fanned out everything up to and including this position. */
  moveTo(position: number): void;
}

/** Undefined where the client has never had a subscription. */
export async function openCursor(tx: ClientTransaction): Promise<Cursor | undefined> {
  const position = await repository.lockCursor(tx);
  return position === undefined ? undefined : { position, moveTo: (to) => repository.moveCursor(tx, to) };
}

/**
 * Adds deliveries in the order given. The earliest open delivery of each object is due at once. Deliveries of a paused
 * or disabled subscription are listed as SKIPPED. The status is read under a lock that keeps it until the transaction
 * ends: a transaction that disables the subscription ends the deliveries added before it, and later ones are skipped.
 *
 * @param at ISO 8601 UTC.
 */
export async function addDeliveries(
  tx: ClientTransaction,
  ids: Ids,
  at: string,
  wanted: readonly WantedDelivery[],
): Promise<void> {
  if (wanted.length === 0) return;
  const objects = [...new Map(wanted.map((delivery) => [nameOf(delivery), delivery])).values()];
  const [statuses, locked, withHead] = await Promise.all([
    shareStatuses(
      tx,
      wanted.map(({ webhookId }) => webhookId),
    ),
    repository.lockObjects(tx, objects),
    repository.listObjectsWithHead(tx, objects),
  ]);
  const sequences = new Map(locked.map((object) => [nameOf(object), object.lastSequence]));
  const hasHead = new Set(withHead.map(nameOf));
  const deliveries = wanted.map((delivery): repository.NewDelivery => {
    const name = nameOf(delivery);
    const last = sequences.get(name) ?? 0;
    const status = statuses.get(delivery.webhookId);
    assert(status, "a delivery of a subscription that does not exist");
    const sequence = receives(status) ? last + 1 : undefined;
    sequences.set(name, sequence ?? last);
    const isHead = sequence !== undefined && !hasHead.has(name);
    if (isHead) hasHead.add(name);
    return { ...delivery, deliveryId: ids.next(Date.parse(at)), sequence, isHead };
  });
  repository.putSequences(
    tx,
    objects.map((object) => ({ ...object, lastSequence: sequences.get(nameOf(object)) as number })),
  );
  repository.insertDeliveries(tx, at, deliveries);
  const sent = deliveries.filter(({ sequence }) => sequence !== undefined);
  repository.setLanesDue(
    tx,
    at,
    sent.map(({ webhookId }) => webhookId),
  );
}

/**
 * Redelivers those deliveries of one subscription that have ended, in the order of their object. Open deliveries are
 * left unchanged.
 * @returns the number of deliveries.
 */
export async function redeliver(
  tx: ClientTransaction,
  webhookId: string,
  deliveryIds: readonly string[],
  at: string,
): Promise<number> {
  const settled = await repository.listSettled(tx, webhookId, deliveryIds);
  if (settled.length === 0) return 0;
  await repository.lockObjects(tx, settled);
  repository.reopenDeliveries(
    tx,
    settled.map(({ deliveryId }) => deliveryId),
  );
  const objects = [...new Map(settled.map((delivery) => [nameOf(delivery), delivery])).values()];
  repository.clearLaterDue(tx, objects);
  repository.setHeadsDue(tx, at, objects);
  repository.setLanesDue(tx, at, [webhookId]);
  return settled.length;
}

/**
 * The subscription is deleted: open deliveries become FAILED, and no request is sent any more. @param at ISO 8601 UTC.
 */
export function endSubscription(
  tx: ClientTransaction,
  webhookId: string,
  at: string,
  reason = "the subscription was deleted",
): void {
  repository.loseAttempts(tx, webhookId, at);
  repository.endDeliveries(tx, webhookId, at, reason);
  repository.removeLane(tx, webhookId);
}
