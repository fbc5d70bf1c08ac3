/** Merges a task of the port's list into the known state of its object. Pure. */
import type { CountJob, IntakeJob, Job, OrderJob } from "#/sandbox/simulator/job.ts";
import type { Task } from "#/sandbox/simulator/port.ts";

/** The platform buys the labels of this method in the demo: the warehouse assigns no tracking number. */
const boughtMethod = "AIR";

/** The job that a task belongs to. Three task types concern one order. */
export function jobOf({ type, clientId, objectId }: Task): Pick<Job, "kind" | "clientId" | "objectId"> {
  const isOrder = type === "PICK" || type === "CANCEL_REQUEST" || type === "HOLD";
  return { kind: isOrder ? "order" : type, clientId, objectId };
}

/** Undefined if the object has no (more) work. */
export function withNews(job: Job | undefined, task: Task): Job | undefined {
  const { kind } = jobOf(task);
  if (kind === "order") return orderWithNews(job as OrderJob | undefined, task);
  return taskWithNews(job as IntakeJob | CountJob | undefined, task);
}

function orderWithNews(known: OrderJob | undefined, task: Task): OrderJob | undefined {
  const { type, clientId, objectId, taskId, lines } = task;
  const isWithdrawn = typeof task.withdrawnAt === "string";
  if (!known && isWithdrawn) return undefined;
  const job: OrderJob = known ?? {
    kind: "order",
    clientId,
    objectId,
    dueAtMs: 0,
    refusals: 0,
    isAccepted: false,
    isHeld: false,
    toPick: [],
    picked: [],
    parcels: [],
    parcelsGone: 0,
    isCancelTooLate: false,
  };
  switch (type) {
    case "PICK":
      return {
        ...job,
        taskId,
        taskVersion: task.version,
        hasBoughtLabel: task.order?.shippingMethod === boughtMethod,
        toPick: isWithdrawn ? [] : lines.filter(({ qty }) => qty > 0),
        // After a new release, it must be accepted again.
        isAccepted: job.isAccepted && job.taskId === taskId && !isWithdrawn,
      };
    case "HOLD":
      return { ...job, isHeld: !isWithdrawn };
    default: {
      const { cancelRequest: _, ...rest } = job;
      const requestedLines = lines.map(({ lineNumber, qty }) => ({ lineNumber, qty }));
      return isWithdrawn || requestedLines.length === 0
        ? { ...rest, isCancelTooLate: false }
        : { ...rest, isCancelTooLate: false, cancelRequest: requestedLines };
    }
  }
}

/** A count, or inbound goods: what is left to do is in the task. */
function taskWithNews(known: IntakeJob | CountJob | undefined, task: Task): IntakeJob | CountJob | undefined {
  const { type, clientId, objectId, taskId, releasedAt, finishedGood } = task;
  if (typeof task.withdrawnAt === "string") return undefined;
  const { isAccepted = false, dueAtMs = 0 } = known ?? {};
  const base = { clientId, objectId, taskId, taskVersion: task.version, isAccepted, dueAtMs, refusals: 0 };
  if (type === "COUNT") {
    const { seen = [], shelf = [], seenAt } = (known ?? {}) as Partial<CountJob>;
    return { ...base, kind: type, lines: task.lines, seen, shelf, ...(seenAt === undefined ? {} : { seenAt }) };
  }
  const lines = task.lines.filter(({ qty }) => qty > 0);
  if (lines.length === 0 && finishedGood === undefined) return undefined;
  const { isBegun } = (known ?? {}) as Partial<IntakeJob>;
  return {
    ...base,
    kind: type as IntakeJob["kind"],
    releasedAt,
    lines,
    ...(finishedGood ? { finishedGood } : {}),
    ...(isBegun ? { isBegun } : {}),
  };
}
