/**
 * How an item is classified as dangerous goods, in the terms of the UN Model Regulations on the Transport of Dangerous
 * Goods. Only the form is checked, not whether number, class and packing group belong together: the list changes every two years.
 */
import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type AttributeValues,
  attributeOf,
  type ExtendedAttributeName,
  hasFlag,
  isFlag,
  isTrue,
} from "#/kernel/values/extended-attributes.ts";

export const packingGroups = ["I", "II", "III"] as const;

export interface DangerousGoods {
  /** `UN` and four digits. */
  readonly unNumber: string | null;
  /** With division and compatibility group: `3`, `2.1`, `1.4S`. */
  readonly hazardClass: string | null;
  readonly packingGroup: (typeof packingGroups)[number] | null;
  /** Packed in limited quantities, for which lighter rules hold. */
  readonly isLimitedQuantity: boolean;
}

const parseUnNumber: Parser<string> = (text) => {
  const [, digits] = /^UN ?(\d{4})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? refused("expected UN and four digits, such as UN1266") : ok(`UN${digits}`);
};

const parseHazardClass: Parser<string> = (text) => {
  const form = /^(1\.[1-6][A-HJKLNS]?|2(\.[1-3])?|3|4\.[1-3]|5\.[12]|6\.[12]|7|8|9)$/;
  const plain = text.trim().toUpperCase();
  return form.test(plain) ? ok(plain) : refused("expected a class or division, such as 3, 2.1 or 1.4S");
};

const parsePackingGroup: Parser<(typeof packingGroups)[number]> = (text) => {
  const group = packingGroups.find((candidate) => candidate === text.trim().toUpperCase());
  return group === undefined ? refused("expected I, II or III") : ok(group);
};

const parseLimitedQuantity: Parser<boolean> = (text) =>
  isFlag(text) ? ok(isTrue(text)) : refused("expected true, false, 1 or 0");

const parsers = {
  UnNumber: parseUnNumber,
  HazardClass: parseHazardClass,
  PackingGroup: parsePackingGroup,
  LimitedQuantity: parseLimitedQuantity,
} as const satisfies Partial<Record<ExtendedAttributeName, Parser<unknown>>>;

type Name = keyof typeof parsers;
type Value<Of extends Name> = (typeof parsers)[Of] extends Parser<infer Read> ? Read : never;

/** The value of an attribute; undefined if it is missing, blank or of another form. */
function read<Of extends Name>(values: AttributeValues | undefined, name: Of): Value<Of> | undefined {
  const text = attributeOf(values, name);
  const parsed = text === undefined ? undefined : (parsers[name](text) as Result<Value<Of>, string>);
  return parsed?.ok ? parsed.value : undefined;
}

/** Whether the goods of an item or line are dangerous goods: by their flag, or by their UN number. */
export function isHazmat(values: AttributeValues | undefined): boolean {
  return hasFlag(values, "IsHazmat") || read(values, "UnNumber") !== undefined;
}

/** The classification of an item; undefined if it is not dangerous goods. */
export function dangerousGoodsOf(values: AttributeValues | undefined): DangerousGoods | undefined {
  if (!isHazmat(values)) return undefined;
  return {
    unNumber: read(values, "UnNumber") ?? null,
    hazardClass: read(values, "HazardClass") ?? null,
    packingGroup: read(values, "PackingGroup") ?? null,
    isLimitedQuantity: read(values, "LimitedQuantity") ?? false,
  };
}

/** The attributes of another form, as sentences: `UnNumber '1266': expected UN and four digits, such as UN1266`. */
export function faultsOfDangerousGoods(values: AttributeValues): string[] {
  return Object.entries(parsers).flatMap(([name, parse]) => {
    const text = values[name];
    if (text === undefined || text.trim() === "") return [];
    const parsed = parse(text);
    return parsed.ok ? [] : `${name} '${text}': ${parsed.fault}`;
  });
}

/** As papers state it: `UN1266, 3, II, LTD QTY`; empty if nothing but the flag is known. */
export function dangerousGoodsText({ unNumber, hazardClass, packingGroup, isLimitedQuantity }: DangerousGoods): string {
  return [unNumber, hazardClass, packingGroup, isLimitedQuantity ? "LTD QTY" : null]
    .filter((part) => part !== null)
    .join(", ");
}
