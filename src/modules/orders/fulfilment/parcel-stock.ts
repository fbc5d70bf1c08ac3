import { assert } from "#/kernel/assert.ts";
import { lotKey, type Reservation } from "#/modules/inventory/index.ts";
import type { ReservationBook } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import type { ParcelContent, ParcelFacts } from "#/modules/parcels/index.ts";

/**
 * The order's reservations in a parcel, content by content. The generator reads each reservation on demand, so it sees
 * changes that the caller makes during the iteration.
 */
export function* contentsIn(
  reservations: ReservationBook,
  { olpnId, orderId, contents }: ParcelFacts,
): Generator<ParcelContent & { readonly reservation: Reservation }> {
  for (const content of contents) {
    const reservation = reservations
      .ofLine(orderId, content.lineNumber)
      .find((candidate) => lotKey(candidate) === lotKey(content));
    assert(
      reservation && reservation.packed >= content.qty,
      `parcel ${olpnId} has contents of line ${content.lineNumber} that are not reserved for it`,
    );
    yield { ...content, reservation };
  }
}
