// The progress of a run of tests: one line that changes on a terminal, a line for each tenth of the work in a log.

export interface Progress {
  pass(): void;
  /** Shows a failure at once, above the line. */
  fail(text: string): void;
  endFile(file: string): void;
  end(): void;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Below this share of the work, the speed of this machine is unknown. */
const shareMin = 0.03;
const redrawMs = 250;

/**
 * @param files each with its expected seconds. Their sum is the work, so that the remaining time does not depend on the
 * order of short and long files.
 */
export function createProgress(
  files: readonly (readonly [file: string, seconds: number])[],
  output: Output = process.stdout,
  nowMs: () => number = () => performance.now(),
): Progress {
  const waiting = new Map(files);
  const work = files.reduce((sum, [, seconds]) => sum + seconds, 0);
  const startedMs = nowMs();
  const isTerminal = output.isTTY === true;
  let [passed, failed, done, tenths] = [0, 0, 0, 0];

  function line(): string {
    const share = work === 0 ? 1 : done / work;
    const leftMs = share < shareMin || share >= 1 ? undefined : ((nowMs() - startedMs) * (1 - share)) / share;
    return [
      `${Math.floor(100 * share)} %`,
      `${files.length - waiting.size} of ${files.length} files`,
      `${passed.toLocaleString("en")} tests passed${failed === 0 ? "" : `, ${failed} failed`}`,
      ...(leftMs === undefined ? [] : [`${timeOf(leftMs)} left`]),
    ].join(" · ");
  }
  const clear = () => isTerminal && output.write("\r\x1b[K");
  const draw = () => isTerminal && output.write(`\r\x1b[K${line().slice(0, (output.columns ?? 80) - 1)}`);
  const timer = isTerminal ? setInterval(draw, redrawMs).unref() : undefined;

  return {
    pass: () => void passed++,
    fail(text) {
      failed++;
      clear();
      output.write(`\n${text}\n`);
      draw();
    },
    endFile(file) {
      done += waiting.get(file) ?? 0;
      waiting.delete(file);
      const reached = work === 0 ? 10 : Math.floor((10 * done) / work + 1e-9);
      if (!isTerminal && reached > tenths) output.write(`${line()}\n`);
      tenths = Math.max(tenths, reached);
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

function timeOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
