/**
 * A flag in the notation of feeds: `true` or `1`, with optional blanks around it (xs:boolean); any other value, or a
 * missing one, is false.
 */
export function isTrue(flag: string | undefined): boolean {
  const text = flag?.trim();
  return text === "true" || text === "1";
}
