import { canonicalDimensionUnit, canonicalWeightUnit } from "#/kernel/measure.ts";
import { conflict, type Refusal, unprocessable } from "#/modules/facilities/index.ts";
import type { Order } from "#/modules/orders/aggregate.ts";
import type { PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
import { isSscc } from "#/modules/parcels/index.ts";

/** What is wrong with the report itself, whatever was picked. */
export function refusalOfShape(order: Order, { olpns }: PackReport): Refusal | undefined {
  const seen = new Set<string>();
  for (const [i, olpn] of olpns.entries()) {
    const { olpnId, weight, weightUomCode, length, width, height, dimensionsUomCode, contents } = olpn;
    const name = `OLPN ${olpnId ?? `${i + 1} of the report`}`;
    if (olpnId !== undefined && !isSscc(olpnId)) {
      return unprocessable(`${name} is no SSCC-18: it has 18 digits, the last of them a check digit.`);
    }
    if (olpnId !== undefined && seen.has(olpnId)) return conflict(`${name} stands there twice.`);
    if (olpnId !== undefined) seen.add(olpnId);
    if (!(weight > 0)) return unprocessable(`The weight of ${name} is ${weight}: it must be above 0.`);
    if (canonicalWeightUnit(weightUomCode) === undefined) {
      return unprocessable(`The weight of ${name} is in '${weightUomCode}'; allowed: KG, G, LB, OZ.`);
    }
    const sides = [length, width, height].filter((side) => side !== undefined);
    if (sides.some((side) => !(side > 0))) return unprocessable(`Each side of ${name} must be above 0.`);
    if (sides.length > 0 && canonicalDimensionUnit(dimensionsUomCode ?? "") === undefined) {
      return unprocessable(`The sides of ${name} are in '${dimensionsUomCode ?? ""}'; allowed: CM, MM, M, IN, FT.`);
    }
    if (contents.length === 0) return unprocessable(`${name} has no contents.`);
    const unknown = contents.find(({ lineNumber }) => !order.lines.some((line) => line.lineNumber === lineNumber));
    if (unknown) return unprocessable(`Order ${order.orderId} has no line ${unknown.lineNumber}.`);
  }
  return undefined;
}
