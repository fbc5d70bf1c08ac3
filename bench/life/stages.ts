/** The life of orders, stage by stage, as brand, warehouse and carrier process them over HTTP. */
import { threeLineOrder } from "../feeds/documents.ts";
import { sendFeed } from "../feeds/send.ts";
import { type Base, type Brand, firstSku } from "./base.ts";
import { acceptedReport } from "./reports.ts";
import { settled } from "./settled.ts";

const linesOfOrder = 3;
/** The ordered quantity of a SKU equals its line number. */
const contents = Array.from({ length: linesOfOrder }, (_, i) => ({ lineNumber: i + 1, qty: i + 1 }));

export interface LifePlan {
  readonly orderIds: readonly string[];
  readonly reporters: number;
  readonly parcelsOfLoad: number;
  readonly readsPapers: boolean;
}

interface Paper {
  readonly documentId: string;
  readonly type: string;
  readonly contentType: string;
}

interface Parcel {
  readonly orderId: string;
  readonly olpnId: string;
  readonly documents: readonly Paper[];
}

/** The stages in their order; the stage with papers runs only when the plan includes papers. */
export const stageNames = [
  "feed, allocate",
  "pick",
  "pack with papers",
  "read papers",
  "load, despatch",
  "delivered",
] as const;
export type StageName = (typeof stageNames)[number];

/** Runs the work of a stage, and measures it if required. */
export type RunStage = (name: StageName, work: () => Promise<void>) => Promise<void>;

/** Each order of a round starts at a different SKU. */
export const skuOf = ({ skus }: Brand, order: number, line: number) => `SKU-${firstSku + ((order * 7 + line) % skus)}`;

/**
 * Processes the orders from the feed to the delivery. All orders end a stage before the next one begins, so that each
 * stage has a separate cost. A stage ends when its events, and everything that the product derives from them, are
 * published.
 */
export async function live(base: Base, brand: Brand, plan: LifePlan, runStage: RunStage): Promise<void> {
  const { port, product } = base;
  const { clientId } = brand;
  const { orderIds, reporters } = plan;
  const parcels: Parcel[] = [];
  const stage = <Item>(name: StageName, items: readonly Item[], work: (item: Item, index: number) => Promise<void>) =>
    runStage(name, async () => {
      await together(reporters, items, work);
      await settled(base, clientId);
    });

  await stage("feed, allocate", orderIds, (id, i) =>
    sendFeed(
      { url: product.url, apiKey: brand.apiKey },
      clientId,
      "NO",
      threeLineOrder(clientId, id, (line) => skuOf(brand, i, line)),
    ),
  );
  await stage("pick", orderIds, async (orderId) => {
    const lines = contents.map(({ lineNumber, qty }) => ({ lineNumber, qtyPicked: qty }));
    await acceptedReport(port, "pick", { clientId, orderId, lines, reportId: `pick-${orderId}` });
  });
  await stage("pack with papers", orderIds, async (orderId) => {
    const olpns = [{ weight: 2.1, weightUomCode: "KG", contents }];
    const made = await acceptedReport(port, "pack", { clientId, orderId, olpns, reportId: `pack-${orderId}` });
    for (const parcel of made.olpns as Omit<Parcel, "orderId">[]) parcels.push({ ...parcel, orderId });
  });
  if (plan.readsPapers) await stage("read papers", parcels, ({ documents }) => readPapers(base, documents));
  await stage("load, despatch", loadsOf(parcels, plan.parcelsOfLoad), async (load) => {
    // A load has the name of its first order, as all reports have.
    const loadId = `load-${load[0]?.orderId}`;
    const olpnIds = load.map(({ olpnId }) => olpnId);
    await acceptedReport(port, "load", { clientId, loadId, olpnIds, reportId: loadId });
    await acceptedReport(port, "despatch", { clientId, loadId, reportId: `despatch-${load[0]?.orderId}` });
  });
  await stage("delivered", parcels, async ({ orderId, olpnId }) => {
    const occurredAt = new Date().toISOString();
    const event = { clientId, olpnId, eventCode: 200, occurredAt, text: "Delivered to the recipient" };
    await acceptedReport(port, "carrierEvent", { ...event, reportId: `delivered-${orderId}` });
  });
  await assertDelivered(base, clientId, orderIds);
}

/** Processes the items in their order, with the given number of workers. */
export async function together<Item>(
  workers: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function loadsOf(parcels: readonly Parcel[], size: number): Parcel[][] {
  return Array.from({ length: Math.ceil(parcels.length / size) }, (_, i) => parcels.slice(i * size, (i + 1) * size));
}

/** Reads the label as ZPL and the slip, as a packing bench prints them. */
async function readPapers({ product, token }: Base, documents: readonly Paper[]): Promise<void> {
  const printed = [
    documents.find(({ type, contentType }) => type === "SHIPPING_LABEL" && contentType === "application/zpl"),
    documents.find(({ type }) => type === "PACKING_SLIP"),
  ];
  for (const paper of printed) {
    if (paper === undefined) throw new Error("a parcel has no ZPL label or no slip");
    const url = `${product.url}/v1/orderService/document/get/${paper.documentId}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok || (await response.arrayBuffer()).byteLength === 0) throw new Error(`${url}: ${response.status}`);
  }
}

async function assertDelivered({ client, name }: Base, clientId: string, orderIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ status: string; orders: number }>(
    `select status, count(*)::int as orders from sales_order where client_id = $1 and order_id = any($2) group by 1`,
    [clientId, orderIds],
  );
  const delivered = rows.find(({ status }) => status === "DELIVERED")?.orders ?? 0;
  if (delivered !== orderIds.length) {
    throw new Error(
      `${delivered} of ${orderIds.length} orders of the ${name} base are delivered: ${JSON.stringify(rows)}`,
    );
  }
}
