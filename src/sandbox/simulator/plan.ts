/** The next report of any job, and the result of its answer. Pure. */
import { parcelLife } from "#/sandbox/simulator/carrier.ts";
import { countLife } from "#/sandbox/simulator/count-life.ts";
import { draw } from "#/sandbox/simulator/draw.ts";
import { intakeLife } from "#/sandbox/simulator/intake-life.ts";
import type { Job, Life, Outcome, World } from "#/sandbox/simulator/job.ts";
import { orderLife, phaseOfOrder } from "#/sandbox/simulator/order-life.ts";
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

const lives = {
  order: orderLife,
  parcel: parcelLife,
  COUNT: countLife,
  PURCHASE_ORDER: intakeLife,
  RETURN: intakeLife,
  WORK_ORDER: intakeLife,
  TRANSFER: intakeLife,
};
const lifeOf = ({ kind }: Job) => lives[kind] as unknown as Life<Job, string | number>;

/** Undefined while there is nothing to do: the order is held, or the task does not list the remaining work yet. */
export function planNext(job: Job, world: World): Plan | undefined {
  const life = lifeOf(job);
  const next = life.next(job, world);
  if (!next) return undefined;
  const { step, afterSeconds } = next;
  // Varies the pause by up to a fifth either way, like human work.
  const drawn = draw(world.seed, job.clientId, job.kind === "parcel" ? job.orderId : job.objectId, "pace", step);
  return {
    step: String(step),
    afterSeconds: afterSeconds * (0.8 + 0.4 * drawn),
    compose: (atMs) =>
      step === "accept" && job.kind !== "parcel"
        ? { action: step, path: "/task/accept", body: { taskIds: [job.taskId] } }
        : life.compose(job, step, world, atMs),
  };
}

/** Applies an answered report. @param answer body of the port's 200 */
export function settle(job: Job, report: Report, answer: Readonly<Record<string, unknown>>, world: World): Outcome {
  const outcome =
    report.action === "accept" ? { job: answered(job, answer) } : lifeOf(job).settle(job, report, answer, world);
  const next = outcome.job;
  // A held order is kept, so that its work does not begin.
  const isDone = next?.kind === "order" && phaseOfOrder(next) === undefined && !next.isHeld;
  return isDone ? { ...outcome, job: undefined } : outcome;
}

/** The port refuses the acceptance of a withdrawn task. */
function answered(job: Job, { results }: Readonly<Record<string, unknown>>): Job | undefined {
  const [result] = Array.isArray(results) ? (results as readonly { readonly status?: unknown }[]) : [];
  if (result?.status === "ACCEPTED") return { ...job, isAccepted: true } as Job;
  return job.kind === "order" ? { ...job, toPick: [] } : undefined;
}
