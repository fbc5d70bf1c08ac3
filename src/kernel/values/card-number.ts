/**
 * Card numbers in free text. A payment's fields must name a tender, never a card (PCI DSS 3.5), so a document that
 * contains one is refused. False alarms refuse good documents: a number must pass the Luhn check (ISO/IEC 7812-1 annex
 * B) *and* have a prefix and length that issuers use. About one in fifty random 16-digit references still passes both.
 *
 * @see contract/feeds.md §2 `[VALUE]`, contract/operations.md §5.
 */

const digitsMin = 13;
const digitsMax = 19;

/** Prefixes and lengths of issuers, with a wide pattern where an issuer has many ranges. */
const issuerPattern = new RegExp(
  `^(?:${[
    "4(?:\\d{12}|\\d{15}|\\d{18})", // Visa: 13, 16, 19
    "5[1-5]\\d{14}", // Mastercard
    "2(?:22[1-9]|2[3-9]\\d|[3-6]\\d\\d|7[01]\\d|720)\\d{12}", // Mastercard, second range
    "3[47]\\d{13}", // American Express
    "3(?:0[0-5]|095|[689]\\d)\\d{11,16}", // Diners Club: 14 to 19
    "35(?:2[89]|[3-8]\\d)\\d{12,15}", // JCB: 16 to 19
    "(?:6011|64[4-9]\\d|65\\d\\d)\\d{12,15}", // Discover, RuPay
    "(?:62|81)\\d{14,17}", // UnionPay: 16 to 19
    "(?:50|5[6-9]|6\\d)\\d{11,17}", // Maestro and its kin: 13 to 19
    "220[0-4]\\d{12,15}", // Mir
  ].join("|")})$`,
);

/** Groups of digits as people separate them: by up to three blanks or dashes of any kind. */
const runPattern = /\d+(?:[\s\p{Dash_Punctuation}−]{1,3}\d+)*/gu;

interface Found {
  /** Offset of the number's first digit, and of the first character after its last one. */
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

/** The digits of the first card number in the text; `undefined` when there is none. */
export function findCardNumber(text: string): string | undefined {
  for (const found of cardNumbers(text)) return found.digits;
  return undefined;
}

/** The text with every card number's digits replaced by `*`, except the last four; all else stays unchanged. */
export function maskCardNumber(text: string): string {
  let masked = "";
  let from = 0;
  for (const { start, end, digits } of cardNumbers(text)) {
    let hidden = digits.length - 4;
    masked += text.slice(from, start) + text.slice(start, end).replace(/\d/g, (digit) => (hidden-- > 0 ? "*" : digit));
    from = end;
  }
  return masked + text.slice(from);
}

function* cardNumbers(text: string): Generator<Found> {
  for (const run of text.matchAll(runPattern)) {
    const groups = [...run[0].matchAll(/\d+/g)].map((group) => ({
      digits: group[0],
      start: run.index + group.index,
      end: run.index + group.index + group[0].length,
    }));
    // Whole groups only: other numbers may precede and follow ("2 x 4111 1111 1111 1111 12/30"). A window into a longer
    // number, however, finds a card in every tenth of them.
    for (let first = 0; first < groups.length; first++) {
      const found = longestCard(groups, first);
      if (found === undefined) continue;
      yield found.card;
      first = found.last;
    }
  }
}

function longestCard(groups: readonly Found[], first: number): { card: Found; last: number } | undefined {
  let longest: { card: Found; last: number } | undefined;
  let digits = "";
  for (let last = first; last < groups.length; last++) {
    const group = groups[last] as Found;
    digits += group.digits;
    if (digits.length > digitsMax) break;
    if (digits.length < digitsMin || !issuerPattern.test(digits) || !passesLuhn(digits)) continue;
    longest = { card: { start: (groups[first] as Found).start, end: group.end, digits }, last };
  }
  return longest;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}
