import { StoreUnavailableError } from "#/db/errors.ts";
import { createWorkThread, ThreadEndedError, type WorkThread } from "#/kernel/concurrency/work-thread.ts";
import type { DraftTask } from "#/modules/carriers/simulation/draft-thread.ts";

/** The largest valid draft takes 1 s to check and compile; a turn is one decision, which takes 2 s under it. */
const msMax = 15_000;
const smallCharactersMax = 100 * 1024;

/** Whether the separate thread takes a request with a draft. @param text the body as received */
export const isLargeDraft = (text: string): boolean => text.length > smallCharactersMax;

/** The thread for large drafts: owners take turns. @throws {StoreUnavailableError} where it was ended */
export function startDraftThread(): WorkThread<DraftTask> {
  const thread = createWorkThread<DraftTask>(new URL("./draft-thread.ts", import.meta.url), { msMax });
  return {
    async run<Answer>(owner: string, task: DraftTask): Promise<Answer> {
      try {
        return await thread.run(owner, task);
      } catch (error) {
        if (!(error instanceof ThreadEndedError)) throw error;
        throw new StoreUnavailableError("the work on the draft was ended", { cause: error });
      }
    },
    close: () => thread.close(),
  };
}
