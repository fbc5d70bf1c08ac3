/** Events of the simulated carrier for a parcel after despatch. Pure. */
import { draw, reportName } from "#/sandbox/simulator/draw.ts";
import type { Life, ParcelJob, World } from "#/sandbox/simulator/job.ts";

interface CarrierEvent {
  /** Code of lifecycle.md §9. */
  readonly code: number;
  /** Seconds at speed 1 since the previous event or, for the first, since despatch. */
  readonly afterSeconds: number;
  readonly text: string;
  readonly location?: string;
}

const hubs = ["Daventry", "Venlo", "Lyon", "Leipzig", "Bologna", "Zaragoza"] as const;

/** All events of a parcel, the same for the same order and seed. */
export function carrierEventsOf(
  { clientId, orderId, ordinal }: ParcelJob,
  { seed, faults }: World,
): readonly CarrierEvent[] {
  const drawn = (of: string) => draw(seed, clientId, orderId, ordinal, of);
  const hub = hubs[Math.floor(drawn("hub") * hubs.length)] as string;
  const start: CarrierEvent[] = [
    { code: 110, afterSeconds: 2, text: "Collected by the carrier" },
    { code: 120, afterSeconds: 3, text: "On its way" },
  ];
  if (drawn("lost") < faults.lostParcel) {
    return [...start, { code: 195, afterSeconds: 20, text: "Not found in the network", location: hub }];
  }
  const late = drawn("late") < faults.lateCarrier;
  return [
    ...start,
    ...(drawn("by hub") < 0.5 ? [{ code: 125, afterSeconds: 1, text: `Arrived at ${hub}`, location: hub }] : []),
    ...(late ? [{ code: 165, afterSeconds: 3, text: "Delayed by traffic", location: hub }] : []),
    ...(drawn("exception") < faults.carrierException
      ? [{ code: 170, afterSeconds: 4, text: "The addressee was not at home", location: hub }]
      : []),
    // A late parcel has a longer pause here.
    { code: 160, afterSeconds: late ? 60 : 4, text: "Out for delivery" },
    { code: 200, afterSeconds: 4, text: "Delivered to the recipient" },
  ];
}

const nextEventOf = (job: ParcelJob, world: World) => carrierEventsOf(job, world)[job.reported];

export const parcelLife: Life<ParcelJob, number> = {
  next(job, world) {
    const event = nextEventOf(job, world);
    return event && { step: event.code, afterSeconds: event.afterSeconds };
  },
  /** A repeated report keeps the time of its event. */
  compose(job, code, world, atMs) {
    const { clientId, objectId: olpnId } = job;
    const { text, location } = nextEventOf(job, world) ?? {};
    return {
      action: code === 200 ? "deliver" : `carrier event ${code}`,
      path: "/carrierEvent/report",
      body: {
        clientId,
        olpnId,
        eventCode: code,
        occurredAt: new Date(atMs).toISOString(),
        text,
        ...(location === undefined ? {} : { location }),
        reportId: reportName(`event-${code}`, clientId, olpnId, job.reported),
      },
    };
  },
  settle(job, _report, _answer, world) {
    const next = { ...job, reported: job.reported + 1 };
    return { job: nextEventOf(next, world) ? next : undefined };
  },
};
