/** The processor time of the product's main thread by phase, from the profile that V8 writes when the product stops. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Clock of the profile: CLOCK_MONOTONIC, microseconds. */
const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

/** A part of a profile: one stage of the lives of orders. */
interface Span {
  readonly stage: string;
  readonly beginUs: number;
  readonly endUs: number;
}

/** The frame of a function, as V8 writes it; native functions have no URL. */
interface Frame {
  readonly functionName: string;
  readonly url: string;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * The owner of a sample is the innermost of its frames that one of these describes: code of Node, of `JSON` and of
 * compression counts for the code that calls it.
 */
const phases: readonly (readonly [phase: string, url: RegExp])[] = [
  ["PostgreSQL", /node_modules\/pg|\/src\/store\/db\//],
  ["publication", /\/src\/store\/outbox\//],
  ["XML", /\/src\/intake\/xml\/|^wasm:|libxml/],
  ["papers", /\/src\/modules\/documents\//],
  ["outbound feeds", /\/src\/delivery\//],
  ["orders, stock", /\/src\/(modules|intake)\//],
  [
    "HTTP",
    /node_modules\/(@?fastify|find-my-way|ajv|avvio|light-my-request)|\/src\/http\/|^node:_http|^node:internal\/http/,
  ],
  ["log", /node_modules\/(pino|sonic-boom|thread-stream)|\/src\/kernel\/log/],
];
const collection = "garbage";
const others = "other";
export const phaseNames = [...phases.map(([phase]) => phase), collection, others];

export interface PhaseWatch {
  /** Environment of the product that is watched. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs a stage, and notes when it ran. */
  stage(name: string, work: () => Promise<void>): Promise<void>;
  /** Seconds by stage and phase, once the product has stopped. @param pid of the product */
  read(pid: number): ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** @param folder for the profiles; every process below the product's runner writes some */
export function watchPhases(folder: string): PhaseWatch {
  const spans: Span[] = [];
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=250` },
    async stage(stage, work) {
      const beginUs = nowUs();
      await work();
      spans.push({ stage, beginUs, endUs: nowUs() });
    },
    read(pid) {
      // CPU.DATE.TIME.PID.THREAD.NUMBER.cpuprofile; the main thread is 0.
      const file = readdirSync(folder).find((name) => new RegExp(`\\.${pid}\\.0\\.\\d+\\.cpuprofile$`).test(name));
      if (file === undefined) throw new Error(`process ${pid} has left no profile in ${folder}`);
      return secondsOf(JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Profile, spans);
    },
  };
}

function secondsOf(profile: Profile, spans: readonly Span[]): Map<string, Map<string, number>> {
  const phaseOf = phasesOf(profile);
  const seconds = new Map(spans.map(({ stage }) => [stage, new Map<string, number>()]));
  let atUs = profile.startTime;
  for (const [i, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[i] as number;
    atUs += us;
    const phase = phaseOf.get(id);
    const span = phase && spans.find(({ beginUs, endUs }) => beginUs <= atUs && atUs < endUs);
    const ofStage = span && seconds.get(span.stage);
    if (ofStage) ofStage.set(phase, (ofStage.get(phase) ?? 0) + us / 1e6);
  }
  return seconds;
}

/** The phase of each node of the profile; an idle thread has none. */
function phasesOf({ nodes }: Profile): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const phaseOf = new Map<number, string>();
  // V8 lists the root first; each node takes the phase of its caller where its own frame has none.
  const open: [id: number, ofCaller: string][] = nodes.slice(0, 1).map(({ id }) => [id, others]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, ofCaller] = next;
    const node = byId.get(id);
    if (!node || node.callFrame.functionName === "(idle)") continue;
    const { functionName, url } = node.callFrame;
    const found =
      functionName === "(garbage collector)" ? collection : phases.find(([, match]) => match.test(url))?.[0];
    const phase = found ?? ofCaller;
    phaseOf.set(id, phase);
    for (const child of node.children ?? []) open.push([child, phase]);
  }
  return phaseOf;
}
