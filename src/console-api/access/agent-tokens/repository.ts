// A token for an agent is a session of its user, limited to a client: what ends the user's sessions ends it too.
import type { AgentToken } from "#/console-api/access/agent-tokens/contract.ts";
import type { NewSession } from "#/console-api/access/sign-in/session-repository.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

export interface NewAgentToken extends Omit<NewSession, "step"> {
  readonly name: string;
  readonly clientId: string;
  readonly mayPropose: boolean;
}

export function insertAgentToken(tx: Transaction, token: NewAgentToken): void {
  tx.send(
    sql`insert into console_session (session_sha256, user_name, access_version, started_at, last_used_at, expires_at, origin, step,
        factor, agent_name, agent_client_id, agent_proposes)
      values (${token.sha256}, ${token.userName}, ${token.accessVersion}, ${token.at}::timestamptz, ${token.at}::timestamptz,
        ${token.endsAt}::timestamptz, ${token.origin}, 'DONE', ${token.factor}, ${token.name}, ${token.clientId}, ${token.mayPropose})`,
  );
}

/** The tokens of a user that are not over, the newest first. */
export function listAgentTokens(tx: Tx, userName: string, at: string, limit: number): Promise<AgentToken[]> {
  return tx.query(
    sql`select translate(rtrim(encode(s.session_sha256, 'base64'), '='), '+/', '-_') as "tokenId", s.agent_name as name,
        s.agent_client_id as "clientId", s.agent_proposes as "mayPropose", s.started_at as "startedAt",
        nullif(s.last_used_at, s.started_at) as "lastUsedAt", s.expires_at as "expiresAt"
      from console_session s join console_user u on u.user_name = s.user_name
      where s.user_name = ${userName} and s.agent_client_id is not null and s.expires_at > ${at}::timestamptz
        and u.access_version = s.access_version and not u.is_suspended
      order by s.started_at desc, s.session_sha256 limit ${limit}`,
  );
}

/** @returns whether the user had such a token. */
export async function deleteAgentToken(tx: Tx, userName: string, sha256: Buffer): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from console_session where session_sha256 = ${sha256} and user_name = ${userName}
        and agent_client_id is not null returning user_name`,
  );
  return rows.length > 0;
}
