import type { Database, Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { assert } from "#/kernel/assert.ts";
import { gs1CheckDigit } from "#/kernel/values/gtin.ts";

/** Extension digit, company prefix and serial reference together, without the check digit. */
const digitsWithoutCheck = 17;

/**
 * The SSCC-18 of a serial: extension digit, company prefix (7 to 10 digits), serial reference, check digit. The serials
 * of a prefix run through the extension digits, and begin anew when all are used: a number may be given again a year
 * after its goods have left. @see GS1 General Specifications §2.2.1, §7.9.
 */
export function ssccOf(companyPrefix: string, serial: number): string {
  assert(/^\d{7,10}$/.test(companyPrefix), `'${companyPrefix}' is no GS1 company prefix of 7 to 10 digits`);
  assert(Number.isSafeInteger(serial) && serial >= 0, `${serial} is no serial`);
  const digits = digitsWithoutCheck - companyPrefix.length;
  const text = String(serial % 10 ** digits).padStart(digits, "0");
  // The first of them is the extension digit, which stands before the prefix.
  const key = `${text[0]}${companyPrefix}${text.slice(1)}`;
  return `${key}${gs1CheckDigit(key)}`;
}

/**
 * A twentieth of a prefix's numbers: more than eighteen days of the most that may be used of it, since a number is given
 * again a year after its goods have left at the earliest.
 */
const leftOutShare = 20;

/** After a restore: so many numbers are left out that none is given twice which was given after the backup. */
export function leaveOutNumbers(tx: Tx, companyPrefix: string): Promise<void> {
  return leaveOutSerials(tx, companyPrefix, (prefix) => 10 ** (digitsWithoutCheck - prefix.length) / leftOutShare);
}

/** Is it an SSCC-18 with a right check digit? */
export function isSscc(text: string): boolean {
  return /^\d{18}$/.test(text) && gs1CheckDigit(text.slice(0, -1)) === Number(text.slice(-1));
}

/** Gives numbers to parcels that the warehouse has given none. */
export interface SsccMint {
  /** Numbers that nobody else gets; those that are not used are lost. */
  take(count: number): Promise<string[]>;
}

const blockSizeDefault = 1_000;

/**
 * Numbers are reserved in blocks, by a statement of its own on another connection: the counter's row is locked for that
 * statement, not for the transaction that packs. The next block is fetched when half of one is left, so that a
 * transaction hardly ever waits for a second connection.
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

  return {
    async take(count) {
      while (stock.length < count) await fill(Math.max(blockSize, count));
      const taken = stock.slice(0, count);
      stock = stock.slice(count);
      // What fails here is tried again, and told, by whoever finds too few.
      if (stock.length < blockSize / 2) fill(blockSize).catch(() => {});
      return taken;
    },
  };
}

/** Reserves `count` serials of a company prefix, in a transaction of its own; answers the first. */
export async function reserveSerials(database: Tx, companyPrefix: string, count: number): Promise<number> {
  const rows = await database.query<{ next_serial: number }>(
    sql`insert into sscc_counter as s (company_prefix, next_serial) values (${companyPrefix}, ${count}::bigint)
      on conflict (company_prefix) do update set next_serial = s.next_serial + excluded.next_serial
      returning next_serial`,
  );
  return (rows[0] as { next_serial: number }).next_serial - count;
}

/** After a restore: leaves numbers out of each prefix that has given some, and of the one named. */
async function leaveOutSerials(tx: Tx, companyPrefix: string, countOf: (prefix: string) => number): Promise<void> {
  const rows = await tx.query<{ company_prefix: string }>(sql`select company_prefix from sscc_counter limit 1000`);
  for (const prefix of new Set([companyPrefix, ...rows.map(({ company_prefix }) => company_prefix)])) {
    await reserveSerials(tx, prefix, countOf(prefix));
  }
}
