const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Is it an ISO 4217 code, as the standard writes it (three capitals)? Currencies that have left the standard still
 * count, as the runtime's list keeps them. @see contract/feeds.md §3, attribute `unit`.
 */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
