import type { components } from "#operator";
import { enumerations } from "../../../enumerations.ts";
import type { Field, Values } from "../../../parts/fields.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import { wordOf } from "../../../parts/tones.ts";

export type Lot = components["schemas"]["StockLot"];
type Body = components["schemas"]["StockAdjust"];
type Answer = components["schemas"]["StockAdjustAnswer"];

export const conditions = enumerations.StockCondition;
type Condition = (typeof conditions)[number];

/** A product, and the lot of a facility that an action concerns. */
export interface LotOfProduct {
  readonly clientId: string;
  readonly sku: string;
  readonly lot: Lot;
}

/** "DC1, good, batch B1, expires 2027-03-31, 12 in stock". */
export function lotText({ distributionCentre, condition, stockPool, batchRef, expiryDate, qty }: Lot): string {
  return [
    distributionCentre,
    wordOf(condition).toLowerCase(),
    stockPool === "DEFAULT" ? null : `pool ${stockPool}`,
    batchRef === null ? null : `batch ${batchRef}`,
    expiryDate === null ? null : `expires ${expiryDate}`,
    `${qtyText(qty)} in stock`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** The condition of a lot, for a choice of one. */
export const conditionField: Field = {
  name: "condition",
  label: "Condition",
  kind: "select",
  initial: "GOOD",
  isRequired: true,
  options: conditions.map((value) => ({ value, label: wordOf(value) })),
};

export const conditionOf = (text: string | undefined): Condition =>
  conditions.find((known) => known === text) ?? "GOOD";

const reasons: readonly (readonly [Body["reasonCode"], string])[] = [
  ["COUNT", "Count: another quantity was found"],
  ["DAMAGE", "Damage"],
  ["EXPIRED", "Expired"],
  ["FOUND", "Found: goods turned up"],
  ["LOST", "Lost: goods are missing"],
  ["CONDITION", "Condition: an inspection"],
  ["DISPOSAL", "Disposal"],
  ["CORRECTION", "Correction of an earlier entry"],
  ["OTHER", "Other"],
];

const reasonOf = (text: string | undefined): Body["reasonCode"] =>
  reasons.find(([code]) => code === text)?.[0] ?? "OTHER";

/** Whether the adjustment is booked, or waits for another user. */
export function adjustedText({ status, qty }: Answer, clientId: string): string {
  const change = `${qty > 0 ? "+" : ""}${qtyText(qty)}`;
  if (status === "BOOKED") return `The adjustment of ${change} is booked.`;
  return `The adjustment of ${change} is above the tolerance of ${clientId}: another user approves it (Inventory, Counts).`;
}

const freesField: Field = {
  name: "frees",
  label: "Take missing units from orders that have them allocated",
  kind: "switch",
  description: "Those of the lowest priority first. Without it, such a change is refused.",
};

/** Why, for more units of a lot. */
export const reasonFieldsOfMore: readonly Field[] = [
  {
    name: "reasonCode",
    label: "Reason",
    kind: "select",
    isRequired: true,
    options: reasons.map(([value, label]) => ({ value, label })),
  },
  { name: "note", label: "Note", description: "Stored in the audit log." },
  {
    name: "serials",
    label: "Serial numbers",
    kind: "lines",
    description: "One a line, for a product that is kept by serial number.",
  },
];

/** Why, for every change of stock by an operator. */
export const reasonFields: readonly Field[] = [...reasonFieldsOfMore, freesField];

interface NamedLot {
  readonly clientId: string;
  readonly sku: string;
  readonly lot: Pick<Lot, "distributionCentre" | "stockPool" | "batchRef" | "expiryDate">;
}

/** The part of the request that the lot and `reasonFields` give. */
export function bodyOf({ clientId, sku, lot }: NamedLot, { reasonCode, note = "", serials = "", frees }: Values) {
  const { distributionCentre, stockPool, batchRef, expiryDate } = lot;
  const named = serials.split(/\s+/).filter((serial) => serial !== "");
  return {
    clientId,
    sku,
    distributionCentre,
    stockPool,
    ...(batchRef === null ? {} : { batchRef }),
    ...(expiryDate === null ? {} : { expiryDate }),
    ...(named.length === 0 ? {} : { serials: named }),
    reasonCode: reasonOf(reasonCode),
    ...(note.trim() === "" ? {} : { note: note.trim() }),
    freesAllocations: frees === "true",
  };
}
