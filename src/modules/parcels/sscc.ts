import { assert } from "#/kernel/assert.ts";
import { gs1CheckDigit } from "#/kernel/values/gtin.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** Digits of extension digit, company prefix and serial reference together, without the check digit. */
const digitsWithoutCheck = 17;

/**
 * The SSCC-18 of a serial: extension digit, company prefix (7 to 10 digits), serial reference, check digit. The serials
 * of a prefix run through the extension digits and start again after the last: a number may be reused a year after its
 * goods have left.
 * @see GS1 General Specifications §2.2.1, §7.9.
 */
export function ssccOf(companyPrefix: string, serial: number): string {
  assert(/^\d{7,10}$/.test(companyPrefix), `'${companyPrefix}' is not a GS1 company prefix of 7 to 10 digits`);
  assert(Number.isSafeInteger(serial) && serial >= 0, `${serial} is not a serial`);
  const digits = digitsWithoutCheck - companyPrefix.length;
  const text = String(serial % 10 ** digits).padStart(digits, "0");
  // The first digit is the extension digit, which precedes the prefix.
  const key = `${text[0]}${companyPrefix}${text.slice(1)}`;
  return `${key}${gs1CheckDigit(key)}`;
}

/**
 * A twentieth of a prefix's numbers: more than eighteen days at the highest possible rate, because a number is reused
 * at the earliest a year after its goods have left.
 */
const leftOutShare = 20;

/** After a restore: skips enough numbers that none that was assigned after the backup is assigned again. */
export function leaveOutNumbers(tx: Tx, companyPrefix: string): Promise<void> {
  return leaveOutSerials(tx, companyPrefix, (prefix) => 10 ** (digitsWithoutCheck - prefix.length) / leftOutShare);
}

/** Mints numbers for parcels that the warehouse does not number. */
export interface SsccMint {
  /** Waits until this many numbers are in memory, so that `take` needs no second connection. Takes none. */
  stockUp(count: number): Promise<void>;
  /** Returns unique numbers; unused ones are lost. */
  take(count: number): Promise<string[]>;
}

const blockSizeDefault = 1_000;

/**
 * Numbers are reserved in blocks, by a separate statement on another connection: the counter's row is locked for that
 * statement, not for the packing transaction. The next block is fetched when half of one is left, so that a transaction
 * hardly ever waits for a second connection.
 */
export function createSsccMint(
  database: Database,
  companyPrefix: string,
  { blockSize = blockSizeDefault }: { readonly blockSize?: number } = {},
): SsccMint {
  let stock: string[] = [];
  let filling: Promise<void> | undefined;

  function fill(count: number): Promise<void> {
    filling ??= reserveSerials(database, companyPrefix, count)
      .then((first) => {
        for (let i = 0; i < count; i++) stock.push(ssccOf(companyPrefix, first + i));
      })
      .finally(() => {
        filling = undefined;
      });
    return filling;
  }

  async function stockUp(count: number): Promise<void> {
    while (stock.length < count) await fill(Math.max(blockSize, count));
  }

  return {
    stockUp,
    async take(count) {
      await stockUp(count);
      const taken = stock.slice(0, count);
      stock = stock.slice(count);
      // A failure here is retried, and reported, by the next caller that finds too few numbers.
      if (stock.length < blockSize / 2) fill(blockSize).catch(() => {});
      return taken;
    },
  };
}

/** Reserves `count` serials of a company prefix, in a separate transaction; returns the first. */
export async function reserveSerials(database: Tx, companyPrefix: string, count: number): Promise<number> {
  const rows = await database.query<{ next_serial: number }>(
    sql`insert into sscc_counter as s (company_prefix, next_serial) values (${companyPrefix}, ${count}::bigint)
      on conflict (company_prefix) do update set next_serial = s.next_serial + excluded.next_serial
      returning next_serial`,
  );
  return (rows[0] as { next_serial: number }).next_serial - count;
}

/** After a restore: skips numbers of each prefix in use, and of the named one. */
async function leaveOutSerials(tx: Tx, companyPrefix: string, countOf: (prefix: string) => number): Promise<void> {
  const rows = await tx.query<{ company_prefix: string }>(sql`select company_prefix from sscc_counter limit 1000`);
  for (const prefix of new Set([companyPrefix, ...rows.map(({ company_prefix }) => company_prefix)])) {
    await reserveSerials(tx, prefix, countOf(prefix));
  }
}
