// Runs jobs side by side: in a fixed number of lanes, and in spare lanes while the processors are idle.
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** The processors are observed for this time before a spare lane takes a job: longer than the import of the program. */
const lookMs = 4_000;
/** A job keeps about this many processors busy. The kill tests use 0.3 to 0.8, those in a browser 0.5 to 0.8. */
const idleProcessorsMin = 0.75;

export interface Lanes {
  /** Number of jobs that always run side by side. */
  readonly fixed: number;
  /** Number of further jobs that may start when the others leave processors idle. */
  readonly spare: number;
  /** Resolves after a while to whether the processors were idle meanwhile; default: those of this machine. */
  readonly areIdle?: () => Promise<boolean>;
}

/** Runs every job, in the order of their starts, until `isOver`. A job that throws ends the run with its error. */
export async function runInLanes<Job>(
  jobs: readonly Job[],
  { fixed, spare, areIdle = areProcessorsIdle }: Lanes,
  work: (job: Job) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const waiting = [...jobs];
  const hasNext = () => waiting.length > 0 && !isOver();
  const fixedLane = async () => {
    while (hasNext()) await work(waiting.shift() as Job);
  };
  // One lane at a time observes: two would both take the time in which only one has room.
  let lastTurn = Promise.resolve();
  const takeTurn = () => {
    const turn = lastTurn.then(async () => {
      while (hasNext()) if (await areIdle()) return;
    });
    lastTurn = turn;
    return turn;
  };
  const spareLane = async () => {
    for (await takeTurn(); hasNext(); await takeTurn()) await work(waiting.shift() as Job);
  };
  await Promise.all([...Array.from({ length: fixed }, fixedLane), ...Array.from({ length: spare }, spareLane)]);
}

async function areProcessorsIdle(): Promise<boolean> {
  // A process with a share of the machine's processors cannot see whether its share is idle.
  const hasAll = os.availableParallelism() >= os.cpus().length;
  const idleMs = () => os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const [beganIdleMs, beganMs] = [idleMs(), performance.now()];
  await sleep(lookMs);
  return hasAll && (idleMs() - beganIdleMs) / (performance.now() - beganMs) >= idleProcessorsMin;
}
