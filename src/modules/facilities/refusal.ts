import type { RequestFault } from "#/http/problems/problem.ts";

/** Why a report is refused, with the HTTP status of the reason (rest.md §2, warehouse.md). */
export interface Refusal {
  /**
   * 404: no such object; 409: its state forbids it; 422: the report names something that does not exist or is invalid.
   */
  readonly status: 404 | 409 | 422;
  /** One sentence: object, value, reason, remedy. */
  readonly detail: string;
  /** The faulty fields, by pointers into the report. */
  readonly errors?: readonly RequestFault[] | undefined;
}

export const notFound = (detail: string): Refusal => ({ status: 404, detail });
export const conflict = (detail: string): Refusal => ({ status: 409, detail });
export const unprocessable = (detail: string, errors?: readonly RequestFault[]): Refusal => ({
  ...{ status: 422, detail },
  ...(errors === undefined ? {} : { errors }),
});

/** A 422 for several fields of one part of the report. @param pointer to that part */
export const unprocessableFields = (
  subject: string,
  pointer: string,
  faults: readonly { readonly field: string; readonly message: string }[],
): Refusal =>
  unprocessable(
    `${subject}: ${faults.map(({ message }) => message).join("; ")}.`,
    faults.map(({ field, message }) => ({ pointer: `${pointer}/${field}`, message })),
  );

/** A 422 for a field of a line; the detail names the line, and the pointer the field. */
export const unprocessableField = (line: number, field: string, message: string): Refusal =>
  unprocessable(`lines[${line}]: ${message}.`, [{ pointer: `#/lines/${line}/${field}`, message }]);
