/**
 * The check digit that completes a GS1 key (GTIN-8, -12, -13, -14, SSCC-18). From the right the digits have the weights
 * 3, 1, 3, 1 …; the check digit extends their sum to a multiple of ten. @see GS1 General Specifications §7.9.
 *
 * @param digits the key without its check digit.
 * @returns 0 to 9.
 */
export function gs1CheckDigit(digits: string): number {
  let sum = 0;
  for (let index = digits.length - 1, weight = 3; index >= 0; index--, weight = 4 - weight) {
    sum += (digits.charCodeAt(index) - 48) * weight;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * Whether it is a GTIN of 8, 12, 13 or 14 digits with a correct check digit. A wrong one is a warning, never a refusal.
 */
export function hasValidCheckDigit(code: string): boolean {
  return gtinPattern.test(code) && gs1CheckDigit(code.slice(0, -1)) === Number(code.slice(-1));
}

/** True for an SSCC-18 with a valid check digit. */
export function isSscc(text: string): boolean {
  return /^\d{18}$/.test(text) && gs1CheckDigit(text.slice(0, -1)) === Number(text.slice(-1));
}

const gtinPattern = /^(?:\d{8}|\d{12,14})$/;

/**
 * The key that is the same for all notations of a GTIN: its 14 digits (GS1 General Specifications §7.4). Any other code is
 * its own key.
 */
export function gtinKey(code: string): string {
  return gtinPattern.test(code) ? code.padStart(14, "0") : code;
}

/** Every notation of a GTIN, of 8, 12, 13 and 14 digits: at most four. */
export function gtinNotations(code: string): readonly string[] {
  if (!gtinPattern.test(code)) return [code];
  const digits = code.replace(/^0+/, "");
  return [8, 12, 13, 14].filter((length) => length >= digits.length).map((length) => digits.padStart(length, "0"));
}
