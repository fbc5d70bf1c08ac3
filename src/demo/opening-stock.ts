import type { UnitOfWork } from "#/db/database.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { lotOf, type Movement, openBooks, postMovements, writeSerials } from "#/modules/inventory/index.ts";
import { openingSerials } from "#/warehouse-sim/serial-book.ts";

export interface OpeningLot {
  readonly sku: string;
  readonly pieces: number;
  readonly batchRef?: string;
  /** Shelf life in days, for goods that expire. */
  readonly lastsDays?: number;
  readonly hasSerials?: true;
}

/** The SKUs of the samples, and of the orders of the greeting and the guides. The stock suffices for hundreds of orders. */
export const sampleLots: readonly OpeningLot[] = [
  { sku: "HELLO-TEE", pieces: 5_000 },
  { sku: "MUG-BLUE-330", pieces: 2_400 },
  // Two batches, to show first expired, first out.
  { sku: "OIL-OLIVE-500", pieces: 300, batchRef: "FV-2601", lastsDays: 200 },
  { sku: "OIL-OLIVE-500", pieces: 900, batchRef: "FV-2604", lastsDays: 420 },
  { sku: "LAMP-DESK-01", pieces: 300, hasSerials: true },
];

/**
 * Books the opening stock of a new demo client in each of its facilities. Called once, in the transaction that creates
 * the client.
 */
export async function bookOpeningStock(
  tx: UnitOfWork,
  facilityCodes: readonly string[],
  lots: readonly OpeningLot[],
): Promise<void> {
  for (const [facilityCode, book] of await openBooks(tx, facilityCodes, tx.change.at)) {
    const movements = lots.map(({ sku, pieces, batchRef, lastsDays, hasSerials }): Movement => {
      const expiryDate =
        lastsDays === undefined
          ? undefined
          : new Date(Date.parse(tx.change.at) + lastsDays * dayMs).toISOString().slice(0, 10);
      const prefix = openingSerials(facilityCode, sku);
      return {
        type: "ADJUSTMENT",
        sku,
        condition: "GOOD",
        qty: pieces * 1000,
        reason: "INITIAL",
        ...lotOf({ batchRef, expiryDate }),
        referenceType: "adjustment",
        referenceId: `OPENING-${facilityCode}`,
        ...(hasSerials ? { serials: Array.from({ length: pieces }, (_, i) => `${prefix}${i + 1}`) } : {}),
      };
    });
    postMovements(tx.plain, book, tx.change.ids, movements);
    writeSerials(
      tx,
      book.at,
      movements.flatMap(({ sku, condition, stockPool, batchRef, expiryDate, serials = [] }) =>
        serials.map((serial) => ({
          sku,
          serial,
          state: "IN_STOCK" as const,
          facilityCode,
          condition,
          stockPool,
          batchRef,
          expiryDate,
        })),
      ),
    );
  }
}
