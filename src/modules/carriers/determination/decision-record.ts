// Stored requests and decisions: unneeded data are left out, and repeated data are shortened.
import type { Choice, Decision } from "#/modules/carriers/decision/decide.ts";
import type { PriceOrigin } from "#/modules/carriers/decision/price.ts";
import type { Reason } from "#/modules/carriers/decision/reasons.ts";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import type { Transaction } from "#/store/db/transaction.ts";
import { packing, packJson, unpackJson } from "#/store/packed/packed.ts";

/** The shipment of a client's request or of an order. */
export interface CarrierRequest extends DeterminationRequest {
  /** The order's value: the active data map it to a level or a service (contract carriers.md, Mapping). */
  readonly shippingMethod?: string | undefined;
}

/** A request for storage, without personal data that no rule can read. */
export function storedRequest({ clientId: _clientId, shipTo, parcels, ...request }: CarrierRequest): CarrierRequest {
  const { country, zip, isResidential } = shipTo;
  return {
    ...request,
    shipTo: { country, zip, isResidential },
    parcels: parcels.map(({ items: _items, ...parcel }) => parcel),
  };
}

/** One currency; surcharges as alternating code and amount. */
type StoredPrice = readonly [
  currency: string,
  base: number,
  total: number,
  surcharges: readonly (string | number)[],
  live?: PriceOrigin,
];

/** A tuple: field names for fifty services would be most of the stored text. */
export type StoredChoice = readonly [
  carrierCode: string,
  serviceCode: string | null,
  price: StoredPrice | null,
  chargeableKg: number,
  zone: string | null,
  despatchDate: string | null,
  estimatedDelivery: string | null,
];

export interface StoredDecision {
  /** The chosen one, followed by the alternatives. */
  readonly choices: readonly StoredChoice[];
  /** Each reason once, even if it applies to many candidates. */
  readonly reasons: readonly Reason[];
  /** Service, carrier, and the indexes of its reasons. */
  readonly rejected: readonly (readonly [serviceCode: string, carrierCode: string, places: readonly number[]])[];
  readonly rulesApplied: readonly string[];
  readonly warnings: readonly string[];
  readonly duty?: Decision["duty"];
}

/**
 * A packed decision (docs/decisions/0078). SQL reads the first choice and the number of choices and of rejected services,
 * so these stay as they are; the others are 0.
 */
interface PackedDecision {
  readonly choices: readonly (StoredChoice | 0)[];
  readonly rejected: readonly 0[];
  readonly packed: string;
}

/** The form of a decision in its column. */
export function packDecision(
  tx: Pick<Transaction, "writesPacked">,
  decision: StoredDecision,
): StoredDecision | PackedDecision {
  const packed = packJson(tx, decision, packing.carrierDecision);
  if (typeof packed !== "string") return decision;
  const { choices, rejected } = decision;
  return { choices: choices.map((choice, i) => (i === 0 ? choice : 0)), rejected: rejected.map(() => 0), packed };
}

export function unpackDecision(stored: StoredDecision | PackedDecision): StoredDecision {
  return "packed" in stored ? (unpackJson(stored.packed) as StoredDecision) : stored;
}

export function storedOf(decision: Decision, warnings: readonly string[]): StoredDecision {
  const { chosen, alternatives, rulesApplied, duty } = decision;
  const reasons: Reason[] = [];
  const places = new Map<string, number>();
  // Looked up by the text alone: building a key for some hundred reasons would cost more than a rare duplicate.
  const placeOf = (reason: Reason): number => {
    const known = places.get(reason.text);
    const before = known === undefined ? undefined : reasons[known];
    if (known !== undefined && before?.code === reason.code && before.ruleId === reason.ruleId) return known;
    const place = reasons.push(reason) - 1;
    places.set(reason.text, place);
    return place;
  };
  const rejected = decision.rejected.map(
    (rejection) => [rejection.serviceCode, rejection.carrierCode, rejection.reasons.map(placeOf)] as const,
  );
  const choices = chosen === null ? [] : [chosen, ...alternatives].map(storedChoice);
  return { choices, reasons, rejected, rulesApplied, warnings, ...(duty ? { duty } : {}) };
}

function storedChoice(choice: Choice): StoredChoice {
  const { carrierCode, serviceCode, price, chargeableWeight, zone, despatchDate, estimatedDelivery } = choice;
  return [
    carrierCode,
    serviceCode,
    price && storedPrice(price),
    chargeableWeight.value,
    zone,
    despatchDate,
    estimatedDelivery,
  ];
}

function storedPrice({ base, total, surcharges, live }: NonNullable<Choice["price"]>): StoredPrice {
  const added = surcharges.flatMap(({ code, amount }) => [code, amount.amount]);
  const stored = [total.currency, base.amount, total.amount, added] as const;
  return live ? [...stored, live] : stored;
}

export function choiceOf(stored: StoredChoice): Choice {
  const [carrierCode, serviceCode, price, value, zone, despatchDate, estimatedDelivery] = stored;
  return {
    carrierCode,
    serviceCode,
    price: price && priceOf(price),
    chargeableWeight: { value, uom: "KG" },
    zone,
    despatchDate,
    estimatedDelivery,
  };
}

function priceOf([currency, base, total, added, live]: StoredPrice): Choice["price"] {
  const money = (amount: number) => ({ amount, currency });
  const surcharges = Array.from({ length: added.length / 2 }, (_, i) => ({
    code: String(added[2 * i]),
    amount: money(Number(added[2 * i + 1])),
  }));
  return { base: money(base), surcharges, total: money(total), ...(live ? { live } : {}) };
}

/** The decision as it was returned. @param decidedAt ISO 8601 UTC */
export function decisionOf(stored: StoredDecision, decidedAt: string, dataVersion: number): Decision {
  const [chosen = null, ...alternatives] = stored.choices.map(choiceOf);
  const rejected = stored.rejected.map(([serviceCode, carrierCode, places]) => ({
    serviceCode,
    carrierCode,
    reasons: places.flatMap((place) => stored.reasons[place] ?? []),
  }));
  return {
    decidedAt,
    chosen,
    alternatives,
    rejected,
    rulesApplied: stored.rulesApplied,
    dataVersion,
    ...(stored.duty ? { duty: stored.duty } : {}),
  };
}
