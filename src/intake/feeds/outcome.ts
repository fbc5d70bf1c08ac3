import { listOverdue, listOverdueAhead, type OverdueDocument } from "#/intake/feeds/feeds.cross-client.ts";
import { type FeedEventData, feedEvent, type ObjectStatus, withAck } from "#/intake/feeds/intake/verdict.ts";
import { clampOverdue, markOverdue, settleAccepted } from "#/intake/feeds/repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { isStoreAway } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";
import type { OutboxWriter } from "#/store/outbox/append.ts";
import type { Consumer } from "#/store/outbox/relay.ts";

/** Returns states by token; a document whose object has no state, such as a CAT, is absent. */
export type StatusOf = (
  tx: ClientTx,
  feedType: FeedType,
  documents: readonly { readonly token: string; readonly objectId: string }[],
) => Promise<ReadonlyMap<string, ObjectStatus>>;

/**
 * The asynchronous outcome of accepted documents (lifecycle.md §6). Once their events are published, they are
 * PROCESSED. When the relay gives up, they are FAILED, and an operator can retry. The client is notified by an event
 * and by an ACK.
 */
export function createOutcomeConsumer(onCatalogue: (clientId: string) => void, statusOf: StatusOf): Consumer {
  return {
    span: { name: "settle document", concerns: ({ topic }) => topic === "feed:accepted" },
    async consume(tx, at, rows) {
      const accepted = rows.filter(({ topic, feedToken }) => topic === "feed:accepted" && feedToken !== null);
      if (accepted.length === 0) return [];
      settleAccepted(
        tx,
        at,
        "PROCESSED",
        accepted.map(({ feedToken }) => feedToken as string),
      );
      const events = accepted.map(({ data }) => data as FeedEventData);
      const objects = await findObjects(tx, events);
      return events.map((data) => withAck(feedEvent("feed:processed", data), "PROCESSED", [], objects.get(data.token)));
    },
    async giveUp(tx, at, { topic, feedToken, data }) {
      if (topic !== "feed:accepted" || feedToken === null) return [];
      settleAccepted(tx, at, "FAILED", [feedToken]);
      const errors = ["Asynchronous processing of the document failed; the operator was notified"];
      const objects = await findObjects(tx, [data as FeedEventData]);
      const event = feedEvent("feed:failed", data as FeedEventData, errors);
      return [withAck(event, "FAILED", errors, objects.get(feedToken))];
    },
    afterwards(clientId, rows) {
      if (rows.some(({ topic, data }) => topic === "feed:accepted" && (data as FeedEventData).feedType === "CAT"))
        onCatalogue(clientId);
    },
  };

  async function findObjects(
    tx: ClientTx,
    events: readonly FeedEventData[],
  ): Promise<ReadonlyMap<string, ObjectStatus>> {
    const found = await Promise.all(
      [...Map.groupBy(events, ({ feedType }) => feedType)].map(([feedType, ofType]) => {
        const documents = ofType.flatMap(({ token, objectId }) => (objectId === null ? [] : { token, objectId }));
        return documents.length === 0 ? new Map() : statusOf(tx, feedType, documents);
      }),
    );
    return new Map(found.flatMap((objects) => [...objects]));
  }
}

const overdueBatch = 500;
/** Batches of one run; the next run takes the rest. */
const batchesMax = 20;

/**
 * No document is forgotten: one without an outcome past its deadline raises `feed:overdue`, once. A client whose
 * documents cannot be marked is left out until its back-off ends, so that they do not fill each batch. A document that
 * became overdue by a clock that was ahead is overdue from now on.
 */
export async function reportOverdue(context: {
  readonly database: Database;
  readonly clock: Clock;
  readonly writer: OutboxWriter;
  /** Kept from run to run, for the back-off of each client. */
  readonly turns?: ClientTurns;
}): Promise<number> {
  const { database, clock, writer, turns = createClientTurns() } = context;
  const at = new Date(clock.now()).toISOString();
  const failed = new Set<string>();
  const failures: unknown[] = [];
  let reported = 0;
  const most = new Date(clock.now() + aheadMsMax).toISOString();
  const ahead = await listOverdueAhead(database.lookUps, most, overdueBatch);
  const serve = <Own>(byClient: Iterable<readonly [string, Own]>, work: (documents: Own) => Promise<void>) =>
    turns
      .run(byClient, async (documents) => {
        await work(documents);
        return false;
      })
      .catch((error: unknown) => {
        if (isStoreAway(error)) throw error;
        failures.push(error);
      });
  await serve(
    Map.groupBy(ahead, ({ client_id }) => client_id),
    (documents) =>
      clampOverdue(
        database.of((documents[0] as { client_id: string }).client_id),
        { at, most },
        documents.map(({ token }) => token),
      ),
  );
  for (let batch = 0; batch < batchesMax; batch++) {
    const overdue = await listOverdue(database.lookUps, at, overdueBatch, [...failed, ...turns.listPostponed()]);
    const byClient = Map.groupBy(overdue, ({ client_id }) => client_id);
    await serve(byClient, reportOwn);
    for (const clientId of turns.listPostponed()) failed.add(clientId);
    reported += overdue.length;
    if (overdue.length < overdueBatch) break;
  }
  if (failures.length > 0) throw failures[0];
  return reported;

  async function reportOwn(documents: readonly OverdueDocument[]): Promise<void> {
    const clientId = (documents[0] as OverdueDocument).client_id;
    await database.ofClient(clientId).transaction(async (tx) => {
      const view = tx.of(clientId);
      const tokens = documents.map(({ token }) => token);
      const marked = new Set((await markOverdue(view, at, tokens)).map(({ token }) => token));
      const drafts = documents
        .filter(({ token }) => marked.has(token))
        .map(({ token, feed_type, object_id }) =>
          feedEvent("feed:overdue", { token, feedType: feed_type as FeedType, objectId: object_id }),
        );
      writer.append(view, at, drafts);
    });
  }
}
