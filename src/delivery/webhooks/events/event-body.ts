import { facilityOfTenant } from "#/db/facility-tenant.ts";
import { exampleEventId } from "#/delivery/webhooks/events/event-schema.ts";
import type { Topic } from "#/delivery/webhooks/events/topics.ts";
import type { TaskRecord } from "#/modules/warehouse/index.ts";

/** An event as the log stores it; its time ISO 8601 UTC. */
export interface LoggedEvent {
  readonly event_id: string;
  readonly position: number;
  readonly topic: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly sequence: number | null;
  readonly facility_code: string | null;
  readonly occurred_at: string;
  readonly data: object;
}

/** The body of a push, and an entry of the event log (webhooks.md §2). */
export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly clientId: string;
  readonly facilityCode: string | null;
  readonly objectType: string;
  readonly objectId: string;
  /** Null for events that predate the counting, and for a test. */
  readonly sequence: number | null;
  readonly data: object;
}

/** The id by which a receiver recognizes the event: the same in every attempt, to every webhook. */
export const eventName = (eventId: string): string => `evt_${eventId.replaceAll("-", "")}`;

/** The id in the store of an event of this name, which has the form of `eventName`. */
export function eventIdOf(name: string): string {
  const [, ...parts] = /^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(name) ?? [];
  return parts.join("-");
}

/** @param tenantId the owner of the log: for a facility, each event states the client of its task. */
export function eventBody(tenantId: string, event: LoggedEvent): EventBody {
  const clientId = facilityOfTenant(tenantId) === undefined ? tenantId : (event.data as TaskRecord).clientId;
  return {
    id: eventName(event.event_id),
    type: event.topic,
    timestamp: event.occurred_at,
    clientId,
    facilityCode: event.facility_code,
    objectType: event.object_type,
    objectId: event.object_id,
    sequence: event.sequence,
    data: event.data,
  };
}

/** An example of the topic's push. */
export function sampleBody({ topicName, family, sample, isUnlogged }: Topic): EventBody {
  return {
    id: exampleEventId,
    type: topicName,
    timestamp: "2026-11-20T10:00:00.000Z",
    clientId: "DEMO",
    facilityCode: sample.facilityCode === undefined ? "DC1" : sample.facilityCode,
    objectType: family.objectType,
    objectId: sample.objectId,
    sequence: isUnlogged ? null : 42,
    data: sample.data,
  };
}
