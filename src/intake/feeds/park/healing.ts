import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { reprocess } from "#/intake/feeds/park/reprocess.ts";
import { listParked } from "#/intake/feeds/repository.ts";
import { startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { logLevelOf, scopeOf } from "#/store/db/errors.ts";

interface HealingContext {
  readonly database: Database;
  readonly receiver: Receiver;
  readonly findClient: (clientId: string) => Promise<FeedClient | undefined>;
  /** Finds which of these SKUs are known through CAT. */
  readonly findKnownSkus: (tx: ClientTx, skus: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly log: Logger;
}

/** The work on the parked documents of a client, oldest first. */
interface Pass {
  /** The last document that was looked at. */
  after: string;
  hasBegun: boolean;
  /** A catalogue has come since the pass began: all documents are looked at once more. */
  isRepeated: boolean;
}

const pageDocuments = 200;
/** The goal of fair turns: the longest that another client waits for a turn, or for one document. */
const turnMs = 100;
const firstToken = "00000000-0000-0000-0000-000000000000";

const newPass = (): Pass => ({ after: firstToken, hasBegun: false, isRepeated: false });

interface Batch {
  readonly processed: number;
  readonly healed: number;
  readonly isDone: boolean;
}

/**
 * Park and heal (feeds.md §1): documents whose SKUs a catalogue has provided are reprocessed, in original order, under
 * their own tokens. Looks at one page of documents, and begins with none of them after the time of a turn.
 */
async function healBatch(context: HealingContext, clientId: string, pass: Pass): Promise<Batch> {
  const { database } = context;
  const view = database.of(clientId);
  const untilMs = performance.now() + turnMs;
  pass.hasBegun = true;
  const client = await context.findClient(clientId);
  if (!client) return { processed: 0, healed: 0, isDone: true };
  const page = await listParked(view, pass.after, pageDocuments);
  const missing = new Set(page.flatMap(({ findings }) => findings?.missingSkus ?? []));
  const known = missing.size === 0 ? new Set<string>() : await context.findKnownSkus(view, [...missing]);
  let [processed, healed] = [0, 0];
  for (const { token, findings } of page) {
    if ((findings?.missingSkus ?? []).every((sku) => known.has(sku))) {
      if (processed > 0 && performance.now() >= untilMs) return { processed, healed, isDone: false };
      processed++;
      const reprocessed = await reprocess(context, client, token);
      if (reprocessed.ok && reprocessed.value.verdict === "ACCEPTED" && !reprocessed.value.isRepeat) healed++;
    }
    pass.after = token;
  }
  return { processed, healed, isDone: page.length < pageDocuments };
}

export interface Healing {
  /** A hint that the parked documents of these clients may have what they missed. */
  wake(clientIds: Iterable<string>): void;
  /** Finishes the running batches. */
  stop(): Promise<void>;
}

/**
 * Slow clients share one of these. Before, the hints of 50 catalogues at the same time took all ten connections of a
 * worker.
 */
const placesMax = 2;
const [paceMs, pollMs] = [20, 1_000];

/** Heals the clients' documents batch by batch: a backlog of one client delays no other client by more than a batch. */
export function startHealing(context: HealingContext): Healing {
  const { log } = context;
  const passes = new Map<string, Pass>();
  const turns = startFairTurns<Pass>({
    name: "healing",
    sizeMin: 1,
    sizeMax: pageDocuments,
    placesMax,
    paceMs,
    pollMs,
    scopeOf,
    find: async () => new Map(passes),
    async work(clientId, pass) {
      const { processed, healed, isDone } = await healBatch(context, clientId, pass);
      if (healed > 0) log.info({ clientId, healed }, "parked documents were reprocessed");
      const isLast = isDone && !pass.isRepeated;
      if (isLast) passes.delete(clientId);
      else if (isDone) Object.assign(pass, newPass());
      return { weight: Math.max(1, processed), hasMore: !isLast };
    },
    onError: (error, clientId) => log[logLevelOf(error)]({ err: error, clientId }, "healing put off"),
  });
  return {
    wake(clientIds) {
      for (const clientId of clientIds) {
        const pass = passes.get(clientId);
        if (pass === undefined) passes.set(clientId, newPass());
        else if (pass.hasBegun) pass.isRepeated = true;
      }
      turns.wake();
    },
    stop: () => turns.stop(),
  };
}
