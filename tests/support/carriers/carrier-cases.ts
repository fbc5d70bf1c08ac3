/** Small cases of carrier determination: a few lines of data, and the resulting decision. */
import assert from "node:assert/strict";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";

export const service = (code: string, more: object = {}) => ({
  code,
  carrierCode: "CA",
  name: code,
  serviceLevel: "STANDARD",
  hazmat: true,
  bulky: true,
  signature: true,
  transitDays: { HOME: 2 },
  ...more,
});
export const card = (serviceCode: string, price: number, more: object = {}) => ({
  serviceCode,
  currency: "GBP",
  zones: [{ zone: "HOME", country: "GB" }],
  breaks: [{ zone: "HOME", upToKg: 30, price }],
  ...more,
});
export const dc1: ShippingFacility = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "Europe/London",
  cutOffTime: null,
  holidays: [],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"],
};
/** A Wednesday, noon in London. */
export const wednesday = "2026-11-18T12:00:00Z";

export interface Case {
  readonly data: object;
  readonly request?: Partial<DeterminationRequest>;
  readonly at?: string;
  readonly facility?: ShippingFacility;
}

export function decided({ data, request = {}, at = wednesday, facility = dc1 }: Case) {
  const checked = checkCarrierData(data);
  assert.ok(checked.ok, JSON.stringify(checked));
  const base = { distributionCentre: "DC1", shipTo: { country: "GB", zip: "BS1 5TY" }, parcels: [{ weight: 1 }] };
  const shipment = readShipment({ ...base, ...request }, facility);
  assert.ok(shipment.ok, JSON.stringify(shipment));
  return decide(compileCarrierData(checked.value, 3), shipment.value, Date.parse(at));
}

export const twoServices = { services: [service("B"), service("A")], rateCards: [card("B", 4), card("A", 4)] };
export const codesOf = ({ chosen, alternatives }: ReturnType<typeof decided>) =>
  [chosen, ...alternatives].map((choice) => choice?.serviceCode ?? null);
export const whyNot = ({ rejected }: ReturnType<typeof decided>, code = "A") =>
  rejected
    .filter(({ serviceCode }) => serviceCode === code)
    .flatMap(({ reasons }) => reasons.map((reason) => `${reason.code} ${reason.text}`));
export const oneService = (more: object, cardMore: object = {}) => ({
  services: [service("A", more)],
  rateCards: [card("A", 4, cardMore)],
});
