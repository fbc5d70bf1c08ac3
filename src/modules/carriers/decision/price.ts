// The price of a service for a shipment: each parcel separately, then summed (contract carriers.md, Price matrix).
import {
  breakWidth,
  type CompiledBreaks,
  type CompiledCard,
  surchargeBits,
  type Weighing,
} from "#/modules/carriers/decision/compile-services.ts";
import { amountScale } from "#/modules/carriers/decision/money.ts";
import type { Parcel, Shipment } from "#/modules/carriers/decision/shipment.ts";
import { divideHalfUp, divideUp, multiplyHalfUp } from "#/modules/carriers/decision/whole-numbers.ts";

/** The origin of a price that is not of the matrix. */
export interface PriceOrigin {
  readonly sourceCode: string;
  readonly ratedAt: string;
  readonly ageSeconds: number;
}

/** All in ten-thousandths, each a multiple of the currency's minor unit. */
export interface Price {
  readonly base: number;
  /** By index in the card's list; undefined if no parcel has the surcharge. */
  readonly surcharges: readonly (number | undefined)[];
  readonly total: number;
  /** The duty that the sender pays: part of the total, beside the price of the carrier. */
  readonly duty?: number | undefined;
  /** Undefined: of the price matrix. */
  readonly live?: PriceOrigin | undefined;
}

/** The chargeable weights of a shipment's parcels, in grams. */
export interface Weighed {
  /** By parcel. */
  readonly weights: readonly number[];
  readonly total: number;
  readonly heaviest: number;
}

export function weigh(parcels: readonly Parcel[], weighing: Weighing): Weighed {
  const weights = parcels.map((parcel) => chargeableWeightOf(parcel, weighing));
  let total = 0;
  let heaviest = 0;
  for (const weight of weights) {
    total += weight;
    if (weight > heaviest) heaviest = weight;
  }
  return { weights, total, heaviest };
}

/** The greater of actual and volumetric weight, rounded up to the step. In grams. */
function chargeableWeightOf({ weight, volume }: Parcel, { divisor, step }: Weighing): number {
  const volumetric = divisor === 0 ? 0 : divideUp(volume, divisor);
  const greater = volumetric > weight ? volumetric : weight;
  return step === 1 ? greater : divideUp(greater, step) * step;
}

/** The position of the first break for a weight; the length of the list if there is none. */
function breakOf(breaks: CompiledBreaks, grams: number): number {
  let low = 0;
  let high = breaks.length / breakWidth;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((breaks[middle * breakWidth] as number) < grams) low = middle + 1;
    else high = middle;
  }
  return low * breakWidth;
}

/**
 * The price of a parcel by its break, rounded half up to the minor unit. @param place the position of an existing
 * break.
 */
function baseOf(breaks: CompiledBreaks, place: number, grams: number, minorUnit: number): number {
  const price = breaks[place + 1] as number;
  const perExtraKg = breaks[place + 2] as number;
  const above = grams - (place === 0 ? 0 : (breaks[place - breakWidth] as number));
  const exact = perExtraKg === 0 ? price : price + perExtraKg * divideUp(above, 1_000);
  return divideHalfUp(exact, minorUnit) * minorUnit;
}

/**
 * @param weights chargeable, by parcel, each within a break of the zone.
 * @param flags of the shipment and the route, from `surchargeBits`.
 */
export function priceOf(
  card: CompiledCard,
  breaks: CompiledBreaks,
  parcels: readonly Parcel[],
  weights: readonly number[],
  flags: number,
): Price {
  const surcharges: (number | undefined)[] = card.surcharges.map(() => undefined);
  let base = 0;
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    const grams = weights[i] as number;
    const basePrice = baseOf(breaks, breakOf(breaks, grams), grams, card.minorUnit);
    base += basePrice;
    total += addSurcharges(surcharges, card, basePrice, flags, parcels[i]?.longestSide ?? 0);
  }
  return { base, surcharges, total };
}

// Surcharges on the price of a parcel, in the listed order.

/** The flags of the whole shipment, independent of the service, as bits. */
export function surchargeFlagsOf({ isHazmat, isResidential, signatureRequired }: Shipment): number {
  const { always, hazmat, residential, signature } = surchargeBits;
  return always | (isHazmat ? hazmat : 0) | (isResidential ? residential : 0) | (signatureRequired ? signature : 0);
}

/**
 * Adds the surcharges of one parcel to the sums, each rounded half up to the minor unit. A percentage applies to the
 * parcel's price so far.
 *
 * @returns the price of the parcel with its surcharges.
 */
function addSurcharges(
  sums: (number | undefined)[],
  { surcharges, minorUnit }: CompiledCard,
  base: number,
  flags: number,
  longestSide: number,
): number {
  let price = base;
  for (let i = 0; i < surcharges.length; i++) {
    const surcharge = surcharges[i];
    if (surcharge === undefined) continue;
    const { when, isPercent, value } = surcharge;
    if (when === surchargeBits.oversize ? longestSide <= surcharge.longestSide : (flags & when) === 0) continue;
    const added = isPercent
      ? multiplyHalfUp(price, value, 100 * amountScale * minorUnit) * minorUnit
      : divideHalfUp(value, minorUnit) * minorUnit;
    sums[i] = (sums[i] ?? 0) + added;
    price += added;
  }
  return price;
}
