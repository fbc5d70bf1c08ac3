import { type FaultList, faultOfCountry } from "#/modules/carriers/checks/check-values.ts";
import { comparablePostcode, formOf } from "#/modules/carriers/decision/postcode.ts";
import type { RateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

/** A range of postcode prefixes in a country that an entry covers; a single prefix is a range of one. */
interface Span {
  readonly from: string;
  readonly to: string;
  readonly form: string;
  readonly pointer: string;
}

/**
 * Checks that no address has two longest matches: countries, prefixes and ranges of the same length must not overlap.
 */
export function checkZones(faults: FaultList, { zones }: RateCard, at: string): void {
  const whole = new Map<string, number>();
  const spans = new Map<string, Span[]>();
  zones.forEach(({ country, postcodePrefixes, postcodeRanges }, i) => {
    const zonePath = `${at}/zones/${i}`;
    const wrong = faultOfCountry(country);
    if (wrong) {
      faults.add(`${zonePath}/country`, wrong);
      return;
    }
    if (!postcodePrefixes && !postcodeRanges) {
      const known = whole.get(country);
      if (known === undefined) whole.set(country, i);
      else faults.add(`${zonePath}/country`, `is ${country} without postcodes, like zones/${known}`);
    }
    const keep = (span: Span) => {
      const key = `${country} ${span.form}`;
      const known = spans.get(key);
      if (known) known.push(span);
      else spans.set(key, [span]);
    };
    (postcodePrefixes ?? []).forEach((text, n) => {
      const prefix = comparablePostcode(text, country);
      keep({ from: prefix, to: prefix, form: formOf(prefix), pointer: `${zonePath}/postcodePrefixes/${n}` });
    });
    (postcodeRanges ?? []).forEach((range, n) => {
      const pointer = `${zonePath}/postcodeRanges/${n}`;
      const [from, to] = [comparablePostcode(range.from, country), comparablePostcode(range.to, country)];
      const form = formOf(from);
      if (form !== formOf(to)) {
        faults.add(
          `${pointer}/to`,
          `"${range.to}" must have the form of "${range.from}": letters and digits at the same positions`,
        );
      } else if (to < from) faults.add(`${pointer}/to`, `"${range.to}" must not be before "${range.from}"`);
      else keep({ from, to, form, pointer });
    });
  });
  for (const found of spans.values()) addMeetings(faults, found, at);
}

function addMeetings(faults: FaultList, spans: readonly Span[], at: string): void {
  const inOrder = spans.toSorted((left, right) => (left.from < right.from ? -1 : left.from > right.from ? 1 : 0));
  let widest: Span | undefined;
  for (const span of inOrder) {
    if (widest && span.from <= widest.to) {
      const other = widest.pointer.slice(at.length + 1);
      faults.add(
        span.pointer,
        `overlaps the postcodes of ${other}: a postcode must not have two zones with a match of the same length`,
      );
    }
    if (!widest || span.to > widest.to) widest = span;
  }
}
