/** Merges a task of the port's list into the known state of its object. Pure. */
import type { CountJob, IntakeJob, Job, OrderJob } from "#/sandbox/simulator/job.ts";
import type { Task } from "#/sandbox/simulator/port.ts";

/** The job that a task belongs to. Three task types concern one order. */
export function jobOf({ type, clientId, objectId }: Task): Pick<Job, "kind" | "clientId" | "objectId"> {
  const isOrder = type === "PICK" || type === "CANCEL_REQUEST" || type === "HOLD";
  return { kind: isOrder ? "order" : type, clientId, objectId };
}

/** Undefined if the object has no (more) work. */
export function withNews(job: Job | undefined, task: Task): Job | undefined {
  const { kind } = jobOf(task);
  if (kind === "order") return orderWithNews(job as OrderJob | undefined, task);
  if (kind === "COUNT") return countWithNews(job as CountJob | undefined, task);
  return intakeWithNews(job as IntakeJob | undefined, task);
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

function countWithNews(known: CountJob | undefined, task: Task): CountJob | undefined {
  const { clientId, objectId, taskId, version, lines } = task;
  if (typeof task.withdrawnAt === "string") return undefined;
  return {
    kind: "COUNT",
    clientId,
    objectId,
    taskId,
    taskVersion: version,
    lines,
    seen: known?.seen ?? [],
    shelf: known?.shelf ?? [],
    ...(known?.seenAt === undefined ? {} : { seenAt: known.seenAt }),
    isAccepted: known?.isAccepted ?? false,
    dueAtMs: known?.dueAtMs ?? 0,
    refusals: 0,
  };
}

function intakeWithNews(known: IntakeJob | undefined, task: Task): IntakeJob | undefined {
  const { clientId, objectId, taskId, releasedAt } = task;
  const lines = task.lines.filter(({ qty }) => qty > 0);
  const isNothing = lines.length === 0 && task.finishedGood === undefined;
  if (typeof task.withdrawnAt === "string" || isNothing) return undefined;
  return {
    kind: task.type as IntakeJob["kind"],
    clientId,
    objectId,
    taskId,
    taskVersion: task.version,
    releasedAt,
    lines,
    ...(task.finishedGood ? { finishedGood: task.finishedGood } : {}),
    ...(known?.isBegun ? { isBegun: true } : {}),
    isAccepted: known?.isAccepted ?? false,
    dueAtMs: known?.dueAtMs ?? 0,
    refusals: 0,
  };
}
