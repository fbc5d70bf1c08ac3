import { nearestName } from "#/kernel/values/nearest-name.ts";
import { weekdays } from "#/kernel/values/working-calendar.ts";
import {
  type FaultList,
  faultOfCountry,
  faultOfCurrency,
  pointerPart,
  shownValue,
} from "#/modules/carriers/checks/check-values.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import { type ComparisonOp, comparisonOps } from "#/modules/carriers/data/rule-contract.ts";
import { type Field, fieldNames, findField, opsOf } from "#/modules/carriers/decision/fields.ts";
import { isExact } from "#/modules/carriers/decision/whole-numbers.ts";

/** Checks conditions and effects, which the schema leaves open, whatever their values are. @param rules as received. */
export function checkRuleParts(faults: FaultList, rules: readonly unknown[], known: KnownNames): void {
  rules.forEach((rule, i) => {
    if (faults.isFull || !isPlain(rule)) return;
    const at = `#/rules/${i}`;
    const fields = rule.when === undefined ? [] : checkCondition(faults, rule.when, `${at}/when`, known);
    if (isPlain(rule.then)) checkEffect(faults, rule.then, { at: `${at}/then`, known, fields });
  });
}

interface EffectContext {
  readonly at: string;
  readonly known: KnownNames;
  /** The fields that the condition reads. */
  readonly fields: readonly string[];
}

const effects = ["exclude", "requireService", "requireCarrier", "prefer", "setServiceLevel", "stop"] as const;
const reasonMax = 300;

function checkEffect(
  faults: FaultList,
  effect: Readonly<Record<string, unknown>>,
  { at, known, fields }: EffectContext,
): void {
  for (const name of Object.keys(effect)) {
    if (name === "reason" || (effects as readonly string[]).includes(name)) continue;
    faults.add(`${at}/${pointerPart(name)}`, `is not known here: must be one of ${effects.join(", ")}, reason`);
  }
  if (!effects.some((name) => effect[name] !== undefined))
    faults.add(at, `must have at least one of ${effects.join(", ")}`);
  for (const name of ["exclude", "stop"] as const) {
    if (effect[name] !== undefined && effect[name] !== true)
      faults.add(`${at}/${name}`, "must be true, or be left out");
  }
  checkReason(faults, effect, at);
  checkCodes(faults, effect.requireService, `${at}/requireService`, known.services, "a service of this set");
  checkCodes(
    faults,
    effect.requireCarrier,
    `${at}/requireCarrier`,
    known.carriers,
    "the carrier of a service of this set",
  );
  checkPrefer(faults, effect.prefer, `${at}/prefer`);
  const { setServiceLevel } = effect;
  if (setServiceLevel === undefined) return;
  if (!(serviceLevels as readonly unknown[]).includes(setServiceLevel)) {
    const shown = shownValue(setServiceLevel);
    faults.add(`${at}/setServiceLevel`, `is ${shown}: must be one of ${serviceLevels.join(", ")}`);
  }
  const ofCandidate = fields.find((field) => field.startsWith("candidate.") || field === "shipment.chargeableKg");
  if (ofCandidate !== undefined) {
    faults.add(`${at}/setServiceLevel`, `is for the whole shipment: the condition must not read ${ofCandidate}`);
  }
}

function checkReason(faults: FaultList, effect: Readonly<Record<string, unknown>>, at: string): void {
  const { reason } = effect;
  if (reason === undefined) return;
  if (typeof reason !== "string" || reason.trim() === "" || reason.length > reasonMax) {
    faults.add(`${at}/reason`, `must be a text of 1 to ${reasonMax} characters`);
  }
  if (!["exclude", "requireService", "requireCarrier"].some((name) => effect[name] !== undefined)) {
    faults.add(`${at}/reason`, "is possible only with exclude, requireService or requireCarrier");
  }
}

function checkCodes(faults: FaultList, value: unknown, at: string, known: ReadonlySet<string>, what: string): void {
  if (value === undefined) return;
  const isList = Array.isArray(value);
  const codes: readonly unknown[] = isList ? value : [value];
  if (codes.length === 0) faults.add(at, `must be ${what}, or a list of at least one`);
  codes.forEach((code, i) => {
    if (typeof code === "string" && known.has(code)) return;
    faults.add(isList ? `${at}/${i}` : at, `is ${shownValue(code)}: must be ${what}`);
  });
}

function checkPrefer(faults: FaultList, value: unknown, at: string): void {
  if (value === undefined) return;
  if (!isPlain(value)) {
    faults.add(at, `is ${shownValue(value)}: must be an amount, negative for a discount, and its currency`);
    return;
  }
  const { amount, currency, ...other } = value;
  for (const name of Object.keys(other)) faults.add(`${at}/${pointerPart(name)}`, "is not known here");
  faults.add(`${at}/amount`, faultOfMoney(amount, shownValue(amount)));
  if (currency !== undefined) {
    const wrong = typeof currency === "string" ? faultOfCurrency(currency) : "must be a currency code of ISO 4217";
    faults.add(`${at}/currency`, wrong && `is ${shownValue(currency)}: ${wrong}`);
  }
}

/** Names that conditions may mention. */
export interface KnownNames {
  readonly services: ReadonlySet<string>;
  readonly carriers: ReadonlySet<string>;
  readonly zones: ReadonlySet<string>;
}

const conditionBounds = { depthMax: 8, comparisonsMax: 200, valuesMax: 1_000 } as const;

type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks an arbitrary value as a condition. Every fault has its place: `#/rules/3/when/all/0/op`.
 * @returns the fields that the condition reads.
 */
function checkCondition(faults: FaultList, condition: unknown, at: string, known: KnownNames): readonly string[] {
  const fields: string[] = [];
  const visit = (value: unknown, place: string, depth: number): void => {
    if (faults.isFull) return;
    if (!isPlain(value)) {
      faults.add(place, "must be an object with all, any, not, or a field and an op");
      return;
    }
    if (depth > conditionBounds.depthMax) {
      faults.add(place, `is nested deeper than ${conditionBounds.depthMax} levels`);
      return;
    }
    const kinds = ["all", "any", "not", "field"].filter((name) => Object.hasOwn(value, name));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      const has = kinds.length > 1 ? `has ${kinds.join(" and ")}` : "has none of all, any, not, field";
      faults.add(place, `${has}: must have exactly one of them`);
      return;
    }
    if (kind === "field") {
      fields.push(String(value.field));
      checkComparison(faults, value, place, known);
      return;
    }
    for (const name of Object.keys(value)) {
      if (name !== kind) faults.add(`${place}/${pointerPart(name)}`, `is not known beside ${kind}`);
    }
    if (kind === "not") {
      visit(value.not, `${place}/not`, depth + 1);
      return;
    }
    const parts = value[kind];
    if (!Array.isArray(parts) || parts.length === 0) {
      faults.add(`${place}/${kind}`, "must be a list of at least one condition");
      return;
    }
    if (parts.length > conditionBounds.comparisonsMax) {
      faults.add(
        `${place}/${kind}`,
        `has ${parts.length} conditions: must be at most ${conditionBounds.comparisonsMax}`,
      );
      return;
    }
    parts.forEach((part, i) => void visit(part, `${place}/${kind}/${i}`, depth + 1));
  };
  visit(condition, at, 1);
  if (fields.length > conditionBounds.comparisonsMax) {
    faults.add(at, `has ${fields.length} comparisons: must be at most ${conditionBounds.comparisonsMax}`);
  }
  return fields;
}

function checkComparison(faults: FaultList, comparison: Plain, at: string, known: KnownNames): void {
  for (const name of Object.keys(comparison)) {
    if (!["field", "op", "value"].includes(name))
      faults.add(`${at}/${pointerPart(name)}`, "is not known in a comparison");
  }
  const { field: fieldName, op, value } = comparison;
  const field = typeof fieldName === "string" ? findField(fieldName) : undefined;
  if (field === undefined) {
    const near = nearestName(String(fieldName), fieldNames);
    faults.add(
      `${at}/field`,
      `${shownValue(fieldName)} is no field: ${near ? `is ${near} meant?` : `must be one of ${fieldNames.join(", ")}`}`,
    );
  }
  if (!(comparisonOps as readonly unknown[]).includes(op)) {
    faults.add(`${at}/op`, `is ${shownValue(op)}: must be one of ${(field ? opsOf(field) : comparisonOps).join(", ")}`);
    return;
  }
  if (field === undefined) return;
  if (!opsOf(field).includes(op as ComparisonOp)) {
    faults.add(
      `${at}/op`,
      `is "${String(op)}", which ${String(fieldName)} does not support: must be one of ${opsOf(field).join(", ")}`,
    );
    return;
  }
  checkOperand(faults, field, op as ComparisonOp, value, `${at}/value`, known);
}

function checkOperand(
  faults: FaultList,
  field: Field,
  op: ComparisonOp,
  value: unknown,
  at: string,
  known: KnownNames,
): void {
  if (op === "exists") {
    if (value !== undefined && typeof value !== "boolean") faults.add(at, "must be true or false, or be left out");
    return;
  }
  const isList = op === "in" || op === "notIn" || op === "between" || (op === "prefix" && Array.isArray(value));
  if (!isList) {
    faults.add(at, faultOfValue(field, op, value, known));
    return;
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > conditionBounds.valuesMax) {
    faults.add(at, `must be a list of 1 to ${conditionBounds.valuesMax} values`);
    return;
  }
  const wrong = value.map((item) => faultOfValue(field, op, item, known));
  wrong.forEach((message, i) => void faults.add(`${at}/${i}`, message));
  if (wrong.some((message) => message !== undefined)) return;
  if (new Set(value.map((item) => typeof item)).size > 1) faults.add(at, "must be values of one kind");
  if (op === "between") faults.add(at, faultOfBounds(value));
}

function faultOfBounds(bounds: readonly unknown[]): string | undefined {
  const [from, to] = bounds.map((bound) => (isPlain(bound) ? bound.amount : bound)) as (string | number)[];
  if (bounds.length !== 2 || from === undefined || to === undefined) return "must be two values, the lower one first";
  if (
    typeof from === "string" &&
    typeof to === "string" &&
    from.replace(/[ -]/g, "").length !== to.replace(/[ -]/g, "").length
  ) {
    return `"${from}" and "${to}" must be of the same length`;
  }
  const currencies = bounds.map((bound) => (isPlain(bound) ? bound.currency : undefined));
  if (currencies[0] !== currencies[1]) return "must be two amounts of the same currency";
  return from <= to ? undefined : `${from} must not be above ${to}: the lower one comes first`;
}

/** The fault of a value for a field; undefined if there is none. */
function faultOfValue({ type }: Field, op: ComparisonOp, value: unknown, known: KnownNames): string | undefined {
  const shown = shownValue(value);
  switch (type) {
    case "number":
      return isNumber(value) ? undefined : `is ${shown}: must be a number`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `is ${shown}: must be true or false`;
    case "money":
      return faultOfMoney(value, shown);
    case "attribute":
      if (isNumber(value) && op !== "prefix") return undefined;
      if (op === "lt" || op === "le" || op === "gt" || op === "ge" || op === "between")
        return `is ${shown}: must be a number`;
      return typeof value === "string" ? undefined : `is ${shown}: must be a text or a number`;
  }
  if (typeof value !== "string" || value === "") return `is ${shown}: must be a text`;
  // A prefix of a code need not be a valid code.
  if (op === "prefix") return undefined;
  switch (type) {
    case "country": {
      const wrong = faultOfCountry(value);
      return wrong && `is ${shown}: ${wrong}`;
    }
    case "serviceLevel":
      return oneOf(value, shown, serviceLevels);
    case "weekday":
      return oneOf(value, shown, weekdays);
    case "serviceCode":
      return known.services.has(value) ? undefined : `is ${shown}: must be a service of this set`;
    case "carrierCode":
      return known.carriers.has(value) ? undefined : `is ${shown}: must be the carrier of a service of this set`;
    case "zone":
      return known.zones.has(value) ? undefined : `is ${shown}: must be a zone of a rate card of this set`;
    case "zip":
      return /[A-Za-z0-9]/.test(value) ? undefined : `is ${shown}: must be a postcode`;
    default:
      return undefined;
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 1e9;
}

function oneOf(value: string, shown: string, names: readonly string[]): string | undefined {
  return names.includes(value) ? undefined : `is ${shown}: must be one of ${names.join(", ")}`;
}

/** A number, or `{amount, currency}`. */
function faultOfMoney(value: unknown, shown: string): string | undefined {
  const amount = isPlain(value) ? value.amount : value;
  if (!isNumber(amount)) return `is ${shown}: must be a number, or an amount and its currency`;
  if (!isExact(amount, 10_000)) return `is ${shown}: must have at most four decimals`;
  if (!isPlain(value)) return undefined;
  const other = Object.keys(value).find((name) => name !== "amount" && name !== "currency");
  if (other !== undefined) return `has "${other}": must be an amount and its currency`;
  return typeof value.currency === "string" && faultOfCurrency(value.currency) === undefined
    ? undefined
    : `is ${shown}: must be an amount and a currency code of ISO 4217`;
}
