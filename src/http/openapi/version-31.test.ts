import assert from "node:assert/strict";
import { test } from "node:test";
import { version31 } from "#/http/openapi/version-31.ts";

test("what may be null, bounds and examples of schemas have the words of JSON Schema", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", nullable: true, example: "Anna" },
      status: { type: "string", nullable: true, enum: ["OPEN"] },
      address: { allOf: [{ $ref: "#/components/schemas/Address" }], type: "object", nullable: true, description: "d" },
      qty: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9 },
      // A field may have the name of a word.
      example: { type: "string", example: "E" },
    },
  };
  const media = { schema, example: { name: null, nullable: true } };
  assert.deepEqual(version31({ openapi: "3.0.3", content: { "application/json": media } }), {
    openapi: "3.1.0",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            name: { type: ["string", "null"], examples: ["Anna"] },
            status: { type: ["string", "null"], enum: ["OPEN", null] },
            address: { anyOf: [{ $ref: "#/components/schemas/Address" }, { type: "null" }], description: "d" },
            qty: { type: "number", exclusiveMinimum: 0, maximum: 9 },
            example: { type: "string", examples: ["E"] },
          },
        },
        example: { name: null, nullable: true },
      },
    },
  });
});
