import type { RequestFault } from "#/kernel/refusal.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";
import { hasThreeDecimals, isWhole, quantityOf } from "#/kernel/values/quantity.ts";
import type { ItemRules } from "#/modules/catalogue/index.ts";
import { type Component, type Consumption, quantityTaken } from "#/modules/workorders/domain.ts";

/** The recipe of a create or an update; quantities as in the request. */
export interface Recipe {
  readonly finishedGoodSku: string;
  readonly qty: number;
  readonly components: readonly { readonly sku: string; readonly qtyPer: number }[];
}

/** A request quantity in integer thousandths; undefined if it has more than three decimals. */
export function thousandthsOf(value: number): number | undefined {
  return hasThreeDecimals(value) ? quantityOf(value) : undefined;
}

/** The faults of a recipe, or of the part that a patch names, that do not depend on the store: a 400. */
export function faultsOfShape({ finishedGoodSku, qty, components = [] }: Partial<Recipe>): RequestFault[] {
  const faults: RequestFault[] = [];
  const decimals = "must have at most three decimals";
  if (qty !== undefined && thousandthsOf(qty) === undefined) faults.push({ pointer: "#/qty", message: decimals });
  components.forEach(({ sku, qtyPer }, i) => {
    const pointer = `#/components/${i}`;
    if (thousandthsOf(qtyPer) === undefined) faults.push({ pointer: `${pointer}/qtyPer`, message: decimals });
    if (sku === finishedGoodSku) faults.push({ pointer: `${pointer}/sku`, message: "is the finished good itself" });
    const first = components.findIndex((other) => other.sku === sku);
    if (first < i)
      faults.push({ pointer: `${pointer}/sku`, message: `is present twice, first in components/${first}` });
  });
  return faults;
}

export function skusOf({ finishedGoodSku, components }: Recipe): string[] {
  return [finishedGoodSku, ...components.map(({ sku }) => sku)];
}

/** The fault of a facility that the client does not have: a 422. */
export function faultOfFacility(facilityCode: string, facilities: readonly string[]): RequestFault | undefined {
  if (facilities.includes(facilityCode)) return undefined;
  const nearest = nearestName(facilityCode, facilities);
  const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return { pointer: "#/facilityCode", message: `'${facilityCode}' is not a facility of the client${meant}` };
}

/** The faults of the recipe by its items: a 422. @param rules of the SKUs that are known through CAT. */
export function faultsOfItems(
  { finishedGoodSku, qty, components }: Recipe,
  consumption: Consumption,
  rules: ReadonlyMap<string, ItemRules>,
): RequestFault[] {
  const faults: RequestFault[] = [];
  const unknown = (sku: string) => `SKU '${sku}' is not known; send it by CAT first`;
  const finished = rules.get(finishedGoodSku);
  const ordered = thousandthsOf(qty) ?? 0;
  if (!finished) faults.push({ pointer: "#/finishedGoodSku", message: unknown(finishedGoodSku) });
  else if (isFraction(ordered, finished)) {
    faults.push({ pointer: "#/qty", message: `SKU ${finishedGoodSku} is counted in whole ${defaultStockUnit}` });
  }
  components.forEach(({ sku, qtyPer }, i) => {
    const pointer = `#/components/${i}`;
    const itemRules = rules.get(sku);
    if (!itemRules) {
      faults.push({ pointer: `${pointer}/sku`, message: unknown(sku) });
      return;
    }
    const perOne = thousandthsOf(qtyPer) ?? 0;
    if (isFraction(perOne, itemRules)) {
      faults.push({ pointer: `${pointer}/qtyPer`, message: `SKU ${sku} is counted in whole ${defaultStockUnit}` });
    } else if (quantityTaken(ordered, { qtyPer: perOne, uom: itemRules.stockUom }) === undefined) {
      faults.push({ pointer: `${pointer}/qtyPer`, message: "requires more in all than a quantity can be" });
    }
    if (itemRules.captureSerial && consumption === "BACKFLUSH") {
      const message = `SKU ${sku} is kept by serial number, which a backflush cannot know; set consumption REPORTED`;
      faults.push({ pointer: `${pointer}/sku`, message });
    }
  });
  return faults;
}

function isFraction(qty: number, { stockUom }: ItemRules): boolean {
  return stockUom === defaultStockUnit && !isWhole(qty);
}

/**
 * The components of a checked recipe. A component with the SKU of an earlier one keeps its line number, and so its
 * reservations.
 */
export function componentsOf(
  recipe: Recipe,
  rules: ReadonlyMap<string, ItemRules>,
  before: readonly Component[] = [],
): Component[] {
  const bySku = new Map(before.map((component) => [component.sku, component]));
  let last = Math.max(0, ...before.map(({ lineNumber }) => lineNumber));
  const ordered = thousandthsOf(recipe.qty) as number;
  return recipe.components
    .map(({ sku, qtyPer }): Component => {
      const component = bySku.get(sku);
      const uom = component?.uom ?? (rules.get(sku)?.stockUom as string);
      const perOne = thousandthsOf(qtyPer) as number;
      return {
        lineNumber: component?.lineNumber ?? ++last,
        sku,
        uom,
        qtyPer: perOne,
        required: quantityTaken(ordered, { qtyPer: perOne, uom }) as number,
        allocated: component?.allocated ?? 0,
        consumed: component?.consumed ?? 0,
        scrapped: component?.scrapped ?? 0,
      };
    })
    .sort((a, b) => a.lineNumber - b.lineNumber);
}
