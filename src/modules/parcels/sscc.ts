import type { Database, Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { gs1CheckDigit } from "#/kernel/gtin.ts";
import { leaveOutSerials, reserveSerials } from "#/modules/parcels/sscc-repository.ts";

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
