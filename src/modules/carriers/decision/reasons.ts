// Reasons against a candidate: each is reported independently; each text names the value and the bound.
import { dayText } from "#/modules/carriers/decision/local-time.ts";
import { type Amount, moneyText } from "#/modules/carriers/decision/money.ts";

export const reasonCodes = [
  "INACTIVE",
  "COUNTRY",
  "OVER_WEIGHT",
  "OVER_SIZE",
  "OVER_VALUE",
  "HAZMAT",
  "BULKY",
  "SIGNATURE",
  "SERVICE_LEVEL",
  "CARRIER",
  "NO_RATE",
  "CURRENCY",
  "TOO_SLOW",
  "RULE",
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
  readonly ruleId?: string;
}

export const reasons = {
  inactive: (day: number, from: number, to: number): Reason => ({
    code: "INACTIVE",
    text:
      day < from
        ? `despatch is on ${dayText(day)}, and it is offered from ${dayText(from)}`
        : `despatch is on ${dayText(day)}, and it is offered until ${dayText(to)}`,
  }),
  notCollected: (facilityCode: string): Reason => ({
    code: "INACTIVE",
    text: `it does not collect at ${facilityCode} within the next year`,
  }),
  country: (country: string): Reason => ({ code: "COUNTRY", text: `it does not deliver to ${country}` }),
  overWeight: (grams: number, max: number): Reason => ({
    code: "OVER_WEIGHT",
    text: `the heaviest parcel weighs ${grams / 1_000} kg, the maximum is ${max / 1_000} kg`,
  }),
  overSize: (side: number, max: number): Reason => ({
    code: "OVER_SIZE",
    text: `the longest side of a parcel is ${side / 1_000} cm, the maximum is ${max / 1_000} cm`,
  }),
  overValue: (value: Amount, max: Amount): Reason => ({
    code: "OVER_VALUE",
    text: `a parcel is worth ${moneyText(value)}, the maximum is ${moneyText(max)}`,
  }),
  hazmat: { code: "HAZMAT", text: "the goods are hazardous, and it does not accept them" } as Reason,
  bulky: { code: "BULKY", text: "the goods are bulky, and it does not accept them" } as Reason,
  signature: { code: "SIGNATURE", text: "a signature is required, and it obtains none" } as Reason,
  serviceLevel: (actual: string, requested: string, ruleId: string | undefined): Reason =>
    withRule({ code: "SERVICE_LEVEL", text: `its service level is ${actual}, requested is ${requested}` }, ruleId),
  service: (actual: string, requested: string): Reason => ({
    code: "SERVICE_LEVEL",
    text: `its service is ${actual}, requested is ${requested}`,
  }),
  carrier: (actual: string, requested: string): Reason => ({
    code: "CARRIER",
    text: `its carrier is ${actual}, requested is ${requested}`,
  }),
  noCard: (despatchDay: number | undefined): Reason => ({
    code: "NO_RATE",
    text: `no rate card is in force${despatchDay === undefined ? "" : ` on ${dayText(despatchDay)}, the day of despatch`}`,
  }),
  noZone: (country: string, zip: string): Reason => ({
    code: "NO_RATE",
    text: `the rate card has no zone for ${country}${zip === "" ? " without a postcode" : ` ${zip}`}`,
  }),
  noBreak: (zone: string, grams: number, max: number | undefined): Reason => ({
    code: "NO_RATE",
    text:
      max === undefined
        ? `zone ${zone} has no prices`
        : `a parcel's chargeable weight is ${grams / 1_000} kg, the prices of zone ${zone} go up to ${max / 1_000} kg`,
  }),
  noExchange: (from: string, to: string, day: number, ruleId?: string): Reason =>
    withRule({ code: "CURRENCY", text: `there is no rate from ${from} to ${to} on ${dayText(day)}` }, ruleId),
  tooSlow: (deliveryDay: number | undefined, deliverBy: number): Reason => ({
    code: "TOO_SLOW",
    text: `delivery is ${deliveryDay === undefined ? "on an unknown day" : `on ${dayText(deliveryDay)}`}, requested is by ${dayText(deliverBy)}`,
  }),
  rule: (ruleId: string, text: string): Reason => ({ code: "RULE", text, ruleId }),
};

function withRule(reason: Reason, ruleId: string | undefined): Reason {
  return ruleId === undefined ? reason : { ...reason, ruleId };
}
