// Blanks personal data in the warehouse's tasks and reports, and in the operators' exceptions.
import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/** Task types whose content has fields of the order. */
const taskTypes = ["PICK", "CANCEL_REQUEST", "HOLD"];

/** Tasks end long before the data of their order are erased: their lines are not needed any more either. */
export function blankTasks(
  tx: ClientTransaction,
  { orderIds, rmaNumbers }: { readonly orderIds: readonly string[]; readonly rmaNumbers: readonly string[] },
): void {
  tx.send(sql`update warehouse_task set content = '{"lines": []}'
      where client_id = ${tenant} and type = any(${taskTypes}::text[]) and object_id = any(${orderIds}::text[])
        and content <> '{"lines": []}'`);
  tx.send(sql`update warehouse_task set content = '{"lines": []}'
      where client_id = ${tenant} and type = 'RETURN' and object_id = any(${rmaNumbers}::text[])
        and content <> '{"lines": []}'`);
}

export interface TaskOf {
  readonly task_id: string;
  readonly facility_code: string;
}

/** The tasks that `blankTasks` blanks. */
export function listTasksOf(
  tx: ClientTx,
  { orderIds, rmaNumbers }: { readonly orderIds: readonly string[]; readonly rmaNumbers: readonly string[] },
): Promise<TaskOf[]> {
  return tx.query(sql`select task_id, facility_code from warehouse_task
        where client_id = ${tenant} and type = any(${taskTypes}::text[]) and object_id = any(${orderIds}::text[])
      union all select task_id, facility_code from warehouse_task
        where client_id = ${tenant} and type = 'RETURN' and object_id = any(${rmaNumbers}::text[])
      limit 100000`);
}

/** A rejected report is stored as received. Its type and its response stay, its content goes. */
export function blankExceptions(tx: ClientTransaction, objectIds: readonly string[], blankedWord: string): void {
  tx.send(sql`update operator_exception set summary = ${blankedWord},
        detail = jsonb_strip_nulls(coalesce((
          select jsonb_object_agg(member.name, member.value) from jsonb_each(detail) as member(name, value)
          where member.name = any(array['key', 'report', 'status', 'carrierCode'])), '{}'))
      where client_id = ${tenant} and object_id = any(${objectIds}::text[]) and summary <> ${blankedWord}`);
}

/** Notes that operators added to exceptions of these objects. */
export function blankAnnotations(
  tx: ClientTransaction,
  { types, keys }: { readonly types: readonly string[]; readonly keys: readonly string[] },
): void {
  tx.send(sql`update exception_annotation set note = null, reason = case when reason is not null then '' end
      where client_id = ${tenant} and type = any(${types}::text[]) and object_key = any(${keys}::text[])
        and (note is not null or reason is not null)`);
}
