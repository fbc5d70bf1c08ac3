// The goods and parties of a customs paper, and their values and weights as each of them prints these.
import { sumAmounts } from "#/kernel/values/amount.ts";
import type { ReasonForExport } from "#/kernel/values/customs-numbers.ts";
import type { ProductIdentifiers } from "#/kernel/values/customs-rules.ts";
import { addressLines, type Party } from "#/modules/documents/papers/address.ts";
import { countryName } from "#/modules/documents/papers/language.ts";
import { formatWeight, minorDigitsOf, type Weight } from "#/modules/documents/papers/notation.ts";
import type { PaperWarning } from "#/modules/documents/papers/printed.ts";

/** A party of a customs declaration. */
export interface CustomsParty extends Party {
  /** Its customs numbers, in printed form: `EORI DE1234567`, `VAT DE123456789`, `IOSS IM…`. */
  readonly customsNumbers?: readonly string[] | undefined;
}

/** Goods of one line of the order, in one parcel. */
export interface DeclaredLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** `CustomsDescription` of the line or item, else the item's name. */
  readonly description: string;
  /** `HsCode` of the line's or item's extendedAttributes. */
  readonly hsCode?: string | undefined;
  /** `CountryOfOrigin` of the line, else `countryOfOrigin` of the item, ISO 3166-1 alpha-2. */
  readonly countryOfOrigin?: string | undefined;
  /** Of goods that are imported into the European Union. */
  readonly identifiers?: ProductIdentifiers | undefined;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  /** The weight of one unit: the item's weight. */
  readonly unitNetWeight?: Weight | undefined;
  /** Canonical amount (kernel/values/amount.ts) without tax: `unitNetPrice`, the customs value of the goods. */
  readonly unitValue?: string | undefined;
}

export const notGiven = "not given";

/** A country with its code. */
export function named(country: string): string {
  return `${countryName(country.toUpperCase(), "en")} (${country.toUpperCase()})`;
}

export function partyLines(party: CustomsParty): string[] {
  const contact = [party.phone, party.email].flatMap((text) => text?.trim() || []);
  return [...addressLines(party, "en"), ...(party.customsNumbers ?? []), ...contact];
}

/**
 * Value of a line: unit value times quantity, rounded half up to the currency's minor unit; undefined without a unit
 * value.
 */
export function valueOfLine({ qty, unitValue }: DeclaredLine, currency: string): string | undefined {
  if (unitValue === undefined) return undefined;
  const [integer = "0", fraction = ""] = unitValue.split(".");
  const product = BigInt(integer + fraction.padEnd(4, "0")) * BigInt(qty);
  // Ten-thousandths times thousandths are ten-millionths.
  const step = 10n ** BigInt(7 - minorDigitsOf(currency));
  const minor = ((product + step / 2n) / step).toString().padStart(minorDigitsOf(currency) + 1, "0");
  const point = minor.length - minorDigitsOf(currency);
  return sumAmounts([`${minor.slice(0, point)}.${minor.slice(point)}`]);
}

const kilograms = { KG: 1, G: 0.001, LB: 0.45359237, OZ: 0.028349523125 } as const;

/** Net weight of a line, in kilograms; undefined if the item has no weight. */
export function netWeightOf({ unitNetWeight, qty }: DeclaredLine): number | undefined {
  return unitNetWeight && (weightInKilograms(unitNetWeight) * qty) / 1000;
}

/** Rounded to the gram, but a weight above zero is never printed as zero. */
export function kilogramsText(value: number): string {
  const grams = Math.round(value * 1000) / 1000;
  return formatWeight({ value: grams === 0 ? value : grams, uom: "KG" }, "en");
}

/** The value of the goods, rounded line by line; undefined if a line has no value. */
export function valueOfGoods(lines: readonly DeclaredLine[], currency: string): string | undefined {
  const values = lines.map((line) => valueOfLine(line, currency));
  return values.includes(undefined) ? undefined : sumAmounts(values as string[]);
}

/** The net weight of the goods, in kilograms; undefined if a line has none. */
export function netWeightOfGoods(lines: readonly DeclaredLine[]): number | undefined {
  const weights = lines.map(netWeightOf).filter((weight) => weight !== undefined);
  return weights.length === lines.length ? weights.reduce((sum, weight) => sum + weight, 0) : undefined;
}

/** A weight in kilograms, rounded like a net weight. */
export function weightInKilograms({ value, uom }: Weight): number {
  return value * kilograms[uom];
}

/** Fields that customs ask for and the goods lack. */
export function warningsOfGoods(lines: readonly DeclaredLine[]): PaperWarning[] {
  const warnings: PaperWarning[] = [];
  for (const line of lines) {
    const { lineNumber, sku } = line;
    const missing = (code: PaperWarning["code"], what: string) =>
      warnings.push({ code, lineNumber, text: `Line ${lineNumber}, SKU ${sku}: ${what}.` });
    if (!line.hsCode?.trim()) missing("HS_CODE_MISSING", "the item has no HsCode");
    if (!line.countryOfOrigin?.trim()) missing("ORIGIN_MISSING", "the item has no countryOfOrigin");
    if (line.unitValue === undefined) missing("VALUE_MISSING", "the order names no unitNetPrice");
    if (!line.unitNetWeight) missing("NET_WEIGHT_MISSING", "the item has no weight");
  }
  return warnings;
}

/**
 * The data of a postal customs declaration, CN 22 or CN 23 of the Universal Postal Union: one parcel that crosses a customs
 * border by post. In English, with French where the forms require it.
 * @see UPU Convention Manual, article 20-001 and forms CN 22 and CN 23.
 */
export interface CustomsDeclaration {
  /** When it was packed, ISO 8601 UTC: the date inside the PDF. */
  readonly madeAt: string;
  /** Its local day at the facility, `YYYY-MM-DD`. */
  readonly date: string;
  readonly orderId: string;
  /** The number of the postal item: the carrier's tracking number, else the SSCC. */
  readonly itemNumber: string;
  /** The postal operator and its service. */
  readonly operator: string;
  readonly sender: CustomsParty;
  readonly addressee: CustomsParty;
  /** Customs numbers of the importer. */
  readonly importerNumbers?: readonly string[] | undefined;
  readonly lines: readonly DeclaredLine[];
  /** ISO 4217. */
  readonly currency: string;
  readonly reasonForExport: ReasonForExport;
  /** With the packing. */
  readonly grossWeight: Weight;
  /** The commercial invoice that goes with it; undefined if there is none. */
  readonly invoiceNumber?: string | undefined;
}

/** The categories of the forms, in their order. */
const categories = [
  ["GIFT", "Gift"],
  [undefined, "Documents"],
  ["SAMPLE", "Commercial sample"],
  ["SALE", "Sale of goods"],
  ["RETURN", "Returned goods"],
  ["REPAIR", "Other: repair or replacement"],
] as const;

/** The categories, with an X in the box of the one that applies. */
export function categoryBoxes({ reasonForExport }: CustomsDeclaration): string[] {
  return categories.map(([reason, name]) => `[${reason === reasonForExport ? "X" : "  "}] ${name}`);
}

export const certification =
  "I certify that the particulars given in this customs declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.";

export const titles = {
  declaration: "CUSTOMS DECLARATION",
  inFrench: "DÉCLARATION EN DOUANE",
  opened: "May be opened officially / Peut être ouvert d’office",
} as const;
