import type { Database } from "#/db/database.ts";
import { ok, refused } from "#/kernel/result.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import { canBeName, ownAckName, plainAckName, readAckName } from "#/sftp/exchange/file-names.ts";
import * as repository from "#/sftp/exchange/processed-file-repository.ts";
import { noSuchFile, whileStoreAnswers } from "#/sftp/exchange/refusals.ts";
import { openStoredFile } from "#/sftp/exchange/stored-file.ts";
import type { FileEntry, Folder, ReadableFile } from "#/sftp/file-system.ts";

const listedMax = 10_000;

interface Found {
  readonly row: repository.AckRow;
  readonly isOwn: boolean;
}

/**
 * `/acks`: each processed file has its ACK under the file's name and its token. The newest file of a name, in any folder,
 * also has its ACK under the name alone. A deleted ACK returns only when its file is put again.
 */
export function openAcksFolder({ database }: { readonly database: Database }, clientId: string): Folder {
  /** A name that matches both forms is the one with the token. */
  async function findAck(fileName: string): Promise<Found | undefined> {
    const read = canBeName(fileName) ? readAckName(fileName) : undefined;
    if (!read) return undefined;
    const row = read.own && (await repository.findOwnAck(database.reads.of(clientId), read.own.name, read.own.token));
    if (row) return { row: row, isOwn: true };
    const plain = await repository.findPlainAck(database.reads.of(clientId), read.plain);
    return plain && { row: plain, isOwn: false };
  }

  return {
    async list() {
      const rows = await repository.listAcks(database.of(clientId), listedMax);
      const entries = new Map<string, FileEntry>();
      const add = (name: string, row: repository.AckRow) => {
        if (entries.size < listedMax && !entries.has(name)) entries.set(name, entryOf(name, row));
      };
      for (const row of rows) {
        if (row.has_token_ack) add(ownAckName(row.name, row.token), row);
        if (row.has_named_ack) add(plainAckName(row.name), row);
      }
      return [...entries.values()];
    },

    async find(name) {
      const found = await findAck(name);
      return found && entryOf(name, found.row);
    },

    openRead: (name) =>
      whileStoreAnswers<ReadableFile>(async () => {
        const found = await findAck(name);
        if (!found) return refused(noSuchFile(name));
        const ack = await repository.findAck(database.reads.of(clientId), found.row.token);
        if (!ack) return refused(noSuchFile(name));
        return openStoredFile({ ...entryOf(name, found.row), size: ack.length }, async () => ack);
      }),

    remove: (name) =>
      whileStoreAnswers<void>(async () => {
        const view = database.of(clientId);
        const found = await findAck(name);
        if (!found) return refused(noSuchFile(name));
        const { row, isOwn } = found;
        const isGone = isOwn
          ? await repository.hideOwnAck(view, row.name, row.token)
          : await repository.hidePlainAck(view, row.name);
        return isGone ? ok(undefined) : refused(noSuchFile(name));
      }),
  };
}

function entryOf(name: string, { token, ack_bytes }: repository.AckRow): FileEntry {
  return { name, size: ack_bytes, modifiedAtMs: timeOfId(token) };
}
