import type { MessageSource } from "#/delivery/webhooks/events/event-list.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out/fan-out.ts";
import { startTaskEvents } from "#/delivery/webhooks/fan-out/task-events.ts";
import { startDispatcher } from "#/delivery/webhooks/lanes/dispatcher.ts";
import type { MessageKey } from "#/delivery/webhooks/sending/message-signature.ts";
import { createSender } from "#/delivery/webhooks/sending/sender.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { AddressPolicy } from "#/kernel/security/address-policy.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import type { Database } from "#/store/db/database.ts";
import type { TraceOrigins } from "#/store/outbox/publish-trace.ts";

/**
 * The services that send webhooks in this process: events become deliveries, and deliveries are sent (decision 0017).
 */
export interface Webhooks {
  /** Events of the client were published. */
  wake(clientId: string): void;
  /** Tasks of a warehouse have changed; without its code, perhaps those of any. */
  wakeTasks(facilityCode?: string): void;
  /** Deliveries were added that do not come from the event log. */
  deliver(): void;
  /** Waits a few seconds for requests in progress. */
  stop(): Promise<void>;
}

export interface WebhooksContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  readonly policy: AddressPolicy;
  /** The key of HTTP Message Signatures. */
  readonly signingKey: () => Promise<MessageKey>;
  /** Seconds after each failed attempt. */
  readonly schedule: readonly number[];
  /** The documents of pushed outbound feeds. */
  readonly readDocuments: MessageSource;
  /** For traces. */
  readonly findOrigins?: TraceOrigins | undefined;
  /** After a restore: no request is sent while this returns true. */
  readonly isHeld: () => boolean;
  /** After a restore: no event of a task is written while this returns true. */
  readonly areTasksHeld: () => boolean;
  /** The compiled carrier data, for events of tasks. */
  readonly sets: CarrierSets;
  /** Events were written. */
  readonly onCommit: (tenantId: string) => void;
  /** Until this moment, what was due at once may have a due time in the future, because the clock was set back. */
  readonly aheadUntilMs: () => number;
}

export function startWebhooks(context: WebhooksContext): Webhooks {
  const { database, clock, ids, log, secretBox, policy, schedule, readDocuments, isHeld } = context;
  const { findOrigins, aheadUntilMs } = context;
  const sender = createSender({ policy, clock, signingKey: context.signingKey });
  const dispatcher = startDispatcher({
    database,
    clock,
    ids,
    log,
    secretBox,
    schedule,
    sender,
    readDocuments,
    findOrigins,
    isHeld,
    aheadUntilMs,
  });
  const fanOut = startFanOut({ database, clock, ids, log, onDeliveries: dispatcher.wake });
  const { sets, areTasksHeld, onCommit } = context;
  const taskEvents = startTaskEvents({ database, clock, ids, log, sets, isHeld: areTasksHeld, onCommit });
  return {
    wake: fanOut.wake,
    wakeTasks: taskEvents.wake,
    deliver: dispatcher.wake,
    async stop() {
      await taskEvents.stop();
      await fanOut.stop();
      await dispatcher.stop();
    },
  };
}
