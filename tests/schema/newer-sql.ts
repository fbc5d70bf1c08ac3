/** SQL that is newer than PostgreSQL 15, the oldest supported server. */
const newerSql: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["uuidv7()", /\buuidv[47]\s*\(/i],
  ["merge … returning", /\bmerge\s+into\b[^;]*\breturning\b/i],
  ["returning old/new", /\breturning\s+(?:with\b|(?:old|new)\.)/i],
  ["any_value()", /\bany_value\s*\(/i],
  ["json_table, json_exists, json_query, json_value", /\bjson_(?:table|exists|query|value|scalar|serialize)\s*\(/i],
  ["is json", /\bis\s+(?:not\s+)?json\b/i],
  ["array_sort, array_shuffle, array_sample, array_reverse", /\barray_(?:sort|shuffle|sample|reverse)\s*\(/i],
  ["random(min, max), random_normal", /\brandom(?:_normal)?\s*\(\s*[^)\s]/i],
  ["casefold, crc32, to_bin, to_oct", /\b(?:casefold|crc32c?|to_bin|to_oct)\s*\(/i],
  ["a virtual generated column", /\bgenerated\s+always\s+as\s*\([^;]*\)\s*(?:virtual|,|\))/i],
  ["not enforced, without overlaps", /\bnot\s+enforced\b|\bwithout\s+overlaps\b/i],
  ["an underscore or a base in a number", /(?<![\w'$.])(?:\d+(?:_\d+)+|0[xob][0-9a-f]+)\b/i],
  ["transaction_timeout", /\btransaction_timeout\b/i],
];

/** The newer SQL in a text. */
export function newerSqlIn(text: string): string[] {
  return newerSql.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}
