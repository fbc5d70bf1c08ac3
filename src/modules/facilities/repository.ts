import Type from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { type FacilityRecord, facility } from "#/modules/facilities/rest-contract.ts";
import { addressFields, type FacilitySettings } from "#/modules/facilities/settings.ts";
import type { ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { allOf, type Statement, sql } from "#/store/db/sql.ts";

const listMax = 10_000;

export interface StoredFacility extends Omit<FacilityRecord, "address"> {
  readonly country: string;
  /** The fields of the address that are set. */
  readonly address: Readonly<Record<string, string>>;
  readonly createdAt: string;
}

const facilityColumns = sql`${columnsOf(Type.Omit(facility, ["address"]), "w")}, w.country, w.address,
  w.created_at as "createdAt"`;

/** Returns false if the code is taken, ignoring case. */
export async function insertFacility(
  tx: Transaction,
  facility: { code: string; name: string; country: string; timezone: string; at: string },
): Promise<boolean> {
  const { code, name, country, timezone, at } = facility;
  const rows = await tx.query(
    sql`insert into facility (facility_code, name, country, timezone, created_at)
      select ${code}, ${name}, ${country}, ${timezone}, ${at}::timestamptz
      where not exists (select from facility where lower(facility_code) = lower(${code}))
      on conflict do nothing returning facility_code`,
  );
  return rows.length > 0;
}

export async function findFacility(tx: Tx, code: string): Promise<StoredFacility | undefined> {
  const rows = await tx.query<StoredFacility>(
    sql`select ${facilityColumns} from facility w where w.facility_code = ${code} limit 1`,
  );
  return rows[0];
}

/** Locks the facility until the transaction ends: the next change builds on this one. */
export async function lockFacility(tx: Transaction, code: string): Promise<StoredFacility | undefined> {
  const rows = await tx.query<StoredFacility>(
    sql`select ${facilityColumns} from facility w where w.facility_code = ${code} limit 1 for no key update`,
  );
  return rows[0];
}

/** In order of their creation. */
export function listFacilities(tx: Tx): Promise<StoredFacility[]> {
  return tx.query(
    sql`select ${facilityColumns} from facility w order by w.created_at, w.facility_code limit ${listMax}`,
  );
}

/** A page of facilities, after a code. @param page.codes only these; undefined: all. */
export function pageFacilities(
  tx: Tx,
  { codes, after, limit }: { readonly codes?: readonly string[] | undefined; after: string; limit: number },
): Promise<StoredFacility[]> {
  const conditions = allOf([codes && sql`w.facility_code = any(${codes}::text[])`]);
  return tx.query(
    sql`select ${facilityColumns} from facility w where w.facility_code > ${after} and ${conditions}
      order by w.facility_code limit ${limit}`,
  );
}

export interface FacilityWrite extends FacilitySettings {
  readonly name: string;
  readonly address: Readonly<Record<string, string>>;
}

/** Writes all settings and raises the version. */
export function updateFacility(tx: Transaction, code: string, facility: FacilityWrite): void {
  const { name, address, cutOffTime, operatingDays, holidays, capabilities, status } = facility;
  tx.send(
    sql`update facility set name = ${name}, address = ${JSON.stringify(address)}::jsonb, cut_off_time = ${cutOffTime},
        operating_days = ${operatingDays}::text[], holidays = ${JSON.stringify(holidays)}::jsonb,
        capabilities = ${capabilities}::text[], status = ${status}, version = version + 1
      where facility_code = ${code}`,
  );
}

const ofClient = (tx: ClientTx, columns: Statement): Statement =>
  sql`select ${columns} from client_facility c join facility w on w.facility_code = c.facility_code
    where c.client_id = ${tx.clientId}`;

export async function findOpenFacility(tx: ClientTx, code: string): Promise<StoredFacility | undefined> {
  const rows = await tx.plain.query<StoredFacility>(
    sql`${ofClient(tx, facilityColumns)} and c.facility_code = ${code} limit 1`,
  );
  return rows[0];
}

/** The address has each of its fields, null where it is not set. */
const recordColumns = columnsOf(facility, "w", {
  address: sql`${JSON.stringify(Object.fromEntries(addressFields.map((field) => [field, null])))}::jsonb || w.address
    || jsonb_build_object('country', w.country)`,
});

/** The record of a facility that a client may use. */
export async function findOpenRecord(tx: ClientTx, code: string): Promise<FacilityRecord | undefined> {
  const rows = await tx.plain.query<FacilityRecord>(
    sql`${ofClient(tx, recordColumns)} and c.facility_code = ${code} limit 1`,
  );
  return rows[0];
}

/** The facilities that a client may use, in routing order, after a position. */
export function listOpenFacilities(
  tx: ClientTx,
  after: number,
  limit: number,
): Promise<(FacilityRecord & { readonly position: number })[]> {
  return tx.plain.query(sql`${ofClient(tx, sql`${recordColumns}, c.position`)} and c.position > ${after}
      order by c.position, c.facility_code limit ${limit}`);
}
