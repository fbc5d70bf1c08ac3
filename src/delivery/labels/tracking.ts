import { exchangeOf, type SourceAccess, valuesOf } from "#/delivery/labels/attempt.ts";
import type { WorkerContext } from "#/delivery/labels/buyer.ts";
import { listClientsToTrack } from "#/delivery/labels/labels.cross-client.ts";
import { createSourceClient } from "#/delivery/labels/source-client.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import {
  callsOf,
  claimTracked,
  jsonOf,
  type LabelSource,
  listSources,
  openHeaders,
  type Purchase,
  type TrackCall,
  trackFrom,
} from "#/modules/labels/index.ts";
import { listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import { type ReportHandler, readTrackingEvents, reportTrackingEvent } from "#/modules/warehouse/index.ts";
import { logLevelOf } from "#/store/db/errors.ts";

interface TrackingContext extends WorkerContext {
  readonly handleReport: ReportHandler;
}

const timeoutMsMax = 10_000;
/** Requests at a time to a source. */
const size = 4;
/** Longest time of a round at a source: what is left is due in the next one. */
const roundMsMax = minuteMs;
/** A parcel without an end is not asked for any more. */
const trackedMsMax = 60 * dayMs;
/** After failures in a row the source rests for a minute, two, four, at most an hour. */
const pauseMs = (failures: number) => Math.min(minuteMs * 2 ** (failures - 1), hourMs);
const ended: ReadonlySet<ParcelFacts["status"]> = new Set(["DELIVERED", "RETURNED_TO_SENDER", "LOST", "VOIDED"]);

/**
 * Asks sources without webhooks where the parcels are that have left. The sources are asked at the same time, each for a
 * few parcels at a time; what they answer goes the way of tracking webhooks.
 */
export function createTrackingRounds(context: TrackingContext) {
  const { database, clock, log, secretBox } = context;
  const client = createSourceClient(context.policy, clock.now);
  const failing = new Map<string, { readonly failures: number; readonly until: number }>();
  const iso = (ms: number) => new Date(ms).toISOString();

  /** @returns false: the source did not answer */
  async function ask(access: SourceAccess, call: TrackCall, purchase: Purchase): Promise<boolean> {
    const { source } = access;
    const timeoutMs = Math.min((source.definition.timeoutSeconds ?? 10) * 1_000, timeoutMsMax);
    const exchanged = await exchangeOf(access, call, valuesOf(source, purchase), timeoutMs);
    const { failure, status, body } = exchanged;
    if (failure || status === 429 || status >= 500) return false;
    const mapping = {
      trackingNumber: "number",
      events: `answer.${call.events}`,
      codes: call.codes,
      at: call.at,
      text: call.text ?? "text",
      place: call.place ?? [],
    };
    const answer = status >= 200 && status <= 299 ? jsonOf(body) : undefined;
    for (const event of readTrackingEvents(mapping, { number: purchase.trackingNumber, answer })) {
      await reportTrackingEvent(context, purchase.carrierCode, event, "tracking");
    }
    return true;
  }

  /** Parcels of a client that are due. @returns false: there are no more, or the source did not answer */
  async function track(access: SourceAccess, call: TrackCall, clientId: string): Promise<boolean> {
    const { sourceCode } = access.source;
    const nowMs = clock.now();
    const claim = { sourceCode, at: iso(nowMs), leaseUntil: iso(nowMs + 2 * timeoutMsMax), limit: size };
    const ofClient = database.ofClient(clientId);
    const { claimed, parcels } = await ofClient.transaction(async (tx) => {
      const claimed = await claimTracked(tx.of(clientId), claim);
      const olpnIds = claimed.map(({ olpnId }) => olpnId);
      return { claimed, parcels: olpnIds.length === 0 ? [] : await listParcelsById(tx.of(clientId), olpnIds) };
    });
    const parcelOf = new Map(parcels.map((parcel) => [parcel.olpnId, parcel]));
    const isOver = ({ olpnId }: Purchase) => {
      const parcel = parcelOf.get(olpnId);
      const leftMs = parcel?.despatchedAt === undefined ? nowMs : Date.parse(parcel.despatchedAt);
      return parcel === undefined || ended.has(parcel.status) || nowMs - leftMs > trackedMsMax;
    };
    const [over, others] = [claimed.filter(isOver), claimed.filter((purchase) => !isOver(purchase))];
    const hasLeft = others.filter(({ olpnId }) => parcelOf.get(olpnId)?.despatchedAt !== undefined);
    const answered = await Promise.all(hasLeft.map((purchase) => ask(access, call, purchase)));
    const idsOf = (purchases: readonly Purchase[]) => purchases.map(({ purchaseId }) => purchaseId);
    await ofClient.transaction(async (tx) => {
      const view = tx.of(clientId);
      if (over.length > 0) trackFrom(view, idsOf(over), null);
      if (others.length > 0) trackFrom(view, idsOf(others), iso(nowMs + (call.everyMinutes ?? 120) * minuteMs));
    });
    if (answered.includes(false)) {
      const failures = (failing.get(sourceCode)?.failures ?? 0) + 1;
      failing.set(sourceCode, { failures, until: nowMs + pauseMs(failures) });
      return false;
    }
    if (answered.length > 0) failing.delete(sourceCode);
    return claimed.length === size;
  }

  async function round(source: LabelSource, call: TrackCall, stopping: AbortSignal | undefined): Promise<void> {
    const headers = openHeaders(secretBox, source);
    const beganMs = clock.now();
    const { sourceCode } = source;
    if (headers === undefined || (failing.get(sourceCode)?.until ?? 0) > beganMs) return;
    const access = { source, headers, client };
    for (const clientId of await listClientsToTrack(database.lookUps, sourceCode, iso(beganMs))) {
      do {
        const isPaused = (failing.get(sourceCode)?.until ?? 0) > clock.now();
        if (stopping?.aborted || isPaused || clock.now() - beganMs > roundMsMax) return;
      } while (await track(access, call, clientId));
    }
  }

  return {
    async run(stopping?: AbortSignal): Promise<void> {
      if (context.isHeld()) return;
      const sources = (await listSources(database)).flatMap((source) => {
        const call = source.isActive ? callsOf(source)?.track : undefined;
        return call === undefined ? [] : [{ source, call }];
      });
      await Promise.all(
        sources.map(({ source, call }) =>
          round(source, call, stopping).catch((error: Error) =>
            log[logLevelOf(error)]({ err: error, labelSource: source.sourceCode }, "parcels could not be tracked"),
          ),
        ),
      );
    },
    stop: () => client.close(),
  };
}
