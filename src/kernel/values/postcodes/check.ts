import { readFileSync } from "node:fs";

/**
 * The formats that the world's postal services require: ISO 3166-1 alpha-2 code → masks. An empty list is a country
 * without postcodes (or with postcodes that no sender writes); a missing entry is a country with unknown formats. Read
 * as a file, so that adding a country is an edit of data (docs/decisions/0005-postcodes.md).
 */
const masksByCountry: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL("./postcodes.json", import.meta.url), "utf8")) as Record<string, string[]>,
  ),
);

/**
 * `formats` are the masks that the error names to the sender, in the order of the data; the empty mask is not among
 * them.
 */
export type PostcodeVerdict = { readonly ok: true } | { readonly ok: false; readonly formats: readonly string[] };

interface CountryRule {
  readonly matches: MaskMatcher;
  readonly refusal: PostcodeVerdict;
}

const accepted: PostcodeVerdict = { ok: true };
const rules = new Map<string, CountryRule>();

/**
 * Whether the zip fits its country. Case and blanks are ignored. A country with formats refuses a missing zip, except
 * the few whose list contains the empty mask. A country without postcodes, or one that the data does not know, accepts
 * any zip.
 *
 * @param zip as sent; absent and empty are the same.
 * @param country ISO 3166-1 alpha-2, upper case (`toAlpha2` of `#/kernel/values/country.ts` gives it).
 * @see contract/feeds.md §2 `[POSTCODE]` and §4 NO.
 */
export function checkPostcode(zip: string | undefined, country: string): PostcodeVerdict {
  const rule = ruleOf(country);
  if (rule === undefined) return accepted;
  const postcode = withoutBlanks(zip ?? "");
  if (rule.matches(postcode) || otherForms.get(country)?.test(postcode)) return accepted;
  const dash = postcode.indexOf("-");
  const isPrefixed = dash > 0 && prefixesOf(country).includes(postcode.slice(0, dash).toUpperCase());
  return isPrefixed && rule.matches(postcode.slice(dash + 1)) ? accepted : rule.refusal;
}

/** Postcodes beside the formats, which a refusal does not name: the British forces, and Girobank's of the past. */
const otherForms: ReadonlyMap<string, RegExp> = new Map([["GB", /^(?:GIR0AA|BFPO[0-9]{1,4})$/i]]);

/** Codes of the country that people write before a postcode, `D-10115`: that of vehicles where it is not ISO 3166-1's. */
const vehicleCodes: Readonly<Record<string, string>> = {
  AT: "A",
  BE: "B",
  DE: "D",
  EE: "EST",
  ES: "E",
  FI: "FIN",
  FR: "F",
  HU: "H",
  IE: "IRL",
  IT: "I",
  LI: "FL",
  LU: "L",
  NO: "N",
  PT: "P",
  SE: "S",
  SI: "SLO",
  VA: "V",
};

const prefixesOf = (country: string): readonly string[] => [country, vehicleCodes[country] ?? country];

/** Expressions are compiled at a country's first order: compiling all of them costs every start a millisecond. */
function ruleOf(country: string): CountryRule | undefined {
  const known = rules.get(country);
  if (known !== undefined) return known;
  const masks = masksByCountry.get(country);
  if (masks === undefined || masks.length === 0) return undefined;
  const rule: CountryRule = {
    matches: compileMasks(masks),
    refusal: { ok: false, formats: Object.freeze(masks.filter((mask) => mask !== "")) },
  };
  rules.set(country, rule);
  return rule;
}

function withoutBlanks(zip: string): string {
  return zip.replace(/\s+/g, "");
}

/** The masks of a country: an empty list where it has no postcodes, `undefined` where the data does not know it. */
export function postcodeFormats(country: string): readonly string[] | undefined {
  return masksByCountry.get(country);
}

/** Every country of the data, in the order of its codes. */
export function postcodeCountries(): readonly string[] {
  return [...masksByCountry.keys()];
}

// Masks are both the rule and the text of the error that names it: `A` is a letter, `9` a digit, `*` either of them, a
// blank is optional, and any other character matches itself. The empty mask accepts a missing postcode.

/** Matches a postcode without blanks; case is ignored, letters and digits are those of ASCII. */
type MaskMatcher = (postcodeWithoutBlanks: string) => boolean;

export function compileMasks(masks: readonly string[]): MaskMatcher {
  // One expression per country of fixed-width alternatives: nothing repeats, so nothing backtracks. Without the `u`
  // flag, `i` folds no foreign letter (such as the Kelvin sign) into an ASCII one.
  const pattern = new RegExp(`^(?:${masks.map(maskSource).join("|")})$`, "i");
  return (postcode) => pattern.test(postcode);
}

function maskSource(mask: string): string {
  let source = "";
  for (const character of mask) {
    if (character === "A") source += "[A-Z]";
    else if (character === "9") source += "[0-9]";
    else if (character === "*") source += "[A-Z0-9]";
    else if (character !== " ") source += RegExp.escape(character);
  }
  return source;
}
