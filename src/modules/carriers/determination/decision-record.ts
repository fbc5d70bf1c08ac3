// Requests and decisions as they are stored: what is never asked for is left out, and what is many times the same is short.
import type { Choice, Decision } from "#/modules/carriers/decision/decide.ts";
import type { Reason } from "#/modules/carriers/decision/reasons.ts";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";

/** What is to be sent: as a client asks it, or as an order says it. */
export interface CarrierRequest extends DeterminationRequest {
  /** As the order has it: the data that holds says for which level or service it stands (contract carriers.md, Mapping). */
  readonly shippingMethod?: string | undefined;
}

/** A request as it is stored: nothing of people that no rule can ask for. */
export function storedRequest({ clientId: _clientId, shipTo, parcels, ...request }: CarrierRequest): CarrierRequest {
  const { country, zip, isResidential } = shipTo;
  return {
    ...request,
    shipTo: { country, zip, isResidential },
    parcels: parcels.map(({ items: _items, ...parcel }) => parcel),
  };
}

/** One currency; surcharges as code and amount by turns. */
type StoredPrice = readonly [currency: string, base: number, total: number, surcharges: readonly (string | number)[]];

/** With the names of its fields, those of fifty services would be most of what is written. */
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
  /** The chosen one, and the alternatives behind it. */
  readonly choices: readonly StoredChoice[];
  /** Each once, however many candidates it stands against. */
  readonly reasons: readonly Reason[];
  /** Service, carrier, and the places of its reasons. */
  readonly rejected: readonly (readonly [serviceCode: string, carrierCode: string, places: readonly number[]])[];
  readonly rulesApplied: readonly string[];
  readonly warnings: readonly string[];
}

export function storedOf(decision: Decision, warnings: readonly string[]): StoredDecision {
  const { chosen, alternatives, rulesApplied } = decision;
  const reasons: Reason[] = [];
  const places = new Map<string, number>();
  // By the text alone: to put a key together for each of some hundred reasons would cost more than a word that is written twice.
  const placeOf = (reason: Reason): number => {
    const known = places.get(reason.text);
    const before = known === undefined ? undefined : reasons[known];
    if (known !== undefined && before?.code === reason.code && before.ruleId === reason.ruleId) return known;
    const place = reasons.push(reason) - 1;
    places.set(reason.text, place);
    return place;
  };
  const rejected = decision.rejected.map((it) => [it.serviceCode, it.carrierCode, it.reasons.map(placeOf)] as const);
  const choices = chosen === null ? [] : [chosen, ...alternatives].map(storedChoice);
  return { choices, reasons, rejected, rulesApplied, warnings };
}

function storedChoice(choice: Choice): StoredChoice {
  const { carrierCode, serviceCode, price, chargeableWeight, zone, despatchDate, estimatedDelivery } = choice;
  const stored: StoredPrice | null = price && [
    price.total.currency,
    price.base.amount,
    price.total.amount,
    price.surcharges.flatMap(({ code, amount }) => [code, amount.amount]),
  ];
  return [carrierCode, serviceCode, stored, chargeableWeight.value, zone, despatchDate, estimatedDelivery];
}

export function choiceOf(stored: StoredChoice): Choice {
  const [carrierCode, serviceCode, price, value, zone, despatchDate, estimatedDelivery] = stored;
  return {
    ...{ carrierCode, serviceCode, price: price && priceOf(price), chargeableWeight: { value, uom: "KG" } },
    ...{ zone, despatchDate, estimatedDelivery },
  };
}

function priceOf([currency, base, total, added]: StoredPrice): Choice["price"] {
  const money = (amount: number) => ({ amount, currency });
  const surcharges = Array.from({ length: added.length / 2 }, (_, i) => ({
    code: String(added[2 * i]),
    amount: money(Number(added[2 * i + 1])),
  }));
  return { base: money(base), surcharges, total: money(total) };
}

/** The decision as it was answered. @param decidedAt ISO 8601 UTC */
export function decisionOf(stored: StoredDecision, decidedAt: string, dataVersion: number): Decision {
  const [chosen = null, ...alternatives] = stored.choices.map(choiceOf);
  const rejected = stored.rejected.map(([serviceCode, carrierCode, places]) => ({
    serviceCode,
    carrierCode,
    reasons: places.flatMap((place) => stored.reasons[place] ?? []),
  }));
  return { decidedAt, chosen, alternatives, rejected, rulesApplied: stored.rulesApplied, dataVersion };
}
