import { minuteMs } from "#/kernel/values/durations.ts";
import { listReservations } from "#/modules/inventory/index.ts";
import { cancelOrder, holdOrder } from "#/modules/orders/index.ts";
import { listParcels } from "#/modules/parcels/index.ts";
import { brandOf } from "#/sandbox/demo/brands.ts";
import { type DayOrder, dayOrders } from "#/sandbox/demo/day-orders.ts";
import { orderXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import { historyAddress } from "#/sandbox/history/addresses.ts";
import { draw } from "#/sandbox/simulator/draw.ts";
import { createSerialBook, type SerialBook } from "#/sandbox/simulator/serial-book.ts";

/** An order with its current state while the demo plays. */
interface OrderInHand extends DayOrder {
  readonly facility: string;
  readonly contents: Content[];
  readonly olpnIds: string[];
  /** Serial numbers on the shelves of the facility. */
  readonly shelves: SerialBook;
}

interface Content {
  readonly lineNumber: number;
  readonly qty: number;
  readonly batchRef?: string;
  readonly serials?: readonly string[];
}

const actors = ["user:anna", "user:joris", "user:priya"] as const;

/** Another event of these days. */
export interface Besides {
  readonly hoursAgo: number;
  run(): Promise<unknown>;
}

/**
 * Plays the orders of the last days, hour by hour, together with the other events: they are received, worked and
 * delivered.
 */
export async function playDays(world: DemoWorld, besides: readonly Besides[]): Promise<void> {
  const books = new Map(["DC1", "DC2"].map((code) => [code, createSerialBook(code, () => {})]));
  const orders = dayOrders.map((order): OrderInHand => {
    const facility = order.facilityCode ?? (brandOf(order.clientId).facilities[0] as string);
    return { ...order, facility, contents: [], olpnIds: [], shelves: books.get(facility) as SerialBook };
  });
  const hours = new Set([
    ...orders.flatMap(({ hoursAgo, steps }) => [hoursAgo, ...steps.map(([at]) => at)]),
    ...besides.map(({ hoursAgo }) => hoursAgo),
  ]);
  for (const hoursAgo of [...hours].toSorted((left, right) => right - left)) {
    world.goTo(hoursAgo);
    const received = orders.filter((order) => order.hoursAgo === hoursAgo);
    await Promise.all(received.map((order) => receive(world, order)));
    for (const beside of besides) if (beside.hoursAgo === hoursAgo) await beside.run();
    if (received.length > 0) await world.publish();
    const due = orders.filter(({ steps }) => steps.some(([at]) => at === hoursAgo));
    // Orders of one client and facility run one after the other, because they lock the same book.
    const lanes = Map.groupBy(due, ({ clientId, facility }) => `${clientId} ${facility}`);
    await Promise.all(
      [...lanes.values()].map(async (lane) => {
        for (const order of lane) {
          for (const [at, act] of order.steps) if (at === hoursAgo) await perform(world, order, act);
        }
      }),
    );
    // Publishes within the hour, so that a despatch document does not bear the time of the delivery.
    await world.publish();
  }
}

async function receive(world: DemoWorld, order: OrderInHand): Promise<void> {
  const { clientId, orderId, lines, facilityCode, doNotShip, shippingMethod, priority } = order;
  const drawn = historyAddress((what) => draw("demo-day", orderId, what));
  const { address = drawn.address } = order;
  const priceOf = (sku: string) => brandOf(clientId).goods.find((item) => item.sku === sku)?.price;
  const xml = orderXml({
    clientId,
    orderId,
    reference: `EXT-${orderId}`,
    doNotShip,
    language: order.address ? "en" : drawn.language,
    address,
    facilityCode,
    orderDate: new Date(world.clock.now() - minuteMs).toISOString(),
    shippingMethod: shippingMethod ?? "STANDARD",
    currency: ["GB", "JE"].includes(address.country) ? "GBP" : "EUR",
    lines: lines.map(([sku, qty]) => ({ sku, qty, price: priceOf(sku) ?? 1_000 })),
    attributes: { Priority: priority },
  });
  await world.send({ clientId, type: "NO", xml, key: `demo-${orderId}` });
}

async function perform(world: DemoWorld, order: OrderInHand, act: string): Promise<void> {
  const { clientId, orderId, facility, olpnIds, contents } = order;
  const named = (what: string) => ({ clientId, orderId, reportId: `demo-${what}-${orderId}` });
  const report = (kind: string, body: object) => world.report(facility, kind, body);
  const loadId = `LOAD-${orderId}`;
  if (/^\d+$/.test(act)) {
    const occurredAt = new Date(world.clock.now()).toISOString();
    for (const olpnId of olpnIds)
      await report("carrierEvent", { clientId, olpnId, eventCode: Number(act), occurredAt });
    return;
  }
  if (act.startsWith("hold ")) {
    const [, type = "", ...words] = act.split(" ");
    const hold = { orderId, type: type as Parameters<typeof holdOrder>[1]["type"], reason: words.join(" ") };
    await world.act(clientId, actorOf(orderId), (tx, change) => holdOrder(tx.of(clientId, change), hold));
    return;
  }
  switch (act) {
    case "pick":
    case "short":
      contents.push(...(await goodsOf(world, order)));
      await report("pick", {
        ...named("pick"),
        lines: contents.map(({ lineNumber, qty, ...lot }, i) => {
          const missing = act === "short" && i === 0 ? 1 : 0;
          return { lineNumber, qtyPicked: qty - missing, ...(missing > 0 ? { qtyShort: missing } : {}), ...lot };
        }),
      });
      return;
    case "pack":
    case "pack in two":
    case "pack too heavy": {
      const parcels = act === "pack in two" ? contents.map((content) => [content]) : [contents];
      const weight = act === "pack too heavy" ? 96 : 1.4;
      const size = { length: 40, width: 30, height: 20, dimensionsUomCode: "CM" };
      const olpns = parcels.map((parcel, i) => ({
        weight,
        weightUomCode: "KG",
        ...size,
        trackingNumber: `T${orderId.replace("-", "")}${i + 1}`,
        contents: parcel.map(({ lineNumber, qty, batchRef, serials: lineSerials }) => ({
          lineNumber,
          qty,
          ...(batchRef === undefined ? {} : { batchRef }),
          ...(lineSerials === undefined ? {} : { serials: lineSerials }),
        })),
      }));
      const answer = await report("pack", { ...named("pack"), olpns });
      const made =
        (answer?.olpns as { readonly olpnId: string }[] | undefined) ??
        (await listParcels(world.database.of(clientId), [orderId]));
      for (const { olpnId } of made) olpnIds.push(olpnId);
      return;
    }
    case "load":
      await report("load", { clientId, loadId, olpnIds, vehicle: "VAN 7", reportId: `demo-load-${orderId}` });
      return;
    case "load held":
      await report("pick", {
        ...named("again"),
        lines: contents.map(({ lineNumber }) => ({ lineNumber, qtyPicked: 1 })),
      });
      return;
    case "despatch":
    case "despatch one":
      await report("despatch", {
        clientId,
        olpnIds: act === "despatch" ? olpnIds : olpnIds.slice(0, 1),
        reportId: `demo-despatch-${orderId}`,
      });
      return;
    case "cancel":
      await world.act(clientId, actorOf(orderId), (tx, change) =>
        cancelOrder(tx.of(clientId, change), { orderId, reason: "the customer changed their mind" }),
      );
      return;
    default:
      throw new Error(`an order has no step ${act}`);
  }
}

const actorOf = (orderId: string) => actors[Math.floor(draw("demo-day", orderId, "actor") * actors.length)] as string;

/** Goods reserved for an order, as the warehouse takes them from its shelves. */
async function goodsOf({ database }: DemoWorld, { clientId, orderId, shelves }: OrderInHand): Promise<Content[]> {
  const items = new Map(brandOf(clientId).goods.map((item) => [item.sku, item]));
  const reserved = await listReservations(database.of(clientId), "ORDER", [orderId]);
  return reserved.map(({ lineNumber, sku, batchRef, expiryDate, allocated, picked, packed }) => {
    const qty = (allocated + picked + packed) / 1000;
    const item = items.get(sku);
    return {
      lineNumber,
      qty,
      ...(batchRef === "" ? {} : { batchRef }),
      ...(expiryDate === "infinity" ? {} : { expiryDate }),
      ...(item?.hasSerials ? { serials: shelves.take(clientId, sku, qty) } : {}),
    };
  });
}
