import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { isLargeDraft, startDraftThread } from "#/modules/carriers/simulation/draft-in-thread.ts";
import { type DraftRun, type PastShipment, runDraft } from "#/modules/carriers/simulation/draft-run.ts";
import type { DraftTask } from "#/modules/carriers/simulation/draft-thread.ts";

/** Opens drafts of carrier data for back-tests. A separate thread takes large ones, clients in turn. */
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

/** Of one turn: each is copied to the thread. */
const shipmentsMax = 100;

export function createDraftRuns(): DraftRuns {
  const thread = startDraftThread();

  return {
    async withDraft(clientId, id, { text, draft }, use) {
      if (!isLargeDraft(text)) {
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
      } finally {
        void run({ kind: "close", id }).catch(() => {});
      }
    },
    close: () => thread.close(),
  };
}
