// Invalid values of a schema, each invalid in one place, like a single mistake of a sender.
import type { Json, Schema } from "../http/published-operations.ts";

export interface Mutant {
  /** JSON pointer of the invalid place, relative to the value: `` is the whole value. */
  readonly pointer: string;
  readonly why: string;
  readonly value: Json;
  /** Null for an optional field: absent in a request that is not a patch. */
  readonly isAbsence?: boolean;
}

type JsonObject = { readonly [name: string]: Json };
type Resolve = (schema: Schema) => Schema;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** All single-place violations of a schema, derived from a valid value, as far as the schema defines them. */
export function mutantsOf(schema: Schema, value: Json, resolve: Resolve): Mutant[] {
  const at = resolve(schema);
  // For a union, the branch of the example.
  const branch = at.anyOf?.map(resolve).find((branch) => isOf(branch, value)) ?? at;
  return [...ofWhole(branch, value), ...ofParts(branch, value, resolve)];
}

function isOf(schema: Schema, value: Json): boolean {
  if (schema.properties === undefined || !isObject(value)) return schema.type === typeof value;
  return (schema.required ?? []).every((name) => Object.hasOwn(value, name));
}

function ofWhole(schema: Schema, value: Json): Mutant[] {
  const wrong = (why: string, other: Json): Mutant => ({ pointer: "", why, value: other });
  const mutants: Mutant[] = [];
  if (schema.type !== undefined) {
    for (const [type, other] of Object.entries(otherTypes)) {
      if (type === schema.type || (type === "integer" && schema.type === "number")) continue;
      if (type === "null" && schema.nullable) continue;
      mutants.push(wrong(`${type} for ${schema.type}`, other));
    }
  }
  if (schema.type === "string") {
    mutants.push(wrong("NUL", "a\u0000b"), wrong("half a surrogate pair", "a\ud800b"));
    if ((schema.minLength ?? 0) > 0) mutants.push(wrong("too short", ""));
    if (schema.maxLength !== undefined) mutants.push(wrong("too long", "x".repeat(schema.maxLength + 1)));
    if (schema.enum) mutants.push(wrong("none of the words", "NO_SUCH_WORD"));
    if (schema.format === "date-time")
      mutants.push(wrong("not a valid time", "yesterday"), wrong("no such day", "2026-02-30T00:00:00Z"));
  }
  if (schema.type === "integer") mutants.push(wrong("a fraction", 1.5));
  if (schema.minimum !== undefined) {
    mutants.push(wrong("too small", schema.exclusiveMinimum ? schema.minimum : schema.minimum - 1));
  }
  if (schema.maximum !== undefined) mutants.push(wrong("too large", schema.maximum + 1));
  if (Array.isArray(value)) {
    const [first] = value as readonly Json[];
    if ((schema.minItems ?? 0) > 0) mutants.push(wrong("too few", []));
    if (schema.maxItems !== undefined && schema.maxItems <= 2_000 && first !== undefined) {
      mutants.push(wrong("too many", Array<Json>(schema.maxItems + 1).fill(first)));
    }
  }
  return mutants;
}

const otherTypes: JsonObject = { string: "x", number: 1.25, boolean: true, null: null, array: ["x"], object: { x: 1 } };

function ofParts(schema: Schema, value: Json, resolve: Resolve): Mutant[] {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const first = items[0];
    if (first === undefined || schema.items === undefined) return [];
    return mutantsOf(schema.items, first, resolve).map((mutant) => ({
      ...mutant,
      pointer: `/0${mutant.pointer}`,
      value: [mutant.value, ...items.slice(1)],
    }));
  }
  if (!isObject(value) || schema.properties === undefined) return [];
  const mutants: Mutant[] = [];
  for (const name of schema.required ?? []) {
    const { [name]: _left, ...rest } = value;
    mutants.push({ pointer: `/${escaped(name)}`, why: "left out", value: rest });
  }
  if (schema.additionalProperties === false) {
    mutants.push({ pointer: "/noSuchField", why: "unknown field", value: { ...value, noSuchField: 1 } });
  }
  for (const [name, part] of Object.entries(schema.properties)) {
    const member = value[name];
    if (member === undefined) continue;
    for (const mutant of mutantsOf(part, member, resolve)) {
      const isNullOfOptional = mutant.pointer === "" && mutant.value === null && !schema.required?.includes(name);
      mutants.push({
        ...mutant,
        isAbsence: mutant.isAbsence === true || isNullOfOptional,
        pointer: `/${escaped(name)}${mutant.pointer}`,
        value: { ...value, [name]: mutant.value },
      });
    }
  }
  return mutants;
}
