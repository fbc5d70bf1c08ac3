// A client whose goods and orders are subject to random actions, with the views of a brand, a warehouse and an
// operator.
import assert from "node:assert/strict";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";
import { isWorthRepeating } from "#/store/db/errors.ts";
import { createOutboxWriter, type EventDraft } from "#/store/outbox/append.ts";
import type { TestClient, TestServer } from "../support/app/server.ts";
import { catalogue, type Parts } from "../support/builders/documents.ts";
import { clientOf } from "../support/http/rest-client.ts";
import type { Port } from "../support/warehouse/warehouse-port.ts";

/** Three numbers that determine the choices of an action. */
export interface Choice {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface World {
  readonly clientId: string;
  readonly server: TestServer;
  readonly client: TestClient;
  /** The client's REST services. */
  readonly rest: ReturnType<typeof clientOf>;
  readonly ports: readonly Port[];
  readonly splitsOrders: boolean;
  /** The number in the name of the sequence's next object. */
  number: number;
}

export const facilities = ["DC1", "DC2"] as const;
/** Two plain SKUs, one with lots, one with serial numbers; and a finished good made of the first two, which is a kit. */
export const skus = ["A", "B", "LOT", "SER"] as const;
export const finishedGood = "KIT";
export const orderSkus = [...skus, finishedGood] as const;
// They follow the clock, as those of every process that shares its objects with others.
export const ids = createIds(systemClock);
export const writer = createOutboxWriter(ids);

export const items: readonly Parts[] = [
  { sku: "A" },
  { sku: "B" },
  { sku: "LOT", captureBatchRef: true, extendedAttributes: captures("CaptureExpiry") },
  { sku: "SER", extendedAttributes: captures("CaptureSerial") },
  // Orders of it take what work orders have made, and their components.
  {
    sku: finishedGood,
    components: {
      component: [
        { sku: "A", qty: 2 },
        { sku: "LOT", qty: 1 },
      ],
    },
  },
];

function captures(name: string) {
  return { attribute: [{ "@name": name, "#": "true" }] };
}

let worlds = 0;

export async function makeWorld(
  server: TestServer,
  ports: readonly Port[],
  settings: Record<string, string> = {},
): Promise<World> {
  const number = ++worlds;
  const clientId = `P${number}`;
  const client = await server.onboard(clientId, { facilities, settings: { stockPools: "RETAIL" } });
  const orderStatusVersion = ["1.0", "1.1", "1.2"][number % 3] as string;
  await client.set({ ...settings, orderStatusVersion, rerouteHours: "1" });
  await client.accept("CAT", catalogue(clientId, items));
  const splitsOrders = settings.splitOrders === "true";
  return { clientId, server, client, rest: clientOf(server, client), ports, splitsOrders, number: 0 };
}

export const pick = <T>(list: readonly T[], by: number): T | undefined => list[by % Math.max(1, list.length)];

/** Sends a report of the warehouse or a carrier, which is accepted, or refused with a reason. */
export async function report(world: World, facilityCode: string, kind: string, body: object): Promise<void> {
  const port = world.ports[facilities.indexOf(facilityCode as "DC1")] as Port;
  const answer = await port.post(`/${kind}/report`.replace(/^\/(parcel\/void|load\/remove)\/report$/, "/$1"), {
    clientId: world.clientId,
    ...body,
  });
  assert.ok([200, 400, 404, 409, 422, 503].includes(answer.status), `${kind}: ${JSON.stringify(answer.body)}`);
}

/** A REST write is accepted, or refused with a reason. */
export async function write(done: Promise<{ readonly response: Response; readonly error?: unknown }>): Promise<void> {
  const { response, error } = await done;
  assert.ok([200, 400, 404, 409, 422, 503].includes(response.status), `${response.url}: ${JSON.stringify(error)}`);
}

/** Runs a service in a transaction, as its REST route does. */
export async function operate(
  world: World,
  work: (tx: Transaction, change: Change) => Promise<readonly EventDraft[]>,
): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const change: Change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
    try {
      await world.server.database.transaction(async (tx) => {
        const drafts = await work(tx, change);
        writer.append(tx.of(world.clientId), change.at, drafts);
      });
      return;
    } catch (error) {
      if (!isWorthRepeating(error) || attempts === 10) throw error;
    }
  }
}

interface OrderRow {
  readonly order_id: string;
  readonly facility: string;
}

export function orders({ server, clientId }: World): Promise<OrderRow[]> {
  return server.rows(
    "select order_id, distribution_centre as facility from sales_order where client_id = $1 order by order_id",
    clientId,
  );
}

interface HeldRow extends OrderRow {
  readonly line_number: number;
  readonly sku: string;
  readonly stock_pool: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly allocated: number;
  readonly picked: number;
}

export function held({ server, clientId }: World, bucket: "allocated" | "picked"): Promise<HeldRow[]> {
  return server.rows(
    `select owner_id as order_id, facility_code as facility, line_number, sku, stock_pool, batch_ref, expiry_date::text,
       qty_allocated::int as allocated, qty_picked::int as picked
     from stock_reservation where client_id = $1 and owner_type = 'ORDER' and qty_${bucket} > 0 order by 1, 3, 5, 6`,
    clientId,
  );
}

interface ParcelRow {
  readonly olpn_id: string;
  readonly facility: string;
  readonly status: string;
  readonly load_id: string | null;
}

export function parcels({ server, clientId }: World, ...statuses: string[]): Promise<ParcelRow[]> {
  return server.rows(
    `select olpn_id, facility_code as facility, status, load_id from parcel
     where client_id = $1 and (status = any($2) or $2 = '{}') order by packed_at, olpn_id`,
    clientId,
    statuses,
  );
}

export async function serialsOf(
  world: World,
  facility: string,
  sku: string,
  count: number,
  owner?: string,
): Promise<string[]> {
  if (sku !== "SER") return [];
  const rows = await world.server.rows<{ serial: string }>(
    `select serial from stock_serial where client_id = $1 and sku = $2 and facility_code = $3 and state = 'IN_STOCK'
       and condition = 'GOOD' and owner_id is not distinct from $4 order by serial limit $5`,
    world.clientId,
    sku,
    facility,
    owner ?? null,
    count,
  );
  return rows.map(({ serial }) => serial);
}

/** Captured attributes of received goods: lots of two batches, new serial numbers. */
export function incoming(world: World, sku: string, qty: number, by: number): object {
  if (sku === "LOT") return { batchRef: `B${by % 2}`, expiryDate: by % 3 === 0 ? "2091-01-31" : "2090-06-30" };
  if (sku === "SER") return { serials: Array.from({ length: qty }, () => `S${++world.number}`) };
  return by % 4 === 0 ? { stockPool: "RETAIL" } : {};
}

/** A lot of the store in the form that a report uses. */
export function lot(row: { stock_pool: string; batch_ref: string; expiry_date: string }): object {
  return {
    stockPool: row.stock_pool,
    ...(row.batch_ref === "" ? {} : { batchRef: row.batch_ref }),
    ...(row.expiry_date === "infinity" ? {} : { expiryDate: row.expiry_date }),
  };
}

export async function anyLot(world: World, by: number) {
  const rows = await world.server.rows<{
    facility: string;
    sku: string;
    condition: string;
    stock_pool: string;
    batch_ref: string;
    expiry_date: string;
    qty: number;
  }>(
    `select facility_code as facility, sku, condition, stock_pool, batch_ref, expiry_date::text, qty::int from stock_balance
     where client_id = $1 and qty > 0 order by 1, 2, 3, 4, 5, 6`,
    world.clientId,
  );
  return pick(rows, by);
}
