/** Codes of facilities follow the rule of client identifiers (feeds.md §3). */
export function isFacilityCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,10}$/.test(text);
}

/**
 * The IANA time zone that a text names, in its own spelling; `undefined` when there is none. An offset such as `+01:00`
 * is none: it knows no summer time.
 */
export function toTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return undefined;
  const lower = text.toLowerCase();
  const spelt = Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase() === lower);
  if (spelt !== undefined) return spelt;
  // Names that were given up for others (Asia/Kolkata or Asia/Calcutta, by release) are known but not listed.
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}
