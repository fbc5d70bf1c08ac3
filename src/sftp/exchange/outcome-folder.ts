import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { Database } from "#/db/database.ts";
import { refused } from "#/kernel/result.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import { canBeName } from "#/sftp/exchange/file-names.ts";
import * as repository from "#/sftp/exchange/processed-file-repository.ts";
import { noSuchFile, whileStoreAnswers } from "#/sftp/exchange/refusals.ts";
import { openStoredFile } from "#/sftp/exchange/stored-file.ts";
import type { FileEntry, Folder, ReadableFile } from "#/sftp/file-system.ts";

const listedMax = 10_000;
const decompress = promisify(zstdDecompress);

/**
 * `/archive` or `/rejected`: the processed files of one outcome, unchanged. Clients cannot remove files from them, so the
 * oldest files must not hide the rest: if there are too many to list, the newest are listed. A file with a card number
 * is missing, because its bytes are not kept.
 */
export function openOutcomeFolder(
  { database }: { readonly database: Database },
  clientId: string,
  outcome: "accepted" | "rejected",
): Folder {
  const isAccepted = outcome === "accepted";

  async function load(token: string): Promise<Buffer | undefined> {
    const row = await repository.findPayload(database.of(clientId), token);
    return row?.encoding === "zstd" ? decompress(row.payload) : row?.payload;
  }

  async function findFiled(name: string): Promise<repository.FiledRow | undefined> {
    return canBeName(name) ? repository.findFiled(database.reads.of(clientId), isAccepted, name) : undefined;
  }

  return {
    async list() {
      const rows = await repository.listFiled(database.of(clientId), isAccepted, listedMax);
      return rows.map(entryOf).reverse();
    },

    async find(name) {
      const row = await findFiled(name);
      return row && entryOf(row);
    },

    openRead: (name) =>
      whileStoreAnswers<ReadableFile>(async () => {
        const row = await findFiled(name);
        return row ? openStoredFile(entryOf(row), () => load(row.token)) : refused(noSuchFile(name));
      }),
  };
}

function entryOf({ archive_name, token, body_bytes }: repository.FiledRow): FileEntry {
  return { name: archive_name, size: body_bytes, modifiedAtMs: timeOfId(token) };
}
