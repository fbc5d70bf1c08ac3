// A subscriber to all events of a client, with checks of the received events.
import assert from "node:assert/strict";
import { until } from "../../support/app/until.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import type { Served } from "../load/sender.ts";
import { withClient } from "./oracle.ts";

export interface EventWatch {
  readonly receiver: Receiver;
  /** Waits until everything is delivered, and checks it. Returns the maximum delay in milliseconds. */
  check(databaseUrl: string): Promise<{ readonly events: number; readonly latestMs: number }>;
}

interface Push {
  readonly id: string;
  readonly timestamp: string;
  readonly objectId: string;
  readonly sequence: number;
}

const deliveredMsMax = 200_000;

/** Subscribes; call it before any event. */
export async function watchEvents({ url, demo }: Served): Promise<EventWatch> {
  const receiver = await startReceiver({ answer: 200 });
  await webhookCalls(url, { credentials: demo }).create({ topicName: "*", facilityCode: "*", url: receiver.url });
  return {
    receiver,
    async check(databaseUrl) {
      const events = await withClient(databaseUrl, async (client) => {
        const ask = async (text: string) => (await client.query(text, [demo.clientId])).rows;
        await until(
          "every event to be delivered",
          async () => {
            const [row] = await ask(
              `select (select count(*)::int from webhook_delivery where client_id = $1 and status = 'DELIVERED') as delivered,
              (select count(*)::int from event where client_id = $1) as events`,
            );
            return row.delivered === row.events;
          },
          deliveredMsMax,
        );
        return (await ask(
          `select 'evt_' || replace(event_id::text, '-', '') as id, object_id from event where client_id = $1 order by position`,
        )) as { id: string; object_id: string }[];
      });
      const pushes = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as Push);
      assert.deepEqual(
        pushes.map(({ id }) => id).sort(),
        events.map(({ id }) => id).sort(),
        "each event came, and came once",
      );
      const pushesOf = Map.groupBy(pushes, ({ objectId }) => objectId);
      for (const [objectId, happened] of Map.groupBy(events, ({ object_id }) => object_id)) {
        assert.deepEqual(
          pushesOf.get(objectId)?.map(({ id }) => id),
          happened.map(({ id }) => id),
          `the events of ${objectId} came in their order`,
        );
      }
      const delays = receiver.requests.map(({ atMs }, i) => atMs - Date.parse((pushes[i] as Push).timestamp));
      return { events: events.length, latestMs: Math.max(0, ...delays) };
    },
  };
}
