import type {
  AttemptRecord,
  DeliveryRecord,
  ExchangeRecord,
} from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import type { AttemptRow, DeliveryRow } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { eventName } from "#/delivery/webhooks/events/event-body.ts";
import { timeOfId } from "#/kernel/values/ids.ts";

/** A request that was sent, as the sender returns it; moments are Unix milliseconds. */
export interface SentExchange {
  /** Undefined where the receiver answered 2xx. */
  readonly errorClass?: string | undefined;
  readonly detail?: string | undefined;
  readonly address?: string | undefined;
  readonly phases: Readonly<Partial<Record<keyof ExchangeRecord["phases"], number>>>;
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export function deliveryRecord(row: DeliveryRow): DeliveryRecord {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    eventId: eventName(row.event_id),
    topicName: row.topic_name,
    objectType: row.object_type as DeliveryRecord["objectType"],
    objectId: row.object_id,
    sequence: row.sequence,
    status: row.status,
    tries: row.attempts,
    nextTryAt: row.due_at,
    lastError: row.last_error,
    createdAt: new Date(timeOfId(row.delivery_id)).toISOString(),
    endedAt: row.completed_at,
  };
}

export function attemptRecord(row: AttemptRow): AttemptRecord {
  return {
    tryId: row.attempt_id,
    state: row.state,
    isProbe: row.is_probe,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    durationMs: row.ended_at === null ? null : Date.parse(row.ended_at) - Date.parse(row.started_at),
    address: row.address,
    phases: phasesOf(row.phases ?? {}),
    status: row.status,
    headers: { ...row.headers },
    body: row.body?.toString("utf8") ?? "",
    errorClass: row.error_class,
  };
}

export function exchangeRecord(sent: SentExchange): ExchangeRecord {
  return {
    startedAt: new Date(sent.startedAtMs).toISOString(),
    endedAt: new Date(sent.endedAtMs).toISOString(),
    durationMs: sent.endedAtMs - sent.startedAtMs,
    address: sent.address ?? null,
    phases: phasesOf(sent.phases),
    status: sent.status ?? null,
    headers: withoutCookies(sent.headers),
    body: sent.body.toString("utf8"),
    errorClass: sent.errorClass ?? null,
  };
}

function phasesOf(phases: Readonly<Record<string, number | undefined>>): ExchangeRecord["phases"] {
  const of = (name: keyof ExchangeRecord["phases"]) => phases[name] ?? null;
  return {
    lookup: of("lookup"),
    connect: of("connect"),
    tls: of("tls"),
    send: of("send"),
    wait: of("wait"),
    receive: of("receive"),
  };
}

/**
 * A receiver's cookie grants access to every reader of the log (operations.md §5). Attempts do not even store cookies.
 */
function withoutCookies(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "set-cookie"));
}
