// The schemas of a document: those with a title become components, and all are converted to OpenAPI 3.0.3.
import { isDeepStrictEqual } from "node:util";
import { chosenBy } from "#/http/server/validation.ts";
import { assert } from "#/kernel/assert.ts";

export type JsonObject = { [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const place = "#/components/schemas/";

export const referenceTo = (title: string): JsonObject => ({ $ref: place + title });

/** The schema itself, where the given one is a reference to a component. */
export function resolved(schema: JsonObject, schemas: JsonObject): JsonObject {
  const { $ref } = schema;
  return typeof $ref === "string" ? (schemas[$ref.slice(place.length)] as JsonObject) : schema;
}

/** Examples are data: their field `title` names no schema. */
const dataKeys = ["example", "examples", "enum", "default"];

/** A copy of any part of a document, with its named schemas moved to `schemas`. @param prefix of their names */
export function rewritten(value: unknown, schemas: JsonObject, prefix = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, schemas, prefix));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    // Only the validator uses it.
    if (key === chosenBy) continue;
    copy[key] = dataKeys.includes(key) ? item : rewritten(item, schemas, prefix);
  }
  // The generator ignores unions.
  if (Array.isArray(copy.examples)) {
    copy.example ??= copy.examples[0];
    delete copy.examples;
  }
  for (const bound of ["Minimum", "Maximum"]) {
    const excluded = copy[`exclusive${bound}`];
    if (typeof excluded !== "number") continue;
    copy[bound.toLowerCase()] = excluded;
    copy[`exclusive${bound}`] = true;
  }
  const isSchema = copy.type !== undefined || copy.anyOf !== undefined;
  if (typeof copy.title !== "string" || !isSchema) return copy;
  // A list of values is the same for every audience.
  const title = copy.enum === undefined ? prefix + copy.title : copy.title;
  return named({ ...copy, title }, schemas);
}

/**
 * A reference to the component of this title. OpenAPI 3.0 ignores the siblings of a `$ref`, so facts about this one
 * place (that it may be null, what it means here) go into a wrapper.
 */
function named(schema: JsonObject & { readonly title: string }, schemas: JsonObject): JsonObject {
  const { nullable, ...definition } = schema;
  const { title } = definition;
  schemas[title] ??= definition;
  const known = schemas[title] as JsonObject;
  const shapeOf = ({ example: _example, description: _description, ...shape }: JsonObject) => shape;
  assert(isDeepStrictEqual(shapeOf(known), shapeOf(definition)), `two schemas have the title ${title}`);
  describe(known, definition);
  const isRedescribed = definition.description !== undefined && definition.description !== known.description;
  if (!nullable && !isRedescribed) return referenceTo(title);
  return {
    ...(nullable ? { type: definition.type, nullable: true } : {}),
    allOf: [referenceTo(title)],
    ...(definition.description === undefined ? {} : { description: definition.description }),
  };
}

/**
 * The generator moves the example of a whole body, and example and description of a parameter, out of the schema; this
 * function adds them to the component.
 */
export function describe(component: JsonObject, schema: JsonObject): void {
  for (const word of ["description", "example"]) if (schema[word] !== undefined) component[word] ??= schema[word];
}
