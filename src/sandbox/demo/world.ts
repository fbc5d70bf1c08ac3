import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { statusOf } from "#/app/roles/object-status.ts";
import { createOutboundConsumer } from "#/delivery/outbound/index.ts";
import type { Receipt } from "#/intake/feeds/intake/receiver.ts";
import { createOutcomeConsumer } from "#/intake/feeds/outcome.ts";
import { assert } from "#/kernel/assert.ts";
import { type Clock, systemClock } from "#/kernel/clock.ts";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { Result } from "#/kernel/result.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { createIds, type Ids } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { type ClientProfile, createDirectory } from "#/modules/clients/index.ts";
import { createAllocationConsumer } from "#/modules/orders/index.ts";
import { createSsccMint } from "#/modules/parcels/index.ts";
import {
  createCountConsumer,
  createReportHandler,
  createReportKinds,
  createTaskConsumer,
} from "#/modules/warehouse/index.ts";
import { brands } from "#/sandbox/demo/brands.ts";
import { hasPending } from "#/sandbox/demo/repository.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { type CommandResult, createOutboxWriter } from "#/store/outbox/append.ts";
import { startRelay } from "#/store/outbox/relay.ts";

export interface DemoWorldContext {
  readonly database: Database;
  /** Time of the first beginning, Unix milliseconds. All times of the demo are relative to it. */
  readonly beganMs: number;
  readonly gs1Prefix: string;
  readonly environment: Config["environment"];
}

export interface SentDocument {
  readonly clientId: string;
  readonly type: FeedType;
  readonly xml: string | Buffer;
  /** Default: HTTP. */
  readonly channel?: "HTTP" | "SFTP";
  readonly fileName?: string;
  /** Identifies a document that is sent again after a kill. */
  readonly key?: string;
}

/**
 * The demo as it plays. The functions that serve requests also create the past. They run under a clock that is set
 * forward from time to time and never back. Work from before a kill is answered idempotently or rejected, so it exists
 * once.
 */
export interface DemoWorld {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly beganMs: number;
  readonly gs1Prefix: string;
  /** Sets the clock to a number of hours before the demo's beginning, but never back. */
  goTo(hoursAgo: number): void;
  client(clientId: string): Promise<ClientProfile>;
  send(document: SentDocument): Promise<Receipt>;
  /** Sends a report to the warehouse port. @returns its response; undefined if it rejected the report. */
  report(facilityCode: string, kind: string, body: object): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Applies an operator's action. A rejection is ignored, because the action was applied before a kill. */
  act(
    clientId: string,
    actor: string,
    work: (tx: Transaction, change: Change) => Promise<Result<CommandResult<unknown>, unknown>>,
  ): Promise<void>;
  /** Publishes all pending events: orders get stock, the warehouse its tasks, clients their documents. */
  publish(): Promise<void>;
  close(): Promise<void>;
}

const publishMsMax = 20_000;

export async function openDemoWorld(context: DemoWorldContext): Promise<DemoWorld> {
  const { database, beganMs, gs1Prefix, environment } = context;
  let nowMs = 0;
  // It ticks at each reading: steps of the same hour have times that follow each other, as in production.
  const clock: Clock = { now: () => nowMs++ };
  const ids = createIds();
  const sets = createCarrierSets();
  const stack = await createFeedStack({ database, clock, ids, sets });
  // Includes the calendars of its facilities, which determine an order's despatch time.
  const directory = createDirectory({ database, clock: systemClock, environment });
  const client = async (clientId: string) => {
    const found = await directory.findClient(clientId);
    assert(found, `there is no client ${clientId}`);
    return found;
  };
  const terms = {
    findClient: (clientId: string) => client(clientId),
    ssccs: createSsccMint(database, gs1Prefix, { blockSize: 100 }),
    carriers: { clock, ids, sets },
  };
  const handleReport = createReportHandler({ database, clock, ids, findClient: terms.findClient });
  const kinds = new Map(createReportKinds(terms).map((kind) => [kind.name, kind]));
  const writer = createOutboxWriter(ids, { slotCount: 4 });
  const relay = startRelay({
    database,
    clock,
    ids,
    consumers: [
      createAllocationConsumer({ ids }),
      createTaskConsumer(ids),
      createCountConsumer({ ids, findClient: terms.findClient }),
      createOutcomeConsumer(() => {}, statusOf),
      createOutboundConsumer(ids),
    ],
    onError: () => {},
  });

  return {
    database,
    clock,
    ids,
    beganMs,
    gs1Prefix,
    client,
    goTo(hoursAgo) {
      nowMs = Math.max(nowMs + 1, Math.round(beganMs - hoursAgo * hourMs));
    },
    async send({ clientId, type, xml, channel = "HTTP", fileName, key }) {
      return stack.receiver.receive({
        client: await client(clientId),
        type,
        channel,
        fileName,
        bytes: typeof xml === "string" ? Buffer.from(xml) : xml,
        contentType: "application/xml",
        charset: undefined,
        idempotencyKey: key,
        token: ids.next(clock.now()),
      });
    },
    async report(facilityCode, name, body) {
      const kind = kinds.get(name);
      assert(kind, `the port has no report ${name}`);
      const outcome = await handleReport(kind, { facilityCode, carrierCode: undefined, origin: "warehouse" }, body);
      return outcome.status === "ACCEPTED" ? (outcome.answer as Readonly<Record<string, unknown>>) : undefined;
    },
    async act(clientId, actor, work) {
      const change: Change = { actor, origin: "console", at: new Date(clock.now()).toISOString(), ids };
      await database.transaction(async (tx) => {
        const done = await work(tx, change);
        if (done.ok) writer.append(tx.of(clientId), change.at, done.value.events);
      });
    },
    async publish() {
      for (const { clientId } of brands) {
        relay.wake();
        const isPublished = async () => !(await hasPending(database.of(clientId))) || undefined;
        assert(await pollUntil(isPublished, { everyMs: 10, msMax: publishMsMax }), "the demo's events are published");
      }
    },
    async close() {
      await relay.stop();
      await stack.close();
    },
  };
}
