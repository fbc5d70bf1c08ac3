import { StoreUnavailableError } from "#/db/errors.ts";
import { type Result, refused } from "#/kernel/result.ts";
import type { Refusal } from "#/sftp/file-system.ts";

export const noSuchFile = (name: string): Refusal => ({
  status: "NO_SUCH_FILE",
  message: `There is no file '${name}'`,
});

export const failure = (message: string): Refusal => ({ status: "FAILURE", message });

export const denied = (message: string): Refusal => ({ status: "PERMISSION_DENIED", message });

/** The refusal while the database is unavailable. */
export const unavailable: Refusal = failure(
  "The database cannot be reached, or the outcome is unknown; it is safe to send the file again",
);

/** Runs work that needs the database; while it is unavailable, refuses with that reason. */
export async function whileStoreAnswers<Value>(
  work: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailableError) return refused(unavailable);
    throw error;
  }
}
