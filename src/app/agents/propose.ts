import type { LightMyRequestResponse } from "fastify";
import { changesOf } from "#/app/agents/changes.ts";
import type { AgentTool, ProposingTool, ToolRequest } from "#/app/agents/tools.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { addProposal, countPendingProposals, findProposal, type Proposal } from "#/modules/proposals/index.ts";
import { type Change, recordAudit } from "#/store/db/audit.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";

const hoursDefault = 24;
const hoursMax = 72;
const reasonLengthMax = 500;
/** A person must be able to read them. */
const pendingMax = 200;

/** Reason and time of a proposal, and the arguments of its operation. */
export function readProposal(args: Readonly<Record<string, unknown>>) {
  const { proposalReason: reason, proposalHours: hours = hoursDefault, ...rest } = args;
  return { reason, hours, args: rest };
}

export interface ProposalRequest {
  readonly tool: AgentTool & { readonly proposes: ProposingTool };
  readonly args: Readonly<Record<string, unknown>>;
  readonly reason: unknown;
  readonly hours: unknown;
  readonly target: ToolRequest;
  readonly clientId: string;
  readonly agent: string;
  readonly credentialId: string;
  readonly proposedBy: string | null;
  readonly correlationToken: string;
  readonly change: Change;
}

export interface Proposing {
  readonly database: Database;
  /** Sends a request of the agent. */
  send(target: ToolRequest, isDryRun: boolean): Promise<LightMyRequestResponse>;
}

/** The stored proposal, the refusal of its dry run, or what is wrong with it. */
export type Proposed =
  | { readonly kind: "proposal"; readonly proposal: Proposal }
  | { readonly kind: "refusal"; readonly status: number; readonly body: string }
  | { readonly kind: "fault"; readonly text: string };

const fault = (text: string): Proposed => ({ kind: "fault", text });

/** Tries the request without effect and stores it with what it would change. */
export async function propose({ database, send }: Proposing, asked: ProposalRequest): Promise<Proposed> {
  const { tool, args, reason, hours, target, clientId, change } = asked;
  if (typeof reason !== "string" || reason.trim() === "" || reason.length > reasonLengthMax) {
    return fault(`proposalReason is a text of 1 to ${reasonLengthMax} characters: why you propose it.`);
  }
  if (typeof hours !== "number" || !Number.isInteger(hours) || hours < 1 || hours > hoursMax) {
    return fault(`proposalHours is a number from 1 to ${hoursMax}.`);
  }
  const tried = await send(target, true);
  if (tried.statusCode >= 400) return { kind: "refusal", status: tried.statusCode, body: tried.body };
  const reader = tool.proposes.beforeOf(args);
  const before = reader === undefined ? undefined : await send(reader, false);
  const atMs = Date.parse(change.at);
  const proposal: Proposal = {
    clientId,
    proposalId: change.ids.next(atMs),
    tool: tool.proposes.name,
    objectType: tool.proposes.objectType,
    objectId: String(args[tool.proposes.idArgument]),
    method: target.method === "PATCH" ? "PATCH" : "POST",
    path: target.url.replace(/^\/v1\/\w+/, ""),
    body: target.body ?? {},
    reason,
    agent: asked.agent,
    credentialId: asked.credentialId,
    proposedBy: asked.proposedBy,
    changes: changesOf(before?.statusCode === 200 ? before.json() : undefined, recordOf(tried.json())),
    status: "PENDING",
    createdAt: change.at,
    expiresAt: new Date(atMs + hours * hourMs).toISOString(),
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    result: null,
  };
  return database.transaction(async (tx) => {
    const view = tx.of(clientId, change);
    if ((await countPendingProposals(view, change.at, pendingMax)) >= pendingMax) {
      return fault(`${pendingMax} proposals wait already: they must be decided first.`);
    }
    addProposal(view, proposal);
    recordCall(view, asked, tried.statusCode, { proposalId: proposal.proposalId });
    return { kind: "proposal", proposal };
  });
}

/** The call of a tool, in the audit log. */
export function recordCall(
  tx: UnitOfWork,
  {
    agent,
    credentialId,
    correlationToken,
    tool,
  }: Pick<ProposalRequest, "agent" | "credentialId" | "correlationToken"> & {
    readonly tool: { readonly name: string };
  },
  status: number,
  more: Readonly<Record<string, string>> = {},
): void {
  const detail = { agent, credentialId, correlationToken, status, ...more };
  recordAudit(tx, { action: "call", objectType: "agentTool", objectId: tool.name, detail });
}

/** The changed record, of an answer that has it as a part. */
function recordOf(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("order" in answer)) return answer;
  const { order, ...rest } = answer;
  return { ...rest, ...(order as object) };
}

/** A proposal as its agent sees it. */
export const shownProposal = ({
  body: _body,
  path: _path,
  method: _method,
  credentialId: _credential,
  ...shown
}: Proposal) => shown;

export async function findShownProposal(database: Database, clientId: string, proposalId: unknown, at: string) {
  if (typeof proposalId !== "string" || !isUuidV7(proposalId)) return undefined;
  const found = await findProposal(database.of(clientId), proposalId, at);
  return found && shownProposal(found);
}
