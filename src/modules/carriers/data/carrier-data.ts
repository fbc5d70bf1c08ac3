import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { StoredCarrierData } from "#/modules/carriers/decision/compile.ts";
import { listSources, ownSource } from "#/modules/labels/index.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** Owner of the default set, for every client without its own set. */
export const operatorsDefault = platformClient;

interface CarrierDataInput {
  /** A client, or {@link operatorsDefault}. */
  readonly owner: string;
  /** The unvalidated data (`CarrierData` is the required type). */
  readonly data: unknown;
  /** A note on this version for readers. */
  readonly note?: string | undefined;
}

/**
 * Activates a whole set for its owner as the next version. Earlier versions stay, because decisions refer to them. To
 * roll back, save the older set again. Refused with all faults and their places.
 */
export async function saveCarrierData(
  tx: Transaction,
  change: Change,
  { owner, data, note }: CarrierDataInput,
): Promise<Result<{ readonly version: number }, readonly RequestFault[]>> {
  const checked = checkCarrierData(data);
  if (!checked.ok) return refused(checked.fault);
  const unknown = await findUnknownSources(tx, checked.value);
  if (unknown.length > 0) return refused(unknown);
  const version = (await findLatestVersion(tx, owner)) + 1;
  insertActivated(tx, { owner, version, data: checked.value, note, createdBy: change.actor, at: change.at });
  recordAudit(tx.of(owner, change), {
    action: "activate",
    objectType: "carrierData",
    objectId: String(version),
    detail: { services: checked.value.services.length },
  });
  return ok({ version });
}

/** The label sources that services name and that do not exist, each with its place. */
export async function findUnknownSources(tx: Tx, { services }: Pick<CarrierData, "services">): Promise<RequestFault[]> {
  const used = services.flatMap(({ labelSources = [] }, i) =>
    labelSources.map((code, n) => ({
      code,
      pointer: `#/services/${i}/labelSources/${n}`,
      isTwin: labelSources.indexOf(code) < n,
    })),
  );
  if (used.length === 0) return [];
  const known = new Set([ownSource, ...(await listSources(tx)).map(({ sourceCode }) => sourceCode)]);
  return used.flatMap(({ code, pointer, isTwin }) => {
    if (isTwin) return { pointer, message: "is present twice" };
    return known.has(code) ? [] : { pointer, message: `"${code}" is no label source` };
  });
}

/** The active set of a client: its own, else the operator's default; undefined if there is neither. */
export function activeCarrierData(tx: ClientTx): Promise<ActiveCarrierData | undefined> {
  return findActive(tx.plain, [tx.clientId, operatorsDefault]);
}

/** The highest version of an owner's sets, including drafts; 0 if there is none. */
async function findLatestVersion(tx: Tx, owner: string): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    sql`select version from carrier_data where owner = ${owner} order by version desc limit 1`,
  );
  return rows[0]?.version ?? 0;
}

interface NewCarrierData {
  readonly owner: string;
  readonly version: number;
  readonly data: CarrierData;
  readonly note: string | undefined;
  readonly createdBy: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/** Inserts an active set. The primary key resolves races: of two transactions with the same version one fails. */
function insertActivated(tx: Transaction, set: NewCarrierData): void {
  tx.send(
    sql`insert into carrier_data (owner, version, data, note, created_by, created_at, activated_at)
      values (${set.owner}, ${set.version}, ${JSON.stringify(set.data)}::jsonb, ${set.note ?? null}, ${set.createdBy},
        ${set.at}, ${set.at})`,
  );
}

interface ActiveCarrierData {
  /** The client that owns the set; `''` for the operator's default. */
  readonly owner: string;
  readonly version: number;
  readonly data: CarrierData;
}

/** The active set of the first of these owners that has one. */
async function findActive(tx: Tx, owners: readonly string[]): Promise<ActiveCarrierData | undefined> {
  const rows = await tx.query<ActiveCarrierData>(
    sql`select owner, version, data from carrier_data
      where owner = any(${owners}::text[]) and activated_at is not null
      order by array_position(${owners}::text[], owner), version desc limit 1`,
  );
  return rows[0];
}

/** The owner and version of that active set, without the data. */
export async function findActiveVersion(
  tx: Tx,
  owners: readonly string[],
): Promise<Pick<ActiveCarrierData, "owner" | "version"> | undefined> {
  const rows = await tx.query<Pick<ActiveCarrierData, "owner" | "version">>(
    sql`select owner, version from carrier_data
      where owner = any(${owners}::text[]) and activated_at is not null
      order by array_position(${owners}::text[], owner), version desc limit 1`,
  );
  return rows[0];
}

/** A version of an owner's sets, including drafts. */
export async function findVersion(tx: Tx, owner: string, version: number): Promise<StoredCarrierData | undefined> {
  const rows = await tx.query<{ data: StoredCarrierData }>(
    sql`select data from carrier_data where owner = ${owner} and version = ${version} limit 1`,
  );
  return rows[0]?.data;
}
