import type { UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";
import type { Change } from "#/store/db/transaction.ts";

export type { Change } from "#/store/db/transaction.ts";

/** Changes of the platform itself, such as a new facility, are recorded under this value instead of a client. */
export const platformClient = "";

export interface AuditEntry {
  /** A verb: `create`, `suspend`, `revoke`. */
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  /** Further relevant facts; never a secret, never a person's address (operations.md §5). */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * A warehouse, a carrier or the platform's own work makes the change: it is recorded where neither an event nor a
 * milestone states it. They were 10 lines of an order, kept for ever, and 3 % of its write-ahead log (bench/results.md).
 */
export function isByMachine({ actor }: Change): boolean {
  return actor === "worker" || actor.startsWith("warehouse:") || actor.startsWith("carrier:");
}

const insertEntries = insertInto(
  table("audit_log", ["audit_id"], {
    audit_id: "uuid",
    actor: "text",
    action: "text",
    object_type: "text",
    object_id: "text",
    origin: "text",
    detail: "jsonb",
  }),
);

/** Adds lines for many objects at once, in the transaction of the change. */
export function recordAudits(tx: UnitOfWork, entries: readonly AuditEntry[]): void {
  const rows = entries.map((entry) => ({
    audit_id: tx.change.ids.next(Date.parse(tx.change.at)),
    actor: tx.change.actor,
    action: entry.action,
    object_type: entry.objectType,
    object_id: entry.objectId,
    origin: tx.change.origin,
    detail: entry.detail ?? {},
  }));
  insertEntries.send(tx, rows);
}

/** Adds a line to the audit log in the transaction of the change, so that neither exists without the other. */
export function recordAudit(tx: UnitOfWork, entry: AuditEntry): void {
  const auditId = tx.change.ids.next(Date.parse(tx.change.at));
  tx.send(sql`insert into audit_log (client_id, audit_id, actor, action, object_type, object_id, origin, detail)
      values (${tenant}, ${auditId}, ${tx.change.actor}, ${entry.action}, ${entry.objectType}, ${entry.objectId},
        ${tx.change.origin}, ${JSON.stringify(entry.detail ?? {})}::jsonb)`);
}
