/** A flag as feeds write it: `true` or `1`, blanks around it allowed (xs:boolean); anything else, or nothing, is false. */
export function isTrue(flag: string | undefined): boolean {
  const text = flag?.trim();
  return text === "true" || text === "1";
}
