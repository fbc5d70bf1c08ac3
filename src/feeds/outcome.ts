import type { Database } from "#/db/database.ts";
import { listOverdue } from "#/feeds/cross-client-queries.ts";
import { markOverdue, settleAccepted } from "#/feeds/repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { EventDraft, OutboxWriter } from "#/outbox/append.ts";
import type { Consumer } from "#/outbox/relay.ts";

interface FeedEventData {
  readonly token: string;
  readonly feedType: string;
  readonly objectId: string | null;
}

function feedEvent(topic: string, data: FeedEventData, errors: readonly string[] = []): EventDraft {
  const { token, feedType, objectId } = data;
  return { topic, objectType: "feed", objectId: token, data: { token, feedType, objectId, errors } };
}

/**
 * The asynchronous outcome of accepted documents (lifecycle.md §6): once their events are published they are PROCESSED;
 * given up, they are FAILED and an operator can retry.
 */
export function createOutcomeConsumer(onCatalogue: (clientId: string) => void): Consumer {
  return {
    topics: ["feed:accepted"],
    async consume(tx, clientId, at, rows) {
      const accepted = rows.filter(({ topic, feed_token }) => topic === "feed:accepted" && feed_token !== null);
      if (accepted.length === 0) return [];
      settleAccepted(
        tx,
        clientId,
        at,
        "PROCESSED",
        accepted.map(({ feed_token }) => feed_token as string),
      );
      return accepted.map(({ data }) => feedEvent("feed:processed", data as FeedEventData));
    },
    async giveUp(tx, clientId, at, { topic, feed_token, data }) {
      if (topic !== "feed:accepted" || feed_token === null) return [];
      settleAccepted(tx, clientId, at, "FAILED", [feed_token]);
      return [
        feedEvent("feed:failed", data as FeedEventData, [
          "The document's asynchronous work failed; the operator was told",
        ]),
      ];
    },
    afterwards(clientId, rows) {
      if (rows.some(({ topic, data }) => topic === "feed:accepted" && (data as FeedEventData).feedType === "CAT"))
        onCatalogue(clientId);
    },
  };
}

const overdueBatch = 500;

/** No document is forgotten: one without an outcome past its deadline raises `feed:overdue`, once. */
export async function reportOverdue(context: {
  database: Database;
  clock: Clock;
  writer: OutboxWriter;
}): Promise<number> {
  const { database, clock, writer } = context;
  const at = new Date(clock.now()).toISOString();
  const overdue = await listOverdue(database, at, overdueBatch);
  for (const clientId of new Set(overdue.map(({ client_id }) => client_id))) {
    const own = overdue.filter(({ client_id }) => client_id === clientId);
    await database.transaction(async (tx) => {
      const marked = await markOverdue(
        tx,
        clientId,
        at,
        own.map(({ token }) => token),
      );
      const drafts = own
        .filter(({ token }) => marked.some((row) => row.token === token))
        .map(({ token, feed_type, object_id }) =>
          feedEvent("feed:overdue", { token, feedType: feed_type, objectId: object_id }),
        );
      writer.append(tx, clientId, at, drafts);
    });
  }
  return overdue.length;
}
