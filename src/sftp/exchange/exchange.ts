import type { Database } from "#/db/database.ts";
import { deleteFiles, listOldFiles, type OldFile } from "#/feeds/file-repository.ts";
import { feedTypes } from "#/feeds/intake/definition.ts";
import type { Clock } from "#/kernel/clock.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { openAcksFolder } from "#/sftp/exchange/acks-folder.ts";
import { createSharedMemory } from "#/sftp/exchange/file-writer.ts";
import { openInboundFolder } from "#/sftp/exchange/inbound-folder.ts";
import { createFileJudge, type JudgeFilesContext } from "#/sftp/exchange/judgement.ts";
import { openOutcomeFolder } from "#/sftp/exchange/outcome-folder.ts";
import { createUploads, purgeUploads } from "#/sftp/exchange/uploads.ts";
import type { Folder, OpenFolders, Visitor } from "#/sftp/file-system.ts";

export interface ExchangeContext extends JudgeFilesContext {
  readonly database: Database;
  /** For tests that kill nodes: milliseconds after which a file that a dead node was judging is free. */
  readonly claimMs?: number;
  /** Takes more of the rate of whoever put a document that was more work than a request. */
  chargeRate?(visitor: Visitor, units: number): void;
  /** For tests: how many bytes of a client may wait under temporary names. */
  readonly waitingBytesMax?: number;
  /** For tests: of files on their way, how many bytes are held in memory. */
  readonly sharedBytesMax?: number;
}

/** Judged files are shown so long (sftp.md); their documents are kept as those of HTTP are. */
const filesKeptMs = 30 * 86_400_000;
const purgedAtOnce = 1_000;
/** Three of the largest files at once come without a detour through the store. */
const sharedBytesMax = 64 * 1024 * 1024;

/** The folders of a client's feeds over the database: `/inbound/…`, `/acks`, `/archive` and `/rejected`. */
export function openExchange(context: ExchangeContext): OpenFolders {
  const memory = createSharedMemory(context.sharedBytesMax ?? sharedBytesMax);
  const inbound = { ...context, memory, uploads: createUploads(context), judge: createFileJudge(context) };
  return (visitor) => {
    const { clientId } = visitor;
    const own = { ...inbound, chargeRate: (units: number) => context.chargeRate?.(visitor, units) };
    return new Map<string, Folder>([
      ...feedTypes.map((type): [string, Folder] => [`/inbound/${type}`, openInboundFolder(own, clientId, type)]),
      ["/acks", openAcksFolder(context, clientId)],
      ["/archive", openOutcomeFolder(context, clientId, "accepted")],
      ["/rejected", openOutcomeFolder(context, clientId, "rejected")],
    ]);
  };
}

/** Removes what is past its time: judged files after thirty days, what waits after seven, what was cut off after one. To be run once an hour. */
export async function purgeExchange(
  context: { readonly database: Database; readonly clock: Clock },
  clientId: string,
): Promise<void> {
  const { database, clock } = context;
  const beforeMs = clock.now() - filesKeptMs;
  const bounds = { before: new Date(beforeMs).toISOString(), boundary: idBoundary(beforeMs) };
  for (const isAccepted of [true, false]) {
    let files: readonly OldFile[];
    do {
      files = await listOldFiles(database, clientId, isAccepted, bounds, purgedAtOnce);
      if (files.length > 0) await deleteFiles(database, clientId, files);
    } while (files.length === purgedAtOnce);
  }
  await purgeUploads(context, clientId);
}
