/** Numbers that identify a parcel across clients: a scanner or a carrier knows them before it knows the client. */
import type { Transaction, Tx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

export interface ParcelOwner {
  readonly clientId: string;
  readonly olpnId: string;
}

/** The owners of these numbers: one owner for an OLPN, possibly several for a tracking number. */
export async function findParcelOwners(
  tx: Tx,
  kind: "OLPN" | "TRACKING",
  keys: readonly string[],
): Promise<(ParcelOwner & { readonly key: string })[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<{ key: string; client_id: string; olpn_id: string }>(
    setOf(
      keys,
      (sought) => sql`select key, client_id, olpn_id from parcel_key
      where key = any(${sought}::text[]) and kind = ${kind} order by key, client_id, olpn_id limit 20000`,
      { reads: "parcel_key", keys: byColumn("key") },
    ),
  );
  return rows.map(({ key, client_id, olpn_id }) => ({ key, clientId: client_id, olpnId: olpn_id }));
}

/** The clients with parcels among these OLPNs, in order; the port reports to each client separately. */
export async function clientsOfParcels(tx: Tx, olpnIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const owners = await findParcelOwners(tx, "OLPN", olpnIds);
  const byClient = Map.groupBy(owners, ({ clientId }) => clientId);
  return new Map(
    [...byClient]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([clientId, parcels]) => [clientId, parcels.map(({ olpnId }) => olpnId)]),
  );
}

/** The clients with parcels on a load of the facility, in order. */
export async function clientsOfLoad(tx: Tx, facilityCode: string, loadId: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from parcel
      where facility_code = ${facilityCode} and load_id is not null and load_id = ${loadId}
      order by client_id limit 1000`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Stores the owners of these numbers. An OLPN with an existing owner fails the transaction. */
export function insertParcelKeys(
  tx: Transaction,
  clientId: string,
  keys: readonly { readonly kind: "OLPN" | "TRACKING"; readonly key: string; readonly olpnId: string }[],
): void {
  if (keys.length === 0) return;
  const rows = keys.map(({ kind, key, olpnId }) => ({ key, kind, olpn_id: olpnId }));
  tx.send(
    setOf(
      rows,
      (entries) => sql`insert into parcel_key (key, kind, client_id, olpn_id)
      select given.key, given.kind, ${clientId}, given.olpn_id
      from json_to_recordset(${JSON.stringify(entries)}::json) as given(key text, kind text, olpn_id text)`,
      { writes: "parcel_key" },
    ),
  );
}
