// The program's memory under load: resident size by kind of mapping, V8's heap, and the growth of the heap between two
// snapshots, by constructor. Linux only.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../support/app/until.ts";
import { scrape, sumOf } from "../support/http/scrape.ts";
import type { House } from "./house.ts";

/** Makes the program write a heap snapshot on SIGUSR2 (Node's documentation, --heapsnapshot-signal). */
export const snapshotOption = "--heapsnapshot-signal=SIGUSR2";

const mebibyte = 2 ** 20;
/** glibc reserves each arena, except the first, with this size and alignment. */
const arenaBytes = 64 * mebibyte;

export interface MemorySample {
  readonly rss: number;
  /** Heap of the main thread. */
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  /** Resident memory, by kind of mapping. */
  readonly arenas: number;
  readonly mallocHeap: number;
  readonly files: number;
  readonly otherAnonymous: number;
}

/** A sample in MiB. */
export async function sampleMemory({ url, pid }: Pick<House, "url" | "pid">): Promise<MemorySample> {
  const metrics = await scrape(url);
  const of = (name: string) => Math.round(sumOf(metrics, name) / mebibyte);
  return {
    rss: of("process_resident_memory_bytes"),
    heapUsed: of("nodejs_heap_size_used_bytes"),
    heapTotal: of("nodejs_heap_size_total_bytes"),
    external: of("nodejs_external_memory_bytes"),
    ...mappingsOf(readFileSync(`/proc/${pid}/smaps`, "utf8")),
  };
}

export function mappingsOf(smaps: string): Pick<MemorySample, "arenas" | "mallocHeap" | "files" | "otherAnonymous"> {
  const kinds = { arenas: 0, mallocHeap: 0, files: 0, otherAnonymous: 0 };
  let kind: keyof typeof kinds = "otherAnonymous";
  for (const line of smaps.split("\n")) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)$/.exec(line);
    if (head) {
      const [, from = "", , rights, name] = head;
      const isArena = name === "" && rights === "rw-p" && BigInt(`0x${from}`) % BigInt(arenaBytes) === 0n;
      kind = isArena ? "arenas" : name === "[heap]" ? "mallocHeap" : name?.startsWith("/") ? "files" : "otherAnonymous";
    }
    const resident = /^Rss: +(\d+) kB$/.exec(line)?.[1];
    if (resident !== undefined) kinds[kind] += Number(resident);
  }
  const rounded = Object.entries(kinds).map(([name, kilobytes]) => [name, Math.round(kilobytes / 1024)]);
  return Object.fromEntries(rounded);
}

export const describeMemory = (sample: MemorySample) =>
  `RSS ${sample.rss} MiB (malloc ${sample.mallocHeap} + arenas ${sample.arenas}, files ${sample.files}, other ${sample.otherAnonymous}); ` +
  `V8 heap ${sample.heapUsed} of ${sample.heapTotal}, external ${sample.external}`;

/** Count and bytes by constructor, or by kind for nodes without one. */
export type Heap = ReadonlyMap<string, { readonly count: number; readonly bytes: number }>;

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Makes the program write a snapshot, and reads it. The program does nothing else meanwhile. */
export async function snapshotHeap({ url, pid, folder }: Pick<House, "url" | "pid" | "folder">): Promise<Heap> {
  process.kill(pid, "SIGUSR2");
  const find = () => readdirSync(folder).find((name) => name.endsWith(".heapsnapshot"));
  const file = path.join(folder, await until("a heap snapshot to be begun", find, 60_000));
  let size = -1;
  await until(
    "the heap snapshot to be written",
    async () => {
      await sleep(1_000);
      const before = size;
      size = statSync(file).size;
      return size > 0 && size === before && (await fetch(`${url}/healthz`)).ok;
    },
    300_000,
  );
  const heap = readHeap(JSON.parse(readFileSync(file, "utf8")) as Snapshot);
  rmSync(file);
  return heap;
}

export function readHeap({ snapshot: { meta }, nodes, strings }: Snapshot): Heap {
  const width = meta.node_fields.length;
  const [type, name, size] = ["type", "name", "self_size"].map((field) => meta.node_fields.indexOf(field)) as [
    number,
    number,
    number,
  ];
  const types = meta.node_types[type] as readonly string[];
  const heap = new Map<string, { count: number; bytes: number }>();
  for (let at = 0; at < nodes.length; at += width) {
    const kind = types[nodes[at + type] as number] as string;
    const isNamed = kind === "object" || kind === "closure" || kind === "native";
    const key = isNamed ? `${kind} ${(strings[nodes[at + name] as number] as string).slice(0, 60)}` : `(${kind})`;
    const sum = heap.get(key) ?? { count: 0, bytes: 0 };
    sum.count++;
    sum.bytes += nodes[at + size] as number;
    heap.set(key, sum);
  }
  return heap;
}

/** The largest growth from one snapshot to the next, one line each. */
export function describeGrowth(before: Heap, after: Heap, linesMax = 25): string[] {
  const grown = [...after].map(([name, { count, bytes }]) => {
    const was = before.get(name) ?? { count: 0, bytes: 0 };
    return { name, count: count - was.count, bytes: bytes - was.bytes, now: bytes };
  });
  grown.sort((a, b) => b.bytes - a.bytes);
  const sum = (heap: Heap) => [...heap.values()].reduce((total, { bytes }) => total + bytes, 0) / mebibyte;
  return [
    `heap: ${sum(before).toFixed(1)} MiB, then ${sum(after).toFixed(1)} MiB; what grew:`,
    ...grown
      .slice(0, linesMax)
      .map(
        ({ name, count, bytes, now }) =>
          `  ${(bytes / 1024).toFixed(0)} KiB (${count}) ${name}, now ${(now / 1024).toFixed(0)} KiB`,
      ),
  ];
}
