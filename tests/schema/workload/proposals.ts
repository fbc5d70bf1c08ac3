// Proposals of agents, for the workload of plans.test.ts.
import assert from "node:assert/strict";
import { hourMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import {
  addProposal,
  countPendingProposals,
  decideProposal,
  findProposal,
  purgeProposals,
  settleProposal,
} from "#/modules/proposals/index.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

export async function runProposals(database: Database, clientId: string, orderId: string): Promise<void> {
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const change = { actor: "test", origin: "test", at, ids };
  const proposalId = ids.next(nowMs);
  await database.transaction(async (tx) => {
    const view = tx.of(clientId, change);
    addProposal(view, {
      proposalId,
      tool: "hold_order",
      objectType: "order",
      objectId: orderId,
      method: "POST",
      path: `/order/hold/${orderId}`,
      body: {},
      reason: "why",
      agent: "agent 1.0",
      credentialId: ids.next(nowMs),
      proposedBy: null,
      changes: [{ field: "status", before: "ALLOCATED", after: "ON_HOLD" }],
      createdAt: at,
      expiresAt: new Date(nowMs + hourMs).toISOString(),
    });
    assert.equal(await countPendingProposals(view, at, 200), 1);
    assert.ok(await decideProposal(view, proposalId, { status: "APPROVED", by: "test", at, reason: undefined }));
    settleProposal(view, proposalId, { status: 200, detail: null });
    const found = await findProposal(view, proposalId, at);
    assert.equal(found?.status, "EXECUTED");
  });
  await purgeProposals(database.of(clientId), idBoundary(0), 2_000);
}
