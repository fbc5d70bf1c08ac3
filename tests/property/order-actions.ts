// Actions of a brand or an operator on orders.
import { systemClock } from "#/kernel/clock.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { cancelOrderLine, createRerouting, holdOrder, releaseOrder, updateOrderLine } from "#/modules/orders/index.ts";
import { isWorthRepeating } from "#/store/db/errors.ts";
import { cancelOrder, order } from "../support/builders/documents.ts";
import { type Choice, facilities, ids, operate, orderSkus, orders, pick, type World, write, writer } from "./world.ts";

const orderLines = ({ a, b, c }: Choice) =>
  Array.from({ length: 1 + (a % 3) }, (_, i) => ({
    sku: orderSkus[(b + i) % orderSkus.length] as string,
    qty: 1 + ((c + i) % 5),
    ...((a + i) % 5 === 0 ? { stockPool: "RETAIL" } : {}),
  }));

const headerOf = ({ splitsOrders }: World, { a, b, c }: Choice) => ({
  // Only orders that name no facility are split.
  ...((a % 4 === 0) === splitsOrders ? { distributionCentre: facilities[b % 2] as string } : {}),
  ...(c % 7 === 0 ? { doNotShip: 1 } : {}),
  extendedAttributes: {
    attribute: [
      { "@name": "Priority", "#": 1 + (b % 9) },
      { "@name": "ShipPartial", "#": String(c % 3 === 0) },
    ],
  },
});

const rerouteOrders = createRerouting(createCarrierSets());

export const orderActions = {
  async order(world: World, choice: Choice) {
    await world.client.send(
      "NO",
      order(world.clientId, `O-${++world.number}`, orderLines(choice), headerOf(world, choice)),
    );
  },
  async updateOrder(world: World, choice: Choice) {
    const target = pick(await orders(world), choice.a);
    if (!target) return;
    const more = { actionType: "UPDATE", ...headerOf(world, choice) };
    await world.client.send("NO", order(world.clientId, target.order_id, orderLines(choice), more));
  },
  /** Over REST: of the head, what may change until the order is packed, and doNotShip. */
  async patchOrder({ rest, clientId, ...world }: World, { a, b, c }: Choice) {
    const target = pick(await orders({ rest, clientId, ...world }), a);
    if (!target) return;
    const body = {
      clientId,
      ...(b % 3 === 0 ? { doNotShip: c % 2 === 0 } : {}),
      ...(b % 3 === 1 ? { priority: 1 + (c % 9) } : {}),
      ...(b % 3 === 2 ? { shipToAddress: { city: `Leeds ${c % 3}` }, extendedAttributes: { Note: `${c % 4}` } } : {}),
    };
    const params = { path: { orderId: target.order_id } };
    await write(rest.orders.PATCH("/v1/orderService/order/update/{orderId}", { params, body }));
  },
  /** By the client, while no warehouse has it; a split order is gathered. */
  async moveOrder(world: World, { a, b }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const body = { clientId: world.clientId, distributionCentre: facilities[b % 2] as string };
    const params = { path: { orderId: target.order_id } };
    await write(world.rest.orders.PATCH("/v1/orderService/order/update/{orderId}", { params, body }));
  },
  /** The job moves orders that have lacked stock for the hours of the client. */
  async rerouteOrders({ server: { database, rows }, clientId }: World) {
    await rows(
      "update sales_order set backordered_since = backordered_since - interval '2 hours' where client_id = $1",
      clientId,
    );
    try {
      await rerouteOrders({ database, clock: systemClock, ids, writer });
    } catch (error) {
      // Its next turn repeats it.
      if (!isWorthRepeating(error)) throw error;
    }
  },
  async cancelOrder(world: World, { a }: Choice) {
    const target = pick(await orders(world), a);
    if (target) await world.client.send("NO", cancelOrder(world.clientId, target.order_id));
  },
  async cancelLine(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const request = { orderId: target.order_id, lineNumber: 1 + (b % 3), reason: "test" };
    await operate(world, async (tx, change) => {
      const done = await cancelOrderLine(tx.of(world.clientId, change), {
        ...request,
        ...(c % 2 === 0 ? { qty: 1000 } : {}),
      });
      return done.ok ? done.value.events : [];
    });
  },
  async updateLine(world: World, { a, b, c }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const request = { orderId: target.order_id, lineNumber: 1 + (b % 3), qty: (1 + (c % 6)) * 1000 };
    await operate(world, async (tx, change) => {
      const done = await updateOrderLine(tx.of(world.clientId, change), request);
      return done.ok ? done.value.events : [];
    });
  },
  async hold(world: World, { a, b }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    const type = b % 2 === 0 ? "CLIENT_REQUEST" : "OTHER";
    await operate(world, async (tx, change) => {
      const done = await holdOrder(tx.of(world.clientId, change), { orderId: target.order_id, type, reason: "test" });
      return done.ok ? done.value.events : [];
    });
  },
  async release(world: World, { a }: Choice) {
    const target = pick(await orders(world), a);
    if (!target) return;
    await operate(world, async (tx, change) => {
      const done = await releaseOrder(tx.of(world.clientId, change), { orderId: target.order_id });
      return done.ok ? done.value.events : [];
    });
  },
};
