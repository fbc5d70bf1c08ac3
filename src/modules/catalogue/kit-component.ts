import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";

/** A component of a kit, as the store and REST have it. */
export interface KitComponent {
  readonly sku: string;
  /** For one kit, in the component's stock unit; a JSON number. */
  readonly qty: number;
}

/** An order may have 1 000 lines, and each component of a kit is a row of it. */
export const componentsOfKitMax = 50;

export const faultOfKitUnit = (unit: string) => `a kit is counted in ${defaultStockUnit}, and StockUom is ${unit}`;
