// The metrics and traces of an attempt.

import { setTimeout as sleep } from "node:timers/promises";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import type { Sendable } from "#/delivery/webhooks/lanes/lane-turn.ts";
import type { SendResult } from "#/delivery/webhooks/sending/sender.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { newSpanId, traces } from "#/kernel/telemetry/trace.ts";
import type { Database } from "#/store/db/database.ts";
import { type TraceOrigins, traceKeyOf } from "#/store/outbox/publish-trace.ts";

/** An attempt has ended. */
export function recordAttempt({ errorClass, startedAtMs, endedAtMs }: SendResult): void {
  metrics.webhookAttempts.inc({ outcome: errorClass ?? "delivered" });
  metrics.webhookAttemptDuration.observe((endedAtMs - startedAtMs) / 1_000);
}

/** An attempt with an unknown result: abandoned at a stop, or an internal error. */
export function recordLostAttempt(): void {
  metrics.webhookAttempts.inc({ outcome: "lost" });
}

/** One query that was begun before the push. */
const originMsMax = 100;

/** Sending waits for the trace of a push for a tenth of a second at most. */
export interface AttemptTraces {
  /** These deliveries were taken to be sent: one query finds the traces of all of them. */
  begin(taken: readonly Sendable[]): void;
  /** The token of its trace, where it is already known. */
  tokenOf(sendable: Sendable): string | undefined;
  /** The header `traceparent` of the push; undefined where its trace is not known in time, or not exported. */
  parentOf(sendable: Sendable): Promise<string | undefined>;
  /** @param startedMs by `performance.now()` */
  end(sent: Sendable, result: SendResult, startedMs: number): void;
}

interface AttemptTracesContext {
  readonly database: Database;
  readonly findOrigins?: TraceOrigins | undefined;
}

type Origins = ReadonlyMap<string, string>;

/** Undefined while no exporter takes spans. */
export function createAttemptTraces(
  { database, findOrigins }: AttemptTracesContext,
  { clientId, webhookId }: LaneKey,
): AttemptTraces | undefined {
  if (!traces.isOn || findOrigins === undefined) return undefined;
  const lookups = new WeakMap<Sendable, Promise<void>>();
  const tokens = new WeakMap<Sendable, string>();
  const spanIds = new WeakMap<Sendable, string>();
  return {
    begin(taken) {
      if (taken.length === 0) return;
      const found = findOrigins(
        database.of(clientId),
        taken.map(({ begun }) => begun),
      ).catch((): Origins => {
        metrics.telemetryDropped.inc({ reason: "no_origin" }, taken.length);
        return new Map();
      });
      for (const sendable of taken) {
        const known = found.then((origins) => {
          const token = origins.get(traceKeyOf(sendable.begun));
          if (token !== undefined) tokens.set(sendable, token);
        });
        lookups.set(sendable, known);
      }
    },
    tokenOf: (sendable) => tokens.get(sendable),
    async parentOf(sendable) {
      if (!tokens.has(sendable)) {
        await Promise.race([lookups.get(sendable), sleep(originMsMax, undefined, { ref: false })]);
      }
      const token = tokens.get(sendable);
      if (token === undefined) return undefined;
      const spanId = newSpanId();
      spanIds.set(sendable, spanId);
      return traces.parentOf(token, spanId);
    },
    end(sent, { status, errorClass }, startedMs) {
      const endedMs = performance.now();
      const { begun, topicName, target } = sent;
      void lookups.get(sent)?.then(() => {
        const token = tokens.get(sent);
        if (token === undefined) return;
        const spanId = spanIds.get(sent);
        traces.add({
          token,
          ...(spanId === undefined ? {} : { spanId }),
          name: "webhook attempt",
          kind: "CLIENT",
          startedMs,
          endedMs,
          attributes: {
            "http.request.method": "POST",
            "http.response.status_code": status,
            // The host alone: a receiver's path or query may contain a secret.
            "server.address": target && URL.parse(target.url)?.hostname,
            "crossdock.client_id": clientId,
            "crossdock.webhook_id": webhookId,
            "crossdock.delivery_id": begun.deliveryId,
            "crossdock.topic": topicName,
            "crossdock.object_id": begun.objectId,
            "crossdock.attempt": begun.state.attempts + (begun.isProbe ? 0 : 1),
            "crossdock.is_probe": begun.isProbe,
          },
          failure: errorClass,
        });
      });
    },
  };
}
