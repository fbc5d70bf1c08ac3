// Examples of requests and answers, composed from the examples of the leaves of their schemas.
import { describe, isObject, type JsonObject, resolved } from "#/http/openapi/schemas.ts";

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-11-20T10:00:00.000Z",
  date: "2026-11-20",
  uuid: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
  uri: "https://shop.example/hooks",
};

/**
 * A value that fits the schema: its own example where it has one, otherwise composed of its parts, with every field.
 *
 * @param schemas the components that references point to.
 */
export function exampleOf(jsonObject: JsonObject, schemas: JsonObject): unknown {
  const schema = resolved(jsonObject, schemas);
  if (schema.example !== undefined) return schema.example;
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[key];
    // Of a choice, the first branch counts. `allOf` wraps a single reference.
    if (Array.isArray(branches) && isObject(branches[0])) return exampleOf(branches[0], schemas);
  }
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, property]) => [
          name,
          exampleOf(property, schemas),
        ]),
      );
    case "array":
      return isObject(schema.items) ? [exampleOf(schema.items, schemas)] : [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    default:
      return schema.nullable ? null : (byFormat[String(schema.format)] ?? "text");
  }
}

/** The parameter with an example, in the position that OpenAPI defines for parameters. */
export function withParameterExample(parameter: JsonObject, schemas: JsonObject): JsonObject {
  const { schema, example = exampleOf(schema as JsonObject, schemas), ...rest } = parameter;
  if (isObject(schema) && schema.$ref !== undefined) describe(resolved(schema, schemas), parameter);
  const { example: _example, ...bare } = schema as JsonObject;
  return { ...rest, schema: bare, example };
}

/** The media types of a body, each with an example; none for bytes. */
export function withMediaExamples(content: JsonObject, schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { schema, ...rest } = media as JsonObject;
      const isBytes = (schema as JsonObject).format === "binary";
      const example = rest.example ?? exampleOf(schema as JsonObject, schemas);
      return [type, { schema, ...rest, ...(isBytes ? {} : { example }) }];
    }),
  );
}
