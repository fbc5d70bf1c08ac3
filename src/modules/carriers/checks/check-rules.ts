import { checkCondition, faultOfMoney, isPlain, type KnownNames } from "#/modules/carriers/checks/check-conditions.ts";
import { type FaultList, faultOfCurrency, pointerPart, shownValue } from "#/modules/carriers/checks/check-values.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";

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
