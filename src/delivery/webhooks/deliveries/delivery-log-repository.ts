import Type, { type Static } from "typebox";
import {
  type AttemptRecord,
  delivery,
  deliveryAttempt,
  phases,
  type ReachedPhases,
} from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import { endedStatuses, undeliveredStatuses } from "#/delivery/webhooks/deliveries/states.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { withNulls } from "#/http/routes/schema.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";

const storedFields = Type.Omit(delivery, ["createdAt"]);

/** A delivery as it is stored, with the id of its event. */
export type StoredDelivery = Static<typeof storedFields>;

const columns = columnsOf(storedFields, "d", {
  tries: sql`d.attempts`,
  nextTryAt: sql`d.due_at`,
  endedAt: sql`d.completed_at`,
});

const attemptColumns = columnsOf(deliveryAttempt, "a", {
  tryId: sql`a.attempt_id`,
  durationMs: sql`extract(epoch from a.ended_at - a.started_at) * 1000`,
  headers: sql`coalesce(a.headers, '{}')`,
});

export interface DeliveryPageRequest {
  readonly filter: DeliveryFilter;
  readonly isNewestFirst: boolean;
  /** The page starts after this id. */
  readonly after: string | undefined;
  /** The page looks no further than this id: see `findReach`. */
  readonly reach: string | undefined;
  readonly limit: number;
}

export interface DeliveryFilter {
  readonly statuses?: readonly string[] | undefined;
  readonly topicNames?: readonly string[] | undefined;
  readonly objectId?: string | undefined;
  /** No delivery with a smaller id; for a moment, the smallest id of that moment. */
  readonly first?: string | undefined;
}

/** The condition of the list's index `webhook_delivery_list`, and the part of it that the page covers. */
function placeOf({ isNewestFirst, after, reach, filter }: Omit<DeliveryPageRequest, "limit">) {
  return allOf([
    sql`d.attempts >= 0`,
    filter.first === undefined ? undefined : sql`d.delivery_id >= ${filter.first}::uuid`,
    after === undefined
      ? undefined
      : isNewestFirst
        ? sql`d.delivery_id < ${after}::uuid`
        : sql`d.delivery_id > ${after}::uuid`,
    reach === undefined
      ? undefined
      : isNewestFirst
        ? sql`d.delivery_id >= ${reach}::uuid`
        : sql`d.delivery_id <= ${reach}::uuid`,
  ]);
}

const inOrder = (isNewestFirst: boolean) => (isNewestFirst ? sql`d.delivery_id desc` : sql`d.delivery_id`);

/** Deliveries of a subscription, in the order of their creation. */
export function listDeliveries(tx: ClientTx, webhookId: string, page: DeliveryPageRequest): Promise<StoredDelivery[]> {
  const { statuses, topicNames, objectId } = page.filter;
  const conditions = allOf([
    statuses === undefined ? undefined : sql`d.status = any(${statuses}::text[])`,
    topicNames === undefined ? undefined : sql`d.topic_name = any(${topicNames}::text[])`,
    objectId === undefined ? undefined : sql`d.object_id = ${objectId}`,
  ]);
  return tx.query(sql`select ${columns} from webhook_delivery d
      where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and ${placeOf(page)} and ${conditions}
      order by ${inOrder(page.isNewestFirst)} limit ${page.limit}`);
}

/** How far a page with a filter looks: the last of `looked` deliveries; undefined where there are fewer. */
export async function findReach(
  tx: ClientTx,
  webhookId: string,
  page: Omit<DeliveryPageRequest, "limit">,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ delivery_id: string }>(sql`select d.delivery_id from webhook_delivery d
      where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and ${placeOf(page)}
      order by ${inOrder(page.isNewestFirst)} limit 1 offset ${looked - 1}`);
  return rows[0]?.delivery_id;
}

/** The number of newest deliveries among which undelivered ones are listed. */
const undeliveredLookedAt = 10_000;

/** The newest deliveries that failed, are being retried or were skipped, the newest first. */
export async function listUndelivered(tx: ClientTx, webhookId: string, limit: number): Promise<StoredDelivery[]> {
  const filter = { statuses: undeliveredStatuses };
  const page = { filter, isNewestFirst: true, after: undefined, reach: undefined };
  const reach = await findReach(tx, webhookId, page, undeliveredLookedAt);
  return listDeliveries(tx, webhookId, { ...page, reach, limit });
}

export async function findDelivery(tx: ClientTx, deliveryId: string): Promise<StoredDelivery | undefined> {
  const rows = await tx.query<StoredDelivery>(sql`select ${columns} from webhook_delivery d
      where d.client_id = ${tenant} and d.delivery_id = ${deliveryId}::uuid limit 1`);
  return rows[0];
}

/** Every attempt of a delivery, in the order of their start. Until it has ended, an attempt is only in its delivery. */
export async function listAttempts(tx: ClientTx, deliveryId: string, limit: number): Promise<AttemptRecord[]> {
  // In this order: an attempt that ends meanwhile is in both.
  const [started, ended] = await Promise.all([findStarted(tx, deliveryId), listEnded(tx, deliveryId, limit)]);
  const isMissing = started !== undefined && ended.every(({ tryId }) => tryId !== started.tryId);
  return isMissing ? [...ended, started] : ended;
}

async function findStarted(tx: ClientTx, deliveryId: string): Promise<AttemptRecord | undefined> {
  const rows = await tx.query<
    Pick<AttemptRecord, "tryId" | "isProbe">
  >(sql`select attempt_id as "tryId", is_probe as "isProbe" from webhook_delivery
      where client_id = ${tenant} and delivery_id = ${deliveryId}::uuid and attempt_id is not null limit 1`);
  const [row] = rows;
  const startedAt = row && new Date(timeOfId(row.tryId)).toISOString();
  return (
    row &&
    withNulls(deliveryAttempt, {
      ...row,
      state: "STARTED",
      startedAt,
      phases: withNulls(phases, {}),
      headers: {},
      body: "",
    })
  );
}

async function listEnded(tx: ClientTx, deliveryId: string, limit: number): Promise<AttemptRecord[]> {
  const rows = await tx.query<
    Omit<AttemptRecord, "phases" | "body"> & { readonly phases: ReachedPhases | null; readonly body: Buffer | null }
  >(sql`select ${attemptColumns} from webhook_attempt a
      where a.client_id = ${tenant} and a.delivery_id = ${deliveryId}::uuid and a.state > ''
      order by a.attempt_id limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    phases: withNulls(phases, row.phases ?? {}),
    body: row.body?.toString("utf8") ?? "",
  }));
}

export interface RecoverySpan {
  /** The smallest ids of the moments between which the events' ids lie (`idBoundary`), excluding the last. */
  readonly first: string;
  readonly last: string;
  /** ISO 8601 UTC: deliveries that ended earlier are too old. */
  readonly endedSince: string;
  readonly onlyFailed: boolean;
  readonly limit: number;
}

export interface Recoverable {
  readonly delivery_id: string;
  readonly event_id: string;
}

/** Ended deliveries of a subscription whose events happened in a time span, by event: what a recovery redelivers. */
export function listRecoverable(tx: ClientTx, webhookId: string, span: RecoverySpan): Promise<Recoverable[]> {
  const statuses = span.onlyFailed ? ["FAILED"] : endedStatuses;
  // A delivery is created after its event: no delivery with an earlier id belongs to the span.
  return tx.query(sql`select delivery_id, event_id from webhook_delivery
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and attempts >= 0 and delivery_id >= ${span.first}::uuid
        and event_id >= ${span.first}::uuid and event_id < ${span.last}::uuid and status = any(${statuses}::text[])
        and completed_at >= ${span.endedSince}::timestamptz
      order by event_id limit ${span.limit}`);
}

/** The number of open deliveries of each subscription, up to a limit for each. */
export async function countOpen(
  tx: ClientTx,
  webhookIds: readonly string[],
  limitOfEach: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{
    webhook_id: string;
    pending: number;
  }>(sql`select given.webhook_id, p.pending from unnest(${webhookIds}::uuid[]) as given(webhook_id)
      cross join lateral (
        select count(*)::integer as pending from (
          select d.delivery_id from webhook_delivery d
          where d.client_id = ${tenant} and d.webhook_id = given.webhook_id and d.completed_at is null limit ${limitOfEach}
        ) o
      ) p limit 100000`);
  return new Map(rows.map(({ webhook_id, pending }) => [webhook_id, pending]));
}
