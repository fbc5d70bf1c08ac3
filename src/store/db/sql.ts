import { createHash } from "node:crypto";
import { assert } from "#/kernel/assert.ts";

/** A statement with separate parameters: the only form in which SQL reaches a connection. */
export interface Statement {
  readonly text: string;
  /** Prepared under this name on each connection; derived from the text, so equal texts share a plan. */
  readonly name: string;
  /** In a tenant statement the first value is reserved for the client; the client's view sets it. */
  readonly values: readonly unknown[];
  readonly isTenant: boolean;
  /** Reads or writes rows of several clients, or runs as the tables' owner: row-level security does not apply. */
  readonly isAcross?: boolean;
  /** The rows of a statement about a set. */
  readonly set?: RowSet;
}

declare const needsClient: unique symbol;
/** A statement that contains `tenant`: only a client's view executes it. */
export interface TenantStatement extends Statement {
  readonly [needsClient]?: true;
}
/** A statement that executes without a client's view. */
export interface PlainStatement extends Statement {
  readonly [needsClient]?: never;
}

/** The values among these that name the client; none of type `any`. */
type NamesClient<Value> = 0 extends 1 & Value
  ? never
  : Value extends typeof tenant
    ? Value
    : typeof needsClient extends keyof Value
      ? Value
      : never;

/**
 * The rows of a statement about a set. Pieces of work that share a transaction (`joined-work.ts`) send such a statement
 * once, with the rows of all.
 */
export interface RowSet {
  readonly rows: readonly unknown[];
  /** The table whose rows the statement writes. */
  readonly writes?: string | undefined;
  /** The only table that the statement reads: work may still read it after it has written others. */
  readonly reads?: string | undefined;
  /** The same statement for other rows, without its client. */
  with(rows: readonly unknown[]): Statement;
  /** The keys by which a row of the answer belongs to a given row. Without them the answer cannot be divided. */
  readonly keys?: RowKeys | undefined;
  /** Joins given rows of one key. Without it, no two pieces of work give the same key. */
  readonly combine?: ((rows: readonly never[]) => readonly unknown[]) | undefined;
}

export interface RowKeys<Row = never, Answer = never> {
  given(row: Row): string;
  answered(answer: Answer): string;
}

/** Represents the client in a tenant statement: always `$1`, however often and wherever it occurs. */
export const tenant: unique symbol = Symbol("tenant");

export interface Known {
  readonly text: string;
  readonly name: string;
}

const knownByCallSite = new WeakMap<TemplateStringsArray, Known>();

function nameOf(text: string): string {
  return createHash("sha1").update(text).digest("base64url").slice(0, 16);
}

/** A text with the name under which it is prepared. */
export function named(text: string): Known {
  return { text, name: nameOf(text) };
}

function isStatement(value: unknown): value is Statement {
  return typeof value === "object" && value !== null && "text" in value && "isTenant" in value;
}

/**
 * Plain SQL with `$n` in the place of each value. A value that is itself a `sql` statement is inserted as text, and its
 * parameters are renumbered: lists combine their optional filters this way.
 */
export function sql<const Values extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: Values
): NamesClient<Values[number]> extends never ? Statement : TenantStatement {
  const isTenant = values.some((value) => value === tenant || (isStatement(value) && value.isTenant));
  const flat: unknown[] = isTenant ? [tenant] : [];
  const known = knownByCallSite.get(strings);
  if (known) {
    for (const value of values) if (value !== tenant) flat.push(value);
    return { ...known, values: flat, isTenant };
  }
  let text = strings[0] as string;
  let isFixed = true;
  let isAcross = false;
  values.forEach((value, i) => {
    if (value === tenant) {
      text += "$1";
    } else if (isStatement(value)) {
      isFixed = false;
      isAcross ||= value.isAcross === true;
      const tenantCount = value.isTenant ? 1 : 0;
      const shift = flat.length - tenantCount;
      text += value.text.replace(/\$(\d+)/g, (_, n: string) =>
        Number(n) <= tenantCount ? "$1" : `$${Number(n) + shift}`,
      );
      flat.push(...value.values.slice(tenantCount));
    } else {
      flat.push(value);
      text += `$${flat.length}`;
    }
    text += strings[i + 1] as string;
  });
  const made = named(text);
  if (isFixed) knownByCallSite.set(strings, made);
  return isAcross ? { ...made, values: flat, isTenant, isAcross } : { ...made, values: flat, isTenant };
}

/** A statement over several clients, or a part of one: for files named *.cross-client.ts. */
export function acrossClients(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  return { ...sql(strings, ...values), isAcross: true };
}

/**
 * `('OPEN', 'RECEIVING')`, for `status in …`: literals, because PostgreSQL uses an index with a condition only for a
 * statement that has the condition's own codes.
 */
export function codeList(codes: readonly string[]): Statement {
  assert(
    codes.every((code) => /^[A-Z][A-Z0-9_]*$/.test(code)),
    "a code needs no escaping",
  );
  return { ...named(`(${codes.map((code) => `'${code}'`).join(", ")})`), values: [], isTenant: false };
}

/** Joins conditions with `and`; `true` when there are none. */
export function allOf(conditions: readonly (Statement | undefined)[]): Statement {
  return conditions.reduce<Statement>((whole, next) => (next ? sql`${whole} and ${next}` : whole), sql`true`);
}
