/** The states of an agent's proposal (docs/agents.md). */
import { codeList } from "#/store/db/sql.ts";

/** EXPIRED is not stored: it is PENDING whose time is over. */
export const proposalStates = ["PENDING", "APPROVED", "EXECUTED", "FAILED", "REJECTED", "EXPIRED"] as const;
export type ProposalState = (typeof proposalStates)[number];

export const pendingProposal = codeList(["PENDING"]);
