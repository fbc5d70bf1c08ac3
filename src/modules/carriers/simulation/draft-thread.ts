import { serveThread } from "#/kernel/concurrency/work-thread.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { type DraftRun, type PastShipment, runDraft } from "#/modules/carriers/simulation/draft-run.ts";

/** A back-test with its draft, a turn of it, and its end. */
export type DraftTask =
  /** @property body the body of the request, in JSON; answers the faults of its draft. */
  | { readonly kind: "open"; readonly id: string; readonly body: string }
  | { readonly kind: "add"; readonly id: string; readonly shipments: readonly PastShipment[] }
  | { readonly kind: "result"; readonly id: string; readonly isComplete: boolean }
  | { readonly kind: "close"; readonly id: string };

// The thread that checks large drafts of carrier data and repeats decisions under them.
const runs = new Map<string, DraftRun>();

serveThread((task: DraftTask) => {
  switch (task.kind) {
    case "open": {
      const checked = checkCarrierData((JSON.parse(task.body) as { readonly draft: unknown }).draft);
      if (!checked.ok) return checked.fault;
      runs.set(task.id, runDraft(checked.value));
      return [];
    }
    case "add":
      return runOf(task.id).add(task.shipments);
    case "result":
      return runOf(task.id).result(task.isComplete);
    case "close":
      return void runs.delete(task.id);
  }
});

function runOf(id: string): DraftRun {
  const run = runs.get(id);
  if (!run) throw new Error("the thread ended during the back-test");
  return run;
}
