import { deleteFiles, listOldFiles, type OldFile } from "#/intake/feeds/file-repository.ts";
import { createFileProcessor, type FileProcessorContext } from "#/intake/sftp/exchange/file-processor.ts";
import { createSharedMemory } from "#/intake/sftp/exchange/file-writer.ts";
import { openInboundFolder } from "#/intake/sftp/exchange/inbound-folder.ts";
import { openAcksFolder, openOutcomeFolder } from "#/intake/sftp/exchange/processed-folders.ts";
import { createUploads, purgeUploads } from "#/intake/sftp/exchange/uploads.ts";
import type { Folder, OpenFolders, Visitor } from "#/intake/sftp/file-system.ts";
import type { Clock } from "#/kernel/clock.ts";
import { feedTypes } from "#/kernel/feed-types.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

export interface ExchangeContext extends FileProcessorContext {
  readonly database: Database;
  /** For tests that kill nodes: milliseconds after which the claim of a dead node on a file expires. */
  readonly claimMs?: number;
  /** Charges further units to the rate of the visitor, for a document that was more work than a request. */
  chargeRate?(visitor: Visitor, units: number): void;
  /** For tests: the maximum bytes of a client that wait under temporary names. */
  readonly waitingBytesMax?: number;
  /** For tests: the maximum bytes of files in transfer that are held in memory. */
  readonly sharedBytesMax?: number;
}

/** Processed files are shown for this time (sftp.md); their documents are kept like those of HTTP. */
const filesKeptMs = 30 * dayMs;
const purgedAtOnce = 1_000;
/** Three of the largest files can be received concurrently without a detour through the database. */
const sharedBytesMax = 64 * 1024 * 1024;

/** The folders of a client's feeds, stored in the database: `/inbound/…`, `/acks`, `/archive` and `/rejected`. */
export function openExchange(context: ExchangeContext): OpenFolders {
  const memory = createSharedMemory(context.sharedBytesMax ?? sharedBytesMax);
  const inbound = { ...context, memory, uploads: createUploads(context), processor: createFileProcessor(context) };
  return (visitor) => {
    const { clientId } = visitor;
    const clientInbound = { ...inbound, chargeRate: (units: number) => context.chargeRate?.(visitor, units) };
    return new Map<string, Folder>([
      ...feedTypes.map((type): [string, Folder] => [
        `/inbound/${type}`,
        openInboundFolder(clientInbound, clientId, type),
      ]),
      ["/acks", openAcksFolder(context, clientId)],
      ["/archive", openOutcomeFolder(context, clientId, "accepted")],
      ["/rejected", openOutcomeFolder(context, clientId, "rejected")],
    ]);
  };
}

/**
 * Removes expired files: processed ones after thirty days, waiting ones after seven, interrupted ones after one. Run it
 * once an hour. Yields after each batch.
 */
export async function* purgeExchange(
  context: { readonly database: Database; readonly clock: Clock },
  clientId: string,
): AsyncGenerator<void, void> {
  const { database, clock } = context;
  const view = database.of(clientId);
  const beforeMs = clock.now() - filesKeptMs;
  const bounds = { before: new Date(beforeMs).toISOString(), boundary: idBoundary(beforeMs) };
  for (const isAccepted of [true, false]) {
    let files: readonly OldFile[];
    do {
      files = await listOldFiles(view, isAccepted, bounds, purgedAtOnce);
      if (files.length > 0) await deleteFiles(view, files);
      yield;
    } while (files.length === purgedAtOnce);
  }
  await purgeUploads(context, clientId);
}
