import { workOf } from "#/intake/feeds/intake/checks.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { largeBytesMin, nameOutcome, type Receiver } from "#/intake/feeds/intake/receiver.ts";
import { denied, type Refusal, unavailable } from "#/intake/sftp/file-system.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { durationSince, type Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { rootSpanIdOf, traces } from "#/kernel/telemetry/trace.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

export interface FileProcessorContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly receiver: Receiver;
  findClient(clientId: string): Promise<FeedClient | undefined>;
}

export interface WholeFile {
  readonly clientId: string;
  readonly feedType: FeedType;
  readonly name: string;
  readonly sizeBytes: number;
  /** Receives the units of work beyond a request. */
  chargeRate(units: number): void;
  /** Called when it is the file's turn; undefined where the bytes are gone. The caller gives up the memory. */
  bytes(): Promise<Uint8Array | undefined>;
}

export interface FileProcessor {
  /** Undefined where files of the client are accepted at present. Throws StoreUnavailableError. */
  refusalOfClient(clientId: string): Promise<Refusal | undefined>;
  /** When it resolves, the document and its ACK are stored. A refused file has been processed as well. */
  process(file: WholeFile): Promise<Result<void, Refusal>>;
}

/** The number of large files in memory at a time, each once in its original form. */
const largeAtOnce = 2;

/** One for the whole process: the clients take turns with their large files. */
export function createFileProcessor(context: FileProcessorContext): FileProcessor {
  const { clock, ids, log, receiver } = context;
  const takeTurn = createFairGate(largeAtOnce);

  async function refusalOfClient(clientId: string): Promise<Refusal | undefined> {
    const client = await context.findClient(clientId);
    return client?.status === "ACTIVE" ? undefined : denied(`Client ${clientId} is suspended`);
  }

  async function processNow(file: WholeFile): Promise<Result<void, Refusal>> {
    const { clientId, feedType, name, sizeBytes } = file;
    const began = performance.now();
    const client = await context.findClient(clientId);
    if (client?.status !== "ACTIVE") return refused(denied(`Client ${clientId} is suspended`));
    const bytes = await file.bytes();
    if (!bytes)
      return refused({ status: "NO_SUCH_FILE", message: `The file '${name}' was removed or replaced meanwhile` });
    const token = ids.next(clock.now());
    const receipt = await receiver.receive({
      client,
      type: feedType,
      channel: "SFTP",
      bytes,
      contentType: "application/xml",
      charset: undefined,
      idempotencyKey: undefined,
      fileName: name,
      token,
    });
    assert(
      receipt.kind === "validated" || receipt.kind === "replayed",
      `a file has no key, and was answered ${receipt.kind}`,
    );
    const work = workOf(sizeBytes, receipt.faultCount ?? 0);
    if (work > 0) file.chargeRate(work);
    const outcome = nameOutcome(receipt);
    metrics.sftpFiles.inc({
      direction: "in",
      outcome: receipt.kind === "validated" && !receipt.isAccepted ? "rejected" : "accepted",
    });
    if (traces.isOn) {
      traces.add({
        token,
        name: "SFTP file",
        kind: "SERVER",
        spanId: rootSpanIdOf(token),
        startedMs: began,
        endedMs: performance.now(),
        attributes: {
          "crossdock.client_id": clientId,
          "crossdock.feed_type": feedType,
          "crossdock.object_id": receipt.objectId,
          "crossdock.outcome": outcome,
        },
      });
    }
    log.info(
      {
        token: receipt.token,
        clientId,
        feedType,
        objectId: receipt.objectId,
        outcome,
        bytes: sizeBytes,
        durationMs: durationSince(began),
      },
      "file processed",
    );
    return ok(undefined);
  }

  return {
    refusalOfClient,
    async process(file) {
      try {
        return await (file.sizeBytes < largeBytesMin
          ? processNow(file)
          : takeTurn(file.clientId, () => processNow(file)));
      } catch (error) {
        // After any other error, the sender can safely retry, and the log contains the cause.
        if (!(error instanceof StoreUnavailableError)) {
          const { clientId, feedType } = file;
          log.error({ clientId, feedType, err: error }, "a file could not be processed");
        }
        metrics.sftpFiles.inc({ direction: "in", outcome: "put_off" });
        return refused(unavailable);
      }
    },
  };
}
