// Estimates the parcel of an order before it is packed.

import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  canonicalDimensionUnit,
  canonicalWeightUnit,
  type DimensionUnit,
  kilogramsOf,
} from "#/kernel/telemetry/measure.ts";

export interface Goods {
  readonly sku: string;
  /** In the item's stock unit; its measures apply to one stock unit. */
  readonly qty: number;
  readonly weight: number | undefined;
  /** The unit as feeds write it; omitted: KG. */
  readonly weightUomCode: string | undefined;
  /** In any order. */
  readonly sides: readonly (number | undefined)[];
  /** Omitted: CM. */
  readonly dimensionsUomCode: string | undefined;
}

export interface ParcelEstimate {
  readonly weight: number;
  readonly weightUomCode: "KG";
  readonly length: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly dimensionsUomCode: "CM" | undefined;
}

const centimetres: Readonly<Record<DimensionUnit, number>> = { CM: 1, MM: 0.1, M: 100, IN: 2.54, FT: 30.48 };

/**
 * Estimates one parcel with all goods. Its weight is the sum of their weights. If all goods have three sides, length
 * and width are the greatest of theirs (each item lies with its longest side along and its shortest side upwards). The
 * height is what holds the sum of their volumes, and at least the height of the highest item. If a side is missing, the
 * parcel has no dimensions, so only its weight counts. All values are rounded up to thousandths.
 *
 * @returns or the SKUs without a weight.
 */
export function estimateParcel(goods: readonly Goods[]): Result<ParcelEstimate, readonly string[]> {
  const weightless = goods.filter(({ weight }) => weight === undefined || weight <= 0);
  if (weightless.length > 0) return refused([...new Set(weightless.map(({ sku }) => sku))]);
  const weight = goods.reduce((sum, { qty, weight: unitWeight = 0, weightUomCode }) => {
    return sum + qty * unitWeight * kilogramsOf[canonicalWeightUnit(weightUomCode ?? "KG") ?? "KG"];
  }, 0);
  const sides = goods.map(sidesOf);
  const known = sides.filter((side) => side !== undefined);
  const weighed = { weight: roundedUp(weight), weightUomCode: "KG" } as const;
  if (known.length < goods.length) {
    return ok({ ...weighed, length: undefined, width: undefined, height: undefined, dimensionsUomCode: undefined });
  }
  const greatest = (place: 0 | 1 | 2) => Math.max(...known.map((dimensions) => dimensions[place]));
  const volume = known.reduce((sum, [length, width, height], i) => {
    return sum + length * width * height * (goods[i]?.qty ?? 0);
  }, 0);
  const [length, width] = [greatest(0), greatest(1)];
  const height = Math.max(greatest(2), volume / (length * width));
  return ok({
    ...weighed,
    length: roundedUp(length),
    width: roundedUp(width),
    height: roundedUp(height),
    dimensionsUomCode: "CM",
  });
}

/** The sides in centimetres, the longest first; undefined unless there are three. */
function sidesOf({ sides, dimensionsUomCode }: Goods): readonly [number, number, number] | undefined {
  const factor = centimetres[canonicalDimensionUnit(dimensionsUomCode ?? "CM") ?? "CM"];
  const known = sides.flatMap((side) => (side === undefined || side <= 0 ? [] : [side * factor]));
  if (known.length !== 3) return undefined;
  return known.sort((left, right) => right - left) as unknown as readonly [number, number, number];
}

/** A tiny excess over a thousandth is rounding noise of binary fractions. */
function roundedUp(value: number): number {
  return Math.ceil(value * 1_000 - 1e-6) / 1_000;
}
