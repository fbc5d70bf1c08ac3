import type { Database, Transaction, TransactionOptions } from "#/db/database.ts";
import type { HistoryOrderRow, LivedOrder } from "#/history-generator/history-rows.ts";
import type { PlanFrame } from "#/history-generator/order-plan.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets, findShippingFacility, KnownServices } from "#/modules/carriers/index.ts";
import type { SsccMint } from "#/modules/parcels/index.ts";

export interface HistoryContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** GS1 company prefix of the SSCCs. */
  readonly gs1Prefix: string;
}

/** What all batches of one run have in common. */
export interface HistoryFrame extends PlanFrame {
  readonly context: HistoryContext;
  readonly clientId: string;
  /** When the history begins, Unix milliseconds. */
  readonly fromMs: number;
  readonly facilities: ReadonlyMap<string, NonNullable<Awaited<ReturnType<typeof findShippingFacility>>>>;
  readonly sets: CarrierSets;
  readonly services: KnownServices;
  readonly ssccs: SsccMint;
  readonly limits: TransactionOptions;
  /** All of it has left before, Unix milliseconds; left out: now. */
  readonly leftByMs?: number;
  /** Writes what belongs to the orders besides, in their transaction. */
  besides?(tx: Transaction, lived: readonly LivedOrder[], rows: readonly HistoryOrderRow[]): void;
  /** Books what left with the orders, in the place of the receipt and the despatches of one moment. */
  bookStock?(tx: Transaction, lived: readonly LivedOrder[]): Promise<void>;
}
