import { createWorkThread, ThreadEndedError, type WorkThread } from "#/kernel/concurrency/work-thread.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import {
  type CheckedDraft,
  checkDraft,
  type DraftRun,
  type PastShipment,
  runDraft,
  type TriedDraft,
  tryDraft,
} from "#/modules/carriers/simulation/draft-run.ts";
import type { DraftTask } from "#/modules/carriers/simulation/draft-thread.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/** A request with a draft: its body, as received and parsed, and its sender. */
interface DraftRequest<Body> {
  readonly owner: string;
  readonly text: string;
  readonly body: Body;
}

/**
 * Checks drafts of carrier data, and decides single shipments by them. A separate thread takes large requests, senders in
 * turn: the largest takes 2 s.
 *
 * @throws {StoreUnavailableError} where the thread was ended
 */
interface DraftChecks {
  check(request: DraftRequest<{ readonly data: unknown }>): Promise<CheckedDraft>;
  try(
    request: DraftRequest<{ readonly data: unknown; readonly request: CarrierRequest }>,
    facility: ShippingFacility | undefined,
    atMs: number,
  ): Promise<Result<TriedDraft, readonly RequestFault[]>>;
  close(): Promise<void>;
}

export function createDraftChecks(): DraftChecks {
  const thread = startDraftThread();
  return {
    async check({ owner, text, body }) {
      return isLargeDraft(text) ? thread.run(owner, { kind: "check", body: text }) : checkDraft(body.data);
    },
    async try({ owner, text, body }, facility, atMs) {
      return isLargeDraft(text)
        ? thread.run(owner, { kind: "try", body: text, facility, atMs })
        : tryDraft(body, facility, atMs);
    },
    close: () => thread.close(),
  };
}

/** Opens drafts of carrier data for back-tests. A separate thread takes large ones, clients in turn. */
interface DraftRuns {
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

/** The largest valid draft takes 1 s to check and compile; a turn is one decision, which takes 2 s under it. */
const msMax = 15_000;
const smallCharactersMax = 100 * 1024;

/** Whether the separate thread takes a request with a draft. @param text the body as received */
const isLargeDraft = (text: string): boolean => text.length > smallCharactersMax;

/** The thread for large drafts: owners take turns. @throws {StoreUnavailableError} where it was ended */
function startDraftThread(): WorkThread<DraftTask> {
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
