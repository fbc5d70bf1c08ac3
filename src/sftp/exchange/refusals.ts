import { StoreUnavailableError } from "#/db/errors.ts";
import { type Result, refused } from "#/kernel/result.ts";
import type { Refusal } from "#/sftp/file-system.ts";

export const noSuchFile = (name: string): Refusal => ({
  status: "NO_SUCH_FILE",
  message: `There is no file '${name}'`,
});

export const failure = (message: string): Refusal => ({ status: "FAILURE", message });

export const denied = (message: string): Refusal => ({ status: "PERMISSION_DENIED", message });

/** What a client is told when the store is away. */
export const unavailable: Refusal = failure(
  "The store cannot be reached, or the outcome is unknown; nothing is lost by sending the file again",
);

/** Runs what needs the store: while it is away, that is the answer. */
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
