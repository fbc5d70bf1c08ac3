import { pushDocuments, readChannels, storeDocuments } from "#/delivery/outbound/channels.ts";
import type { Envelope } from "#/delivery/outbound/documents/envelope.ts";
import {
  type InventorySnapshotItem,
  writeInventorySnapshot,
} from "#/delivery/outbound/documents/inventory-snapshot.ts";
import {
  type MovementStatementItem,
  type StatedMovement,
  writeMovementStatement,
} from "#/delivery/outbound/documents/movement-statement.ts";
import { listClientsWithUnwritten } from "#/delivery/outbound/outbound.cross-client.ts";
import * as repository from "#/delivery/outbound/repository.ts";
import { budgetMsDefault, type SnapshotJob } from "#/delivery/outbound/snapshots.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import {
  countMovementsBetween,
  countSnapshotRows,
  findOnHand,
  findSnapshot,
  type ListedMovement,
  listMovementsBetween,
  listSnapshotRows,
  listUnwrittenSnapshots,
  markSnapshotWritten,
  quantitiesToNumbers,
  type Snapshot,
  type SnapshotRow,
} from "#/modules/inventory/index.ts";
import { createClientTurns } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";

const clientsMax = 1_000;
/** A part is a few megabytes; the relay may hold the lane for a moment. */
const limits = { lockTimeoutMs: 5_000, statementTimeoutMs: 20_000 };

/**
 * Writes the missing documents of snapshots: for each INV, then IMS, part by part, each part in a separate transaction.
 * After a crash it continues with the first missing part. A part is a turn of its client: a large catalogue delays no
 * other client by more. At most one part of each client whose turn it is is in memory.
 *
 * @returns the number of documents written.
 */
export async function writeSnapshots(job: SnapshotJob): Promise<number> {
  const { database, clock, budgetMs = budgetMsDefault, turns = createClientTurns() } = job;
  const untilMs = clock.now() + budgetMs;
  let written = 0;
  const clientIds = await listClientsWithUnwritten(database.lookUps, clientsMax);
  await turns.run(
    clientIds.map((clientId) => [clientId, writeOfClient(job, clientId)]),
    async (parts) => {
      const { done } = await parts.next();
      if (!done) written++;
      return !done;
    },
    () => clock.now() >= untilMs,
  );
  return written;
}

/** Yields after each document. */
async function* writeOfClient(job: SnapshotJob, clientId: string): AsyncGenerator<void, void> {
  const { database, clock, ids, onPushed = () => {} } = job;
  for (const snapshot of await listUnwrittenSnapshots(database.of(clientId))) {
    const writing = { database, clock, ids, clientId, snapshot, onPushed };
    yield* writeInv(writing);
    yield* writeIms(writing);
    const at = new Date(clock.now()).toISOString();
    await database.transaction(async (tx) => markSnapshotWritten(tx.of(clientId), snapshot.snapshotId, at));
  }
}

interface Writing {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly clientId: string;
  readonly snapshot: Snapshot;
  readonly onPushed: () => void;
}

async function* writeInv(writing: Writing): AsyncGenerator<void, void> {
  const { database, clientId, snapshot } = writing;
  const view = database.of(clientId);
  const { snapshotId, snapshotDate, position, invMessageId } = snapshot;
  if (invMessageId === undefined) return;
  const parts = partsOf(await countSnapshotRows(view, snapshotId));
  yield* writeParts<SnapshotRow>(writing, {
    type: "INV",
    first: invMessageId,
    parts,
    list: (after) => listSnapshotRows(view, snapshotId, after, partRowsMax),
    render: async (envelope, part, rows) =>
      writeInventorySnapshot(envelope, { snapshotId, snapshotDate, position, part, parts, items: rows.map(itemOf) }),
  });
}

function itemOf({ sku, stockPool, uom, ...quantities }: SnapshotRow): InventorySnapshotItem {
  return { sku, stockPool, uom, ...quantitiesToNumbers(quantities) };
}

async function* writeIms(writing: Writing): AsyncGenerator<void, void> {
  const { database, clientId, snapshot } = writing;
  const view = database.of(clientId);
  const { facilityCode, position: toPosition, previousId, imsMessageId } = snapshot;
  if (imsMessageId === undefined) return;
  const previous = previousId === undefined ? undefined : await findSnapshot(view, previousId);
  const fromPosition = previous?.position ?? 0;
  const parts = partsOf(await countMovementsBetween(view, facilityCode, fromPosition, toPosition));
  yield* writeParts<ListedMovement>(writing, {
    type: "IMS",
    first: imsMessageId,
    parts,
    list: (after) => listMovementsBetween(view, facilityCode, fromPosition, toPosition, after, partRowsMax),
    async render(envelope, part, rows) {
      const items = await statedItems(writing, previous, rows);
      return writeMovementStatement(envelope, { fromPosition, toPosition, part, parts, items });
    },
  });
}

/**
 * Movements by SKU, with the quantities of the two snapshots. A SKU whose movements continue in the next part has the
 * same quantities there.
 */
async function statedItems(
  { database, clientId, snapshot }: Writing,
  previous: Snapshot | undefined,
  movements: readonly ListedMovement[],
): Promise<MovementStatementItem[]> {
  const view = database.of(clientId);
  const bySku = Map.groupBy(movements, ({ sku }) => sku);
  const skus = [...bySku.keys()];
  if (skus.length === 0) return [];
  const [opening, closing] = await Promise.all([
    previous ? findOnHand(view, previous.snapshotId, skus) : new Map<string, number>(),
    findOnHand(view, snapshot.snapshotId, skus),
  ]);
  return skus.map((sku) => ({
    sku,
    opening: quantityToNumber(opening.get(sku) ?? 0),
    closing: quantityToNumber(closing.get(sku) ?? 0),
    movements: (bySku.get(sku) ?? []).map(statedMovement),
  }));
}

function statedMovement(movement: ListedMovement): StatedMovement {
  const { movementId, type, condition, referenceType, referenceId, bookedAt: timeStamp } = movement;
  return { movementId, type, qty: quantityToNumber(movement.qty), condition, referenceType, referenceId, timeStamp };
}

interface Document<Row> {
  readonly type: "INV" | "IMS";
  /** The messageId of the first part. */
  readonly first: string;
  readonly parts: number;
  /** The rows of the next part. */
  list(after: Row | undefined): Promise<Row[]>;
  render(envelope: Envelope, part: number, rows: readonly Row[]): Promise<Buffer>;
}

async function* writeParts<Row>(writing: Writing, document: Document<Row>): AsyncGenerator<void, void> {
  const { database, clientId } = writing;
  const { first, parts } = document;
  const messageIds = Array.from({ length: parts }, (_, i) => partId(first, i + 1));
  const stored = new Set(await repository.listStored(database.of(clientId), messageIds));
  let after: Row | undefined;
  for (let part = 1; part <= parts && stored.size < parts; part++) {
    const messageId = messageIds[part - 1] as string;
    const isNew = !stored.has(messageId);
    after = await readPart(writing, document, part, after, isNew ? messageId : undefined);
    if (!isNew) continue;
    stored.add(messageId);
    yield;
  }
}

/**
 * Separate from the generator, so that a client that waits for its turn holds no rows.
 *
 * @param messageId undefined: the part is stored already.
 * @returns the last row of the part.
 */
async function readPart<Row>(
  writing: Writing,
  document: Document<Row>,
  part: number,
  after: Row | undefined,
  messageId: string | undefined,
): Promise<Row | undefined> {
  const rows = await document.list(after);
  if (messageId !== undefined) await storePart(writing, document, part, messageId, rows);
  return rows.at(-1);
}

async function storePart<Row>(
  { database, clock, ids, clientId, snapshot, onPushed }: Writing,
  { type, parts, render }: Document<Row>,
  part: number,
  messageId: string,
  rows: readonly Row[],
): Promise<void> {
  const { snapshotId, facilityCode } = snapshot;
  const at = new Date(clock.now()).toISOString();
  const envelope = { messageId, clientId, distributionCentre: facilityCode, creationTimeStamp: at };
  const payload = await render(envelope, part, rows);
  const pushed = await database.transaction(async (tx) => {
    const view = tx.of(clientId);
    const [position, channels] = await Promise.all([repository.takePositions(view, 1), readChannels(view)]);
    // Under the lock of the lane: another worker may have written the part after the lease expired.
    if ((await repository.listStored(view, [messageId])).length > 0) return 0;
    const document = { messageId, type, objectId: snapshotId, facilityCode, feedToken: null, part, parts, payload };
    const toPush = storeDocuments(view, at, position, channels, [document]);
    return pushDocuments(view, ids, at, channels, toPush);
  }, limits);
  if (pushed > 0) onPushed();
}

/** A document of a snapshot or a statement has at most this many rows (outbound.md). */
export const partRowsMax = 10_000;

/** The number of documents for this number of rows; zero rows still make one document, which is empty. */
export function partsOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / partRowsMax));
}

/**
 * The messageId of a part. The first one was promised to the client. The others follow from it, so that a part written
 * before a crash is recognized by its id.
 *
 * @param first UUIDv7; its last 48 bits are counted up, of the 62 that are random.
 * @param part from 1.
 */
export function partId(first: string, part: number): string {
  assert(part >= 1, `there is no part ${part}`);
  const node = (Number.parseInt(first.slice(24), 16) + part - 1) % 2 ** 48;
  return first.slice(0, 24) + node.toString(16).padStart(12, "0");
}
