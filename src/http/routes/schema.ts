// Parts of REST schemas that several services share. They are JSON Schema in the form of OpenAPI 3.0.3.
import Type, { type Static, type TObject, type TSchema } from "typebox";
import { hasThreeDecimals, quantityMaxThousandths } from "#/kernel/values/quantity.ts";

/**
 * The value or null, in the notation of OpenAPI 3.0.3. For answers: the validator of requests does not know `nullable`.
 */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, nullable: true });
}

/** The fields of a record from an object that may lack those that are null in the answer. */
export function withNulls<Schema extends TObject>(
  { properties }: Schema,
  object: { readonly [Field in keyof Static<Schema>]?: Static<Schema>[Field] | undefined },
): Static<Schema> {
  const values: Readonly<Record<string, unknown>> = object;
  return Object.fromEntries(Object.keys(properties).map((name) => [name, values[name] ?? null])) as Static<Schema>;
}

/** Unknown fields are refused, so that a misspelled field is not left out in silence. */
export const closed = { additionalProperties: false } as const;

export function text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

export function maybeText(description: string, example: string) {
  return nullable(text(description, example));
}

export function moment(description: string) {
  return Type.String({ format: "date-time", description, examples: ["2026-11-20T10:00:00.000Z"] });
}

/** Identifier of an object that may or may not exist. */
export function identifier(description: string, example: string) {
  return Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });
}

/**
 * Identifier of a new object, in the form that the feeds accept: no blank at either end (feeds.md §3), and no
 * unprintable characters, which XML cannot represent.
 */
export function newIdentifier(description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: "^[^\\s\\u0000-\\u001f\\u007f](?:[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$",
    description,
    examples: [example],
  });
}

export function quantity(description: string) {
  return Type.Number({ description, examples: [2] });
}

/**
 * A quantity that a client requests. JSON Schema's `multipleOf: 0.001` rejects most exact decimals, because 0.001 has
 * no exact binary form.
 */
export function positiveQuantity(description: string, example: number) {
  return Type.Refine(
    Type.Number({ exclusiveMinimum: 0, maximum: quantityMaxThousandths / 1000, description, examples: [example] }),
    hasThreeDecimals,
    () => "must have at most three decimals",
  );
}

export const money = Type.Object(
  {
    amount: Type.Number({ description: "Amount with at most four decimals.", examples: [109.15] }),
    currency: maybeText("Currency code of ISO 4217.", "EUR"),
  },
  { ...closed, description: "An amount of money." },
);

/**
 * Not `Type.Record`: its pattern `^.*$` does not match names with a line separator, and OpenAPI 3.0.3 has no patterns
 * of names.
 */
export const extendedAttributes = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
  description: "Attributes by name, each a text.",
  examples: [{ WebOrderId: "77812" }],
});

/** Parameter of every operation: the client of the request. */
export const clientIdParameter = Type.Optional(
  Type.String({
    pattern: "^[A-Za-z0-9_-]{1,10}$",
    description: "Client identifier. May be left out where the token is for one client.",
    examples: ["DEMO"],
  }),
);

/** A copy of a schema with other members. Some members of a schema are not enumerable, so that a spread loses them. */
export function copyOf<Schema extends object>(schema: Schema, changes: object): Schema {
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as Schema;
  return Object.assign(copy, changes);
}

/** Why an object is changed by hand. */
export const auditedReason = (example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Reason; stored in the audit log.",
      examples: [example],
    }),
  );
