/**
 * Rules of a client that place its orders on hold when they are accepted, as the client setting `holdRules` writes them:
 * `large: value > 500 EUR; abroad: country in US, CA and value > 100 EUR`.
 */
import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isCurrency, normaliseAmount } from "#/kernel/values/amount.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { parsePattern } from "#/kernel/values/pattern.ts";

export type HoldCondition =
  /** @property amount canonical. */
  | { readonly kind: "value"; readonly amount: string; readonly currency: string }
  /** @property countries ISO 3166-1, two letters. */
  | { readonly kind: "country"; readonly countries: readonly string[] }
  | { readonly kind: "attribute"; readonly name: string; readonly pattern: string; readonly ignoresCase: boolean }
  | { readonly kind: "hazmat" }
  | { readonly kind: "firstOrder" }
  | { readonly kind: "customs" };

/** An order is held if all conditions hold. */
export interface HoldRule {
  readonly name: string;
  readonly conditions: readonly HoldCondition[];
}

/** They bound the work for an order. */
const rulesMax = 10;
const countriesMax = 50;
/** Instructions of all patterns together: some 25 ms for an order with the worst texts. */
const patternSizeMax = 500;

interface Part {
  readonly form: RegExp;
  /** The size counts against `patternSizeMax`. */
  read(found: readonly string[]): Result<HoldCondition & { readonly size?: number }, string>;
}

/** No form has two parts that match the same text, so none backtracks far. */
const parts: readonly Part[] = [
  {
    form: /^value\s*>\s*([\d.]+)\s*([A-Z]{3})\b/i,
    read([, text = "", code = ""]) {
      const [amount, currency] = [normaliseAmount(text), code.toUpperCase()];
      if (amount === undefined) return refused(`'${text}' is no amount`);
      return isCurrency(currency)
        ? ok({ kind: "value", amount, currency })
        : refused(`'${code}' is no currency code of ISO 4217`);
    },
  },
  {
    form: /^country\s+in\s+([A-Z]{2,3}(?:\s*,\s*[A-Z]{2,3})*)\b/i,
    read([, list = ""]) {
      const codes = list.split(",").map((code) => code.trim());
      const unknown = codes.find((code) => toAlpha2(code) === undefined);
      if (unknown !== undefined) return refused(`'${unknown}' is no country code of ISO 3166-1`);
      const countries = [...new Set(codes.map((code) => toAlpha2(code) as string))];
      if (countries.length > countriesMax) return refused(`a rule has at most ${countriesMax} countries`);
      return ok({ kind: "country", countries });
    },
  },
  {
    form: /^attribute\s+([^\s;]{1,255})\s+matches\s+\/((?:[^/\\]|\\.)+)\/(i?)(?![A-Za-z0-9])/i,
    read([, name = "", pattern = "", flag = ""]) {
      const parsed = parsePattern(pattern, flag !== "");
      return parsed.ok
        ? ok({ kind: "attribute", name, pattern, ignoresCase: flag !== "", size: parsed.value.size })
        : refused(`/${pattern}/: ${parsed.fault}`);
    },
  },
  { form: /^hazmat\b/i, read: () => ok({ kind: "hazmat" }) },
  { form: /^first\s+order\b/i, read: () => ok({ kind: "firstOrder" }) },
  { form: /^(?:customs\s+)?incomplete\b/i, read: () => ok({ kind: "customs" }) },
];

const expected =
  "expected rules such as large: value > 500 EUR; abroad: country in US, CA and value > 100 EUR; goods: hazmat; new: first order; words: attribute GiftMessage matches /pattern/i; customs: incomplete";

export const parseHoldRules: Parser<readonly HoldRule[]> = (text) => {
  const rules: HoldRule[] = [];
  let rest = text.trim();
  let size = 0;
  while (rest !== "") {
    if (rules.length === rulesMax) return refused(`expected at most ${rulesMax} rules`);
    const [start, name] = /^([A-Za-z0-9][A-Za-z0-9_-]{0,39})\s*:\s*/.exec(rest) ?? [];
    if (start === undefined || name === undefined) return refused(`${expected}; '${shown(rest)}' has no name`);
    const read = readConditions(rest.slice(start.length), size);
    if (!read.ok) return refused(`${expected}; rule ${name}: ${read.fault}`);
    if (rules.some((rule) => rule.name === name)) return refused(`expected one rule with the name ${name}`);
    rules.push({ name, conditions: read.value.conditions });
    ({ rest, size } = read.value);
  }
  return ok(rules);
};

/** Reads conditions up to the end of their rule. @param before the size of the patterns of the rules before it */
function readConditions(
  text: string,
  before: number,
): Result<{ readonly conditions: readonly HoldCondition[]; readonly rest: string; readonly size: number }, string> {
  let size = before;
  const conditions: HoldCondition[] = [];
  for (let rest = text; ; ) {
    const found = parts.map(({ form }) => form.exec(rest));
    const i = found.findIndex((match) => match !== null);
    const [match, part] = [found[i], parts[i]];
    if (!match || !part) return refused(`'${shown(rest)}' is no condition`);
    const read = part.read(match);
    if (!read.ok) return read;
    const { size: ofPattern = 0, ...condition } = read.value;
    if (conditions.some(({ kind }) => kind === condition.kind && kind !== "attribute")) {
      return refused(`'${match[0]}' repeats a condition`);
    }
    conditions.push(condition);
    size += ofPattern;
    if (size > patternSizeMax) {
      return refused(`the patterns have ${size} instructions: at most ${patternSizeMax} in all rules together`);
    }
    rest = rest.slice(match[0].length);
    const [next = "", separator = ""] = /^\s*(;|$|and\s)\s*/i.exec(rest) ?? [];
    if (next === "" && rest !== "") return refused(`'${shown(rest)}' is neither 'and' nor ';'`);
    rest = rest.slice(next.length);
    if (!/^and/i.test(separator)) return ok({ conditions, rest, size });
  }
}

const shown = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

/** A rule as the setting writes it, without its name. */
export function conditionsText({ conditions }: HoldRule): string {
  return conditions.map(conditionText).join(" and ");
}

function conditionText(condition: HoldCondition): string {
  switch (condition.kind) {
    case "value":
      return `value > ${condition.amount} ${condition.currency}`;
    case "country":
      return `country in ${condition.countries.join(", ")}`;
    case "attribute":
      return `attribute ${condition.name} matches /${condition.pattern}/${condition.ignoresCase ? "i" : ""}`;
    case "hazmat":
      return "hazmat";
    case "firstOrder":
      return "first order";
    case "customs":
      return "customs incomplete";
  }
}

export function holdRulesText(rules: readonly HoldRule[]): string {
  return rules.map((rule) => `${rule.name}: ${conditionsText(rule)}`).join("; ");
}
