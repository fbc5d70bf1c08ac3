import { ok, type Result } from "#/kernel/result.ts";
import type { FileEntry, ReadableFile, Refusal } from "#/sftp/file-system.ts";

/** A file that is loaded from the database when its first byte is requested, and released when it is closed. */
export function openStoredFile(
  entry: FileEntry,
  load: () => Promise<Buffer | undefined>,
): Result<ReadableFile, Refusal> {
  let loading: Promise<Buffer | undefined> | undefined;
  return ok({
    size: entry.size,
    modifiedAtMs: entry.modifiedAtMs,
    async read(offset, length) {
      loading ??= load();
      const bytes = await loading.catch((error) => {
        // A later read may succeed.
        loading = undefined;
        throw error;
      });
      if (!bytes) throw new Error(`the content of the file '${entry.name}' is no longer stored`);
      return bytes.subarray(offset, offset + length);
    },
    async close() {
      loading = undefined;
    },
  });
}
