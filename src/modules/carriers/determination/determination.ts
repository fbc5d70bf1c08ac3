import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets, HeldSet } from "#/modules/carriers/data/carrier-sets.ts";
import { type CompiledCarrierData, resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";
import { type Decision, decide } from "#/modules/carriers/decision/decide.ts";
import type { LiveRate } from "#/modules/carriers/decision/live-rates.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import { type CarrierRequest, storedOf, storedRequest } from "#/modules/carriers/determination/decision-record.ts";
import { insertDecisions, type NewDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { listRates } from "#/modules/carriers/determination/rate-repository.ts";
import { type Facility, findFacility, findFacilityOpenTo } from "#/modules/facilities/index.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";

export interface DeterminationContext {
  readonly clock: Clock;
  readonly ids: Ids;
  /** One for each open database, so that a version of the data is compiled once. */
  readonly sets: CarrierSets;
}

export interface Determined {
  /** UUIDv7. */
  readonly decisionId: string;
  readonly decision: Decision;
  /** Warnings, for example a shippingMethod that is not mapped. */
  readonly warnings: readonly string[];
  /** The owner of the carrier data: the client, or `operatorsDefault`. */
  readonly owner: string;
}

/** The object of a decision, if the platform knows it. */
export interface DeterminedFor {
  readonly orderId?: string | undefined;
  /** The packed parcel of that order. */
  readonly olpnId?: string | undefined;
}

/**
 * Chooses the carrier service for a shipment with the client's active data, and stores the decision in the same
 * transaction (contract carriers.md).
 *
 * @returns or all faults with their places: unknown country, postcode, unit, currency, facility. Then nothing is
 *   written.
 */
export async function determine(
  tx: Transaction,
  context: DeterminationContext,
  askedCarrier: RequestedCarrier,
): Promise<Result<Determined, readonly RequestFault[]>> {
  const [determined] = await determineAll(tx, context, [askedCarrier]);
  assert(determined, "a question has no answer");
  return determined;
}

export interface RequestedCarrier {
  readonly clientId: string;
  readonly request: CarrierRequest;
  /** The object of the decision. Without an order the facility must be open to the client. */
  readonly of?: DeterminedFor | undefined;
  /** The active set and the facility, where the transaction has read them already. */
  readonly read?: { readonly set: HeldSet; readonly facility: Facility } | undefined;
}

/**
 * Determines several shipments, of any clients: data and facilities are looked up once, and one statement stores a
 * client's decisions.
 */
export async function determineAll(
  tx: Transaction,
  { clock, ids, sets }: DeterminationContext,
  requests: readonly RequestedCarrier[],
): Promise<Result<Determined, readonly RequestFault[]>[]> {
  const setOf = memoised((clientId: string) => sets.activeFor(tx.of(clientId)));
  // An order may be at a facility that the client may no longer use.
  const anyFacility = memoised((code: string) => findFacility(tx, code).then(shippingFacility));
  const openFacility = memoised((name: string) => {
    const [clientId = "", code = ""] = name.split("\n");
    return findFacilityOpenTo(tx.of(clientId), code).then(shippingFacility);
  });
  const known = await Promise.all(
    requests.map(({ clientId, request, of, read }) => {
      if (read) return [read.set, shippingFacility(read.facility)] as const;
      const code = request.distributionCentre;
      return Promise.all([
        setOf(clientId),
        of?.orderId === undefined ? openFacility(`${clientId}\n${code}`) : anyFacility(code),
      ]);
    }),
  );
  const rates = await Promise.all(
    requests.map(({ clientId, request }, i) =>
      known[i]?.[0].data.hasLiveRates ? listRates(tx.of(clientId), request) : undefined,
    ),
  );
  const kept = new Map<string, NewDecision[]>();
  const answers = requests.map(({ clientId, request, of = {} }, i): Result<Determined, readonly RequestFault[]> => {
    const [{ owner, data }, facility] = known[i] as (typeof known)[number];
    if (!facility) return refused([faultOfFacility(request.distributionCentre)]);
    const atMs = clock.now();
    const decided = decideBy(data, request, facility, atMs, rates[i]);
    if (!decided.ok) return decided;
    const { decision, warnings } = decided.value;
    const { orderId, olpnId } = of;
    const decisionId = ids.next(atMs);
    const clientDecisions = kept.get(clientId) ?? [];
    kept.set(clientId, clientDecisions);
    clientDecisions.push({
      decisionId,
      orderId,
      olpnId,
      owner,
      dataVersion: data.version,
      decidedAt: decision.decidedAt,
      purpose: olpnId === undefined ? (orderId === undefined ? "SHIPMENT" : "ORDER") : "PARCEL",
      request: storedRequest(request),
      decision: storedOf(decision, warnings),
    });
    return ok({ decisionId, decision, warnings, owner });
  });
  for (const [clientId, decisions] of kept) insertDecisions(tx.of(clientId), decisions);
  return answers;
}

/** Caches the look-up by name. */
function memoised<Found>(lookUp: (name: string) => Promise<Found>): (name: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (name) => {
    const known = found.get(name) ?? lookUp(name);
    found.set(name, known);
    return known;
  };
}

/** The decision for a request, without storing it: the common part of determination and back-test. */
export function decideBy(
  data: CompiledCarrierData,
  { shippingMethod, ...request }: CarrierRequest,
  facility: ShippingFacility,
  atMs: number,
  rates?: readonly LiveRate[],
): Result<{ readonly decision: Decision; readonly warnings: readonly string[] }, readonly RequestFault[]> {
  const method = shippingMethod === undefined ? undefined : resolveShippingMethod(data, shippingMethod);
  const { serviceLevel = method?.serviceLevel, requestedServiceCode = method?.requestedServiceCode } = request;
  const shipment = readShipment({ ...request, serviceLevel, requestedServiceCode }, facility);
  if (!shipment.ok) return shipment;
  const warnings = method?.warning === undefined ? [] : [method.warning];
  const decision = decide(data, shipment.value, atMs, rates);
  const { deliverBy, isDeliverByPreferred = false } = request;
  if (!isDeliverByPreferred || decision.chosen !== null) return ok({ decision, warnings });
  const later = decide(data, { ...shipment.value, deliverBy: undefined }, atMs, rates);
  if (later.chosen === null) return ok({ decision: later, warnings });
  const late = `no service delivers by ${deliverBy}: the best of the others is chosen`;
  return ok({ decision: later, warnings: [...warnings, late] });
}

/** The current fields of a facility that a decision needs. */
export async function findShippingFacility(tx: Tx, code: string): Promise<ShippingFacility | undefined> {
  return shippingFacility(await findFacility(tx, code));
}

function faultOfFacility(code: string): RequestFault {
  return { pointer: "#/distributionCentre", message: `there is no facility "${code}" for the client` };
}

export function shippingFacility(facility: Facility | undefined): ShippingFacility | undefined {
  if (!facility) return undefined;
  const { facilityCode, country, timezone, settings } = facility;
  const { cutOffTime, operatingDays, holidays } = settings;
  return { facilityCode, country, timezone, cutOffTime, operatingDays, holidays };
}
