// What is added to the price of a parcel, in the order listed.
import { type CompiledCard, surchargeBits } from "#/modules/carriers/decision/compile-services.ts";
import { amountScale } from "#/modules/carriers/decision/money.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";
import { divideHalfUp, multiplyHalfUp } from "#/modules/carriers/decision/whole-numbers.ts";

/** What holds for the whole shipment, whoever carries it, as bits. */
export function surchargeFlagsOf({ isHazmat, isResidential, signatureRequired }: Shipment): number {
  const { always, hazmat, residential, signature } = surchargeBits;
  return always | (isHazmat ? hazmat : 0) | (isResidential ? residential : 0) | (signatureRequired ? signature : 0);
}

/**
 * Adds those of one parcel, each rounded half up to the minor unit, to the sums by surcharge. Percentages are of the
 * parcel's price so far.
 *
 * @returns the price of the parcel with them.
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
