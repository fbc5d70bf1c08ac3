// The console's list of exceptions, as a user sees it.
import assert from "node:assert/strict";
import type { ConsoleUser } from "../app/console.ts";

export interface ExceptionRow {
  readonly exceptionId: string;
  readonly type: string;
  readonly clientId: string;
  readonly facilityCode: string | null;
  readonly objectType: string;
  readonly objectId: string;
  readonly objectName: string;
  readonly summary: string;
  readonly since: string;
  readonly owner: string | null;
  readonly note: string | null;
  readonly snoozedUntil: string | null;
  readonly snoozedBy: string | null;
  readonly cure: {
    readonly verb: string;
    readonly kind: string;
    readonly operation: { readonly path: string; readonly body: object | null } | null;
  };
}

export function exceptionsOf(user: ConsoleUser) {
  const list = async (query: string): Promise<ExceptionRow[]> => {
    const { status, body } = await user.get(`/exception/list?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items;
  };
  return {
    list,
    /** Types and objects in the order of the list. */
    named: async (query: string): Promise<string[]> =>
      (await list(query)).map(({ type, objectId }) => `${type} ${objectId}`),
    /** The only row; fails if there are more. */
    async one(query: string): Promise<ExceptionRow> {
      const rows = await list(query);
      assert.equal(rows.length, 1, JSON.stringify(rows));
      return rows[0] as ExceptionRow;
    },
  };
}
