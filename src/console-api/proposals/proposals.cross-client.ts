import { highest, lowest, type NewestPlace, place } from "#/console-api/newest-first.cross-client.ts";
import type { ProposalSummary } from "#/console-api/proposals/contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import { pendingProposal } from "#/modules/proposals/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, acrossClients as sql } from "#/store/db/sql.ts";

export interface ProposalFilter extends Pick<Scope, "clientIds"> {
  readonly statuses: readonly string[] | undefined;
  /** Now: who waits after its time has expired. */
  readonly now: string;
  readonly after: NewestPlace | undefined;
  /** The last position of the scan; undefined: the end of the list. */
  readonly reach: NewestPlace | undefined;
  readonly limit: number;
}

/** Proposals over all clients, the newest first. */
export function listProposals(tx: Tx, filter: ProposalFilter): Promise<ProposalSummary[]> {
  const { clientIds, statuses, now, after = highest, reach = lowest, limit } = filter;
  const status = sql`case when p.status in ${pendingProposal} and p.expires_at <= ${now}::timestamptz then 'EXPIRED' else p.status end`;
  const conditions = allOf([
    clientIds === null ? undefined : sql`p.client_id = any(${clientIds}::text[])`,
    statuses === undefined ? undefined : sql`${status} = any(${statuses}::text[])`,
  ]);
  return tx.query(sql`select p.proposal_id as "proposalId", p.client_id as "clientId", p.tool,
      p.object_type as "objectType", p.object_id as "objectId", p.reason, p.agent, p.proposed_by as "proposedBy", ${status} as status,
      p.created_at as "createdAt", p.expires_at as "expiresAt", p.decided_by as "decidedBy",
      p.decided_at as "decidedAt", p.decision_reason as "decisionReason"
    from agent_proposal p
    where p.created_at <= ${after.at}::timestamptz and p.created_at >= ${reach.at}::timestamptz
      and (p.created_at, p.client_id, p.proposal_id) < ${place(after)}
      and (p.created_at, p.client_id, p.proposal_id) >= ${place(reach)} and ${conditions}
    order by p.created_at desc, p.client_id desc, p.proposal_id desc limit ${limit}`);
}

/** The last of the next `looked` proposals, without any filter; undefined where there are fewer. */
export async function findReachOfProposals(
  tx: Tx,
  after: NewestPlace = highest,
  looked: number,
): Promise<NewestPlace | undefined> {
  const rows = await tx.query<NewestPlace>(sql`select p.created_at as at, p.client_id as client, p.proposal_id as id
    from agent_proposal p
    where p.created_at <= ${after.at}::timestamptz and (p.created_at, p.client_id, p.proposal_id) < ${place(after)}
    order by p.created_at desc, p.client_id desc, p.proposal_id desc limit 1 offset ${looked - 1}`);
  return rows[0];
}
