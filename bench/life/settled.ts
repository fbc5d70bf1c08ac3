import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

const settleMsMax = 120_000;
const lookMsDefault = 20;

/** Waits until all events are published and all released stock has been considered for allocation. */
export async function settled(
  { client, name, lookMs = lookMsDefault }: { readonly client: pg.Client; readonly name: string; lookMs?: number },
  clientId: string,
): Promise<void> {
  const question = `select exists (select from outbox where client_id = $1)
    or exists (select from stock_change where client_id = $1 and needs_allocation) as is_busy`;
  for (const until = Date.now() + settleMsMax; Date.now() < until; await sleep(lookMs)) {
    const { rows } = await client.query<{ is_busy: boolean }>(question, [clientId]);
    if (rows[0]?.is_busy === false) return;
  }
  throw new Error(`the ${name} base does not come to rest within ${settleMsMax / 1_000} s`);
}
