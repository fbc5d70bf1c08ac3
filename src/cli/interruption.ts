/** Ctrl-C or a termination request arrived: resources are closed, no further work begins. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`interrupted by ${signal}`);
    // By convention 128 plus the number of the signal.
    this.exitCode = 128 + (signal === "SIGINT" ? 2 : 15);
  }
}

/**
 * Runs `work`, then `close`; at a signal it runs `close` at once and throws Interruption. Further signals have no
 * effect until the program has ended: a terminal's Ctrl-C arrives here twice, from its process group and from
 * scripts/run.mjs.
 */
export async function interruptible<Value>(work: () => Promise<Value>, close: () => Promise<void>): Promise<Value> {
  let isInterrupted = false;
  let onSignal: (signal: NodeJS.Signals) => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    onSignal = (signal) => {
      isInterrupted = true;
      reject(new Interruption(signal as "SIGINT" | "SIGTERM"));
    };
  });
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    try {
      await close();
    } finally {
      // After the first signal the program ends with its own exit code: without a listener, a second signal ends it
      // earlier.
      if (!isInterrupted) process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    }
  }
}
