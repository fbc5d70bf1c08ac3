import { contentOf, type MessageContent } from "#/delivery/notifications/message.ts";
import { type Current, planRound } from "#/delivery/notifications/plan.ts";
import * as repository from "#/delivery/notifications/repository.ts";
import { findRule, listRules, type Rule } from "#/delivery/notifications/rule.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

/** Which conditions are read. Null: all. */
export interface ConditionScope {
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
}

/** Finds what is wrong now, of these kinds; an empty set: of all. @param at ISO 8601 */
export type FindConditions = (
  database: Database,
  at: string,
  scope: ConditionScope,
  kinds: ReadonlySet<string>,
) => Promise<Current>;

interface RoundsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly findConditions: FindConditions;
  /** Without `/console`. */
  consoleUrl(): string;
  /** Messages wait to be sent. */
  onWritten(): void;
}

const orAll = (names: readonly string[]) => (names.length === 0 ? null : names);

/**
 * Compares the present conditions with what each rule has known, and writes its message: both in one transaction, so that
 * nothing is lost and nothing reported twice, wherever the process ends. Rules of one scope share the reading.
 */
export function createNotificationRounds(context: RoundsContext): () => Promise<number> {
  const { database, clock, ids, findConditions } = context;

  async function notifyAll(rules: readonly Rule[]): Promise<number> {
    const at = new Date(clock.now()).toISOString();
    const [{ settings }] = rules as [Rule];
    const scope = { clientIds: orAll(settings.clientIds), facilityCodes: orAll(settings.facilityCodes) };
    const isOfAll = rules.some((rule) => rule.settings.kinds.length === 0);
    const kinds = new Set(isOfAll ? [] : rules.flatMap((rule) => rule.settings.kinds));
    const current = await findConditions(database, at, scope, kinds);
    let written = 0;
    for (const { ruleId, version } of rules) {
      written += await database.transaction(async (tx) => {
        // The lock keeps out a worker whose lease has ended; a rule that changed meanwhile has its turn in the next round.
        const rule = await findRule(tx, ruleId);
        if (rule === undefined || rule.version !== version) return 0;
        const [known, lastAt] = await Promise.all([
          repository.listKnown(tx, ruleId),
          repository.lastMessageAt(tx, ruleId),
        ]);
        const lastMs = lastAt === undefined ? undefined : Date.parse(lastAt);
        const plan = planRound(rule.settings, Date.parse(at), current, known, lastMs);
        repository.storeRound(tx, ruleId, at, plan);
        if (plan.report.length === 0) return 0;
        return writeMessages(tx, { at, ids }, rule, contentOf(rule.name, plan.report, context.consoleUrl()));
      });
    }
    return written;
  }

  return async () => {
    const rules = (await listRules(database)).filter(({ isActive }) => isActive);
    const scopes = Map.groupBy(rules, ({ settings }) =>
      JSON.stringify([settings.clientIds.toSorted(), settings.facilityCodes.toSorted()]),
    );
    let written = 0;
    for (const ofScope of scopes.values()) written += await notifyAll(ofScope);
    if (written > 0) context.onWritten();
    return written;
  };
}

/** One message for each recipient. Returns how many. */
export function writeMessages(
  tx: Transaction,
  { at, ids }: { readonly at: string; readonly ids: Ids },
  { ruleId, name: ruleName, channel, settings }: Rule,
  content: MessageContent,
): number {
  const recipients = channel === "MAIL" ? settings.addresses : [URL.parse(settings.shownUrl ?? "")?.host ?? ""];
  const messages = recipients.map((recipient) => ({
    messageId: ids.next(Date.parse(at)),
    ruleId,
    ruleName,
    channel,
    recipient,
    content,
  }));
  repository.insertMessages(tx, at, messages);
  return messages.length;
}

/** A message without a condition. */
export const testContent = (ruleName: string, consoleUrl: string): MessageContent =>
  contentOf(ruleName, [], consoleUrl);
