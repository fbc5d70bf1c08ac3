import type { Made } from "#/delivery/labels/attempt.ts";
import { listClientsToManifest } from "#/delivery/labels/labels.cross-client.ts";
import { attemptsMaxOf, dueAfter } from "#/delivery/labels/settle.ts";
import type { Clock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { type Facility, listFacilities } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import {
  callsOf,
  type LabelSource,
  listSources,
  lockManifest,
  type Manifest,
  moveManifest,
  movePickup,
  ownSource,
  startManifests,
} from "#/modules/labels/index.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";

/** A parcel that has not left so long after its label was ordered is not looked at any more. */
const candidateMs = 14 * dayMs;
/** The list of the platform's labels: what left earlier had its carrier's round. */
const ownMs = dayMs;

/** Begins the manifests of a client at a facility, one for each carrier of the source. */
export function beginManifests(
  tx: UnitOfWork,
  source: LabelSource | undefined,
  { facility, client, cutOffAt }: { facility: Facility; client: Pick<ClientProfile, "name">; cutOffAt: string | null },
): Promise<string[]> {
  const { facilityCode, country, timezone, settings } = facility;
  const { address1, address2, city, zip, state, phone, email } = settings;
  const nowMs = Date.parse(tx.change.at);
  return startManifests(tx, {
    facilityCode,
    sourceCode: source?.sourceCode ?? ownSource,
    cutOffAt,
    since: new Date(nowMs - (source ? candidateMs : ownMs)).toISOString(),
    isAsked: source !== undefined && callsOf(source)?.manifest !== undefined,
    request: {
      shipDate: localDate(timezone, nowMs),
      shippedAt: tx.change.at,
      from: {
        name: client.name,
        companyName: client.name,
        address1,
        address2,
        city,
        zip,
        state,
        country,
        phone,
        email,
      },
    },
  });
}

/** Stores the result of an attempt, unless a later attempt owns the manifest. */
export async function settleManifest(
  tx: UnitOfWork,
  source: LabelSource,
  { manifestId, tries, isSent }: Manifest,
  outcome: Made,
): Promise<void> {
  const manifest = await lockManifest(tx, manifestId);
  if (manifest?.status !== "PENDING" || manifest.tries !== tries) return;
  const { at } = tx.change;
  if (outcome.kind === "MADE") {
    const { answer, label: document } = outcome;
    const { externalId } = answer;
    moveManifest(tx, at, manifestId, { status: "MADE", isSent: true, dueAt: null, error: null, externalId, document });
    if (callsOf(source)?.pickup) movePickup(tx, at, manifestId, { state: "PENDING", tries: 0, dueAt: at, error: null });
    return;
  }
  const { error } = outcome;
  // A refused manifest was not made; what a lost answer has made stays uncertain.
  const isUncertain = outcome.kind === "LATER" && (outcome.isUnknown || isSent);
  const isOver = outcome.kind === "REFUSED" || tries >= attemptsMaxOf(source);
  const dueAt = outcome.kind === "REFUSED" || isOver ? null : dueAfter(at, tries, outcome.retryAfterMs);
  moveManifest(tx, at, manifestId, { status: isOver ? "FAILED" : "PENDING", isSent: isUncertain, dueAt, error });
}

/** Stores the result of an attempt to book the collection, unless a later attempt owns it. */
export async function settlePickup(
  tx: UnitOfWork,
  source: LabelSource,
  { manifestId, tries }: Manifest,
  outcome: Made,
): Promise<void> {
  const manifest = await lockManifest(tx, manifestId);
  if (manifest?.pickupState !== "PENDING" || manifest.tries !== tries) return;
  const { at } = tx.change;
  if (outcome.kind === "MADE") {
    const { externalId: pickupId } = outcome.answer;
    movePickup(tx, at, manifestId, { state: "BOOKED", tries, dueAt: null, error: null, pickupId });
    return;
  }
  const { error } = outcome;
  const dueAt =
    outcome.kind === "REFUSED" || tries >= attemptsMaxOf(source) ? null : dueAfter(at, tries, outcome.retryAfterMs);
  movePickup(tx, at, manifestId, { state: dueAt === null ? "FAILED" : "PENDING", tries, dueAt, error });
}

export interface ManifestJobContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  findClient(clientId: string): Promise<Pick<ClientProfile, "name"> | undefined>;
  /** Manifests are due. */
  onStarted(): void;
}

/**
 * Begins the manifests of each facility at its cut-off. The last cut-off of a day is caught up with after a stop.
 */
export function createManifestRounds({ database, clock, ids, findClient, onStarted }: ManifestJobContext) {
  /** The cut-off that this process has served, by facility. */
  const servedAt = new Map<string, string>();
  return async () => {
    const nowMs = clock.now();
    const at = new Date(nowMs).toISOString();
    const sources = new Map((await listSources(database)).map((source) => [source.sourceCode, source]));
    if (sources.size === 0) return;
    for (const facility of await listFacilities(database)) {
      const { facilityCode, timezone, settings } = facility;
      if (settings.status !== "ACTIVE") continue;
      const cutOffAt = nextCutOff({ timezone, ...settings }, new Date(nowMs - dayMs).toISOString());
      if (cutOffAt === null || cutOffAt > at || servedAt.get(facilityCode) === cutOffAt) continue;
      const since = new Date(nowMs - candidateMs).toISOString();
      const due = await listClientsToManifest(database.lookUps, { facilityCode, cutOffAt, since });
      for (const { clientId, sourceCode } of due) {
        const [client, source] = [await findClient(clientId), sources.get(sourceCode)];
        if (!client || !source) continue;
        const change = { actor: "worker", origin: "manifests", at, ids };
        await database
          .ofClient(clientId)
          .transaction((tx) => beginManifests(tx.of(clientId, change), source, { facility, client, cutOffAt }));
      }
      if (due.length > 0) onStarted();
      servedAt.set(facilityCode, cutOffAt);
    }
  };
}
