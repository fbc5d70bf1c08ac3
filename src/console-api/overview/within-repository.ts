import type { Scope } from "#/http/access/operator.ts";
import { type Statement, sql } from "#/store/db/sql.ts";

/** Limits rows to a scope by their columns. The text is the same for every scope, so each statement has one plan. */
export function within({ clientIds, facilityCodes }: Scope, clientId: Statement, facilityCode: Statement): Statement {
  return sql`(${clientIds}::text[] is null or ${clientId} = any(${clientIds}::text[]))
    and (${facilityCodes}::text[] is null or ${facilityCode} = any(${facilityCodes}::text[]))`;
}

/** The same limit for rows without a facility. */
export function ofClients({ clientIds }: Pick<Scope, "clientIds">, clientId: Statement): Statement {
  return sql`(${clientIds}::text[] is null or ${clientId} = any(${clientIds}::text[]))`;
}
