const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Whether it is an ISO 4217 code, as the standard writes it (three capitals). Currencies that have left the standard
 * still count, because the runtime's list keeps them. @see contract/feeds.md §3, attribute `unit`.
 */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
