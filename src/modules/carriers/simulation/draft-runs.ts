import { StoreUnavailableError } from "#/db/errors.ts";
import { createWorkThread, ThreadEndedError } from "#/kernel/concurrency/work-thread.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { type DraftRun, type PastShipment, runDraft } from "#/modules/carriers/simulation/draft-run.ts";
import type { DraftTask } from "#/modules/carriers/simulation/draft-thread.ts";

/** Opens drafts of carrier data for back-tests. A separate thread takes those of more than 100 KiB, clients in turn. */
export interface DraftRuns {
  /**
   * Uses the run of a draft.
   * @param id of the back-test
   * @param body the request as received
   * @throws {StoreUnavailableError} where the thread was ended
   */
  withDraft<T>(
    clientId: string,
    id: string,
    body: { readonly text: string; readonly draft: unknown },
    use: (run: DraftRun) => Promise<T>,
  ): Promise<Result<T, readonly RequestFault[]>>;
  close(): Promise<void>;
}

const smallCharactersMax = 100 * 1024;
/** The largest valid draft takes 1 s to check and compile; a turn is one decision, which takes 1 s under it. */
const msMax = 15_000;
/** Of one turn: each is copied to the thread. */
const shipmentsMax = 100;

export function createDraftRuns(): DraftRuns {
  const thread = createWorkThread<DraftTask>(new URL("./draft-thread.ts", import.meta.url), { msMax });

  return {
    async withDraft(clientId, id, { text, draft }, use) {
      if (text.length <= smallCharactersMax) {
        const checked = checkCarrierData(draft);
        return checked.ok ? ok(await use(runDraft(checked.value))) : checked;
      }
      const run = <Answer>(task: DraftTask) => thread.run<Answer>(clientId, task);
      try {
        const faults = await run<readonly RequestFault[]>({ kind: "open", id, body: text });
        if (faults.length > 0) return refused(faults);
        return ok(
          await use({
            add: (shipments: readonly PastShipment[]) =>
              run<number>({ kind: "add", id, shipments: shipments.slice(0, shipmentsMax) }),
            result: (isComplete) => run({ kind: "result", id, isComplete }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ThreadEndedError)) throw error;
        throw new StoreUnavailableError("the back-test was ended", { cause: error });
      } finally {
        void run({ kind: "close", id }).catch(() => {});
      }
    },
    close: () => thread.close(),
  };
}
