/**
 * The deadline of a request. Every wait on its way reads the remaining time here, so that the request is answered by its
 * deadline whatever it waits for: a connection, a lock, a statement, the link to the store.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { markStep } from "#/kernel/telemetry/loop-watch.ts";

/** The end of the time of a piece of work, on the monotonic clock (`performance.now()`). */
export interface Deadline {
  /** Infinity once the request is answered: work that a request left behind in the background has no deadline. */
  atMs: number;
  /** The request is answered, or its sender has hung up. */
  isOver?: boolean;
  /** Whose request it is, such as `client ACME`; the sender is known after its authentication. */
  readonly holder?: () => string;
  /** For the watch of the event loop: the template of the request's route, or the name of other work. */
  route?: string | undefined;
}

const current = new AsyncLocalStorage<Deadline | undefined>();

/** Runs `work`, and everything that it starts, under this deadline. */
export function withDeadline<T>(deadline: Deadline, work: () => T): T {
  return current.run(deadline, work);
}

/** Runs `work` under no deadline: a loop that a request happens to start, and that serves other requests too. */
export function withoutDeadline<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** Runs work of the program itself, under no deadline. @param name for the watch of the event loop */
export function namedWork<T>(name: string, work: () => T): T {
  markStep(current.getStore()?.route);
  return current.run({ atMs: Number.POSITIVE_INFINITY, route: name }, work);
}

/** The remaining time in milliseconds; infinity under no deadline, not positive when it is over. */
export function leftMs(): number {
  const deadline = current.getStore();
  if (deadline?.route !== undefined) markStep(deadline.route);
  return deadline === undefined ? Number.POSITIVE_INFINITY : deadline.atMs - performance.now();
}

/** Whose request runs; undefined for work of the program itself. */
export function currentHolder(): string | undefined {
  return current.getStore()?.holder?.();
}

/** A function that returns, at any later time, whether the sender still waits for the answer of the current request. */
export function watchOver(): () => boolean {
  const deadline = current.getStore();
  return () => deadline === undefined || (deadline.isOver !== true && deadline.atMs > performance.now());
}

/**
 * The result of `work`, or the error of `onLate` when it takes longer than `msMax`. The work itself goes on, and its
 * result is discarded.
 */
export async function within<T>(work: Promise<T>, msMax: number, onLate: () => Error): Promise<T> {
  if (msMax === Number.POSITIVE_INFINITY) return work;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(onLate()), Math.max(0, msMax));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
