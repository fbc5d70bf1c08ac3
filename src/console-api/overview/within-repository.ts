import { type Statement, sql } from "#/db/sql.ts";
import type { Scope } from "#/http/access/operator.ts";

/** Limits rows to a scope by their columns; one text, whatever the scope is, and so one plan for each statement. */
export function within({ clientIds, facilityCodes }: Scope, clientId: Statement, facilityCode: Statement): Statement {
  return sql`(${clientIds}::text[] is null or ${clientId} = any(${clientIds}::text[]))
    and (${facilityCodes}::text[] is null or ${facilityCode} = any(${facilityCodes}::text[]))`;
}

/** The same of what belongs to no facility. */
export function ofClients({ clientIds }: Pick<Scope, "clientIds">, clientId: Statement): Statement {
  return sql`(${clientIds}::text[] is null or ${clientId} = any(${clientIds}::text[]))`;
}
