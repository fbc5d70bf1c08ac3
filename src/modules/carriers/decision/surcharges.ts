// Surcharges on the price of a parcel, in the listed order.
import { type CompiledCard, surchargeBits } from "#/modules/carriers/decision/compile-services.ts";
import { amountScale } from "#/modules/carriers/decision/money.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";
import { divideHalfUp, multiplyHalfUp } from "#/modules/carriers/decision/whole-numbers.ts";

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
export function addSurcharges(
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
