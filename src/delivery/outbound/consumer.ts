import {
  type ChannelsOfClient,
  findDocumentVersions,
  type PushedDocument,
  pushDocuments,
  readChannels,
  storeDocuments,
} from "#/delivery/outbound/channels.ts";
import type { DocumentVersions } from "#/delivery/outbound/documents/envelope.ts";
import { hasDocument, isVersioned, newestVersions, renderDraft } from "#/delivery/outbound/documents/render.ts";
import * as repository from "#/delivery/outbound/repository.ts";
import { assert } from "#/kernel/assert.ts";
import { companionOf, type Ids } from "#/kernel/values/ids.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import type { OutboundDraft } from "#/store/outbox/append.ts";
import type { Consumer } from "#/store/outbox/relay.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";

/**
 * Documents are inserted in sets up to this size: a batch of events may contain five hundred documents of a thousand
 * lines each.
 */
const insertBytesMax = 4 * 1024 * 1024;

/**
 * Writes the outbound documents of events (outbound.md). Each event with an outbound draft yields exactly one document,
 * in the transaction that publishes it. A client with version 1.0 of RS gets none for goods without an authorisation, and a
 * client with version 1.0 of OS none for a change of holds alone. Documents keep the order of the events, and use the
 * channels of their type. This consumer runs after every other one, because it also handles their events.
 *
 * @param onPushed documents are ready to push.
 */
export function createOutboundConsumer(ids: Ids, onPushed: () => void = () => {}): Consumer {
  const pushed = new Set<string>();
  return {
    span: { name: "write outbound documents", concerns: ({ outbound }) => outbound !== null },
    async consume(tx, at, rows) {
      const drafted = rows.filter(({ outbound }) => outbound !== null);
      const needsVersions = drafted.some(({ outbound }) => isVersioned(outbound as OutboundDraft));
      const versions = needsVersions ? await findDocumentVersions(tx) : newestVersions;
      const reporting = drafted.filter(({ outbound }) => hasDocument(outbound as OutboundDraft, versions));
      if (reporting.length === 0) return [];
      const [position, channels] = await Promise.all([
        repository.takePositions(tx, reporting.length),
        readChannels(tx),
      ]);
      const documents = store(tx, at, reporting, { position, channels, versions });
      if ((await pushDocuments(tx, ids, at, channels, documents)) > 0) pushed.add(tx.clientId);
      return [];
    },
    afterwards(clientId) {
      if (pushed.delete(clientId)) onPushed();
    },
  };

  /** Stores the documents; returns those to push. */
  function store(
    tx: ClientTransaction,
    at: string,
    rows: readonly OutboxRow[],
    { position, channels, versions }: { position: number; channels: ChannelsOfClient; versions: DocumentVersions },
  ): PushedDocument[] {
    const toPush: PushedDocument[] = [];
    let batch: repository.NewOutboundDocument[] = [];
    let bytes = 0;
    let stored = position;
    const flush = () => {
      toPush.push(...storeDocuments(tx, at, stored, channels, batch));
      stored += batch.length;
      batch = [];
      bytes = 0;
    };
    for (const row of rows) {
      const document = documentOf(tx.clientId, at, row, versions);
      batch.push(document);
      bytes += document.payload.byteLength;
      if (bytes > insertBytesMax) flush();
    }
    if (batch.length > 0) flush();
    return toPush;
  }

  function documentOf(
    clientId: string,
    at: string,
    row: OutboxRow,
    versions: DocumentVersions,
  ): repository.NewOutboundDocument {
    const draft = row.outbound as OutboundDraft;
    assert(
      draft.type === "ACK" || row.facilityCode !== null,
      `event ${row.topic} names no facility for its ${draft.type}`,
    );
    // An event has one document at most, which `events check` finds by this id.
    const messageId = companionOf(row.outboxId);
    const envelope = {
      messageId,
      clientId,
      distributionCentre: row.facilityCode ?? undefined,
      creationTimeStamp: at,
    };
    const payload = renderDraft(draft, envelope, versions);
    const { type, objectId } = draft;
    return {
      messageId,
      type,
      objectId,
      payload,
      part: 1,
      parts: 1,
      facilityCode: row.facilityCode,
      feedToken: row.feedToken,
    };
  }
}
