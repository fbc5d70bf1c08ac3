// One client with its goods and orders, used through the public interfaces: feeds, port, outbound documents. Only data
// without a public interface is read from the store or changed by a service.
import assert from "node:assert/strict";
import { systemClock } from "#/kernel/clock.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { checkStock, describeBroken } from "#/modules/inventory/index.ts";
import type { OrderJob } from "#/modules/orders/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";
import { type CommandResult, createOutboxWriter } from "#/store/outbox/append.ts";
import type { TestServer } from "../app/server.ts";
import { until } from "../app/until.ts";
import { assertSignals } from "../oracles/order-signals.ts";
import { patient } from "../postgres/database.ts";
import { bucketsOf, type StatusDocument, statusDocuments } from "../warehouse/status-documents.ts";
import { allTasks, type Port, type PortTask } from "../warehouse/warehouse-port.ts";
import { attributes, cancelOrder, catalogue, order, type Parts } from "./documents.ts";

const ids = createIds();
const writer = createOutboxWriter(ids);

/** An order as its REST record. */
export interface Shown {
  readonly status: string;
  readonly statusReason: string | null;
  readonly distributionCentre: string;
  readonly distributionCentres: readonly string[];
  readonly holds: readonly { readonly type: string }[];
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly milestones: readonly { readonly code: number }[];
  readonly shipToAddress: Readonly<Record<string, unknown>>;
  readonly version: number;
}

export interface StockLine {
  readonly sku: string;
  readonly qty: number;
  readonly stockPool?: string;
  readonly batchRef?: string;
  readonly expiryDate?: string;
  readonly serials?: readonly string[];
}

export interface Parcel {
  readonly olpnId: string;
}

const toDc1: Parts = { distributionCentre: "DC1" };

/** A separate client, so that no test sees another's goods. */
export interface LifeOptions {
  readonly items?: readonly (string | Parts)[];
  readonly settings?: Record<string, string>;
  /** In routing order; undefined: DC1, DC2. */
  readonly facilities?: readonly string[];
}

export async function lifeOf(
  server: TestServer,
  port: Port,
  clientId: string,
  { items = ["A", "B"], ...onboarding }: LifeOptions = {},
) {
  const client = await server.onboard(clientId, onboarding);
  await client.accept("CAT", catalogue(clientId, items));
  let adjustments = 0;

  /** Waits until all events are published and all released stock is processed. */
  async function quiet(): Promise<void> {
    await until("the platform to come to rest", async () => {
      const [row] = await server.rows<{ open: number }>(
        `select (select count(*) from outbox where client_id = $1 and state = 'PENDING')
          + (select count(*) from stock_change where client_id = $1 and needs_allocation) as open`,
        clientId,
      );
      return Number(row?.open) === 0;
    });
  }

  const adjust = (lines: readonly (StockLine & { readonly condition?: string })[], at: Port = port) => ({
    body: {
      clientId,
      adjustmentId: `${clientId}-${++adjustments}`,
      reasonCode: lines.some(({ qty }) => qty < 0) ? "LOST" : "FOUND",
      lines,
    },
    at,
  });

  const stock = async (lines: readonly StockLine[], at: Port = port): Promise<void> => {
    await at.report("adjustment", adjust(lines).body);
    await quiet();
  };

  async function place(orderId: string, lines: readonly (string | Parts)[], more: Parts = toDc1): Promise<string> {
    const { token } = await client.accept("NO", order(clientId, orderId, lines, more));
    await quiet();
    return token;
  }

  const update = async (orderId: string, lines: readonly (string | Parts)[], more: Parts = {}): Promise<void> => {
    await client.accept("NO", order(clientId, orderId, lines, { actionType: "UPDATE", ...more }));
    await quiet();
  };

  const cancel = async (orderId: string): Promise<void> => {
    await client.accept("NO", cancelOrder(clientId, orderId));
    await quiet();
  };

  const shown = async (orderId: string): Promise<Shown> => {
    const found = await client.order(orderId);
    assert.ok(found, `there is no order ${orderId}`);
    return found as unknown as Shown;
  };

  /** `status` and the buckets of a line except `Ordered`: "ALLOCATED Allocated 2". */
  const stands = async (orderId: string, lineNumber = 1): Promise<string> => {
    const { status, statusReason, lines } = await shown(orderId);
    const line = lines.find((line) => line.lineNumber === lineNumber);
    assert.ok(line, `order ${orderId} has no line ${lineNumber}`);
    return [status, statusReason && `(${statusReason})`, bucketsOf(line)].filter(Boolean).join(" ");
  };

  /**
   * The events of an order, in order: topics, and track-and-trace codes as numbers; without `order:promised`, which comes
   * where a turn of the allocator falls between a purchase order and its receipt.
   */
  const signals = async (orderId: string): Promise<(string | number)[]> => {
    await quiet();
    const rows = await server.rows<{ topic: string; data: { readonly eventCode?: number } }>(
      `select topic, data from event
        where client_id = $1 and object_type = 'order' and object_id = $2 and topic <> 'order:promised' order by position`,
      clientId,
      orderId,
    );
    return rows.map(({ topic, data }) => (topic === "carrier:trackAndTrace" ? Number(data.eventCode) : topic));
  };

  const documents = async (orderId: string): Promise<StatusDocument[]> => {
    await quiet();
    return statusDocuments(client, orderId);
  };

  /** Successive contents of the documents for a line: "ALLOCATED 50: Allocated 2". */
  const statuses = async (orderId: string, lineNumber = 1): Promise<string[]> => {
    const all = await documents(orderId);
    const times = all.map(({ statusTimeStamp }) => statusTimeStamp);
    assert.deepEqual(times, times.toSorted(), "documents of an order go by their time");
    return all.map(({ status, statusCode, statusReason, lines }) => {
      const line = lines.find((line) => Number(line.lineNumber) === lineNumber);
      const reason = statusReason === undefined ? "" : ` (${statusReason})`;
      return `${status} ${statusCode}${reason}: ${bucketsOf(line ?? {})}`;
    });
  };

  const pick = (orderId: string, qtyPicked: number, more: object = {}) =>
    port.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked, ...more }] });

  /** One parcel for each quantity of line 1. */
  const pack = async (orderId: string, ...quantities: number[]): Promise<string[]> => {
    const olpns = quantities.map((qty) => parcel([{ lineNumber: 1, qty }]));
    const { olpns: made } = await port.report("pack", { clientId, orderId, olpns });
    return (made as Parcel[]).map(({ olpnId }) => olpnId);
  };

  const despatch = (...olpnIds: string[]) => port.report("despatch", { clientId, olpnIds });

  /** Despatches an order and returns its parcels. */
  const ship = async (orderId: string, sku: string, ...quantities: number[]): Promise<string[]> => {
    const qty = quantities.reduce((sum, quantity) => sum + quantity, 0);
    await place(orderId, [{ sku, qty }]);
    await pick(orderId, qty);
    const olpnIds = await pack(orderId, ...quantities);
    await despatch(...olpnIds);
    return olpnIds;
  };

  /** The current task of a type for an order; undefined if none was ever released. */
  const task = async (type: string, orderId: string, at: Port = port): Promise<PortTask | undefined> => {
    await quiet();
    const tasks = (await allTasks(at)).filter((task) => task.clientId === clientId);
    return tasks.find((task) => task.type === type && task.objectId === orderId);
  };

  /** "v2: A 3" for an active task, "v3 withdrawn" for a withdrawn one. */
  const work = async (type: string, orderId: string, at: Port = port): Promise<string | undefined> => {
    const found = await task(type, orderId, at);
    if (!found) return undefined;
    const { version, withdrawnAt, lines } = found;
    return withdrawnAt === null
      ? `v${version}: ${lines.map(({ sku, qty }) => `${sku} ${qty}`).join(", ")}`
      : `v${version} withdrawn`;
  };

  const take = async (orderId: string): Promise<void> => {
    const found = await task("PICK", orderId);
    const { body } = await port.post("/task/accept", { taskIds: [found?.taskId] });
    assert.deepEqual(body.results, [{ taskId: found?.taskId, status: "ACCEPTED" }]);
  };

  /** GOOD units of a lot that an order holds: "L1 2, L2 1". */
  const lotsOf = async (orderId: string): Promise<string> => {
    const rows = await server.rows<{ pool: string; batch: string; qty: string; chosen_by: string }>(
      `select stock_pool as pool, batch_ref as batch, qty_allocated + qty_picked + qty_packed as qty, chosen_by
        from stock_reservation where client_id = $1 and owner_id = $2
        order by line_number, expiry_date, batch_ref, stock_pool`,
      clientId,
      orderId,
    );
    return rows.map(({ pool, batch, qty, chosen_by: by }) => `${batch || pool} ${Number(qty)} ${by}`).join(", ");
  };

  /** Stock of a SKU by condition, with its allocated quantity: "GOOD 5/2, ON_HOLD 1/0". */
  const stockOf = async (sku: string, facilityCode = "DC1"): Promise<string> => {
    const rows = await server.rows<{ condition: string; qty: string; allocated: string }>(
      `select condition, sum(qty) as qty, sum(allocated) as allocated from stock_balance
        where client_id = $1 and sku = $2 and facility_code = $3 group by 1 having sum(qty) > 0 order by 1`,
      clientId,
      sku,
      facilityCode,
    );
    return rows.map(({ condition, qty, allocated }) => `${condition} ${Number(qty)}/${Number(allocated)}`).join(", ");
  };

  /** Runs a service that has no public interface yet, with its events. */
  async function serve(
    service: (tx: Transaction, change: Change) => Promise<Result<CommandResult<unknown>, Refusal>>,
  ): Promise<string | undefined> {
    const change: Change = { actor: `client:${clientId}`, origin: "test", at: new Date().toISOString(), ids };
    const result = await server.database.transaction(async (tx) => {
      const answer = await service(tx, change);
      if (answer.ok) writer.append(tx.of(clientId), change.at, answer.value.events);
      return answer;
    }, patient);
    await quiet();
    return result.ok ? undefined : result.fault.detail;
  }

  /** Runs a scheduled job as if it were a number of hours later. */
  async function after(hours: number, job: (context: OrderJob) => Promise<number>): Promise<number> {
    const clock = { ...systemClock, now: () => Date.now() + hours * 3_600_000 };
    const done = await job({ database: server.database, clock, ids, writer });
    await quiet();
    return done;
  }

  const assertSound = async (): Promise<void> => {
    await quiet();
    assert.deepEqual((await checkStock(server.database.of(clientId))).map(describeBroken), []);
    await assertSignals(server, clientId, client);
  };

  return {
    clientId,
    client,
    quiet,
    adjust,
    stock,
    place,
    update,
    cancel,
    shown,
    stands,
    signals,
    documents,
    statuses,
    pick,
    pack,
    despatch,
    ship,
    task,
    work,
    take,
    lotsOf,
    stockOf,
    serve,
    after,
    assertSound,
  };
}

export type Life = Awaited<ReturnType<typeof lifeOf>>;

/** A parcel of a pack/report. */
export function parcel(contents: readonly object[], more: object = {}): object {
  return { weight: 0.5, weightUomCode: "KG", contents, ...more };
}

/** An item with separate lots. */
export const withLots = (sku: string, more: Readonly<Record<string, string>> = {}): Parts => ({
  sku,
  captureBatchRef: "true",
  ...(Object.keys(more).length > 0 ? { extendedAttributes: attributes(more) } : {}),
});
