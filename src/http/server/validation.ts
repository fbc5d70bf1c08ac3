import type { FastifyRequest, FastifySchema } from "fastify";
import type { TSchema } from "typebox";
import Format from "typebox/format";
import { Settings } from "typebox/system";
import { readDateTime } from "#/http/requests/date-time.ts";
import { rewriteForms } from "#/http/server/other-forms.ts";
import {
  type CheckedSchema,
  checkedSchema,
  escapePointer,
  faultsMax,
  listFaults,
} from "#/http/server/schema-faults.ts";
import type { RequestFault } from "#/kernel/refusal.ts";

type Part = "params" | "querystring" | "headers" | "body";

const parts: readonly { readonly part: Part; readonly base: string }[] = [
  { part: "params", base: "/path" },
  { part: "querystring", base: "/query" },
  { part: "headers", base: "/header" },
  { part: "body", base: "#" },
];

/**
 * TypeBox keeps these settings for the whole process: its default stops at eight faults, and accepts dates that
 * PostgreSQL does not.
 */
export function setUpTypeBox(): void {
  Settings.Set({ maxErrors: faultsMax });
  Format.Set("date-time", (text) => readDateTime(text) !== undefined);
}

/**
 * Validates path, query, headers and body together and returns all faults. Afterwards, numeric values of path and query
 * are numbers.
 */
export type RequestValidator = (request: FastifyRequest) => readonly RequestFault[];

/** Fastify's own validation stops at the first part with a fault, and silently drops unknown fields. */
export function compileValidator(
  schema: FastifySchema | undefined,
  { isPatch = false } = {},
): RequestValidator | undefined {
  const checks = parts.flatMap(({ part, base }) => {
    const partSchema = schema?.[part] as TSchema | undefined;
    return partSchema === undefined ? [] : [{ part, base, schema: partSchema, choose: chooserOf(partSchema) }];
  });
  if (checks.length === 0) return undefined;
  return (request) => {
    const faults: RequestFault[] = [];
    for (const { part, base, schema: partSchema, choose } of checks) {
      const whole = readPart(request, part, partSchema);
      if (part !== "headers") {
        const walked = walk(whole, base);
        faults.push(...walked.faults);
        // The schema's check takes time for each field, known or not.
        if (!walked.isBounded) continue;
      }
      if (part === "querystring") faults.push(...findUndecodable(request.url));
      const { value, faults: tooLong } = withoutExcess(whole, partSchema, base);
      faults.push(...tooLong);
      const chosen = choose(value);
      if (chosen.check().Check(value)) continue;
      const isOther = (part === "body" || part === "querystring") && rewriteForms(value, partSchema, isPatch);
      const again = isOther ? choose(value) : chosen;
      if (!isOther || !again.check().Check(value)) faults.push(...listFaults(again, value, base));
    }
    return faults.slice(0, faultsMax);
  };
}

/** In a union of two objects: the name of the field that only the second one has. */
export const chosenBy = "x-chosen-by";

/**
 * By default all branches of a union are checked, and a value that fits none gets the faults of all. Where the schema
 * names the field that distinguishes the branches, the value is checked against the intended branch.
 */
function chooserOf(schema: TSchema): (value: unknown) => CheckedSchema {
  const { anyOf = [], [chosenBy]: field } = schema as { anyOf?: readonly TSchema[]; [chosenBy]?: string };
  const [first, second] = anyOf;
  if (field === undefined || !first || !second) {
    const whole = checkedSchema(schema);
    return () => whole;
  }
  const branches = [checkedSchema(first), checkedSchema(second)] as const;
  const hasField = (value: unknown) => typeof value === "object" && value !== null && Object.hasOwn(value, field);
  return (value) => branches[hasField(value) ? 1 : 0];
}

function readPart(request: FastifyRequest, part: Part, schema: TSchema): unknown {
  switch (part) {
    case "params": {
      const converted = convertTexts(request.params as Record<string, unknown>, schema);
      request.params = converted;
      return converted;
    }
    case "headers":
      return request.headers;
    case "body":
      return request.body;
    case "querystring": {
      const converted = convertTexts(request.query as Record<string, unknown>, schema);
      request.query = converted;
      return converted;
    }
  }
}

interface PropertySchema {
  readonly type?: string;
  readonly maxItems?: number;
}

/** A value whose lists end where they may. The check of the items beyond would take time, and tell the sender nothing. */
function withoutExcess(value: unknown, schema: TSchema, base: string) {
  const faults: RequestFault[] = [];
  const { properties = {} } = schema as { properties?: Readonly<Record<string, PropertySchema>> };
  if (typeof value !== "object" || value === null) return { value, faults };
  const shortened: Record<string, unknown> = {};
  for (const [name, { maxItems = Number.POSITIVE_INFINITY }] of Object.entries(properties)) {
    const list = (value as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(list) || list.length <= maxItems) continue;
    shortened[name] = list.slice(0, maxItems);
    faults.push({ pointer: `${base}/${name}`, message: `must not have more than ${maxItems} items` });
  }
  return { value: faults.length === 0 ? value : { ...value, ...shortened }, faults };
}

/**
 * Converts texts to the types of their schema, and only where the conversion is lossless: TypeBox's own conversion
 * makes 1 of `1.5` and 16 of `0x10`.
 */
function convertTexts(texts: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, PropertySchema> }).properties ?? {};
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(texts)) {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    converted[name] = type === "array" && typeof value === "string" ? [value] : convertText(value, type);
  }
  return converted;
}

function convertText(value: unknown, type: string | undefined): unknown {
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === "number" && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) return Number(value);
  if (type === "boolean" && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}

/** The query parser keeps an invalid escape as literal text, and the value then differs from the intended one. */
function findUndecodable(url: string): RequestFault[] {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("%", start)) return [];
  return url
    .slice(start + 1)
    .split("&")
    .filter((part) => !isDecodable(part))
    .map((part) => {
      const name = part.split("=", 1)[0] as string;
      const pointer = `/query/${escapePointer(isDecodable(name) ? decodeURIComponent(name) : name)}`;
      return { pointer, message: "has an escape that cannot be decoded: %25 stands for a percent sign" };
    });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const depthMax = 64;
/** Of one object. Maps have fewer entries. */
export const fieldsMax = 10_000;
/** Of one list: the longest that a schema allows. */
const itemsMax = 20_000;

/**
 * The faults of a value that cannot be stored, with their places, and whether its depth, its objects and lists are within
 * their bounds. PostgreSQL's text can store neither NUL nor half a surrogate pair, so no text may contain them, whatever its
 * schema says. The walk reads each value once, and makes a pointer for a fault only.
 */
function walk(whole: unknown, base: string): { readonly faults: readonly RequestFault[]; readonly isBounded: boolean } {
  const faults: RequestFault[] = [];
  const path: (string | number)[] = [];
  let isBounded = true;
  const add = (message: string) => {
    const pointer = [base, ...path.map((name) => escapePointer(String(name)))].join("/");
    faults.push({ pointer, message });
  };
  const refuse = (message: string) => {
    isBounded = false;
    add(message);
  };
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.includes("\0")) add("must not have the character NUL");
      else if (!value.isWellFormed()) add("must be well-formed Unicode: it has half a surrogate pair");
    } else if (typeof value === "object" && value !== null) {
      // JSON.parse accepts any depth; recursion does not.
      if (path.length === depthMax) refuse(`is nested deeper than ${depthMax} levels`);
      else if (Array.isArray(value)) visitItems(value);
      else visitFields(value as Readonly<Record<string, unknown>>);
    }
  };
  const visitItems = (items: readonly unknown[]) => {
    if (items.length > itemsMax) refuse(`has ${items.length} items: must be at most ${itemsMax}`);
    else for (let i = 0; i < items.length; i++) visitMember(i, items[i]);
  };
  const visitFields = (fields: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(fields);
    if (names.length > fieldsMax) refuse(`has ${names.length} fields: must be at most ${fieldsMax}`);
    else for (const name of names) visitMember(name, fields[name]);
  };
  const visitMember = (name: string | number, member: unknown) => {
    if (faults.length < faultsMax) {
      path.push(name);
      visit(member);
      path.pop();
    } else isBounded = false;
  };
  visit(whole);
  return { faults, isBounded };
}
