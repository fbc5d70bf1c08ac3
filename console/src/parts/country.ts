const names = new Intl.DisplayNames(["en-GB"], { type: "region", fallback: "code" });

/** The name of a country by its ISO 3166 code: "GB" is "United Kingdom". Other texts stay as they are. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
