// The data of goods that customs ask for, by destination: one table of rules, and the pure functions that apply it.
import { stopWordOf } from "#/kernel/values/customs-stop-words.ts";
import { type AttributeValues, attributeOf, isFlag, isTrue } from "#/kernel/values/extended-attributes.ts";
import { hasValidCheckDigit } from "#/kernel/values/gtin.ts";

/** Groups of countries whose customs ask for the same data. Each place is in one; OTHER has all that are in no other. */
export const customsDestinations = ["EU", "GB", "US", "CH_NO", "OTHER"] as const;
export type CustomsDestination = (typeof customsDestinations)[number];

/** The data of goods that papers, tasks, label requests and the rules read: those of one SKU. */
export interface CustomsGoods {
  readonly sku: string;
  readonly description: string;
  /** As the client writes it; `tariffDigits` has its digits. */
  readonly hsCode: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly countryOfOrigin: string | undefined;
  readonly hasWeight: boolean;
  readonly identifiers: ProductIdentifiers;
}

/** The identifiers of a product in a declaration to the European Union. */
export interface ProductIdentifiers {
  /** The merchant's: the SKU. */
  readonly merchant: string;
  /** The maker's, of any form; null: the client gives none. */
  readonly manufacturer: string | null;
  /** Of a standard: the GTIN of the item; null: it has none. */
  readonly gtin: string | null;
  /** The declaration that no standard identifier exists, document code Y081. */
  readonly hasNoStandardId: boolean;
}

/** The item of a catalogue; a blank text counts as missing. */
export interface CustomsItem {
  readonly sku: string;
  readonly name?: string | undefined;
  readonly eanCode?: string | null | undefined;
  readonly gtinBarcodes?: readonly string[] | undefined;
  readonly weight?: unknown;
  readonly countryOfOrigin?: string | null | undefined;
  readonly extendedAttributes?: AttributeValues | undefined;
}

/**
 * The customs data of an item, or of a line of it: attributes of the line come before those of its item.
 * @param origin of the line, ISO 3166-1 alpha-2
 */
export function customsGoodsOf(item: CustomsItem, line?: AttributeValues, origin?: string): CustomsGoods {
  const { sku, name, extendedAttributes: attributes } = item;
  const read = (name: "CustomsDescription" | "HsCode") =>
    attributeOf(line, name)?.trim() || attributeOf(attributes, name)?.trim() || undefined;
  const codes = [item.eanCode, ...(item.gtinBarcodes ?? [])];
  return {
    sku,
    description: read("CustomsDescription") ?? (name?.trim() || sku),
    hsCode: read("HsCode"),
    countryOfOrigin: origin ?? (item.countryOfOrigin || undefined),
    hasWeight: Number(item.weight ?? 0) > 0,
    identifiers: {
      merchant: sku,
      manufacturer: attributeOf(attributes, "ManufacturerProductId")?.trim() || null,
      gtin: codes.find((code) => code != null && hasValidCheckDigit(code)) ?? null,
      hasNoStandardId: isTrue(attributeOf(attributes, "NoStandardProductId")),
    },
  };
}

/** The identifiers in one line of a paper: `SKU-1, maker A-77, GTIN 4006381333931`, or `Y081` where none exists. */
export function identifiersText({ merchant, manufacturer, gtin, hasNoStandardId }: ProductIdentifiers): string {
  return [
    merchant,
    manufacturer && `maker ${manufacturer}`,
    gtin === null ? hasNoStandardId && "no standard identifier (Y081)" : `GTIN ${gtin}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The digits of a tariff number that is written with blanks, dots or hyphens; undefined for any other text. */
export function tariffDigits(hsCode: string | undefined): string | undefined {
  const digits = hsCode?.replaceAll(/[\s.-]/g, "") ?? "";
  return /^(\d{6}|\d{8}|\d{10,13})$/.test(digits) ? digits : undefined;
}

const hasDigits = (hsCode: string | undefined, least: number) => (tariffDigits(hsCode)?.length ?? 0) >= least;

export interface CustomsRule {
  readonly code: string;
  readonly destinations: readonly CustomsDestination[];
  /** The element or extended attribute of the CAT that answers it. */
  readonly field: string;
  /** A noun, after "needs". */
  readonly needs: string;
  readonly isMet: (goods: CustomsGoods) => boolean;
  /** Whether only a consignment above 150 EUR needs it. */
  readonly isAboveLimit?: true;
  readonly source: string;
  /** The day from which it applies. */
  readonly since: string;
}

const all = customsDestinations;
const postalData = "Universal Postal Convention, electronic advance data and forms CN22 and CN23";
const identifiersOfUnion =
  "Delegated Regulation (EU) 2026/1022, amending annex B of Delegated Regulation (EU) 2015/2446; Implementing Regulation (EU) 2026/1200";

/** In the order in which a person answers them. docs/customs.md has a row for each. */
export const customsRules: readonly CustomsRule[] = [
  {
    code: "HS_CODE",
    destinations: all,
    field: "HsCode",
    needs: "a tariff number of at least six digits",
    isMet: ({ hsCode }) => hasDigits(hsCode, 6),
    source: "Regulations of the Universal Postal Convention, six digits of the Harmonized System for each article",
    since: "2025-09-01",
  },
  {
    code: "HTSUS_CODE",
    destinations: ["US"],
    field: "HsCode",
    needs: "the ten digits of the Harmonized Tariff Schedule of the United States",
    isMet: ({ hsCode }) => hasDigits(hsCode, 10),
    source:
      "U.S. Customs and Border Protection, interim final rule on mail of 24 June 2026 (Federal Register, volume 91, page 37801)",
    since: "2026-07-24",
  },
  {
    code: "CN_CODE",
    destinations: ["EU"],
    field: "HsCode",
    needs: "the eight digits of the Combined Nomenclature, of a consignment above 150 EUR",
    isMet: ({ hsCode }) => hasDigits(hsCode, 8),
    isAboveLimit: true,
    source: "Delegated Regulation (EU) 2015/2446, annex B, data set H1",
    since: "2021-07-01",
  },
  {
    code: "DESCRIPTION",
    destinations: ["EU", "CH_NO"],
    field: "CustomsDescription",
    needs: "a description that is not a stop word",
    isMet: ({ description }) => stopWordOf(description) === undefined,
    source: "European Commission, ICS2 list of stop words, with the additions of 4 May 2026",
    since: "2026-02-01",
  },
  {
    code: "ORIGIN",
    destinations: all,
    field: "countryOfOrigin",
    needs: "the country of origin",
    isMet: ({ countryOfOrigin }) => countryOfOrigin !== undefined,
    source: postalData,
    since: "2021-01-01",
  },
  {
    code: "NET_WEIGHT",
    destinations: all,
    field: "weight",
    needs: "the weight of a unit",
    isMet: ({ hasWeight }) => hasWeight,
    source: postalData,
    since: "2021-01-01",
  },
  {
    code: "MANUFACTURER_ID",
    destinations: ["EU"],
    field: "ManufacturerProductId",
    needs: "the maker's identifier of the product",
    isMet: ({ identifiers }) => identifiers.manufacturer !== null,
    source: identifiersOfUnion,
    since: "2026-11-01",
  },
  {
    code: "STANDARD_ID",
    destinations: ["EU"],
    field: "eanCode",
    needs: "a GTIN, or NoStandardProductId true (Y081) and no GTIN",
    isMet: ({ identifiers: { gtin, hasNoStandardId } }) => (gtin !== null) !== hasNoStandardId,
    source: identifiersOfUnion,
    since: "2026-11-01",
  },
];

/** The rules of any destination that goods do not meet. */
export function unmetRules(goods: CustomsGoods): readonly CustomsRule[] {
  return customsRules.filter((rule) => !rule.isMet(goods));
}

/** Those of them that a destination has, for a consignment above the limit of 150 EUR or not. */
export function rulesOf(rules: readonly CustomsRule[], destination: CustomsDestination, isAboveLimit: boolean) {
  return rules.filter((rule) => rule.destinations.includes(destination) && (isAboveLimit || !rule.isAboveLimit));
}

/** The fields that goods lack for some destinations, in a sentence for the sender of a CAT; undefined if none. */
export function lackSentence(rules: readonly CustomsRule[], destinations: readonly CustomsDestination[]) {
  const parts = destinations.flatMap((destination) => {
    const fields = rulesOf(rules, destination, false).map(({ field }) => field);
    return fields.length === 0 ? [] : `${destination}: ${[...new Set(fields)].join(", ")}`;
  });
  return parts.length === 0 ? undefined : `lacks customs data for ${parts.join("; ")}`;
}

/** Attributes that customs refuse as they are, whatever the destination: sentences for the sender of a CAT. */
export function faultsOfCustoms(attributes: AttributeValues): string[] {
  const [code, description] = [attributeOf(attributes, "HsCode"), attributeOf(attributes, "CustomsDescription")];
  const flag = attributeOf(attributes, "NoStandardProductId");
  const stopWord = description?.trim() ? stopWordOf(description) : undefined;
  return [
    ...(code?.trim() && tariffDigits(code) === undefined
      ? [`HsCode '${code}': expected 6, 8, 10 or more digits, such as 6912.00 or 6912002300`]
      : []),
    ...(stopWord === undefined
      ? []
      : [`CustomsDescription '${description}': '${stopWord}' is a stop word of ICS2; say what the goods are`]),
    ...(flag !== undefined && flag !== "" && !isFlag(flag)
      ? [`NoStandardProductId '${flag}': expected true, false, 1 or 0`]
      : []),
  ];
}

/** The value of goods up to which a consignment to the European Union has the simplified declaration and the flat duty. */
export const smallConsignmentEurMax = 150;

/** The duty of Council Regulation (EU) 2026/382 on each tariff line of a small consignment to a consumer. */
const flatDuty = { eurPerLine: 3, since: "2026-07-01", until: "2028-07-01" } as const;

/** Lines of one tariff subheading are one tariff line; each line without a tariff number counts as another. */
export function tariffLinesOf(hsCodes: readonly (string | undefined)[]) {
  const known = new Set(hsCodes.flatMap((code) => tariffDigits(code)?.slice(0, 6) ?? []));
  const withoutHsCode = hsCodes.filter((code) => tariffDigits(code) === undefined).length;
  return { tariffLines: known.size + withoutHsCode, withoutHsCode };
}

/** The duty on tariff lines in EUR; undefined: there is none on the day. */
export function flatDutyEur(tariffLines: number, day: string): number | undefined {
  return day < flatDuty.since || day >= flatDuty.until ? undefined : tariffLines * flatDuty.eurPerLine;
}

export function flatDutyOf(hsCodes: readonly (string | undefined)[], day: string) {
  const lines = tariffLinesOf(hsCodes);
  const eur = flatDutyEur(lines.tariffLines, day);
  return eur === undefined ? undefined : { ...lines, eur };
}
