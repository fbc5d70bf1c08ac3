import type { RequestFault } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import { isLargeDraft, startDraftThread } from "#/modules/carriers/simulation/draft-in-thread.ts";
import { type CheckedDraft, checkDraft, type TriedDraft, tryDraft } from "#/modules/carriers/simulation/draft-trial.ts";

/** A request with a draft: its body, as received and parsed, and its sender. */
export interface DraftRequest<Body> {
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
export interface DraftChecks {
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
