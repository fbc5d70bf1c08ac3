/** A flag in the notation of feeds: `true`, `false`, `1` or `0`, in any case, with optional blanks around it. */
export function isFlag(text: string): boolean {
  return /^\s*(?:true|false|[01])\s*$/i.test(text);
}

/** Whether a flag is set; any other value, or a missing one, is false. */
export function isTrue(flag: string | undefined): boolean {
  const text = flag?.trim().toLowerCase();
  return text === "true" || text === "1";
}
