// Statements for proposals of agents.
import type { AgentToolName, AgentToolObject } from "#/modules/clients/index.ts";
import { type ProposalState, pendingProposal } from "#/modules/proposals/states.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** A field that a proposal would change. */
export interface ProposedChange {
  /** Its place, such as `shipToAddress.city`. */
  readonly field: string;
  /** As text; null: no value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The answer of the operation. */
export interface ProposalResult {
  readonly status: number;
  /** Why it was refused; null where it was not. */
  readonly detail: string | null;
}

export interface NewProposal {
  readonly proposalId: string;
  readonly tool: AgentToolName;
  readonly objectType: AgentToolObject;
  readonly objectId: string;
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly agent: string;
  readonly credentialId: string;
  /** The user for whom the agent proposes it; null: the agent has a token of the client. */
  readonly proposedBy: string | null;
  readonly changes: ProposedChange[];
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface Proposal extends NewProposal {
  readonly clientId: string;
  readonly status: ProposalState;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly decisionReason: string | null;
  readonly result: ProposalResult | null;
}

/** The columns of a proposal of `p`, as they are at a moment. */
const columnsAt = (at: string) => sql`p.client_id as "clientId", p.proposal_id as "proposalId", p.tool,
  p.object_type as "objectType", p.object_id as "objectId", p.method, p.path, p.body, p.reason, p.agent,
  p.credential_id as "credentialId", p.proposed_by as "proposedBy", p.dry_run as changes, p.created_at as "createdAt", p.expires_at as "expiresAt",
  case when p.status in ${pendingProposal} and p.expires_at <= ${at}::timestamptz then 'EXPIRED' else p.status end as status,
  p.decided_by as "decidedBy", p.decided_at as "decidedAt", p.decision_reason as "decisionReason", p.result`;

export function addProposal(tx: ClientTransaction, proposal: NewProposal): void {
  const { proposalId, tool, objectType, objectId, method, path, body, reason, agent, credentialId } = proposal;
  tx.send(sql`insert into agent_proposal (client_id, proposal_id, tool, object_type, object_id, method, path, body,
        reason, agent, credential_id, proposed_by, dry_run, status, created_at, expires_at)
      values (${tenant}, ${proposalId}::uuid, ${tool}, ${objectType}, ${objectId}, ${method}, ${path}, ${JSON.stringify(body)}::jsonb,
        ${reason}, ${agent}, ${credentialId}, ${proposal.proposedBy}, ${JSON.stringify(proposal.changes)}::jsonb, 'PENDING',
        ${proposal.createdAt}::timestamptz, ${proposal.expiresAt}::timestamptz)`);
}

export async function findProposal(tx: ClientTx, proposalId: string, at: string): Promise<Proposal | undefined> {
  const rows = await tx.query<Proposal>(sql`select ${columnsAt(at)} from agent_proposal p
      where p.client_id = ${tenant} and p.proposal_id = ${proposalId}::uuid limit 1`);
  return rows[0];
}

/** How many proposals of the client wait; `limit` at most. */
export async function countPendingProposals(tx: ClientTx, at: string, limit: number): Promise<number> {
  const rows = await tx.query<{ readonly count: number }>(sql`select count(*)::integer as count from (
        select 1 from agent_proposal p
        where p.client_id = ${tenant} and p.status in ${pendingProposal} and p.expires_at > ${at}::timestamptz
        limit ${limit}) waiting`);
  return rows[0]?.count ?? 0;
}

export interface ProposalDecision {
  readonly status: "APPROVED" | "REJECTED";
  readonly by: string;
  readonly at: string;
  readonly reason: string | undefined;
}

/** Decides a proposal that waits. @returns whether it did. */
export async function decideProposal(
  tx: ClientTransaction,
  proposalId: string,
  { status, by, at, reason = undefined }: ProposalDecision,
): Promise<boolean> {
  const rows = await tx.query(sql`update agent_proposal p
      set status = ${status}, decided_by = ${by}, decided_at = ${at}::timestamptz, decision_reason = ${reason ?? null}
      where p.client_id = ${tenant} and p.proposal_id = ${proposalId}::uuid
        and p.status in ${pendingProposal} and p.expires_at > ${at}::timestamptz
      returning p.tool`);
  return rows.length > 0;
}

/** Notes what became of an approved proposal. */
export function settleProposal(tx: ClientTransaction, proposalId: string, result: ProposalResult): void {
  const status = result.status < 400 ? "EXECUTED" : "FAILED";
  tx.send(sql`update agent_proposal p set status = ${status}, result = ${JSON.stringify(result)}::jsonb
      where p.client_id = ${tenant} and p.proposal_id = ${proposalId}::uuid and p.status = 'APPROVED'`);
}

/** Old proposals. @param before an id @returns how many were deleted; fewer than `limit`: none are left. */
export async function purgeProposals(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from agent_proposal p
      where p.client_id = ${tenant} and p.proposal_id = any(array(
        select o.proposal_id from agent_proposal o
        where o.client_id = ${tenant} and o.proposal_id < ${before}::uuid
        order by o.proposal_id limit ${limit}))
      returning p.tool`);
  return rows.length;
}
