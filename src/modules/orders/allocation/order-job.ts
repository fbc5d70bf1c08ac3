import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type ClientTurns, createClientTurns, namesOf } from "#/store/db/client-turns.ts";
import type { ClientTransaction, Database, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft, OutboxWriter } from "#/store/outbox/append.ts";

/** A scheduled job on orders. It works through the clients that have due orders and returns the number processed. */
export interface OrderJob {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: OutboxWriter;
  /** Kept from run to run, for the back-off of each client. */
  readonly turns?: ClientTurns;
}

/** Orders that one transaction takes, at most; the next turn takes the rest. */
export const batch = 100;
/** Of a client in one run. */
const turnsMax = 100;

type Work = (tx: UnitOfWork) => Promise<{ readonly done: number; readonly drafts: readonly EventDraft[] }>;

/** The moment `ms` milliseconds ago, ISO 8601 UTC. */
export const ago = ({ clock }: Pick<OrderJob, "clock">, ms: number) => new Date(clock.now() - ms).toISOString();

/** The moments of orders at which a job is due; a cleared one is not due again. */
const dueColumns = { atRisk: sql`at_risk_at`, release: sql`release_at` } as const;

/**
 * Takes at most a batch of orders that are due by `now`, and clears their moment. Those that were accepted first come
 * first: of orders that are due at once, the first get the stock.
 */
export async function takeDue(tx: ClientTransaction, due: keyof typeof dueColumns, now: string): Promise<string[]> {
  const column = dueColumns[due];
  const rows = await tx.query<{ order_id: string }>(
    sql`update sales_order o set ${column} = null
      where o.client_id = ${tenant} and o.order_id = any(array(
          -- In key order, the lock order of all orders.
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.${column} is not null and d.${column} <= ${now}::timestamptz
            and d.order_id = any(array(
              select f.order_id from sales_order f
              where f.client_id = ${tenant} and f.${column} is not null and f.${column} <= ${now}::timestamptz
              order by f.received_at, f.order_id limit ${batch}))
          order by d.order_id limit ${batch} for no key update))
      returning o.order_id`,
  );
  return rows.map(({ order_id }) => order_id);
}

/** Runs batches, each in its own transaction and a turn of its client, until no client has due orders. */
export async function workThroughClients(job: OrderJob, clientIds: readonly string[], work: Work): Promise<number> {
  const { turns = createClientTurns() } = job;
  let all = 0;
  const left = new Map(clientIds.map((clientId) => [clientId, turnsMax]));
  await turns.run(namesOf(clientIds), async (clientId) => {
    const done = await inTransaction(job, clientId, work);
    all += done;
    const turnsLeft = (left.get(clientId) ?? 0) - 1;
    left.set(clientId, turnsLeft);
    return done === batch && turnsLeft > 0;
  });
  return all;
}

export function inTransaction(
  { database, clock, ids, writer }: OrderJob,
  clientId: string,
  work: Work,
): Promise<number> {
  const at = new Date(clock.now()).toISOString();
  return database.ofClient(clientId).transaction(async (tx) => {
    const view = tx.of(clientId, { actor: "worker", origin: "job", at, ids });
    const { done, drafts } = await work(view);
    writer.append(view, at, drafts);
    return done;
  });
}
