// Evaluates conditions literally.
import type { Comparison, Condition, Money, Rule } from "#/modules/carriers/data/rule-contract.ts";
import { exact, type Fraction, greatest, isLess, isMore, isSame, minus, sumOf, zero } from "./fractions.ts";
import { isInRange, plainZip, weekday } from "./places.ts";
import { convert, type Evaluated, type World } from "./world.ts";

export type Value =
  | { readonly text: string }
  | { readonly number: Fraction; readonly currency?: string }
  | { readonly flag: boolean };

export function factOf(world: World, field: string, candidate: Evaluated | undefined): Value | undefined {
  const { request, parcels, facility, today, time, zip } = world;
  const text = (value: string | undefined): Value | undefined => (value === undefined ? undefined : { text: value });
  const number = (value: Fraction | undefined): Value | undefined => value && { number: value };
  const money = (value: Money | undefined): Value | undefined =>
    value && { number: exact(value.amount), currency: value.currency };
  switch (field) {
    case "shipment.country":
      return text(request.shipTo.country);
    case "shipment.zip":
      return zip === "" ? undefined : text(zip);
    case "shipment.weightKg":
      return number(sumOf(parcels.map(({ weight }) => weight)));
    case "shipment.chargeableKg":
      return candidate && number(sumOf(candidate.chargeable));
    case "shipment.longestSideCm":
      return number(greatest(parcels.flatMap(({ sides }) => sides)));
    case "shipment.declaredValue": {
      const declared = parcels.flatMap(({ declared }) => (declared ? [declared] : []));
      const currency = declared[0]?.currency;
      if (currency === undefined) return undefined;
      const values = declared.map((value) => convert(world, exact(value.amount), value.currency, currency));
      return values.every((value) => value !== undefined) ? { number: sumOf(values), currency } : undefined;
    }
    case "shipment.orderValue":
      return money(request.orderValue);
    case "shipment.isHazmat":
      return { flag: request.isHazmat ?? false };
    case "shipment.isBulky":
      return { flag: request.isBulky ?? false };
    case "shipment.isResidential":
      return { flag: request.shipTo.isResidential ?? false };
    case "shipment.serviceLevel":
      return text(world.level);
    case "shipment.parcels":
      return number(exact(parcels.length));
    case "shipment.incoterm":
      return text(request.incoterm?.toUpperCase());
    case "shipment.distributionCentre":
      return text(facility.facilityCode);
    case "shipment.weekday":
      return text(weekday(today));
    case "shipment.hour":
      return number(exact(Number(time.slice(0, 2))));
    case "candidate.serviceCode":
      return text(candidate?.service.code);
    case "candidate.carrierCode":
      return text(candidate?.service.carrierCode);
    case "candidate.serviceLevel":
      return text(candidate?.service.serviceLevel);
    case "candidate.price":
      return candidate?.price && candidate.card && { number: candidate.price.total, currency: candidate.card.currency };
    case "candidate.transitDays":
      return candidate?.transitDays === undefined ? undefined : number(exact(candidate.transitDays));
    case "candidate.zone":
      return text(candidate?.zone?.zone);
    default:
      return text(request.extendedAttributes?.[field.slice("shipment.extendedAttributes.".length)]);
  }
}

export function holds(world: World, condition: Condition | undefined, candidate: Evaluated | undefined): boolean {
  if (condition === undefined) return true;
  if ("all" in condition) return condition.all.every((part) => holds(world, part, candidate));
  if ("any" in condition) return condition.any.some((part) => holds(world, part, candidate));
  if ("not" in condition) return !holds(world, condition.not, candidate);
  const { op } = condition;
  const value = factOf(world, condition.field, candidate);
  if (op === "exists") return (value !== undefined) === (condition.value ?? true);
  if (op === "ne") return !compares(world, { ...condition, op: "eq" }, value);
  if (op === "notIn") return !compares(world, { ...condition, op: "in" }, value);
  return compares(world, condition, value);
}

export function compares(world: World, { field, op, value: operand }: Comparison, value: Value | undefined): boolean {
  if (value === undefined) return false;
  const operands = (Array.isArray(operand) ? operand : [operand]) as readonly (string | number | boolean | Money)[];
  if ("flag" in value) return value.flag === operand;
  if ("text" in value && typeof operands[0] === "number") {
    return (
      /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value.text) &&
      compares(world, { field, op, value: operand as number }, { number: exact(value.text.trim()) })
    );
  }
  if ("text" in value) {
    const { country } = world.request.shipTo;
    const texts = operands.map((text) => (field === "shipment.zip" ? plainZip(String(text), country) : String(text)));
    if (op === "prefix") return texts.some((text) => value.text.startsWith(text));
    if (op === "between") return isInRange(value.text, texts[0] as string, texts[1] as string);
    return texts.some((text) => (field === "shipment.incoterm" ? text.toUpperCase() : text) === value.text);
  }
  /** The difference to an operand; undefined without an exchange rate. */
  const differences = operands.map((operand) => {
    if (typeof operand === "number") return minus(value.number, exact(operand));
    const { amount, currency } = operand as Money;
    const converted = convert(world, value.number, value.currency as string, currency);
    return converted && minus(converted, exact(amount));
  });
  const [first, second] = differences;
  if (op === "eq" || op === "in") return differences.some((difference) => difference && isSame(difference, zero));
  if (!first) return false;
  if (op === "lt") return isLess(first, zero);
  if (op === "le") return !isMore(first, zero);
  if (op === "gt") return isMore(first, zero);
  if (op === "ge") return !isLess(first, zero);
  return !isLess(first, zero) && second !== undefined && !isMore(second, zero);
}

export const namesCandidate = (rule: Rule): boolean =>
  /"(candidate\.|shipment\.chargeableKg)/.test(JSON.stringify(rule.when ?? {}));
