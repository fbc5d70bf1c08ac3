import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets, findShippingFacility, KnownServices } from "#/modules/carriers/index.ts";
import type { SsccMint } from "#/modules/parcels/index.ts";
import type { HistoryOrderRow, LivedOrder } from "#/sandbox/history/history-rows.ts";
import type { PlanFrame } from "#/sandbox/history/order-plan.ts";
import type { Database, Transaction, TransactionOptions } from "#/store/db/database.ts";

export interface HistoryContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** GS1 company prefix of the SSCCs. */
  readonly gs1Prefix: string;
}

/** Values shared by all batches of one run. */
export interface HistoryFrame extends PlanFrame {
  readonly context: HistoryContext;
  readonly clientId: string;
  /** Start of the history, Unix milliseconds. */
  readonly fromMs: number;
  readonly facilities: ReadonlyMap<string, NonNullable<Awaited<ReturnType<typeof findShippingFacility>>>>;
  readonly sets: CarrierSets;
  readonly services: KnownServices;
  readonly ssccs: SsccMint;
  readonly limits: TransactionOptions;
  /** Time by which all orders have left, Unix milliseconds. Default: now. */
  readonly leftByMs?: number;
  /** Writes further rows of the orders in the same transaction. */
  besides?(tx: Transaction, lived: readonly LivedOrder[], rows: readonly HistoryOrderRow[]): void;
  /** Books the stock of despatched orders, instead of a receipt and despatches at one time. */
  bookStock?(tx: Transaction, lived: readonly LivedOrder[]): Promise<void>;
}
