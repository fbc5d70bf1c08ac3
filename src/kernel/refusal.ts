/** Why a command is refused. `src/http/problems/problem.ts` maps each kind to its HTTP status (rest.md §2). */
export interface Refusal {
  readonly kind: RefusalKind;
  /** One sentence: object, value, reason, remedy. */
  readonly detail: string;
  /** The faulty fields of the request. */
  readonly errors?: readonly RequestFault[] | undefined;
}

/**
 * - invalid: the request has a fault that no data can change.
 * - notFound: the object does not exist.
 * - outdated: the object has another version than the request names.
 * - conflict: the state of the object forbids the command.
 * - unprocessable: a value does not exist or cannot be used here.
 */
export type RefusalKind = "invalid" | "notFound" | "outdated" | "conflict" | "unprocessable";

export interface RequestFault {
  /**
   * Location of the fault: `#/products/0` is a JSON pointer into the body (URI fragment form, as in the example of RFC
   * 9457 §3); parameters are `/query/limit`, `/path/orderId`, `/header/if-match`.
   */
  readonly pointer: string;
  readonly message: string;
  /** Of a document in JSON: the code of the feed, and its remedy. */
  readonly code?: string;
  readonly remedy?: string;
}

export const notFound = (detail: string): Refusal => ({ kind: "notFound", detail });
export const outdated = (detail: string): Refusal => ({ kind: "outdated", detail });
export const conflict = (detail: string): Refusal => ({ kind: "conflict", detail });
export const unprocessable = (detail: string, errors?: readonly RequestFault[]): Refusal => ({
  kind: "unprocessable",
  detail,
  ...(errors === undefined ? {} : { errors }),
});

const namedMax = 3;

/** The detail names the first faults, and `errors` all of them. */
export function invalid(errors: readonly RequestFault[]): Refusal {
  const more = errors.length - namedMax;
  const detail = listed(errors.slice(0, namedMax)) + (more > 0 ? `; and ${more} more` : "");
  return { kind: "invalid", detail, errors };
}

/** The detail names all faults. */
export const unprocessableFaults = (errors: readonly RequestFault[]): Refusal => unprocessable(listed(errors), errors);

function listed(errors: readonly RequestFault[]): string {
  return errors.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
}

/** Several fields of one part of a report. @param pointer to that part */
export const unprocessableFields = (
  subject: string,
  pointer: string,
  faults: readonly { readonly field: string; readonly message: string }[],
): Refusal =>
  unprocessable(
    `${subject}: ${faults.map(({ message }) => message).join("; ")}.`,
    faults.map(({ field, message }) => ({ pointer: `${pointer}/${field}`, message })),
  );

/** A field of a line; the detail names the line, and the pointer the field. */
export const unprocessableField = (line: number, field: string, message: string): Refusal =>
  unprocessable(`lines[${line}]: ${message}.`, [{ pointer: `#/lines/${line}/${field}`, message }]);

const joinedMax = 20;
/** The kind that comes first wins (rest.md §2, order of check). */
const precedence: readonly RefusalKind[] = ["invalid", "notFound", "outdated", "conflict", "unprocessable"];

/** All faults of a report as one refusal: with the kind that takes precedence and every sentence. */
export function joinRefusals(refusals: readonly [Refusal, ...Refusal[]]): Refusal {
  const kind = precedence.find((kind) => refusals.some((refusal) => refusal.kind === kind)) ?? "conflict";
  const sentences = refusals.slice(0, joinedMax).map(({ detail }) => detail);
  const more = refusals.length - joinedMax;
  const errors = refusals.slice(0, joinedMax).flatMap((refusal) => refusal.errors ?? []);
  const detail = [...sentences, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
  return { kind, detail, ...(errors.length === 0 ? {} : { errors }) };
}
