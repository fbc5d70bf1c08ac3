import { createFeedDefinitions } from "#/app/roles/feed-definitions.ts";
import { createCommitter } from "#/intake/feeds/intake/commit.ts";
import { writersOf } from "#/intake/feeds/intake/group-commit.ts";
import { createIntakePool } from "#/intake/feeds/intake/intake-pool.ts";
import { createReceiver, type Receiver, takeIn, threadBytesMin } from "#/intake/feeds/intake/receiver.ts";
import { createValidator } from "#/intake/feeds/intake/validator.ts";
import { createXmlEngine } from "#/intake/xml/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type CarrierSets, createCarrierSets } from "#/modules/carriers/index.ts";
import { isOnCitus } from "#/store/db/citus/catalogue.ts";
import type { Database } from "#/store/db/database.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

export interface FeedStack {
  readonly receiver: Receiver;
  close(): Promise<void>;
}

/** Creates the receiver with its dependencies, for HTTP, SFTP, the healing worker and the command line. */
export async function createFeedStack(context: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The carrier data of the database, if the process already has it, so that each version is compiled once. */
  readonly sets?: CarrierSets;
  readonly isStoreDown?: () => boolean;
  /** Called after each commit that left events to publish. */
  readonly onCommit?: (clientId: string) => void;
}): Promise<FeedStack> {
  const { database, clock, ids } = context;
  const definitions = createFeedDefinitions(context.sets ?? createCarrierSets());
  const engine = await createXmlEngine();
  const validate = createValidator(engine, definitions, readXsd);
  const pool = createIntakePool(new URL("./intake-worker.ts", import.meta.url));
  const isDistributed = await isOnCitus(database);
  const { fast, careful } = writersOf(isDistributed);
  const writers = Array.from({ length: fast + careful }, () => createOutboxWriter(ids, context));
  const receiver = createReceiver({
    clock,
    committer: createCommitter({ database, clock, ids, definitions, writers }),
    takeIn: (input, onBegun) =>
      input.bytes.byteLength < threadBytesMin ? takeIn(validate, input) : pool.takeIn(input, onBegun),
    isStoreDown: context.isStoreDown ?? (() => false),
    isDistributed,
  });
  return {
    receiver,
    async close() {
      await receiver.close();
      await pool.close();
    },
  };
}
