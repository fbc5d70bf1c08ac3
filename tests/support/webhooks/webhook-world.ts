// One subscription with its own dispatcher, for tests of races between two transactions. The receiver answers on
// command, the test controls the clock, and other transactions are held open.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { addDeliveries, type WantedDelivery } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { type Dispatcher, startDispatcher } from "#/delivery/webhooks/lanes/dispatcher.ts";
import type { PushMessage, SendResult } from "#/delivery/webhooks/sending/sender.ts";
import { insertSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { atEnd } from "../app/at-end.ts";
import { restsLong } from "../postgres/database.ts";
import { activeWebhook, secretBox } from "./active-webhook.ts";

export const ids = createIds();

export interface DeliveryState {
  readonly object_id: string;
  readonly status: string;
  readonly due_at: string | null;
  readonly blocks_until: string | null;
  readonly attempts: number;
  readonly attempt_id: string | null;
  readonly last_error: string | null;
}

export interface LaneState {
  readonly status: string;
  readonly breaker: { readonly openedAtMs?: number };
  readonly incident: { readonly mails: readonly string[] } | null;
  readonly incident_due_at: string | null;
  readonly due_at: string | null;
}

/** Longer than any awaited condition takes, on a busy machine too. */
const untilMsMax = 30_000;

/** Unanswered requests, in order of arrival. */
interface Waiting {
  readonly message: PushMessage;
  answer(status: number): void;
}

export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>;

export async function webhookWorld(
  database: Database,
  clientId: string,
  schedule: readonly number[],
  options: { readonly requestsMax?: number } = {},
) {
  let aheadMs = 0;
  let position = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const iso = () => new Date(clock.now()).toISOString();
  const webhookId = ids.next(clock.now());
  const logged: string[] = [];
  const waiting: Waiting[] = [];
  const rows = <Row>(text: string, ...values: unknown[]) =>
    database.query<Row>({ text, values, name: "", isTenant: false });
  await database.transaction(async (tx) => {
    insertSubscription(
      tx.of(clientId),
      activeWebhook({ clientId, webhookId, at: iso() }, { emailList: ["ops@example.com"] }),
    );
  });

  function send(_target: object, message: PushMessage): Promise<SendResult> {
    const startedAtMs = clock.now();
    // Ends a world whose test failed: its timers keep the file from ending.
    atEnd(() => dispatcher.stop());
    return new Promise((resolve) => {
      waiting.push({
        message,
        answer: (status) =>
          resolve({
            outcome: { kind: "answered", status },
            ...(status === 200 ? {} : { errorClass: "status" as const }),
            phases: {},
            status,
            headers: {},
            body: Buffer.alloc(0),
            startedAtMs,
            endedAtMs: clock.now(),
          }),
      });
    });
  }

  const dispatcher: Dispatcher = startDispatcher({
    database,
    clock,
    ids,
    secretBox,
    schedule,
    sender: { send, close: async () => {} },
    pollMs: 20,
    ...options,
    log: createLogger({
      level: "warn",
      format: "json",
      destination: { write: (line: string) => void logged.push(line) },
    }),
  });

  const world = {
    webhookId,
    clock,
    logged,
    rows,
    dispatcher,
    /** Deletes the lane, so that no other dispatcher sends the rest. */
    async stop() {
      await dispatcher.stop();
      await rows("delete from webhook_lane where webhook_id = $1", webhookId);
    },
    pass(ms: number) {
      aheadMs += ms;
      dispatcher.wake();
    },
    /** The oldest unanswered request. */
    async next(): Promise<Waiting> {
      for (const end = Date.now() + untilMsMax; waiting.length === 0; await sleep(5)) {
        assert.ok(Date.now() < end, "no request has come");
      }
      return waiting.shift() as Waiting;
    },
    /** Number of requests that the test has not taken yet. */
    come: () => waiting.length,
    /** Adds a delivery of an event of each of these objects. */
    async add(tx: Transaction, ...objectIds: string[]): Promise<void> {
      const wanted = objectIds.map(
        (objectId): WantedDelivery => ({
          webhookId,
          eventId: ids.next(clock.now()),
          position: ++position,
          topicName: "order:updated",
          objectType: "order",
          objectId,
        }),
      );
      for (const { eventId, objectId } of wanted) {
        await tx.query({
          text: `insert into event (client_id, event_id, position, topic, object_type, object_id, occurred_at, data)
            select $1, $2, coalesce(max(position), 0) + 1, 'order:updated', 'order', $3, $4, '{}' from event where client_id = $1`,
          values: [clientId, eventId, objectId, iso()],
          name: "",
          isTenant: false,
        });
      }
      await addDeliveries(tx.of(clientId), ids, iso(), wanted);
    },
    async tell(...objectIds: string[]): Promise<void> {
      await database.transaction((tx) => world.add(tx, ...objectIds));
      dispatcher.wake();
    },
    deliveries: () =>
      rows<DeliveryState>(
        `select object_id, status, due_at, blocks_until, attempts, attempt_id, last_error from webhook_delivery
          where webhook_id = $1 order by event_position`,
        webhookId,
      ),
    async becomes(statuses: string): Promise<void> {
      for (const end = Date.now() + untilMsMax; ; await sleep(10)) {
        const found = (await world.deliveries()).map(({ status }) => status).join(" ");
        if (found === statuses) return;
        assert.ok(Date.now() < end, `${found}, not ${statuses}`);
      }
    },
    async lane(): Promise<LaneState> {
      const [row] = await rows<LaneState>(
        `select w.status, l.breaker, l.incident, l.incident_due_at, l.due_at
          from webhook_lane l join webhook w using (client_id, webhook_id) where l.webhook_id = $1`,
        webhookId,
      );
      assert.ok(row, "there is no lane");
      return row;
    },
    /** Waits until nothing is due and the lane has no owner. */
    async rests(): Promise<void> {
      for (const end = Date.now() + untilMsMax; ; await sleep(10)) {
        const [lane] = await rows<{ due_at: string | null; owner: string | null }>(
          "select due_at, owner from webhook_lane where webhook_id = $1",
          webhookId,
        );
        if (!lane || (lane.due_at === null && lane.owner === null)) return;
        assert.ok(Date.now() < end, "the lane does not rest");
      }
    },
    /** Attempts that are in progress or wait for a slot. */
    begun: async () => (await world.deliveries()).filter(({ attempt_id }) => attempt_id !== null).length,
    /** Attempts that have ended. */
    tries: () =>
      rows<{ state: string; status: number | null }>(
        "select state, status from webhook_attempt where webhook_id = $1 order by attempt_id",
        webhookId,
      ),
  };
  return world;
}

/** A transaction that stays open until the test ends it. */
export async function holdOpen(database: Database, work: (tx: Transaction) => Promise<unknown>) {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<(tx: Transaction) => Promise<unknown>>();
  const done = database.transaction(async (tx) => {
    tx.send(restsLong);
    await work(tx);
    begun.resolve();
    const last = await gate.promise;
    await last(tx);
  });
  done.catch(begun.reject);
  await begun.promise;
  return {
    async end(last: (tx: Transaction) => Promise<unknown> = async () => {}): Promise<void> {
      gate.resolve(last);
      await done;
    },
  };
}
