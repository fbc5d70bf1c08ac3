import { checkFacility } from "#/intake/feeds/intake/checks.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { conflict, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { shareFacilities } from "#/modules/clients/index.ts";
import { releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { refusalOfLineChange } from "#/modules/orders/commands/change-order.ts";
import { updateFacilities } from "#/modules/orders/commands/change-repository.ts";
import type { OpenedOrder } from "#/modules/orders/commands/open-order.ts";
import { isSplit, moved, type Order, withLines } from "#/modules/orders/order.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

/**
 * Why the client cannot have orders there: a 422. It keeps the facilities of the client until the commit, so it precedes
 * the locks of the order.
 */
export async function refusalOfFacility(tx: ClientTx, facilityCode: string): Promise<Refusal | undefined> {
  const [fault] = checkFacility(facilityCode, await shareFacilities(tx), tx.clientId);
  return fault && unprocessableFaults([{ pointer: "#/distributionCentre", message: fault.text }]);
}

/** True if some part of the order is not fulfilled there: a facility gathers the lines of a split order. */
export const isElsewhere = (order: Order, facilityCode: string): boolean =>
  order.distributionCentre !== facilityCode || isSplit(order);

/** Why the order must stay where it is: a 409; undefined until the warehouse has taken it. */
export function refusalOfMove(order: Order): Refusal | undefined {
  const why = refusalOfLineChange(order);
  if (why === undefined) return undefined;
  return conflict(`Order ${order.orderId}: distributionCentre cannot be changed in state ${order.status}: ${why}.`);
}

interface Move {
  readonly before: Order;
  /** With the other changes of the same command. */
  readonly order: Order;
  readonly facilityCode: string;
}

/**
 * Moves orders to other facilities: their stock is free again, allocation looks for stock there, the task of the facility
 * that loses an order is withdrawn, and the time to leave is that of its new facility (lifecycle.md §1).
 *
 * @param books of the facilities that lose them
 * @returns the orders in the sequence of the moves
 */
export async function moveOrders(
  tx: UnitOfWork,
  client: Pick<FeedClient, "calendars">,
  { books, by }: Pick<OpenedOrder, "books"> & { readonly by: "NAMED" | "REROUTED" },
  moves: readonly Move[],
): Promise<Order[]> {
  await releaseStock(
    tx,
    books,
    moves.flatMap(({ before: { orderId, lines } }) =>
      lines.map(({ lineNumber, buckets }) => ({ orderId, lineNumber, qty: buckets.allocated })),
    ),
  );
  const placed = moves.map(({ order, facilityCode }) => ({
    order,
    facilityCode,
    despatchBy: despatchByOf(client, facilityCode, order, tx.change.at),
  }));
  updateFacilities(
    tx,
    placed.map(({ order, ...place }) => ({ orderId: order.orderId, ...place })),
    by,
  );
  return placed.map(({ order, facilityCode, despatchBy }) => {
    const open = withLines(order, (line) => {
      const { allocated, backordered } = line.buckets;
      const waiting = moved(moved(line, "allocated", "open", allocated), "backordered", "open", backordered);
      return line.facilityCode === undefined ? waiting : { ...waiting, facilityCode: undefined };
    });
    return { ...open, distributionCentre: facilityCode, despatchBy };
  });
}
