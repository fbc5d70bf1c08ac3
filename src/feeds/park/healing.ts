import type { Database, Tx } from "#/db/database.ts";
import type { FeedClient } from "#/feeds/intake/definition.ts";
import type { Receiver } from "#/feeds/intake/receiver.ts";
import { judgeAgain } from "#/feeds/park/judge-again.ts";
import { listParked } from "#/feeds/repository.ts";

export interface Healer {
  /** Reprocesses the client's parked documents, oldest first, when all SKUs that they missed are known. */
  heal(clientId: string): Promise<number>;
}

const pageDocuments = 200;
const firstToken = "00000000-0000-0000-0000-000000000000";

/**
 * Park and heal (feeds.md §1): documents whose SKUs a catalogue has provided are reprocessed, in original order, under
 * their own tokens.
 */
export function createHealer(context: {
  readonly database: Database;
  readonly receiver: Receiver;
  readonly findClient: (clientId: string) => Promise<FeedClient | undefined>;
  /** Finds which of these SKUs are known through CAT. */
  readonly findKnownSkus: (tx: Tx, clientId: string, skus: readonly string[]) => Promise<ReadonlySet<string>>;
}): Healer {
  const { database } = context;
  const running = new Map<string, Promise<number>>();

  async function run(clientId: string): Promise<number> {
    const client = await context.findClient(clientId);
    if (!client) return 0;
    let healed = 0;
    for (let after = firstToken; ; ) {
      const page = await listParked(database, clientId, after, pageDocuments);
      const missing = new Set(page.flatMap(({ findings }) => findings?.missingSkus ?? []));
      const known =
        missing.size === 0 ? new Set<string>() : await context.findKnownSkus(database, clientId, [...missing]);
      for (const { token, findings } of page) {
        if (!(findings?.missingSkus ?? []).every((sku) => known.has(sku))) continue;
        const judged = await judgeAgain(context, client, token);
        if (judged.ok && judged.value.verdict === "ACCEPTED" && !judged.value.isRepeat) healed++;
      }
      if (page.length < pageDocuments) return healed;
      after = page.at(-1)?.token as string;
    }
  }

  return {
    heal(clientId) {
      // One run per client at a time: a second catalogue's hint waits for the first run and checks again.
      const previous = running.get(clientId) ?? Promise.resolve(0);
      const next = previous.catch(() => 0).then(() => run(clientId));
      running.set(clientId, next);
      return next.finally(() => {
        if (running.get(clientId) === next) running.delete(clientId);
      });
    },
  };
}
