/** Converts lower-case ASCII letters to upper case, as `upper` of PostgreSQL does under the collation "C". */
export function capitals(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
