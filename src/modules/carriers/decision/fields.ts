/** The fields that rules may compare (contract carriers.md, Business rules): their types and how they are read. */

import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { ComparisonOp } from "#/modules/carriers/data/rule-contract.ts";
import type { CompiledService } from "#/modules/carriers/decision/compile-services.ts";
import type { Amount, ExchangeRates } from "#/modules/carriers/decision/money.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";

// The input of rule conditions: the shipment, the moment at its facility, and one candidate at a time.

export interface Facts {
  readonly shipment: Shipment;
  readonly rates: ExchangeRates;
  /** Days since 1970-01-01, by the facility's calendar. */
  readonly day: number;
  readonly weekday: string;
  readonly hour: number;
  /** As requested, or as earlier rules have set it. */
  serviceLevel: ServiceLevel | undefined;
  /** The current candidate. */
  service: CompiledService | undefined;
  /** Grams. */
  chargeableWeight: number;
  zone: string | undefined;
  transitDays: number | undefined;
  price: Amount | undefined;
}

/**
 * The sum over all parcels, in the currency of the first declared value; undefined if there is none, or if a rate is
 * missing.
 */
function declaredValueOf({ shipment, rates, day }: Facts): Amount | undefined {
  let sum: { value: number; readonly currency: string } | undefined;
  for (const { declaredValue } of shipment.parcels) {
    if (declaredValue === undefined) continue;
    sum ??= { value: 0, currency: declaredValue.currency };
    const value = rates.convert(declaredValue, sum.currency, day);
    if (value === undefined) return undefined;
    sum.value += value;
  }
  return sum;
}

export type FieldType =
  | "text"
  | "country"
  | "zip"
  | "serviceLevel"
  | "weekday"
  | "facility"
  | "serviceCode"
  | "carrierCode"
  | "zone"
  | "number"
  | "money"
  | "boolean"
  | "attribute";

/** When the field is known: before any candidate, from the service alone, or only for a candidate of a shipment. */
export type FieldScope = "shipment" | "service" | "candidate";

export interface Field {
  readonly type: FieldType;
  readonly scope: FieldScope;
  /** Undefined: the field has no value. */
  readonly read: (facts: Facts) => string | number | boolean | Amount | undefined;
}

const fields: Readonly<Record<string, Field>> = {
  "shipment.country": { type: "country", scope: "shipment", read: ({ shipment }) => shipment.country },
  "shipment.zip": { type: "zip", scope: "shipment", read: ({ shipment }) => shipment.zip || undefined },
  "shipment.weightKg": { type: "number", scope: "shipment", read: ({ shipment }) => shipment.weight / 1_000 },
  "shipment.chargeableKg": { type: "number", scope: "candidate", read: (facts) => facts.chargeableWeight / 1_000 },
  "shipment.longestSideCm": {
    type: "number",
    scope: "shipment",
    read: ({ shipment }) => (shipment.longestSide === 0 ? undefined : shipment.longestSide / 1_000),
  },
  "shipment.declaredValue": { type: "money", scope: "shipment", read: declaredValueOf },
  "shipment.orderValue": { type: "money", scope: "shipment", read: ({ shipment }) => shipment.orderValue },
  "shipment.isHazmat": { type: "boolean", scope: "shipment", read: ({ shipment }) => shipment.isHazmat },
  "shipment.isBulky": { type: "boolean", scope: "shipment", read: ({ shipment }) => shipment.isBulky },
  "shipment.isResidential": { type: "boolean", scope: "shipment", read: ({ shipment }) => shipment.isResidential },
  "shipment.serviceLevel": { type: "serviceLevel", scope: "shipment", read: (facts) => facts.serviceLevel },
  "shipment.parcels": { type: "number", scope: "shipment", read: ({ shipment }) => shipment.parcels.length },
  "shipment.incoterm": { type: "text", scope: "shipment", read: ({ shipment }) => shipment.incoterm },
  "shipment.distributionCentre": {
    type: "facility",
    scope: "shipment",
    read: ({ shipment }) => shipment.facility.facilityCode,
  },
  "shipment.weekday": { type: "weekday", scope: "shipment", read: (facts) => facts.weekday },
  "shipment.hour": { type: "number", scope: "shipment", read: (facts) => facts.hour },
  "candidate.serviceCode": { type: "serviceCode", scope: "service", read: ({ service }) => service?.code },
  "candidate.carrierCode": { type: "carrierCode", scope: "service", read: ({ service }) => service?.carrierCode },
  "candidate.serviceLevel": { type: "serviceLevel", scope: "service", read: ({ service }) => service?.serviceLevel },
  "candidate.price": { type: "money", scope: "candidate", read: (facts) => facts.price },
  "candidate.transitDays": { type: "number", scope: "candidate", read: (facts) => facts.transitDays },
  "candidate.zone": { type: "zone", scope: "candidate", read: (facts) => facts.zone },
};

const attributePrefix = "shipment.extendedAttributes.";

export const fieldNames: readonly string[] = [...Object.keys(fields), `${attributePrefix}NAME`];

export function findField(name: string): Field | undefined {
  if (Object.hasOwn(fields, name)) return fields[name];
  if (!name.startsWith(attributePrefix) || name.length === attributePrefix.length) return undefined;
  const attribute = name.slice(attributePrefix.length);
  return {
    type: "attribute",
    scope: "shipment",
    read: ({ shipment }) => shipment.extendedAttributes.get(attribute),
  };
}

const same = ["eq", "ne", "in", "notIn", "exists"] as const;
const ordered = ["lt", "le", "gt", "ge", "between"] as const;

const opsByType: Readonly<Record<FieldType, readonly ComparisonOp[]>> = {
  text: [...same, "prefix"],
  country: same,
  zip: [...same, "prefix", "between"],
  serviceLevel: same,
  weekday: same,
  facility: [...same, "prefix"],
  serviceCode: [...same, "prefix"],
  carrierCode: [...same, "prefix"],
  zone: [...same, "prefix"],
  number: [...same, ...ordered],
  money: [...same, ...ordered],
  boolean: ["eq", "ne", "exists"],
  attribute: [...same, ...ordered, "prefix"],
};

export function opsOf({ type }: Field): readonly ComparisonOp[] {
  return opsByType[type];
}
