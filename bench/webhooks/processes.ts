import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../feeds/machine.ts";
import type { PeerAnswer, PeerCommand, ReceiverAnswer, ReceiverCommand } from "./messages.ts";

export interface Child {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly secret: string;
  /** The folder for the worker's CPU profile; without it, no profile is made. */
  readonly profileFolder: string | undefined;
}

/** Starts the program with only the worker role, as a separate process; its log goes to a file. */
export function startWorker({ databaseUrl, secret, profileFolder }: WorkerOptions): Child {
  const folder = temporaryFolder("worker");
  const log = openSync(path.join(folder, "log"), "w");
  const profile = profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const child = spawn(process.execPath, [...profile, fileURLToPath(new URL("../../src/main.ts", import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      CROSSDOCK_DATA_DIR: folder,
      CROSSDOCK_SECRET: secret,
      CROSSDOCK_ROLES: "worker",
      CROSSDOCK_SEED_DEMO: "false",
      CROSSDOCK_PRIVATE_TARGETS: "127.0.0.0/8",
    },
    stdio: ["ignore", log, "inherit"],
  });
  closeSync(log);
  return childOf(child, "SIGTERM");
}

function childOf(child: ChildProcess, signal: NodeJS.Signals): Child {
  const ended = once(child, "exit");
  return {
    pid: child.pid as number,
    async stop() {
      child.kill(signal);
      await Promise.race([ended, sleep(10_000)]);
    },
  };
}

export interface ReceiverProcess extends Child {
  readonly url: string;
  ask(command: ReceiverCommand): Promise<ReceiverAnswer>;
  /** Resolves when the expected number of pushes has arrived. @throws after `msMax` */
  counted(msMax: number): Promise<{ readonly firstMs: number; readonly lastMs: number }>;
}

export async function startReceiver(): Promise<ReceiverProcess> {
  const child = startScript("./receiver.ts");
  const answerOf = async (kinds: readonly ReceiverAnswer["kind"][], msMax: number): Promise<ReceiverAnswer> => {
    const signal = AbortSignal.timeout(msMax);
    for (;;) {
      const [answer] = (await once(child, "message", { signal })) as [ReceiverAnswer];
      if (kinds.includes(answer.kind)) return answer;
    }
  };
  const listening = await answerOf(["listening"], 10_000);
  if (listening.kind !== "listening") throw new Error(listening.kind);
  let counting: Promise<ReceiverAnswer> | undefined;
  return {
    ...childOf(child, "SIGKILL"),
    url: listening.url,
    ask(command) {
      if (command.kind === "count") {
        counting = answerOf(["counted"], 600_000);
        counting.catch(() => {});
      }
      const answer = answerOf(["heard", "taken"], 10_000);
      child.send(command);
      return answer;
    },
    async counted(msMax) {
      const answer = await Promise.race([counting, sleep(msMax)]);
      if (answer?.kind !== "counted") throw new Error(`not all pushes came within ${msMax / 1_000} s`);
      return answer;
    },
  };
}

export interface PeerProcess extends Child {
  run(command: PeerCommand): Promise<PeerAnswer>;
}

export function startPeer(): PeerProcess {
  const child = startScript("./peer.ts");
  return {
    ...childOf(child, "SIGKILL"),
    async run(command) {
      child.send(command);
      const signal = AbortSignal.timeout(command.seconds * 1_000 + 30_000);
      const [answer] = (await once(child, "message", { signal })) as [PeerAnswer];
      return answer;
    },
  };
}

function startScript(name: string): ChildProcess {
  const file = fileURLToPath(new URL(name, import.meta.url));
  return spawn(process.execPath, [file], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

export interface MemoryWatch {
  /** Resident memory at the beginning, after a minute and now, and its trend after the first minute. */
  report(): string;
  stop(): void;
}

/** Samples the resident memory of a process each second; Linux only. */
export function watchMemory(pid: number): MemoryWatch {
  const startedMs = performance.now();
  const samples: { readonly minutes: number; readonly mebibytes: number }[] = [];
  const timer = setInterval(() => {
    const kibibytes = /VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1];
    if (kibibytes === undefined) return;
    samples.push({ minutes: (performance.now() - startedMs) / 60_000, mebibytes: Number(kibibytes) / 1_024 });
  }, 1_000);
  return {
    report() {
      const later = samples.filter(({ minutes }) => minutes >= 1);
      const shown = [samples[0], later[0], samples.at(-1)].map((sample) => sample?.mebibytes.toFixed(0) ?? "?");
      const highest = Math.max(...samples.map(({ mebibytes }) => mebibytes));
      return `${shown.join(", ")} MiB, ${highest.toFixed(0)} MiB at its peak; ${slopeOf(later).toFixed(1)} MiB a minute after the first`;
    },
    stop: () => clearInterval(timer),
  };
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** Least squares. */
function slopeOf(samples: readonly { readonly minutes: number; readonly mebibytes: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(({ minutes }) => minutes));
  const y = mean(samples.map(({ mebibytes }) => mebibytes));
  const over = samples.reduce((sum, sample) => sum + (sample.minutes - x) * (sample.mebibytes - y), 0);
  const under = samples.reduce((sum, sample) => sum + (sample.minutes - x) ** 2, 0);
  return over / under;
}
