import { toAlpha2 } from "#/kernel/values/country.ts";
import type { LiveRate } from "#/modules/carriers/decision/live-rates.ts";
import { comparablePostcode } from "#/modules/carriers/decision/zones.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

const insertAll = insertInto(
  table("carrier_rate", ["facility_code", "country", "zip", "service_code", "weight"], {
    facility_code: "text",
    country: "text",
    zip: "text",
    service_code: "text",
    weight: "integer",
    source_code: "text",
    price: "jsonb",
    rated_at: "timestamptz",
  }),
  { onConflict: "replace" },
);

type Way = Pick<CarrierRequest, "distributionCentre" | "shipTo">;

/** From where to where a rate holds. A wrong country has no rates; the decision refuses it. */
function wayOf({ distributionCentre, shipTo }: Way) {
  const country = toAlpha2(shipTo.country) ?? "";
  return { facility_code: distributionCentre, country, zip: comparablePostcode(shipTo.zip?.trim() ?? "", country) };
}

const ratesMax = 200;

/** The live rates of the client's services for the way of a shipment, the latest first. */
export function listRates(tx: ClientTx, shipment: Way): Promise<LiveRate[]> {
  const { facility_code, country, zip } = wayOf(shipment);
  return tx.query(sql`select service_code as "serviceCode", source_code as "sourceCode", weight, price,
        rated_at as "ratedAt"
      from carrier_rate
      where client_id = ${tenant} and facility_code = ${facility_code} and country = ${country} and zip = ${zip}
      order by rated_at desc limit ${ratesMax}`);
}

export function saveRates(tx: ClientTransaction, shipment: Way, rates: readonly LiveRate[]): void {
  const way = wayOf(shipment);
  const rows = rates.map(({ serviceCode, sourceCode, weight, price, ratedAt }) => ({
    ...way,
    service_code: serviceCode,
    weight,
    source_code: sourceCode,
    price,
    rated_at: ratedAt,
  }));
  insertAll.send(tx, rows);
}

/** @returns the number of deleted rows */
export async function purgeRates(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from carrier_rate where client_id = ${tenant} and ctid = any(array(
      select ctid from carrier_rate where client_id = ${tenant} and rated_at < ${before}::timestamptz limit ${limit}))
    returning service_code`);
  return rows.length;
}
