import { serveThread } from "#/kernel/concurrency/work-thread.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import {
  checkDraft,
  type DraftRun,
  type PastShipment,
  runDraft,
  tryDraft,
} from "#/modules/carriers/simulation/draft-run.ts";

/** A back-test with its draft, a turn of it, and its end; or a draft alone. A body is that of the request, in JSON. */
export type DraftTask =
  /** Answers the faults of the draft. */
  | { readonly kind: "open"; readonly id: string; readonly body: string }
  | { readonly kind: "add"; readonly id: string; readonly shipments: readonly PastShipment[] }
  | { readonly kind: "result"; readonly id: string; readonly isComplete: boolean }
  | { readonly kind: "close"; readonly id: string }
  | { readonly kind: "check"; readonly body: string }
  | {
      readonly kind: "try";
      readonly body: string;
      readonly facility: ShippingFacility | undefined;
      readonly atMs: number;
    };

// The thread that checks large drafts of carrier data and decides by them.
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
    case "check":
      return checkDraft((JSON.parse(task.body) as { readonly data: unknown }).data);
    case "try": {
      const body = JSON.parse(task.body) as { readonly data: unknown; readonly request: CarrierRequest };
      return tryDraft(body, task.facility, task.atMs);
    }
  }
});

function runOf(id: string): DraftRun {
  const run = runs.get(id);
  if (!run) throw new Error("the thread ended during the back-test");
  return run;
}
