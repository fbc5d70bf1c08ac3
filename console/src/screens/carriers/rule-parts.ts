import type { Rule } from "./carrier-data.ts";

/** The fields that rules may compare (contract carriers.md, Business rules), in plain words. */
export const ruleFields: Readonly<Record<string, string>> = {
  "shipment.country": "country",
  "shipment.zip": "postcode",
  "shipment.weightKg": "weight in kg",
  "shipment.chargeableKg": "chargeable weight in kg",
  "shipment.longestSideCm": "longest side in cm",
  "shipment.declaredValue": "declared value",
  "shipment.orderValue": "order value",
  "shipment.isHazmat": "hazardous",
  "shipment.isBulky": "bulky",
  "shipment.isResidential": "to a home",
  "shipment.serviceLevel": "service level",
  "shipment.parcels": "number of parcels",
  "shipment.incoterm": "incoterm",
  "shipment.distributionCentre": "facility",
  "shipment.weekday": "weekday",
  "shipment.hour": "hour of the day",
  "candidate.serviceCode": "candidate's service",
  "candidate.carrierCode": "candidate's carrier",
  "candidate.serviceLevel": "candidate's service level",
  "candidate.price": "candidate's price",
  "candidate.transitDays": "candidate's transit days",
  "candidate.zone": "candidate's zone",
};

export const operators: Readonly<Record<string, string>> = {
  eq: "is",
  ne: "is not",
  lt: "is below",
  le: "is at most",
  gt: "is above",
  ge: "is at least",
  in: "is one of",
  notIn: "is none of",
  prefix: "begins with",
  between: "is between",
  exists: "is known",
};

/** A comparison in a form: the value as text, multiple values separated by commas. */
export interface ConditionRow {
  readonly field: string;
  readonly op: string;
  readonly value: string;
}

export interface ConditionRows {
  /** Whether all of the rows must hold, or any of them. */
  readonly join: "all" | "any";
  readonly rows: readonly ConditionRow[];
}

interface Comparison {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
}

const isComparison = (value: unknown): value is Comparison =>
  typeof value === "object" &&
  value !== null &&
  "field" in value &&
  "op" in value &&
  isPlainValue((value as Comparison).value);

/** Money also has a currency, which a row cannot hold. */
const isPlainValue = (value: unknown): boolean =>
  value === undefined ||
  typeof value !== "object" ||
  (Array.isArray(value) && value.every((member) => typeof member !== "object"));

const rowOf = ({ field, op, value }: Comparison): ConditionRow => ({
  field,
  op,
  value: Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value),
});

/** The rows of a condition; undefined if it is nested or compares money, which is edited as JSON. */
export function rowsOf(when: Rule["when"]): ConditionRows | undefined {
  if (when === undefined) return { join: "all", rows: [] };
  if (isComparison(when)) return { join: "all", rows: [rowOf(when)] };
  const [join, parts] = (Object.entries(when)[0] ?? ["", undefined]) as [string, unknown];
  if ((join === "all" || join === "any") && Array.isArray(parts) && parts.every(isComparison)) {
    return { join, rows: parts.map(rowOf) };
  }
  return undefined;
}

const listed = ["in", "notIn", "between"];

function readValue(text: string, field: string): string | number | boolean {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  const isText = /\.(country|zip|serviceLevel|incoterm|distributionCentre|weekday|serviceCode|carrierCode|zone)$/.test(
    field,
  );
  return !isText && trimmed !== "" && !Number.isNaN(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** The condition of the rows; undefined for no rows, which means always. */
export function conditionOf({ join, rows }: ConditionRows): Rule["when"] {
  if (rows.length === 0) return undefined;
  const parts = rows.map(({ field, op, value }) => {
    if (op === "exists") return { field, op };
    const values = value.split(",").map((part) => readValue(part, field));
    return { field, op, value: listed.includes(op) ? values : readValue(value, field) };
  });
  return (parts.length === 1 ? parts[0] : { [join]: parts }) as Rule["when"];
}

/** A condition in words: "country is one of GB, IE and weight in kg is above 20". */
export function sayCondition(when: unknown): string {
  if (typeof when !== "object" || when === null) return "always";
  const { all, any, not, field, op, value } = when as Record<string, unknown>;
  const joined = (parts: unknown, word: string) => (Array.isArray(parts) ? parts.map(sayPart).join(word) : "");
  if (all !== undefined) return joined(all, " and ");
  if (any !== undefined) return joined(any, " or ");
  if (not !== undefined) return `not (${sayCondition(not)})`;
  const name = ruleFields[String(field)] ?? String(field).replace("shipment.extendedAttributes.", "attribute ");
  if (op === "exists") return `${name} is known`;
  const valueText = Array.isArray(value)
    ? value.map(sayValue).join(op === "between" ? " and " : ", ")
    : sayValue(value);
  if (value === true && op === "eq") return name;
  if (value === false && op === "eq") return `not ${name}`;
  return `${name} ${operators[String(op)] ?? op} ${valueText}`;
}

const sayPart = (part: unknown) =>
  typeof part === "object" && part !== null && ("any" in part || "all" in part)
    ? `(${sayCondition(part)})`
    : sayCondition(part);

function sayValue(value: unknown): string {
  if (typeof value === "object" && value !== null && "amount" in value && "currency" in value) {
    return `${value.amount} ${value.currency}`;
  }
  return String(value);
}

/** An effect in words: "exclude: hazmat not by air". */
export function sayEffect(then: Record<string, unknown>): string {
  const { exclude, requireService, requireCarrier, prefer, setServiceLevel, stop, reason } = then;
  const list = (value: unknown) => (Array.isArray(value) ? value.join(" or ") : String(value));
  const { amount = 0, currency } = (prefer ?? {}) as { amount?: number; currency?: string };
  const parts = [
    exclude === true && "exclude",
    requireService !== undefined && `only ${list(requireService)}`,
    requireCarrier !== undefined && `only carrier ${list(requireCarrier)}`,
    prefer !== undefined &&
      `rank ${Math.abs(amount)}${currency ? ` ${currency}` : ""} ${amount < 0 ? "cheaper" : "dearer"}`,
    setServiceLevel !== undefined && `take level ${setServiceLevel}`,
    stop === true && "stop here",
  ].filter(Boolean);
  return `${parts.join(", ")}${reason === undefined ? "" : `: ${reason}`}`;
}
