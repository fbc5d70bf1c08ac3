import { exchangeOf } from "#/delivery/labels/attempt.ts";
import type { WorkerContext } from "#/delivery/labels/buyer.ts";
import { createSourceClient } from "#/delivery/labels/source-client.ts";
import { type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import {
  type CarrierRequest,
  type CarrierSets,
  decideBy,
  type LiveRate,
  listRates,
  ratedWeightOf,
  saveRates,
  shippingFacility,
} from "#/modules/carriers/index.ts";
import { type Facility, findFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import { callsOf, type LabelSource, listSources, openHeaders, readAnswer } from "#/modules/labels/index.ts";
import { shipmentOfOrder, weightsOf } from "#/modules/orders/index.ts";
import { logLevelOf, scopeOf } from "#/store/db/errors.ts";
import type { Consumer } from "#/store/outbox/relay.ts";

interface RateFetcher extends Pick<FairTurns, "stop"> {
  /** Of the relay: it sees which orders are allocated. */
  readonly consumer: Consumer;
}

interface Wanted {
  readonly shipment: CarrierRequest;
  readonly facility: Facility;
  readonly service: { readonly code: string; readonly carrierCode: string };
  readonly source: LabelSource;
  readonly weight: number;
}

const timeoutMsMax = 5_000;
/** A source that has failed is not asked for this long: decisions take the price matrix meanwhile. */
const pauseMs = minuteMs;
const size = 8;
/** Orders of a client that wait for their rates. More are decided with the price matrix. */
const ordersMax = 1_000;

/**
 * Asks label sources for their rates when orders are allocated, ahead of the decision at the pack. No order waits for it:
 * a rate that is not there is replaced by the price matrix, so that lost work needs no row.
 */
export function startRateFetcher(context: WorkerContext & { readonly sets: CarrierSets }): RateFetcher {
  const { database, clock, log, secretBox, sets } = context;
  const client = createSourceClient(context.policy, clock.now);
  /** Of a publication that has not committed. */
  const noted = new Map<string, readonly string[]>();
  const waiting = new Map<string, ReadonlySet<string>>();
  const pausedUntil = new Map<string, number>();

  /** The services that fit the order, are priced live and have no fresh rate. */
  async function wantedOf(clientId: string, orderId: string, sources: readonly LabelSource[]): Promise<Wanted[]> {
    const view = database.of(clientId);
    const nowMs = clock.now();
    const [{ data }, shipment] = await Promise.all([sets.activeFor(view), shipmentOfOrder(view, orderId)]);
    if (!shipment.ok || shipment.value.parcels.length !== 1) return [];
    const [facility, rates] = await Promise.all([
      findFacility(database, shipment.value.distributionCentre),
      listRates(view, shipment.value),
    ]);
    const from = shippingFacility(facility);
    const decided = from && decideBy(data, shipment.value, from, nowMs);
    if (!facility || !decided?.ok) return [];
    const { chosen, alternatives } = decided.value.decision;
    return (chosen ? [chosen, ...alternatives] : []).flatMap(({ serviceCode, chargeableWeight }) => {
      const service = data.services.find(({ code, liveRateMs }) => code === serviceCode && liveRateMs > 0);
      const source = service?.labelSources
        .flatMap((code) => sources.find(({ sourceCode }) => sourceCode === code) ?? [])
        .find((candidate) => candidate.isActive && callsOf(candidate)?.rate !== undefined);
      if (!service || !source || (pausedUntil.get(source.sourceCode) ?? 0) > nowMs) return [];
      const weight = ratedWeightOf(Math.round(chargeableWeight.value * 1_000));
      const isKnown = rates.some(
        (rate) =>
          rate.serviceCode === service.code &&
          rate.weight === weight &&
          nowMs - Date.parse(rate.ratedAt) < service.liveRateMs / 2,
      );
      return isKnown ? [] : [{ shipment: shipment.value, facility, service, source, weight }];
    });
  }

  async function ask({ shipment, facility, service, source, weight }: Wanted): Promise<LiveRate | undefined> {
    const call = callsOf(source)?.rate;
    const headers = openHeaders(secretBox, source);
    if (call === undefined || headers === undefined) return undefined;
    const { definition, sourceCode } = source;
    const { address1, address2, city, zip, state } = facility.settings;
    const values = {
      from: { address1, address2, city, zip, state, country: facility.country },
      to: shipment.shipTo,
      parcel: { weight: weightsOf(weight / 1_000) },
      shipDate: localDate(facility.timezone, clock.now()),
      service: { ...service, ...definition.services?.["*"], ...definition.services?.[service.code] },
    };
    const timeoutMs = Math.min((definition.timeoutSeconds ?? 5) * 1_000, timeoutMsMax);
    const exchanged = await exchangeOf({ source, headers, client }, call, values, timeoutMs);
    if (exchanged.failure || exchanged.status === 429 || exchanged.status >= 500) {
      pausedUntil.set(sourceCode, clock.now() + pauseMs);
      return undefined;
    }
    const { kind, price, currency } = readAnswer(call, exchanged, values);
    if (kind !== "SUCCEEDED" || price === undefined || currency === undefined) return undefined;
    const ratedAt = new Date(clock.now()).toISOString();
    return { serviceCode: service.code, sourceCode, weight, price: { amount: Number(price), currency }, ratedAt };
  }

  const turns = startFairTurns<string>({
    name: "rates",
    sizeMin: size,
    sizeMax: size,
    placesMax: 2,
    paceMs: 50,
    pollMs: minuteMs,
    scopeOf,
    find: async () => new Map([...waiting.keys()].map((clientId) => [clientId, clientId])),
    async work(clientId) {
      const orderIds = [...(waiting.get(clientId) ?? [])];
      waiting.delete(clientId);
      const { data } = await sets.activeFor(database.of(clientId));
      if (!data.hasLiveRates || context.isHeld()) return { weight: 0, hasMore: false };
      const batch = orderIds.slice(0, size);
      const hasMore = orderIds.length > size;
      if (hasMore) waiting.set(clientId, new Set([...orderIds.slice(size), ...(waiting.get(clientId) ?? [])]));
      const sources = await listSources(database);
      const wanted = (await Promise.all(batch.map((orderId) => wantedOf(clientId, orderId, sources)))).flat();
      const answers = await Promise.all(wanted.map(ask));
      const found = wanted.flatMap(({ shipment }, i) => (answers[i] ? [{ rate: answers[i], shipment }] : []));
      if (found.length > 0) {
        await database.ofClient(clientId).transaction(async (tx) => {
          for (const { rate, shipment } of found) saveRates(tx.of(clientId), shipment, [rate]);
        });
      }
      return { weight: batch.length, hasMore };
    },
    onError: (error, clientId) => log[logLevelOf(error)]({ err: error, clientId }, "live rates could not be fetched"),
  });
  return {
    consumer: {
      async consume({ clientId }, _at, rows) {
        const allocated = rows.filter(({ topic }) => topic === "order:allocated");
        if (allocated.length > 0)
          noted.set(
            clientId,
            allocated.map(({ objectId }) => objectId),
          );
        return [];
      },
      afterwards(clientId) {
        const orderIds = noted.get(clientId);
        if (orderIds === undefined) return;
        noted.delete(clientId);
        waiting.set(clientId, new Set([...(waiting.get(clientId) ?? []), ...orderIds].slice(0, ordersMax)));
        turns.wake();
      },
    },
    async stop() {
      const stopped = turns.stop();
      await client.close();
      await stopped;
    },
  };
}
