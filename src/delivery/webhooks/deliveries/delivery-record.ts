import {
  type DeliveryRecord,
  type ExchangeRecord,
  phases,
  type ReachedPhases,
} from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import type { StoredDelivery } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { eventName } from "#/delivery/webhooks/events/event-body.ts";
import { withNulls } from "#/http/routes/schema.ts";
import { timeOfId } from "#/kernel/values/ids.ts";

/** A request that was sent, as the sender returns it; moments are Unix milliseconds. */
export interface SentExchange {
  /** Undefined where the receiver answered 2xx. */
  readonly errorClass?: string | undefined;
  readonly detail?: string | undefined;
  readonly address?: string | undefined;
  readonly phases: ReachedPhases;
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export const deliveryRecord = (row: StoredDelivery): DeliveryRecord => ({
  ...row,
  eventId: eventName(row.eventId),
  createdAt: new Date(timeOfId(row.deliveryId)).toISOString(),
});

export function exchangeRecord(sent: SentExchange): ExchangeRecord {
  return {
    startedAt: new Date(sent.startedAtMs).toISOString(),
    endedAt: new Date(sent.endedAtMs).toISOString(),
    durationMs: sent.endedAtMs - sent.startedAtMs,
    address: sent.address ?? null,
    phases: withNulls(phases, sent.phases),
    status: sent.status ?? null,
    headers: withoutCookies(sent.headers),
    body: sent.body.toString("utf8"),
    errorClass: sent.errorClass ?? null,
  };
}

/**
 * A receiver's cookie grants access to every reader of the log (operations.md §5). Attempts do not even store cookies.
 */
function withoutCookies(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "set-cookie"));
}
