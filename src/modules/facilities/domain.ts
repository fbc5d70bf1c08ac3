/** Facility codes follow the rule of client identifiers (feeds.md §3). */
export function isFacilityCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,10}$/.test(text);
}

/**
 * The IANA time zone of a text, in its official spelling; `undefined` if there is none. An offset such as `+01:00` is
 * not a time zone, because it has no summer time.
 */
export function toTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return undefined;
  const lower = text.toLowerCase();
  const spelt = Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase() === lower);
  if (spelt !== undefined) return spelt;
  // Superseded names (Asia/Kolkata or Asia/Calcutta, by release) are valid but not listed.
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}
