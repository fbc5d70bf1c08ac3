import Type, { type TObject, type TSchema } from "typebox";
import { clientIdParameter, closed } from "#/http/routes/schema.ts";
import type { Body } from "#/intake/json/document.ts";

/** The fields that a sender sets of those that a REST answer has; of a nested object all that are not named here. */
export interface SentFields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Of the objects of a list or of a nested object, by the field. */
  readonly within?: Readonly<Record<string, SentFields>>;
  /** Fields that the answer has with another meaning, or not at all. */
  readonly more?: Readonly<Record<string, TSchema>>;
}

interface Part extends TSchema {
  readonly type?: unknown;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
}

/**
 * The schema of a request body from that of the answer: what a read answers is a valid body, less what the platform
 * sets. A field that may be null in the answer may be left out, and null means the same (contract rest.md §2).
 */
export function sentOf(answer: TObject, fields: SentFields, title: string, description: string) {
  const { properties } = requestOf(answer, fields) as TObject;
  return Type.Unsafe<Body>(
    Type.Object({ clientId: clientIdParameter, ...properties }, { ...closed, title, description }),
  );
}

/** @param fields all where it is left out, those that are never null as required ones */
export function requestOf(schema: TSchema, fields?: SentFields): TSchema {
  const { nullable: _, properties, items, ...rest } = schema as Part;
  const { title } = rest as { readonly title?: string };
  const named = title === undefined ? {} : { title: `${title}Request` };
  if (items !== undefined) return Type.Array(requestOf(items, fields), { ...rest });
  if (properties === undefined) return Type.Unsafe<unknown>({ ...rest });
  const isRequired = (name: string) =>
    fields === undefined ? properties[name]?.nullable !== true : fields.required.includes(name);
  const names = fields === undefined ? Object.keys(properties) : [...fields.required, ...fields.optional];
  const sent = names.map((name) => {
    const part = fields?.more?.[name] ?? requestOf(properties[name] as Part, fields?.within?.[name]);
    return [name, isRequired(name) ? part : Type.Optional(part)] as const;
  });
  const { description } = rest as { readonly description?: string };
  return Type.Object(Object.fromEntries(sent), {
    ...closed,
    ...(description === undefined ? {} : { description }),
    ...named,
  });
}

/** The part of a record that a body may have: what its schema knows, without null. */
export function templateOf(schema: TSchema, record: unknown): unknown {
  const { properties, items } = schema as Part;
  if (Array.isArray(record)) return items === undefined ? record : record.map((item) => templateOf(items, item));
  if (properties === undefined || typeof record !== "object" || record === null) return record;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, part]) => {
      const value = (record as Body)[name];
      return value === undefined || value === null ? [] : [[name, templateOf(part, value)]];
    }),
  );
}

const warnings = Type.Array(
  Type.String({
    description: "A sentence that starts with its code.",
    examples: ["[PRIORITY] Priority '0' is not 1 to 9; 5 is taken"],
  }),
  { description: "What the platform took otherwise than sent, or doubts. A warning refuses nothing." },
);

/** The answer of a creation: the object, and what is known of its document. @param title such as `CreatedOrder` */
export function createdOf<Record extends TObject>(record: Record, title: string, what: string) {
  const token = Type.String({
    format: "uuid",
    description: "Token of the document.",
    examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
  });
  const description = `The ${what}, the token of its document, and the warnings.`;
  return Type.Object({ ...record.properties, token, warnings }, { ...closed, title, description });
}

/** The answer of a validation without a fault. */
export const validated = Type.Object(
  { warnings },
  { ...closed, title: "ValidatedDocument", description: "The document would be accepted." },
);
