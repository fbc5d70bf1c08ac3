import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import {
  type Approval,
  approveCount,
  type CountOwner,
  type CountRequest,
  cancelCount,
  findCount,
  rejectCount,
  requestAbcCounts,
  requestCount,
  requestShortPickCounts,
  requestZeroBalanceCounts,
  type StockCount,
  workOfCount,
} from "#/modules/inventory/index.ts";
import { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
import { keepTasks } from "#/modules/warehouse/tasks/tasks.ts";
import type { Change } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";
import type { Consumer } from "#/store/outbox/relay.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";

/** Requests a count and releases its task, both in one transaction. */
export async function releaseCount(
  tx: UnitOfWork,
  owner: CountOwner,
  request: CountRequest,
): Promise<Result<StockCount, Refusal>> {
  const requested = await requestCount(tx, owner, request);
  if (requested.ok) await keepCountTasks(tx, [requested.value]);
  return requested;
}

/** Requests the counts of the ABC rule with their tasks. Returns the facilities whose task list has changed. */
export async function releaseAbcCounts(
  tx: UnitOfWork,
  facilityCode: string,
  skus: readonly string[],
): Promise<readonly string[]> {
  const counts = await requestAbcCounts(tx, facilityCode, skus);
  return keepCountTasks(tx, counts);
}

/** Cancels a count that has no report, and withdraws its task. */
export async function withdrawCount(
  tx: UnitOfWork,
  countId: string,
  reason: string | undefined,
): Promise<Result<StockCount, Refusal>> {
  const cancelled = await cancelCount(tx, countId, reason);
  if (cancelled.ok) await keepCountTasks(tx, [cancelled.value]);
  return cancelled;
}

/** Books the differences that wait. */
export function approveWaiting(
  tx: UnitOfWork,
  countId: string,
  approval: Approval,
): Promise<Result<CommandResult<StockCount>, Refusal>> {
  return approveCount(tx, countId, approval, freeAllocations);
}

export interface Rejection {
  readonly reason?: string | undefined;
  /** The warehouse counts the lots again. */
  readonly isRecounted: boolean;
}

/** Rejects the differences that wait; a recount is released as another task. */
export async function rejectWaiting(
  tx: UnitOfWork,
  countId: string,
  rejection: Rejection,
): Promise<Result<{ readonly rejected: StockCount; readonly recount: StockCount | undefined }, Refusal>> {
  const result = await rejectCount(tx, countId, rejection);
  if (!result.ok) return result;
  const { recount } = result.value;
  if (recount) await keepCountTasks(tx, [recount]);
  return ok(result.value);
}

/** Ends the task of a count that was answered. */
export async function withdrawCountTask(tx: UnitOfWork, countId: string): Promise<void> {
  const count = await findCount(tx, countId);
  if (count) await keepCountTasks(tx, [count]);
}

const keepCountTasks = (tx: UnitOfWork, counts: readonly StockCount[]) =>
  keepTasks(tx, tx.change.at, counts.map(workOfCount), tx.change.ids);

export interface CountRulesContext {
  readonly ids: Ids;
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  readonly onChange?: ((facilityCodes: Iterable<string>) => void) | undefined;
}

interface StockEvent {
  readonly sku?: unknown;
  readonly reason?: unknown;
  readonly quantities?: { readonly onHand?: unknown };
}
const dataOf = ({ data }: OutboxRow) => (data ?? {}) as StockEvent;

/** The rules of the client settings countShortPicks and countZeroBalance. */
const rules = [
  {
    setting: "countShortPicks",
    origin: "short-pick",
    applies: (row: OutboxRow) => row.topic === "inventory:adjusted" && dataOf(row).reason === "SHORT_PICK",
    request: requestShortPickCounts,
  },
  {
    setting: "countZeroBalance",
    origin: "zero-balance",
    applies: (row: OutboxRow) => row.topic === "inventory:changed" && dataOf(row).quantities?.onHand === 0,
    request: requestZeroBalanceCounts,
  },
] as const;

/** Asks for the counts that the rules of a client want, in the transaction that publishes the event of the stock. */
export function createCountConsumer({ ids, findClient, onChange = () => {} }: CountRulesContext): Consumer {
  const changedOf = new Map<string, readonly string[]>();
  return {
    async consume(tx, at, rows) {
      const concerned = rules.filter(({ applies }) => rows.some(applies));
      if (concerned.length === 0) return [];
      const settings = (await findClient(tx.clientId))?.settings;
      const facilityCodes: string[] = [];
      for (const { setting, origin, applies, request } of concerned) {
        if (!settings?.[setting]) continue;
        const change: Change = { actor: "worker", origin, at, ids };
        for (const [facilityCode, ofFacility] of Map.groupBy(rows.filter(applies), (row) => row.facilityCode)) {
          if (!facilityCode) continue;
          const skus = [...new Set(ofFacility.map((row) => String(dataOf(row).sku)))];
          const counts = await request(tx.with(change), facilityCode, skus);
          facilityCodes.push(...(await keepCountTasks(tx.with(change), counts)));
        }
      }
      if (facilityCodes.length > 0) changedOf.set(tx.clientId, facilityCodes);
      return [];
    },
    afterwards(clientId) {
      const facilityCodes = changedOf.get(clientId);
      if (!facilityCodes) return;
      changedOf.delete(clientId);
      onChange(facilityCodes);
    },
  };
}
