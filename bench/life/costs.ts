/** The costs of a section of work in the product, PostgreSQL and on disk. */

import { cpuSecondsOf } from "../sizing/processors.ts";
import { readWalBytes } from "../sizing/tables.ts";
import type { Base } from "./base.ts";

export interface Costs {
  readonly seconds: number;
  /** Processor time. */
  readonly productSeconds: number;
  /** Processor time of all PostgreSQL processes, including those that have ended in the meantime. */
  readonly postgresSeconds: number;
  /** Pages that the product's statements found in the buffers or read; other load does not change this number. */
  readonly pages: number;
  readonly walBytes: number;
  /** Growth of the database's files. */
  readonly diskBytes: number;
}

export const noCosts: Costs = {
  seconds: 0,
  productSeconds: 0,
  postgresSeconds: 0,
  pages: 0,
  walBytes: 0,
  diskBytes: 0,
};

export const cpuSeconds = ({ productSeconds, postgresSeconds }: Costs) => productSeconds + postgresSeconds;

/** @param sign -1 for the difference */
export function add(left: Costs, right: Costs, sign = 1): Costs {
  return {
    seconds: left.seconds + sign * right.seconds,
    productSeconds: left.productSeconds + sign * right.productSeconds,
    postgresSeconds: left.postgresSeconds + sign * right.postgresSeconds,
    pages: left.pages + sign * right.pages,
    walBytes: left.walBytes + sign * right.walBytes,
    diskBytes: left.diskBytes + sign * right.diskBytes,
  };
}

export async function costsOf(base: Base, work: () => Promise<void>): Promise<Costs> {
  const before = await readCosts(base);
  await work();
  return add(await readCosts(base), before, -1);
}

/** Totals since a fixed moment. */
async function readCosts({ client, product, postgresPid }: Base): Promise<Costs> {
  const { rows } = await client.query<{ bytes: string; pages: number }>(
    `select pg_database_size(current_database()) as bytes, sum(shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements where userid = 'crossdock'::regrole`,
  );
  return {
    seconds: performance.now() / 1_000,
    productSeconds: cpuSecondsOf(product.pid),
    postgresSeconds: cpuSecondsOf(postgresPid),
    pages: rows[0]?.pages ?? 0,
    walBytes: await readWalBytes(client),
    diskBytes: Number(rows[0]?.bytes),
  };
}
