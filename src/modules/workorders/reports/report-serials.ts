import type { Tx } from "#/db/database.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type Book,
  type Lot,
  type LotFields,
  listSerials,
  lotKey,
  type SerialPlace,
} from "#/modules/inventory/index.ts";

/**
 * The lots of these serial numbers. Refused if one is not in GOOD stock here, or is of another lot than the named one.
 */
export async function lotsOfSerials(
  tx: Tx,
  book: Book,
  sku: string,
  serials: readonly string[],
  named: LotFields,
): Promise<Result<{ readonly lot: Lot; readonly serials: readonly string[] }[], Refusal>> {
  const places = new Map(
    (await listSerials(tx.of(book.clientId), sku, serials)).map((place) => [place.serial, place] as const),
  );
  const found: SerialPlace[] = [];
  for (const serial of serials) {
    const place = places.get(serial);
    const fault = place ? faultOfPlace(place, book, named) : "is not known";
    if (fault !== undefined) return refused(conflict(`Serial ${serial} of SKU ${sku} ${fault}; correct the serial.`));
    if (place) found.push(place);
  }
  return ok(
    [...Map.groupBy(found, lotKey).values()].map((group) => {
      const { stockPool, batchRef, expiryDate } = group[0] as SerialPlace;
      return { lot: { stockPool, batchRef, expiryDate }, serials: group.map(({ serial }) => serial) };
    }),
  );
}

function faultOfPlace(place: SerialPlace, book: Book, named: LotFields): string | undefined {
  if (place.state !== "IN_STOCK") return "is not in stock";
  if (place.facilityCode !== book.facilityCode) return "is in another facility";
  if (place.condition !== "GOOD") return `is ${place.condition}`;
  if (place.ownerId !== undefined) return `was used for ${place.ownerId}`;
  const isElsewhere =
    (named.stockPool !== undefined && named.stockPool !== place.stockPool) ||
    (named.batchRef !== undefined && named.batchRef !== place.batchRef) ||
    (named.expiryDate !== undefined && named.expiryDate !== place.expiryDate);
  return isElsewhere ? "is of another lot" : undefined;
}

/** Refused if a finished good has the serial number of a unit in stock. */
export async function refusalOfNewSerials(
  tx: Tx,
  book: Book,
  sku: string,
  serials: readonly string[],
): Promise<Refusal | undefined> {
  const there = (await listSerials(tx.of(book.clientId), sku, serials)).find(({ state }) => state === "IN_STOCK");
  return there && conflict(`Serial ${there.serial} of SKU ${sku} is in stock already; correct the serial.`);
}

/** The places of a lot's serial numbers after the report. */
export function serialPlaces(
  book: Book,
  sku: string,
  lot: Lot,
  serials: readonly string[],
  state: SerialPlace["state"],
  ownerId?: string,
): SerialPlace[] {
  const { stockPool, batchRef, expiryDate } = lot;
  const place = { sku, state, facilityCode: book.facilityCode, condition: "GOOD" as const };
  const owner = ownerId === undefined ? {} : { ownerType: "WORK_ORDER", ownerId };
  return serials.map((serial) => ({ ...place, serial, stockPool, batchRef, expiryDate, ...owner }));
}
