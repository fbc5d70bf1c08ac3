// Notification rules and their messages, for the workload of plans.test.ts.
import { findConditions } from "#/console-api/index.ts";
import { listFailingReceivers, listLowStock } from "#/console-api/notifications/conditions.cross-client.ts";
import { contentOf } from "#/delivery/notifications/message.ts";
import * as repository from "#/delivery/notifications/repository.ts";
import {
  deleteRule,
  findRule,
  listRules,
  type Rule,
  type RuleSettings,
  saveRule,
  sealedRules,
} from "#/delivery/notifications/rule.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import { platformClient } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

/** A rule reports a condition, which ends; its message is sent, and purged. */
export async function runNotifications(database: Database, clientId: string): Promise<void> {
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const ruleId = ids.next(nowMs);
  for (const scope of [
    { clientIds: null, facilityCodes: null },
    { clientIds: [clientId], facilityCodes: ["DC1"] },
  ]) {
    await findConditions(database, at, scope, new Set());
    await listFailingReceivers(database, scope, 10);
    await listLowStock(database, scope, 10);
  }
  const settings: RuleSettings = {
    addresses: ["ops@example.com"],
    shownUrl: null,
    clientIds: [],
    facilityCodes: [],
    kinds: [],
    severity: "ANY",
    schedule: "AT_ONCE",
    dailyAt: null,
    quietFrom: null,
    quietUntil: null,
    timeZone: "UTC",
    remindHours: null,
  };
  const rule: Rule = {
    ruleId,
    name: "All",
    channel: "MAIL",
    isActive: true,
    settings,
    targetSealed: "sealed",
    updatedBy: "test",
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  const condition = {
    key: "late",
    kind: "ORDER_LATE",
    isSevere: true,
    clientId,
    facilityCode: "DC1",
    since: at,
    count: 1,
    isMore: false,
    title: "Order late",
    summary: "It is late.",
    path: "/exceptions",
  };
  const keys = ["late"];
  const none = { found: [], back: [], ended: [], forgotten: [], report: [] };
  await database.transaction(async (tx) => {
    saveRule(tx, rule);
    await findRule(tx, ruleId);
    repository.storeRound(tx, ruleId, at, { ...none, found: [condition], report: [condition] });
    repository.storeRound(tx, ruleId, at, { ...none, ended: keys });
    repository.storeRound(tx, ruleId, at, { ...none, back: keys, forgotten: keys });
    const message = { ruleId, ruleName: "All", channel: "MAIL", recipient: "ops@example.com" } as const;
    const content = contentOf("All", [condition], "http://localhost");
    repository.insertMessages(tx, at, [{ ...message, messageId: ids.next(nowMs), content }]);
  });
  await listRules(database);
  await repository.listKnown(database, ruleId);
  await repository.lastMessageAt(database, ruleId);
  await repository.listMessages(database, idBoundary(nowMs + 1_000), 10);
  await repository.listRulesWithDue(database, at, 10);
  for (const claimed of await repository.claimDue(database, ruleId, at, at, 4)) {
    await repository.settle(database, claimed, { status: "SENT", at, answer: "accepted" });
  }
  await sealedRules.list(database.of(platformClient), "", 10);
  await database.transaction(async (tx) => {
    const texts = [{ key: ruleId, column: "target_sealed", before: "sealed", after: "sealed" }];
    await sealedRules.replace(tx.of(platformClient), "target_sealed", texts);
    deleteRule(tx, ruleId, at);
  });
  await repository.purgeMessages(database, idBoundary(nowMs - 1_000), 10);
}
