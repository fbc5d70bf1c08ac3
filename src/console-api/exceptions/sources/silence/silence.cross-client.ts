/** The longest waiting task of each facility that its warehouse has not requested, over all clients. */
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** Maximum number of facilities of one statement. */
const facilitiesMax = 32;

export interface WaitingTask {
  readonly client_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly facility_code: string;
}

export const named = (tasks: readonly WaitingTask[]): Statement =>
  sql`unnest(${tasks.map((task) => task.client_id)}::text[], ${tasks.map((task) => task.type)}::text[],
    ${tasks.map((task) => task.object_id)}::text[], ${tasks.map((task) => task.facility_code)}::text[])`;

/**
 * The statement is a union of the look-ups, because several nodes cannot answer a subquery per facility
 * (docs/citus.md).
 */
export async function findLongestWaiting(tx: Tx): Promise<WaitingTask[]> {
  const facilities = await tx.query<{ facility_code: string }>(sql`select facility_code from facility limit 10000`);
  const found: WaitingTask[] = [];
  for (let at = 0; at < facilities.length; at += facilitiesMax) {
    const codes = facilities.slice(at, at + facilitiesMax).map(({ facility_code }) => facility_code);
    // Entries without a facility pad the number to a power of two: few distinct statements, and few plans.
    while (codes.length & (codes.length - 1)) codes.push("");
    const union = codes
      .map(
        (code) => sql`(select w.client_id, w.type, w.object_id, w.facility_code from warehouse_task w
          where w.facility_code = ${code} and w.position is null order by w.task_id limit 1)`,
      )
      .reduce((all, statement) => sql`${all} union all ${statement}`);
    found.push(
      ...(await tx.query<WaitingTask>(
        sql`select t.client_id, t.type, t.object_id, t.facility_code from (${union}) t limit ${facilitiesMax}`,
      )),
    );
  }
  return found;
}
