import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  canonicalDimensionUnit,
  canonicalWeightUnit,
  type DimensionUnit,
  type WeightUnit,
} from "#/kernel/telemetry/measure.ts";
import { isCurrency } from "#/kernel/values/amount.ts";
import { faultOfCountry, toAlpha2 } from "#/kernel/values/country.ts";
import { checkPostcode } from "#/kernel/values/postcodes/check.ts";
import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import { dayOf, isDay, localMomentOf } from "#/modules/carriers/decision/local-time.ts";
import { amountOf } from "#/modules/carriers/decision/money.ts";
import type {
  DeterminationRequest,
  Parcel,
  ParcelRequest,
  Shipment,
  ShippingFacility,
} from "#/modules/carriers/decision/shipment.ts";
import { divideUp, isExact, multiplyUp, scaled } from "#/modules/carriers/decision/whole-numbers.ts";
import { comparablePostcode } from "#/modules/carriers/decision/zones.ts";

/** Larger values are typing errors or wrong units; within these bounds every sum is exact. */
export const shipmentBounds = { parcelsMax: 500, weightKgMax: 10_000, sideCmMax: 2_000, amountMax: 1e9 } as const;

/** Grams per thousandth of the unit, as a fraction. */
const gramsOf: Readonly<Record<WeightUnit, readonly [factor: number, divisor: number]>> = {
  KG: [1, 1],
  G: [1, 1_000],
  LB: [45_359_237, 100_000_000],
  OZ: [28_349_523_125, 1_000_000_000_000],
};

/** Thousandths of a centimetre per thousandth of the unit, as a fraction. */
const centimetresOf: Readonly<Record<DimensionUnit, readonly [factor: number, divisor: number]>> = {
  CM: [1, 1],
  MM: [1, 10],
  M: [100, 1],
  IN: [254, 100],
  FT: [3_048, 100],
};

/**
 * Reads a request into whole numbers: weight in grams and sides in thousandths of a centimetre. Both are rounded up, so
 * that a parcel above a bound never comes within it.
 *
 * @param facility named by `distributionCentre`.
 * @returns or all faults: unknown countries, postcodes, units and currencies, unreasonable measures (422).
 */
export function readShipment(
  request: DeterminationRequest,
  facility: ShippingFacility,
): Result<Shipment, readonly RequestFault[]> {
  const faults: RequestFault[] = [];
  const { shipTo, orderValue } = request;
  const country = toAlpha2(shipTo.country);
  const zip = shipTo.zip?.trim() ?? "";
  if (country === undefined) {
    faults.push({ pointer: "#/shipTo/country", message: faultOfCountry(shipTo.country) });
  } else if (zip !== "") {
    const verdict = checkPostcode(zip, country);
    if (!verdict.ok) {
      const forms = verdict.formats.join(", ");
      faults.push({
        pointer: "#/shipTo/zip",
        message: `"${zip}" is not a postcode of ${country}, which has the form ${forms}`,
      });
    }
  }
  if (request.parcels.length === 0 || request.parcels.length > shipmentBounds.parcelsMax) {
    faults.push({ pointer: "#/parcels", message: `must be 1 to ${shipmentBounds.parcelsMax} parcels` });
  }
  const parcels = request.parcels.map((parcel, i) => readParcel(parcel, `#/parcels/${i}`, faults));
  if (orderValue) checkMoney(orderValue, "#/orderValue", faults);
  const readDay = (name: "shipDate" | "deliverBy") => {
    const text = request[name];
    if (text === undefined) return undefined;
    if (isDay(text)) return dayOf(text);
    const atMs = /T/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(atMs)) return localMomentOf(facility.timezone, atMs).day;
    faults.push({ pointer: `#/${name}`, message: `"${text}" is not a day of the calendar` });
    return undefined;
  };
  const [shipDate, deliverBy] = [readDay("shipDate"), readDay("deliverBy")];
  if (faults.length > 0 || country === undefined) return refused(faults);
  return ok({
    facility,
    country,
    zip: comparablePostcode(zip, country),
    isResidential: shipTo.isResidential ?? false,
    parcels,
    weight: parcels.reduce((sum, { weight }) => sum + weight, 0),
    heaviest: Math.max(...parcels.map(({ weight }) => weight)),
    longestSide: Math.max(...parcels.map(({ longestSide }) => longestSide)),
    serviceLevel: request.serviceLevel,
    requestedServiceCode: request.requestedServiceCode,
    requestedCarrierCode: request.requestedCarrierCode,
    shipDate,
    deliverBy,
    isHazmat: request.isHazmat ?? false,
    isBulky: request.isBulky ?? false,
    signatureRequired: request.signatureRequired ?? false,
    incoterm: request.incoterm?.toUpperCase(),
    tariffLines: request.tariffLines,
    orderValue: orderValue && amountOf(orderValue),
    extendedAttributes: new Map(Object.entries(request.extendedAttributes ?? {})),
    strategy: request.strategy ?? "CHEAPEST",
  });
}

function readParcel(parcel: ParcelRequest, at: string, faults: RequestFault[]): Parcel {
  const { weight, weightUomCode = "KG", dimensionsUomCode = "CM", declaredValue } = parcel;
  const weightUnit = canonicalWeightUnit(weightUomCode);
  const sideUnit = canonicalDimensionUnit(dimensionsUomCode);
  const unknown = (name: string, code: string, known: string) =>
    faults.push({ pointer: `${at}/${name}`, message: `"${code}" is not a known unit: must be one of ${known}` });
  if (weightUnit === undefined) unknown("weightUomCode", weightUomCode, Object.keys(gramsOf).join(", "));
  if (sideUnit === undefined) unknown("dimensionsUomCode", dimensionsUomCode, Object.keys(centimetresOf).join(", "));
  const measure = (
    name: "weight" | "length" | "width" | "height",
    value: number,
    ratio: readonly [number, number],
    max: number,
  ) => {
    const thousandths = scaled(value, 1_000);
    const whole = thousandths > 0 ? multiplyUp(thousandths, ...ratio) : 0;
    if (!isExact(value, 1_000)) faults.push({ pointer: `${at}/${name}`, message: "must have at most three decimals" });
    else if (whole <= 0 || whole > max * 1_000) {
      const most = name === "weight" ? `${max} kg` : `${max} cm`;
      faults.push({ pointer: `${at}/${name}`, message: `is ${value}: must be above 0 and at most ${most}` });
    }
    return whole;
  };
  if (declaredValue) checkMoney(declaredValue, `${at}/declaredValue`, faults);
  const sides = (["length", "width", "height"] as const).flatMap((name) => {
    const value = parcel[name];
    return value === undefined || sideUnit === undefined
      ? []
      : [measure(name, value, centimetresOf[sideUnit], shipmentBounds.sideCmMax)];
  });
  return {
    weight: weightUnit === undefined ? 0 : measure("weight", weight, gramsOf[weightUnit], shipmentBounds.weightKgMax),
    longestSide: Math.max(0, ...sides),
    volume: sides.length === 3 ? volumeOf(sides as [number, number, number]) : 0,
    declaredValue: declaredValue && amountOf(declaredValue),
  };
}

/**
 * Millionths of a cubic centimetre, rounded up. The lost fraction cannot change a weight in whole grams, which is also
 * rounded up.
 */
function volumeOf([length, width, height]: readonly [number, number, number]): number {
  const base = length * width;
  return base * height <= Number.MAX_SAFE_INTEGER ? divideUp(base * height, 1_000) : multiplyUp(base, height, 1_000);
}

function checkMoney({ amount, currency }: Money, at: string, faults: RequestFault[]): void {
  if (!isCurrency(currency)) {
    faults.push({ pointer: `${at}/currency`, message: `"${currency}" is not a currency code of ISO 4217` });
  }
  if (!isExact(amount, 10_000)) faults.push({ pointer: `${at}/amount`, message: "must have at most four decimals" });
  else if (amount < 0 || amount > shipmentBounds.amountMax) {
    faults.push({ pointer: `${at}/amount`, message: `is ${amount}: must be 0 to ${shipmentBounds.amountMax}` });
  }
}
