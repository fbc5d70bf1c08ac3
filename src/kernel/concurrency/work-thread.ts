import { parentPort, Worker } from "node:worker_threads";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

/** A separate thread for work that would delay every other request. It takes one task at a time, owners in turn. */
export interface WorkThread<Task> {
  /** @throws {ThreadEndedError} if the task took longer than `msMax`: the thread was ended, and the next task starts another. */
  run<Answer>(owner: string, task: Task, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  close(): Promise<void>;
}

export class ThreadEndedError extends Error {
  override readonly name = "ThreadEndedError";
}

interface WorkThreadOptions {
  /** The time of a task; the start of the thread does not count. */
  readonly msMax: number;
  /** The idle time after which the thread is ended, to free its memory. */
  readonly idleMs?: number;
}

type Reply = { readonly answer: unknown } | { readonly error: string };

/** @param file a module that calls `serveThread`; it is loaded with the first task. */
export function createWorkThread<Task>(file: URL, { msMax, idleMs = minuteMs }: WorkThreadOptions): WorkThread<Task> {
  const gate = createFairGate(1);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  function started(): Promise<Worker> {
    if (worker) return Promise.resolve(worker);
    const starting = new Worker(file);
    worker = starting;
    starting.once("exit", () => {
      if (worker === starting) worker = undefined;
    });
    return next(starting).then(() => starting);
  }

  async function runOne(task: Task, transfer: readonly ArrayBuffer[]): Promise<Reply> {
    if (isClosed) throw new ThreadEndedError("the program ends");
    clearTimeout(idle);
    try {
      const thread = await started();
      thread.postMessage(task, [...transfer]);
      return await next(thread, msMax);
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), idleMs).unref();
    }
  }

  return {
    async run<Answer>(owner: string, task: Task, transfer: readonly ArrayBuffer[] = []) {
      const reply = await gate(owner, () => runOne(task, transfer));
      if ("error" in reply) throw new Error(reply.error);
      return reply.answer as Answer;
    },
    async close() {
      isClosed = true;
      await end();
    },
  };
}

/** The next message of the thread. The process may end while the thread is idle, not while it works. */
function next(thread: Worker, msMax?: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit).unref();
      act();
    };
    const onMessage = (reply: Reply) => settle(() => resolve(reply));
    const onError = (error: unknown) =>
      settle(() => reject(new ThreadEndedError("the thread failed", { cause: error })));
    const onExit = () => settle(() => reject(new ThreadEndedError("the thread ended")));
    const timer =
      msMax === undefined
        ? undefined
        : setTimeout(() => settle(() => reject(new ThreadEndedError(`the work takes over ${msMax} ms`))), msMax);
    thread.ref();
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/** In the thread: answers each task. A thrown error is the caller's; the thread continues. */
export function serveThread<Task>(work: (task: Task) => unknown): void {
  const answer = async (task: Task) => {
    let reply: Reply;
    try {
      reply = { answer: await work(task) };
    } catch (error) {
      reply = { error: (error as Error).stack ?? String(error) };
    }
    parentPort?.postMessage(reply);
  };
  parentPort?.on("message", (task: Task) => void answer(task));
  parentPort?.postMessage({ answer: "ready" } satisfies Reply);
}
