import type { CustomsDestination } from "#/kernel/values/customs-rules.ts";

/**
 * Whether a shipment needs a customs declaration, and with it a commercial invoice. The customs area of a place counts, not
 * its country:
 *
 * - The customs territory of the European Union, with Monaco and Northern Ireland, without Büsingen, Heligoland, Livigno,
 *   Ceuta, Melilla, the Faroes, Greenland and the French overseas countries. @see Regulation (EU) No 952/2013 (Union Customs
 *   Code) article 4; Windsor Framework, article 5 and annex 2.
 * - Places inside that territory whose trade with the rest of it is declared all the same, because they are outside the
 *   Union's VAT territory: the Canary Islands, the French overseas departments, Åland, Mount Athos, Campione d'Italia.
 *   @see the same, article 1 (3); Council Directive 2006/112/EC article 6.
 * - Switzerland with Liechtenstein (customs treaty of 1923) and Büsingen (treaty of 1964).
 * - Great Britain with the Isle of Man (Customs and Excise Agreement of 1979); Jersey and Guernsey are separate areas.
 * - San Marino, Andorra and Turkey have customs unions with the European Union, but goods between them are declared: each is
 *   a separate area, like every other country.
 */
type CustomsArea = string;

const unionMembers = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

const areaOfCountry: ReadonlyMap<string, CustomsArea> = new Map([
  ...unionMembers.split(" ").map((country) => [country, "EU"] as const),
  ["MC", "EU"],
  ["CH", "CH"],
  ["LI", "CH"],
  ["GB", "GB"],
  ["IM", "GB"],
  ["PR", "US"],
]);

interface Exception {
  readonly country: string;
  /** Of the postcode in capitals without blanks and hyphens. */
  readonly postcode: RegExp;
  readonly area: CustomsArea;
}

/** Places outside the customs area of the country in their addresses, by postcode. */
const exceptions: readonly Exception[] = [
  { country: "GB", postcode: /^BT/, area: "NI" },
  { country: "GB", postcode: /^JE/, area: "JE" },
  { country: "GB", postcode: /^GY/, area: "GG" },
  { country: "DE", postcode: /^78266$/, area: "CH" },
  { country: "DE", postcode: /^27498$/, area: "Heligoland" },
  { country: "IT", postcode: /^23041$/, area: "Livigno" },
  { country: "IT", postcode: /^22061$/, area: "Campione" },
  { country: "IT", postcode: /^4789\d$/, area: "SM" },
  { country: "IT", postcode: /^00120$/, area: "VA" },
  { country: "ES", postcode: /^(35|38)/, area: "Canaries" },
  { country: "ES", postcode: /^51/, area: "Ceuta" },
  { country: "ES", postcode: /^52/, area: "Melilla" },
  { country: "FI", postcode: /^22/, area: "AX" },
  { country: "GR", postcode: /^6308[67]$/, area: "Athos" },
  { country: "FR", postcode: /^97133$/, area: "BL" },
  { country: "FR", postcode: /^97150$/, area: "MF" },
  { country: "FR", postcode: /^971/, area: "GP" },
  { country: "FR", postcode: /^972/, area: "MQ" },
  { country: "FR", postcode: /^973/, area: "GF" },
  { country: "FR", postcode: /^974/, area: "RE" },
  { country: "FR", postcode: /^975/, area: "PM" },
  { country: "FR", postcode: /^976/, area: "YT" },
  { country: "FR", postcode: /^986/, area: "WF" },
  { country: "FR", postcode: /^987/, area: "PF" },
  { country: "FR", postcode: /^988/, area: "NC" },
  { country: "GP", postcode: /^97133$/, area: "BL" },
  { country: "GP", postcode: /^97150$/, area: "MF" },
  { country: "NO", postcode: /^(917\d|8099)$/, area: "SJ" },
];

/**
 * True if a parcel needs customs papers. Goods from Northern Ireland to Great Britain need none (unfettered access),
 * but goods in the other direction do. Between Northern Ireland and the European Union neither direction does.
 *
 * @param fromCountry ISO 3166-1 alpha-2, like toCountry.
 * @param fromPostcode if it is missing or not one of a special place, the country's main part counts.
 */
export function crossesCustomsBorder(
  fromCountry: string,
  fromPostcode: string | undefined,
  toCountry: string,
  toPostcode: string | undefined,
): boolean {
  const from = areaOf(fromCountry, fromPostcode);
  const to = areaOf(toCountry, toPostcode);
  if (from === to) return false;
  if (from === "NI") return to !== "EU" && to !== "GB";
  if (to === "NI") return from !== "EU";
  return true;
}

/** Whether goods are imported into the European Union; the parameters are those of {@link crossesCustomsBorder}. */
export function isInUnion(country: string, postcode: string | undefined): boolean {
  const area = areaOf(country, postcode);
  return area === "EU" || area === "NI";
}

/** The group of countries whose rules of customs data apply; the parameters are those of {@link crossesCustomsBorder}. */
export function customsDestinationOf(country: string, postcode: string | undefined): CustomsDestination {
  const area = areaOf(country, postcode);
  if (area === "EU" || area === "NI") return "EU";
  if (area === "CH" || area === "NO") return "CH_NO";
  return area === "GB" || area === "US" ? area : "OTHER";
}

function areaOf(country: string, postcode: string | undefined): CustomsArea {
  const code = country.toUpperCase();
  const plain = (postcode ?? "").toUpperCase().replaceAll(/[\s-]/g, "");
  const exception = exceptions.find((place) => place.country === code && place.postcode.test(plain));
  return exception?.area ?? areaOfCountry.get(code) ?? code;
}
