import type { Work } from "#/modules/facilities/index.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { Transaction } from "#/store/db/transaction.ts";
import { packing, packJson, unpackJson } from "#/store/packed/packed.ts";

/** The content of a task, stored packed: quantities are JSON numbers. */
export interface TaskContent {
  readonly lines: readonly TaskLine[];
  readonly finishedGood?: Work["finishedGood"];
  readonly shipTo?: object | undefined;
  readonly carrierCode?: string | undefined;
  readonly order?: Work["order"];
  readonly orderReference?: string | undefined;
  readonly orderId?: string | undefined;
  readonly purchaseOrder?: Partial<NonNullable<Work["purchaseOrder"]>> | undefined;
  readonly notes?: string | undefined;
  readonly toFacility?: string | undefined;
  readonly extendedAttributes?: Work["extendedAttributes"];
}

export interface TaskLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** Absent in a blind count. */
  readonly qty?: number | undefined;
  readonly uom: string;
  readonly stockPool: string;
  readonly condition?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly extendedAttributes?: Work["extendedAttributes"];
  readonly returnReasonCode?: string | undefined;
  readonly attributeOne?: string | undefined;
  readonly attributeThree?: string | undefined;
}

export interface TaskKey {
  readonly type: Work["type"];
  readonly objectId: string;
  readonly facilityCode: string;
}

export interface Task extends TaskKey {
  readonly taskId: string;
  readonly version: number;
  readonly priority: number;
  readonly dueAt: string | null;
  readonly releasedAt: string;
  readonly acceptedAt: string | null;
  readonly withdrawnAt: string | null;
  readonly content: TaskContent;
}

const columns = sql`type, object_id as "objectId", facility_code as "facilityCode", task_id as "taskId", version, priority,
  due_at as "dueAt", released_at as "releasedAt", accepted_at as "acceptedAt", withdrawn_at as "withdrawnAt", content`;

const rowsMax = 100_000;

/** The tasks as they are stored. */
const withPacked = (tx: Pick<Transaction, "writesPacked">, tasks: readonly Task[]) =>
  tasks.map((task) => ({ ...task, content: packJson(tx, task.content, packing.task) }));

/** The task of a stored row. */
export const unpackTask = <Row extends Task>(row: Row): Row => ({ ...row, content: unpackJson(row.content) });

/**
 * Locks the tasks of these objects, of all types and facilities, in the order of their objects. In key order,
 * PostgreSQL before 17 scans all tasks of a type.
 */
export async function lockTasks(tx: ClientTx, of: readonly Pick<TaskKey, "type" | "objectId">[]): Promise<Task[]> {
  const rows = await tx.query<Task>(
    setOf(
      of,
      (objects) => {
        const types = [...new Set(objects.map(({ type }) => type))];
        const objectIds = [...new Set(objects.map(({ objectId }) => objectId))];
        return sql`select ${columns} from warehouse_task
          where client_id = ${tenant} and type = any(${types}::text[]) and object_id = any(${objectIds}::text[])
          order by object_id, type, facility_code limit ${rowsMax} for update`;
      },
      {
        reads: "warehouse_task",
        keys: { given: ({ objectId }) => objectId, answered: ({ objectId }: Task) => objectId },
      },
    ),
  );
  return rows.map(unpackTask);
}

export function insertTasks(tx: ClientTransaction, tasks: readonly Task[]): void {
  if (tasks.length === 0) return;
  tx.send(sql`insert into warehouse_task as k
        (client_id, type, object_id, task_id, facility_code, version, priority, due_at, released_at, content)
      select t.client_id, x.type, x."objectId", x."taskId", x."facilityCode", x.version, x.priority, x."dueAt",
        x."releasedAt", x.content
      from tenant t cross join json_to_recordset(${JSON.stringify(withPacked(tx, tasks))}::json) as x(type text, "objectId" text,
        "taskId" uuid, "facilityCode" text, version integer, priority smallint, "dueAt" timestamptz,
        "releasedAt" timestamptz, content jsonb)
      where t.client_id = ${tenant}`);
}

/** Writes new versions: each gets a new position in the feed at the next read. */
export function updateTasks(tx: ClientTransaction, tasks: readonly Task[]): void {
  if (tasks.length === 0) return;
  tx.send(sql`update warehouse_task k set version = x.version, priority = x.priority, due_at = x."dueAt",
        released_at = x."releasedAt", accepted_at = x."acceptedAt", withdrawn_at = x."withdrawnAt", content = x.content,
        position = null
      from json_to_recordset(${JSON.stringify(withPacked(tx, tasks))}::json) as x(type text, "objectId" text, "facilityCode" text,
        version integer, priority smallint, "dueAt" timestamptz, "releasedAt" timestamptz, "acceptedAt" timestamptz,
        "withdrawnAt" timestamptz, content jsonb)
      where k.client_id = ${tenant} and k.type = x.type and k.object_id = x."objectId"
        and k.facility_code = x."facilityCode"`);
}

/** Writes the warehouse's own progress on its task: the warehouse knows it, so this is not a new version. */
export function updateProgress(tx: ClientTransaction, tasks: readonly Task[]): void {
  if (tasks.length === 0) return;
  tx.send(
    setOf(
      withPacked(tx, tasks),
      (progressed) => sql`update warehouse_task k set content = x.content, accepted_at = x."acceptedAt"
        from json_to_recordset(${JSON.stringify(progressed)}::json)
          as x(type text, "objectId" text, "facilityCode" text, content jsonb, "acceptedAt" timestamptz)
        where k.client_id = ${tenant} and k.type = x.type and k.object_id = x."objectId"
          and k.facility_code = x."facilityCode"`,
      { writes: "warehouse_task" },
    ),
  );
}

/** Marks tasks as accepted by the warehouse. */
export function markAccepted(tx: ClientTransaction, at: string, tasks: readonly TaskKey[]): void {
  if (tasks.length === 0) return;
  tx.send(sql`update warehouse_task k set accepted_at = ${at}::timestamptz
      from json_to_recordset(${JSON.stringify(tasks)}::json) as x(type text, "objectId" text, "facilityCode" text)
      where k.client_id = ${tenant} and k.type = x.type and k.object_id = x."objectId"
        and k.facility_code = x."facilityCode" and k.accepted_at is null and k.withdrawn_at is null`);
}
