// Metrics and traces of documents: their number, their rate, and for each the time that its steps took.
import { isUnavailable } from "#/db/errors.ts";
import type { Lane } from "#/feeds/intake/group-commit.ts";
import type { Outcome, Submission } from "#/feeds/intake/submission.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { traces } from "#/kernel/telemetry/trace.ts";

const sources = { HTTP: "http", SFTP: "sftp", CLI: "cli", CONSOLE: "console" } as const;
const outcomes = { replayed: "replayed", keyConflict: "key_conflict", inProgress: "in_progress" } as const;

type Sent = Pick<Submission, "type" | "channel">;
type Receipt = Outcome | { readonly kind: "inProgress" };
type VerdictReceipt = Extract<Receipt, { kind: "validated" }>;

const outcomeOfVerdict = ({ isAccepted, isParked }: VerdictReceipt) =>
  isAccepted ? "accepted" : isParked ? "parked" : "rejected";

/** Records an answered document. @param begunMs when its last byte arrived, by `performance.now()` */
export function noteReceipt({ type, channel }: Sent, receipt: Receipt, begunMs: number): void {
  const source = sources[channel];
  const outcome = receipt.kind === "validated" ? outcomeOfVerdict(receipt) : outcomes[receipt.kind];
  metrics.feedDocuments.inc({ type, source, outcome });
  metrics.feedAcknowledgement.observe({ type, source }, (performance.now() - begunMs) / 1_000);
  if (receipt.kind === "validated") for (const code of receipt.codes) metrics.feedFaults.inc({ type, code });
}

/** Records a document without an answer: nothing of it was stored, or its outcome is unknown. */
export function noteUnanswered({ type, channel }: Sent, error: unknown): void {
  metrics.feedDocuments.inc({
    type,
    source: sources[channel],
    outcome: isUnavailable(error) ? "unavailable" : "failed",
  });
}

/** Records a stored document that was reprocessed. */
export function countReprocessed({ type }: Sent, receipt: Receipt): void {
  if (receipt.kind === "validated") metrics.feedReprocessed.inc({ type, outcome: outcomeOfVerdict(receipt) });
}

/** Records that a document was parsed, validated and checked. @param options.waits its transaction comes afterwards */
export function recordValidation(submission: Submission, startedMs: number, { waits = true } = {}): void {
  if (!traces.isOn) return;
  const endedMs = performance.now();
  if (waits) submission.waitsSinceMs = endedMs;
  const { token, bodyBytes, reading } = submission;
  traces.add({
    token,
    name: "validate",
    kind: "INTERNAL",
    startedMs,
    endedMs,
    attributes: { "crossdock.bytes": bodyBytes, "crossdock.faults": reading.faults.length + reading.omitted },
  });
}

/** Records the end of a transaction of documents. @param error why it failed */
export function noteCommit(submissions: readonly Submission[], lane: Lane, startedMs: number, error?: unknown): void {
  const endedMs = performance.now();
  metrics.feedCommitDocuments.observe(submissions.length);
  metrics.feedCommitDuration.observe({ lane }, (endedMs - startedMs) / 1_000);
  if (!traces.isOn) return;
  for (const submission of submissions) {
    const { token, waitsSinceMs } = submission;
    // A document whose batch failed runs again, but its wait is recorded once.
    submission.waitsSinceMs = undefined;
    if (waitsSinceMs !== undefined) {
      traces.add({
        token,
        name: "wait for commit",
        kind: "INTERNAL",
        startedMs: waitsSinceMs,
        endedMs: startedMs,
        attributes: {},
      });
    }
    traces.add({
      token,
      name: "commit",
      kind: "INTERNAL",
      startedMs,
      endedMs,
      attributes: { "crossdock.batch.documents": submissions.length, "crossdock.lane": lane },
      failure: error === undefined ? undefined : (error as Error).name,
    });
  }
}
