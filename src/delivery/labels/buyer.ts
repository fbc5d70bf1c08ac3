import {
  attempt,
  attemptManifest,
  attemptMsMax,
  attemptPickup,
  type Made,
  type Outcome,
} from "#/delivery/labels/attempt.ts";
import { listClientsWithDue } from "#/delivery/labels/labels.cross-client.ts";
import { settleManifest, settlePickup } from "#/delivery/labels/manifests.ts";
import { settleAttempt } from "#/delivery/labels/settle.ts";
import { createSourceClient } from "#/delivery/labels/source-client.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { createLookPause, startPolling } from "#/kernel/concurrency/polling.ts";
import type { AddressPolicy } from "#/kernel/security/address-policy.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import {
  claimManifests,
  claimPurchases,
  type LabelSource,
  listSources,
  openHeaders,
  type Purchase,
} from "#/modules/labels/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";
import { logLevelOf, scopeOf } from "#/store/db/errors.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

/** The parts of a worker that calls label sources. */
export interface WorkerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly policy: AddressPolicy;
  readonly secretBox: SecretBox;
  /** While true after a restore, no source is called. */
  readonly isHeld: () => boolean;
  onCommit(clientId: string): void;
}

export interface LabelBuyer {
  /** A client has packed parcels, or voided some. */
  wake(): void;
  stop(): Promise<void>;
}

const sealedHeaders = "the headers of the source cannot be decrypted: set them again";
const sourcesEveryMs = 2_000;
const pollMs = 1_000;
const paceMs = 50;
/** Clients that are served at a time at one source. */
const placesMax = 2;

/**
 * Buys the labels that packs have ordered, and gives back those that are not needed. Each source has its own turns, in
 * which its clients alternate: a source that hangs delays nothing but its own purchases.
 */
export function startLabelBuyer(context: WorkerContext): LabelBuyer {
  const { database, clock, ids, log, secretBox } = context;
  const client = createSourceClient(context.policy, clock.now);
  const writer = createOutboxWriter(ids, context);
  const running = new Map<string, { readonly version: number; readonly turns: FairTurns }>();
  const iso = (ms: number) => new Date(ms).toISOString();

  async function buy(source: LabelSource, clientId: string, purchase: Purchase): Promise<void> {
    const headers = openHeaders(secretBox, source);
    const outcome: Outcome =
      headers === undefined
        ? { kind: "LATER", error: sealedHeaders, isUnknown: false }
        : await attempt({ source, headers, client }, purchase);
    metrics.labelAttempts.inc({ outcome: outcome.kind.toLowerCase() as Lowercase<Outcome["kind"]> });
    const change: Change = { actor: "worker", origin: "labels", at: iso(clock.now()), ids };
    await database.ofClient(clientId).transaction(async (tx) => {
      const view = tx.of(clientId, change);
      const events = await settleAttempt(view, source, purchase, outcome);
      writer.append(view, change.at, events);
    });
  }

  /** A due manifest of the client, or its collection. One at a time: a manifest is a request for hundreds of parcels. */
  async function makeManifest(source: LabelSource, clientId: string): Promise<void> {
    const nowMs = clock.now();
    const claim = { sourceCode: source.sourceCode, at: iso(nowMs), leaseUntil: iso(nowMs + attemptMsMax(source)) };
    const ofClient = database.ofClient(clientId);
    const [manifest] = await ofClient.transaction((tx) => claimManifests(tx.of(clientId), claim));
    if (!manifest) return;
    const isPickup = manifest.pickupState === "PENDING";
    const headers = openHeaders(secretBox, source);
    const outcome: Made =
      headers === undefined
        ? { kind: "LATER", error: sealedHeaders, isUnknown: false }
        : await (isPickup ? attemptPickup : attemptManifest)({ source, headers, client }, manifest);
    const change: Change = { actor: "worker", origin: "labels", at: iso(clock.now()), ids };
    await ofClient.transaction((tx) =>
      (isPickup ? settlePickup : settleManifest)(tx.of(clientId, change), source, manifest, outcome),
    );
  }

  function start(source: LabelSource): FairTurns {
    const size = Math.max(1, Math.floor((source.definition.concurrency ?? 4) / placesMax));
    return startFairTurns<string>({
      name: "labels",
      sizeMin: size,
      sizeMax: size,
      placesMax,
      paceMs,
      pollMs,
      scopeOf,
      async find() {
        if (context.isHeld()) return new Map();
        const clientIds = await listClientsWithDue(database.lookUps, source.sourceCode, iso(clock.now()));
        return new Map(clientIds.map((clientId) => [clientId, clientId]));
      },
      async work(clientId) {
        const nowMs = clock.now();
        const { sourceCode } = source;
        const claim = { sourceCode, at: iso(nowMs), leaseUntil: iso(nowMs + attemptMsMax(source)), limit: size };
        const claimed = await database.ofClient(clientId).transaction((tx) => claimPurchases(tx.of(clientId), claim));
        const ended = await Promise.allSettled(claimed.map((purchase) => buy(source, clientId, purchase)));
        if (claimed.length < size) await makeManifest(source, clientId);
        const failed = ended.find((result) => result.status === "rejected");
        if (failed) throw failed.reason;
        return { weight: claimed.length, hasMore: claimed.length === size };
      },
      onError: (error, clientId) =>
        log[logLevelOf(error)]({ err: error, clientId, labelSource: source.sourceCode }, "labels could not be bought"),
    });
  }

  const pause = createLookPause(sourcesEveryMs);
  async function follow(): Promise<number> {
    try {
      const active = (await listSources(database)).filter(({ isActive }) => isActive);
      const byCode = new Map(active.map((source) => [source.sourceCode, source]));
      let hasNews = false;
      for (const [code, { version, turns }] of running) {
        if (byCode.get(code)?.version === version) continue;
        running.delete(code);
        hasNews = true;
        // Attempts of the old version end by themselves; the new one begins beside them.
        void turns.stop();
      }
      for (const [code, source] of byCode) {
        if (running.has(code)) continue;
        running.set(code, { version: source.version, turns: start(source) });
        hasNews = true;
      }
      return pause.after(hasNews);
    } catch (error) {
      log[logLevelOf(error)]({ err: error }, "the label sources could not be read");
      return sourcesEveryMs;
    }
  }

  const following = startPolling({ name: "label-sources", everyMs: sourcesEveryMs, turn: follow });
  return {
    wake() {
      for (const { turns } of running.values()) turns.wake();
    },
    async stop() {
      await following.stop();
      const stopped = [...running.values()].map(({ turns }) => turns.stop());
      await client.close();
      await Promise.all(stopped);
    },
  };
}
