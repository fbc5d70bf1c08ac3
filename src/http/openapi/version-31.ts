import { isObject, type JsonObject } from "#/http/openapi/schemas.ts";

/** Data, not schemas: their fields are copied as they are. */
const dataKeys: ReadonlySet<string> = new Set(["enum", "default", "const", "examples", "value"]);

/** An OpenAPI 3.0.3 document in the form of OpenAPI 3.1, whose schemas are JSON Schema 2020-12. */
export function version31(document: JsonObject): JsonObject {
  return { ...(converted(document) as JsonObject), openapi: "3.1.0" };
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === "properties" && isObject(item)) copy[key] = mapped(item);
    else copy[key] = dataKeys.has(key) || key === "example" ? item : converted(item);
  }
  // Parameters, headers and media types keep their example.
  if (copy.example !== undefined && copy.schema === undefined) {
    copy.examples = [copy.example];
    delete copy.example;
  }
  for (const bound of ["Minimum", "Maximum"]) {
    if (copy[`exclusive${bound}`] !== true) continue;
    copy[`exclusive${bound}`] = copy[bound.toLowerCase()];
    delete copy[bound.toLowerCase()];
  }
  return copy.nullable === true ? withNull(copy) : copy;
}

/** Names of fields are not words of JSON Schema. */
const mapped = (fields: JsonObject) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, converted(schema)]));

function withNull({ nullable: _, allOf, type, ...rest }: JsonObject): JsonObject {
  if (Array.isArray(allOf)) return { ...rest, anyOf: [...allOf, { type: "null" }] };
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [type, "null"] }),
    ...(Array.isArray(rest.enum) && !rest.enum.includes(null) ? { enum: [...rest.enum, null] } : {}),
  };
}
