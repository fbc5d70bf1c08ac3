import type { TSchema } from "typebox";
import { canonicalMoment } from "#/kernel/values/moment.ts";
import { checkOf } from "#/kernel/values/schema-check.ts";

// Other forms of a request that mean the same as one that its schema allows (contract rest.md §2, Other forms): null for
// an optional field of a request that is not a patch, another name of a field, another notation of a date-time. Only a
// request that its schema refuses is rewritten (docs/decisions/0051-other-forms.md).

/** In the schema of a field: further names under which requests may send it. */
export const alsoNamed = "x-also-named";

interface Part extends TSchema {
  readonly type?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly [alsoNamed]?: readonly string[];
}

type Fields = Record<string, unknown>;

/**
 * Rewrites a value in place.
 *
 * @param isPatch null means that a field is removed, and is never left out.
 * @returns whether anything is another value now.
 */
export function rewriteForms(value: unknown, schema: TSchema, isPatch: boolean): boolean {
  if (typeof value !== "object" || value === null) return false;
  const branches = (schema as Part).anyOf ?? [schema as Part];
  if (Array.isArray(value)) return branches.some((branch) => rewriteItems(value, branch.items, isPatch));
  const fields = value as Fields;
  const known = branches.filter(({ properties }) => properties !== undefined);
  // All branches: the field that distinguishes them must not decide before its null is dropped.
  return known.map((branch) => rewriteFields(fields, branch, known, isPatch)).some((isChanged) => isChanged);
}

function rewriteItems(items: unknown[], schema: Part | undefined, isPatch: boolean): boolean {
  if (!schema) return false;
  let isChanged = false;
  for (const [i, item] of items.entries()) {
    const moment = momentOf(item, schema);
    if (moment !== undefined) items[i] = moment;
    isChanged = rewriteForms(item, schema, isPatch) || moment !== undefined || isChanged;
  }
  return isChanged;
}

function rewriteFields(fields: Fields, schema: Part, branches: readonly Part[], isPatch: boolean): boolean {
  let isChanged = false;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    for (const other of field[alsoNamed] ?? []) {
      if (!Object.hasOwn(fields, other) || (Object.hasOwn(fields, name) && fields[name] !== null)) continue;
      fields[name] = fields[other];
      delete fields[other];
      isChanged = true;
    }
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    if (value === null && !isPatch && branches.every((branch) => mayLeaveOut(branch, name))) {
      delete fields[name];
      isChanged = true;
      continue;
    }
    const moment = momentOf(value, field);
    if (moment !== undefined) fields[name] = moment;
    isChanged = rewriteForms(value, field, isPatch) || moment !== undefined || isChanged;
  }
  return isChanged;
}

/** Whether a field is optional, and its null has no meaning. */
function mayLeaveOut({ properties, required }: Part, name: string): boolean {
  const field = properties?.[name];
  return field === undefined || (required?.includes(name) !== true && !takesNull(field));
}

const nulls = new WeakMap<Part, boolean>();

function takesNull(schema: Part): boolean {
  let takes = nulls.get(schema);
  if (takes === undefined) {
    takes = checkOf(schema)().Check(null);
    nulls.set(schema, takes);
  }
  return takes;
}

/** The moment in the published form; undefined where the value has it, or is none. */
function momentOf(value: unknown, { format }: Part): string | undefined {
  if (typeof value !== "string" || format !== "date-time") return undefined;
  const moment = canonicalMoment(value.trim());
  return moment === value ? undefined : moment;
}
