import { postcodeFormats } from "#/kernel/values/postcodes/check.ts";

const onlyDigits = new Map<string, boolean>();

/** Whether postcodes of the country can be written in digits alone, so that letters before them name the country. */
function isOfDigits(country: string): boolean {
  const known = onlyDigits.get(country);
  if (known !== undefined) return known;
  const answer = (postcodeFormats(country) ?? []).some((mask) => /^[9 -]+$/.test(mask));
  onlyDigits.set(country, answer);
  return answer;
}

/** Where the part before the blank is two to four characters long, and only the blank tells `PH2 0AA` from `PH20 1AA`. */
const ofTwoParts: ReadonlySet<string> = new Set(["GB", "GG", "IM", "JE"]);

/**
 * A postcode, or the beginning of one, as zones compare it: capitals and digits, without blanks and dashes, and without
 * the country that some write before the digits (`SE-123 45`, `L-1234`). The British one keeps its blank, and gets it where
 * a whole one is written without.
 *
 * @param country ISO 3166-1 alpha-2.
 */
export function comparablePostcode(text: string, country: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (ofTwoParts.has(country)) {
    const [, first, second] = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/.exec(plain) ?? [];
    if (first !== undefined) return `${first} ${second}`;
    return text
      .trim()
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, " ");
  }
  if (!isOfDigits(country)) return plain;
  const [letters = ""] = /^[A-Z]+(?=\d)/.exec(plain) ?? [];
  return letters === country || (country === "LU" && letters === "L") ? plain.slice(letters.length) : plain;
}

/** Where it has letters and where digits: `IV27` is `AA99`. Postcodes are in a range only of their own form. */
export function formOf(comparable: string): string {
  return comparable.replace(/[A-Z]/g, "A").replace(/\d/g, "9");
}
