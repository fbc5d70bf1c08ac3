import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { listSerials, type SerialPlace } from "#/modules/inventory/ledger/serial-repository.ts";
import { type Lot, type LotFields, lotKey } from "#/modules/inventory/lot.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * The lots of these serial numbers. Refused if one is not in GOOD stock here, or is of another lot than the named one.
 */
export async function lotsOfSerials(
  tx: ClientTx,
  book: Book,
  sku: string,
  serials: readonly string[],
  named: LotFields,
): Promise<Result<{ readonly lot: Lot; readonly serials: readonly string[] }[], Refusal>> {
  const places = new Map((await listSerials(tx, sku, serials)).map((place) => [place.serial, place] as const));
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

/** The places of a lot's serial numbers after the report. */
export function serialPlaces(
  book: Book,
  sku: string,
  lot: Lot,
  serials: readonly string[],
  state: SerialPlace["state"],
  owner: Pick<SerialPlace, "ownerType" | "ownerId"> = {},
): SerialPlace[] {
  const { stockPool, batchRef, expiryDate } = lot;
  const place = { sku, state, facilityCode: book.facilityCode, condition: "GOOD" as const };
  return serials.map((serial) => ({ ...place, serial, stockPool, batchRef, expiryDate, ...owner }));
}
