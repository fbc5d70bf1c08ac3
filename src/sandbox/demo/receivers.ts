// Webhook subscriptions of the demo: receivers that answer, one that is unreachable, one that is paused.
import { setTimeout as sleep } from "node:timers/promises";
import { noteIncident } from "#/delivery/mail/notes.ts";
import { listFannedOut } from "#/delivery/webhooks/events/event-list.ts";
import {
  addDeliveries,
  createWebhook,
  listSubscriptions,
  openCursor,
  type Subscription,
  setHeadsDue,
  updateSubscription,
  wants,
} from "#/delivery/webhooks/index.ts";
import * as attempts from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { putLane, readLane } from "#/delivery/webhooks/lanes/lane-repository.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { createIds, timeOfId } from "#/kernel/values/ids.ts";
import { brands } from "#/sandbox/demo/brands.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import type { ClientTransaction, Database } from "#/store/db/database.ts";

/** A local port without a listener, so that no request leaves this machine. */
const closedUrl = "http://127.0.0.1:9/crossdock/events";

interface Receiver {
  readonly clientId: string;
  readonly topicName: string;
  readonly additionalTopicNames?: readonly string[];
  readonly description: string;
  readonly isGone?: true;
  readonly isPaused?: true;
}

const receivers: readonly Receiver[] = [
  { clientId: "DEMO", topicName: "order:*", description: "States of orders for the shop" },
  { clientId: "DEMO", topicName: "parcel:*", additionalTopicNames: ["carrier:*"], description: "Tracking page" },
  { clientId: "LUMEN", topicName: "order:*", description: "Order desk", isGone: true },
  { clientId: "LUMEN", topicName: "return:*", description: "Refunds by the shop", isPaused: true },
  { clientId: "FJORD", topicName: "*", description: "Data warehouse" },
];

const eventsMax = 2_000;
const roundsMax = 60;
/** Number of attempts of a delivery, and the hours of each attempt after its event. */
const attemptsAfterHours = [0, 0.02, 0.1, 0.6, 2.6, 8] as const;
/** Older deliveries are given up by now. */
const givenUpHours = 20;

/** @param listenerUrl where the demo's receiver is expected; each start updates it. */
export async function subscribe(world: DemoWorld, secretBox: SecretBox, listenerUrl: string): Promise<void> {
  for (const { clientId, topicName, additionalTopicNames = [], description, isGone, isPaused } of receivers) {
    const known = await listSubscriptions(world.database.of(clientId));
    if (known.some((subscription) => subscription.topicName === topicName)) continue;
    const client = await world.client(clientId);
    const request = {
      clientId,
      topicName,
      additionalTopicNames: [...additionalTopicNames],
      description,
      facilityCode: "*",
      contentType: "application/json",
      url: isGone ? closedUrl : `${listenerUrl}${receiverPath}`,
      emailList: isGone ? ["operations@lumen.example"] : [],
      isPaused: isPaused ? 1 : 0,
    };
    const rules = { facilities: client.facilities, allowsPlainHttp: true, refusalOfUrl: () => undefined };
    const change = { actor: `client:${clientId}`, origin: "local", at: iso(world.clock.now()), ids: world.ids };
    const made = await world.database.transaction((tx) =>
      createWebhook(tx.of(clientId, change), request, { secretBox, world: rules }),
    );
    assert(made.ok, `the demo's subscription to ${topicName} is accepted`);
    // Subscriptions are listed in the order of their creation.
    await sleep(1);
  }
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Creates the deliveries of past events as if they were sent at the time of the events. */
export async function deliverPast(world: DemoWorld): Promise<void> {
  for (const clientId of new Set(receivers.map((receiver) => receiver.clientId))) {
    await world.database.transaction(async (tx) => {
      const view = tx.of(clientId);
      const cursor = await openCursor(view);
      if (cursor === undefined) return;
      const subscriptions = await listSubscriptions(view);
      const events = await listFannedOut(view, cursor.position, eventsMax);
      const last = events.at(-1);
      if (!last) return;
      // Those of the world never go back, and it has come to the present.
      const ids = createIds();
      const hours = Map.groupBy(events, ({ event_id }) => Math.floor(timeOfId(event_id) / hourMs));
      for (const [, ofHour] of hours) {
        const at = iso(timeOfId((ofHour.at(-1) as (typeof ofHour)[number]).event_id));
        const wanted = ofHour.flatMap((event) =>
          subscriptions
            .filter((subscription) => wants(subscription, event))
            .map(({ webhookId }) => ({
              webhookId,
              eventId: event.event_id,
              position: event.position,
              topicName: event.topic,
              objectType: event.object_type,
              objectId: event.object_id,
            })),
        );
        await addDeliveries(view, ids, at, wanted);
      }
      cursor.moveTo(last.position);
      for (const subscription of subscriptions) {
        if (subscription.status === "PAUSED") continue;
        const isGone = subscription.url === closedUrl;
        await settlePast(view, world, subscription, isGone);
        if (isGone) await fail(view, world, subscription);
      }
    });
  }
}

/** Settles the deliveries in rounds, because deliveries of one object are sequential. */
async function settlePast(
  tx: ClientTransaction,
  world: DemoWorld,
  { webhookId }: Subscription,
  isGone: boolean,
): Promise<void> {
  const { beganMs } = world;
  for (let round = 0; round < roundsMax; round++) {
    const ids = createIds();
    const due = await attempts.takeDue(tx, webhookId, iso(beganMs), eventsMax);
    if (due.length === 0) return;
    const plans = due.map((delivery) => ({ delivery, ...planOf(delivery.event_id, beganMs, isGone) }));
    const begun = plans
      .flatMap(({ delivery, startsMs }) => startsMs.map((startMs) => ({ deliveryId: delivery.delivery_id, startMs })))
      .toSorted((left, right) => left.startMs - right.startMs)
      .map((attempt) => ({ ...attempt, attemptId: ids.next(attempt.startMs), isProbe: false }));
    const latest = new Map(begun.map((attempt) => [attempt.deliveryId, attempt]));
    attempts.startAttempts(tx, [...latest.values()]);
    attempts.endAttempts(
      tx,
      webhookId,
      begun.map((attempt) => endedAttempt(attempt, isGone)),
    );
    const settled = plans.flatMap(({ delivery, status, startsMs, dueMs }): attempts.SettledDelivery[] => {
      const attempt = latest.get(delivery.delivery_id);
      if (!attempt) return [];
      return [
        {
          ...attempt,
          status,
          isAlerted: isGone,
          rejections: 0,
          dueAt: dueMs === undefined ? undefined : iso(dueMs),
          settledAt: dueMs === undefined ? iso(attempt.startMs + 40) : undefined,
          blocksUntil: isGone ? iso((startsMs[0] as number) + hourMs) : undefined,
          hasUnblocked: isGone,
          attempts: startsMs.length,
          lastError: isGone ? refusedText : undefined,
        },
      ];
    });
    attempts.settleDeliveries(tx, settled);
    const objects = due.map(({ object_type, object_id }) => ({
      webhookId,
      objectType: object_type,
      objectId: object_id,
    }));
    setHeadsDue(tx, iso(beganMs), objects);
  }
}

interface Plan {
  readonly status: "DELIVERED" | "FAILED" | "RETRYING";
  readonly startsMs: readonly number[];
  /** Time of the next attempt. */
  readonly dueMs: number | undefined;
}

function planOf(eventId: string, nowMs: number, isGone: boolean): Plan {
  const eventMs = timeOfId(eventId);
  const firstMs = eventMs + 180 + (eventMs % 240);
  if (!isGone) return { status: "DELIVERED", startsMs: [firstMs], dueMs: undefined };
  const all = attemptsAfterHours.map((hours) => firstMs + hours * hourMs);
  const done = all.filter((ms) => ms < nowMs);
  if (nowMs - eventMs > givenUpHours * hourMs) return { status: "FAILED", startsMs: done, dueMs: undefined };
  return { status: "RETRYING", startsMs: done.slice(0, 4), dueMs: nowMs + hourMs + (eventMs % hourMs) };
}

const refusedText = "connect: connect ECONNREFUSED 127.0.0.1:9";

function endedAttempt(
  { startMs, ...attempt }: attempts.StartedAttempt & { readonly startMs: number },
  isGone: boolean,
): attempts.EndedAttempt {
  const wait = 12 + (startMs % 38);
  const nothing = { status: undefined, headers: undefined, body: undefined };
  return {
    ...attempt,
    state: "ENDED",
    startedAt: iso(startMs),
    endedAt: iso(startMs + wait + 3),
    address: "127.0.0.1",
    phases: isGone ? { lookup: 0, connect: 1 } : { lookup: 0, connect: 1, send: 0, wait, receive: 1 },
    ...(isGone
      ? { ...nothing, errorClass: "connect" }
      : {
          status: 200,
          headers: { "content-type": "application/json" },
          errorClass: undefined,
          body: Buffer.from('{"received":true}'),
        }),
  };
}

/** Sets the subscription to its state after a day without a response, with its people notified. */
async function fail(tx: ClientTransaction, world: DemoWorld, subscription: Subscription): Promise<void> {
  const { beganMs, ids } = world;
  const openedAtMs = beganMs - 26 * hourMs;
  const mails = ["OPENED", "STILL_24H"] as const;
  updateSubscription(tx, {
    ...subscription,
    status: "FAILING",
    version: subscription.version + 1,
  });
  const incident = { openedAtMs, quietSinceMs: undefined, closedAtMs: undefined, isDisabled: false, mails };
  const lane = await readLane(tx, subscription.webhookId);
  putLane(tx, subscription.webhookId, {
    lease: { owner: undefined, fence: lane?.fence ?? 0, dueAt: iso(beganMs + 5 * minuteMs) },
    breaker: {
      failures: 96,
      firstFailureAtMs: openedAtMs,
      lastFailureAtMs: beganMs - 10 * minuteMs,
      lastSuccessAtMs: openedAtMs - hourMs,
      openedAtMs,
      nextProbeAtMs: beganMs + 5 * minuteMs,
      probeDelayMs: 15 * minuteMs,
      unreadableSinceMs: undefined,
    },
    incident,
    incidentDueAt: iso(openedAtMs + 72 * hourMs),
  });
  for (const [i, kind] of mails.entries()) {
    const at = iso(openedAtMs + i * 24 * hourMs);
    const facts = { lastErrorClass: "connect", lastError: refusedText, since: iso(openedAtMs), waiting: 12 + 30 * i };
    const step = { state: incident, isNew: i === 0, mails: [kind] };
    await noteIncident(tx.with({ actor: "demo", origin: "demo", at, ids }), subscription, step, facts);
  }
}

/** Path of the built-in receiver, which answers the deliveries of the demo's subscriptions. */
const receiverPath = "/demo/webhook-receiver";

/** A receiver that accepts every request and stores nothing. */
export function registerDemoReceiver(app: HttpServer): void {
  app.post(receiverPath, (_request, reply) => reply.send({ received: true }));
}

/** The listener's port may differ from the last start, so subscriptions to the built-in receiver are updated. */
export async function aimDemoReceivers(database: Database, listenerUrl: string): Promise<void> {
  for (const { clientId } of brands) {
    const wanted = `${listenerUrl}${receiverPath}`;
    const astray = (await listSubscriptions(database.of(clientId))).filter(
      ({ url }) => url.endsWith(receiverPath) && url !== wanted,
    );
    if (astray.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const subscription of astray) {
        const version = subscription.version + 1;
        updateSubscription(tx.of(clientId), { ...subscription, url: wanted, version });
      }
    });
  }
}
