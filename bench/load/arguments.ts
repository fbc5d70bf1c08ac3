/** A number of the command line, `--name 5`. @throws when no number follows the name */
export function numberOption(args: readonly string[], name: string, otherwise: number): number {
  const at = args.indexOf(`--${name}`);
  if (at < 0) return otherwise;
  const text = args[at + 1] ?? "";
  if (!/^\d+$/.test(text))
    throw new Error(`--${name} takes a whole number, such as --${name} ${otherwise}, not "${text}"`);
  return Number(text);
}
