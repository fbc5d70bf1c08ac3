/** Values of stored headers are never shown: this text is in their place, and keeps the value. */
const storedValue = "***";

/** One header on each line, `X-Hook-Key: ***`. */
export const headerLines = (names: readonly string[]) => names.map((name) => `${name}: ${storedValue}`).join("\n");

export type HeadersPatch = Readonly<Record<string, string | null>>;

/** The merge patch that makes the stored headers those of the lines: a line that is missing removes its header. */
export function headersPatchOf(
  text: string,
  storedNames: readonly string[],
): { readonly patch: HeadersPatch } | { readonly fault: string } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const headers = lines.map((line) => {
    const [, name = "", value = ""] = /^([^:]*):(.*)$/.exec(line) ?? [];
    return { name: name.trim(), value: value.trim() };
  });
  const nameless = lines.find((_, i) => headers[i]?.name === "");
  if (nameless !== undefined) return { fault: `“${nameless.trim()}” is not a header: write “Name: value”.` };
  const written = new Set(headers.map(({ name }) => name.toLowerCase()));
  if (written.size < headers.length) return { fault: "A header is present twice; the case of letters is ignored." };
  const removed = storedNames.filter((name) => !written.has(name.toLowerCase()));
  return {
    patch: Object.fromEntries([
      ...headers.map(({ name, value }) => [name, value] as const),
      ...removed.map((name) => [name, null] as const),
    ]),
  };
}
