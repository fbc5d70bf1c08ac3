/** The next report of any job, and the result of its answer: one interface for the four kinds of job. Pure. */
import { composeForParcel, nextEventOf, settleParcel } from "#/sandbox/simulator/carrier.ts";
import { composeForCount, countPauses, phaseOfCount, settleCount } from "#/sandbox/simulator/count-life.ts";
import { draw } from "#/sandbox/simulator/draw.ts";
import { composeForIntake, intakePauses, phaseOfIntake, settleIntake } from "#/sandbox/simulator/intake-life.ts";
import type { Job, Outcome, World } from "#/sandbox/simulator/job.ts";
import {
  composeForOrder,
  isOrderDone,
  orderPauses,
  phaseOfOrder,
  settleOrder,
} from "#/sandbox/simulator/order-life.ts";
import type { Report } from "#/sandbox/simulator/port.ts";

export interface Plan {
  /** Name of the step. It stays the same while the same report is next. */
  readonly step: string;
  /** Seconds at speed 1 from the previous step to this one. */
  readonly afterSeconds: number;
  /**
   * Builds the report. It takes serials off the shelf, so it is called once, when the report is due. Undefined if the
   * report is not possible yet; the caller tries again later.
   * @param atMs the current time, stored in a carrier event.
   */
  compose(atMs: number): Report | undefined;
}

/** Undefined while there is nothing to do: the order is held, or the task does not list the remaining work yet. */
export function planNext(job: Job, world: World): Plan | undefined {
  const pause = (seconds: number, step: string | number) =>
    // Varies the pause by up to a fifth either way, like human work.
    seconds *
    (0.8 + 0.4 * draw(world.seed, job.clientId, job.kind === "parcel" ? job.orderId : job.objectId, "pace", step));
  switch (job.kind) {
    case "order": {
      const phase = phaseOfOrder(job);
      return (
        phase && {
          step: phase,
          afterSeconds: pause(orderPauses[phase], phase),
          compose: () => composeForOrder(job, phase, world),
        }
      );
    }
    case "parcel": {
      const event = nextEventOf(job, world);
      return (
        event && {
          step: String(event.code),
          afterSeconds: pause(event.afterSeconds, event.code),
          compose: (atMs) => composeForParcel(job, event, atMs),
        }
      );
    }
    case "COUNT": {
      const phase = phaseOfCount(job);
      return {
        step: phase,
        afterSeconds: pause(countPauses[phase], phase),
        compose: (atMs) => composeForCount(job, phase, world, atMs),
      };
    }
    default: {
      const phase = phaseOfIntake(job);
      return (
        phase && {
          step: phase,
          afterSeconds: pause(intakePauses[phase], phase),
          compose: () => composeForIntake(job, phase, world),
        }
      );
    }
  }
}

/** Applies an answered report. @param answer body of the port's 200 */
export function settle(job: Job, report: Report, answer: Readonly<Record<string, unknown>>, world: World): Outcome {
  switch (job.kind) {
    case "order": {
      const outcome = settleOrder(job, report, answer, world);
      return outcome.job?.kind === "order" && isOrderDone(outcome.job) ? { ...outcome, job: undefined } : outcome;
    }
    case "parcel":
      return settleParcel(job, world);
    case "COUNT":
      return settleCount(job, report, answer);
    default:
      return settleIntake(job, report, answer, world);
  }
}
