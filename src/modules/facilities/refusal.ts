/** Why a report is refused, with the HTTP status that says of what kind the reason is (rest.md §2, warehouse.md). */
export interface Refusal {
  /** 404: no such object; 409: its state forbids it; 422: what the report names does not exist or cannot be. */
  readonly status: 404 | 409 | 422;
  /** One sentence: object, value, reason, remedy. */
  readonly detail: string;
}

export const notFound = (detail: string): Refusal => ({ status: 404, detail });
export const conflict = (detail: string): Refusal => ({ status: 409, detail });
export const unprocessable = (detail: string): Refusal => ({ status: 422, detail });
