// The output of a run: each fault at its start and end, its figures, and the final verdict.
import type { Exchange, History, Stored } from "./history.ts";
import type { Breach, Latency } from "./oracle.ts";

export interface PhaseResult {
  readonly name: string;
  readonly ms: number;
  /** Undefined if no recovery was observed. */
  readonly recoveryMs: number | undefined;
  /** The factor of the bounds. */
  readonly factor: number;
  readonly notes: readonly string[];
  readonly breaches: readonly Breach[];
  /** Latency of the clients that no fault of one client strikes. */
  readonly latency: Latency;
  readonly clients: readonly { readonly clientId: string; readonly latency: Latency }[];
}

const write = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const describe = ({ count, p50Ms, p99Ms, maxMs }: Latency) =>
  `${count} orders, p50 ${seconds(p50Ms)}, p99 ${seconds(p99Ms)}, max ${seconds(maxMs)}`;

export function createReport(settings: string) {
  const startedMs = performance.now();
  const phases: PhaseResult[] = [];
  const breaches: Breach[] = [];
  const at = () => `[${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s]`;
  const print = (text: string) => write(`${at()} ${text}`);
  const tell = (breach: Breach) => print(`BREACH ${breach.check}: ${breach.text}`);
  print(`chaos: ${settings}`);

  return {
    began: (name: string, ms: number) => print(`${name} begins${ms > 0 ? `, for ${seconds(ms)}` : ""}`),
    ended(result: PhaseResult): void {
      const { name, ms, recoveryMs, factor, notes, latency } = result;
      phases.push(result);
      for (const note of notes) print(`  ${note}`);
      const recovered = recoveryMs === undefined ? "no recovery was seen" : `recovered ${seconds(recoveryMs)} later`;
      print(
        `${name} ended after ${seconds(ms)}; ${recovered}; ACK to push: ${describe(latency)}; bounds x ${factor.toFixed(1)}`,
      );
      for (const breach of result.breaches) {
        breaches.push(breach);
        tell(breach);
      }
    },
    said: print,
    breach(...found: readonly Breach[]): void {
      breaches.push(...found);
      for (const breach of found) tell(breach);
    },
    figuresOf({
      orders,
      reports,
      workOrders,
      transfers,
      moves,
      pushes,
      exchanges,
      stored,
    }: History & { exchanges: readonly Exchange[] }) {
      const answered = Map.groupBy(exchanges, ({ kind, status }) => `${kind} ${status ?? "broken"}`);
      const isSplit = ({ facilities }: Stored["orders"][number]) => facilities.length > 1;
      const splits = stored.reduce((sum, part) => sum + part.orders.filter(isSplit).length, 0);
      const received = transfers.filter((sent) => sent.received !== undefined).length;
      const events = stored.reduce((sum, part) => sum + part.events.length, 0);
      return [
        `${orders.length} orders, ${reports.length} reports, ${workOrders.length} work orders, ${events} events, ${pushes.length} pushes`,
        `${splits} split orders, ${moves.length} moved orders, ${transfers.length} transfers, ${received} of them received`,
        ...[...answered]
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([name, all]) => {
            const took = all.map(({ ms }) => ms).sort((a, b) => a - b);
            const of = (share: number) => seconds(took[Math.ceil(took.length * share) - 1] ?? 0);
            return `  ${name}: ${all.length}, p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)}`;
          }),
      ].join("\n");
    },
    /** @returns the number of breaches */
    end(seed: number): number {
      write("\nfault               lasted  recovered  ACK to push of the clients beside it");
      for (const { name, ms, recoveryMs, latency, clients } of phases) {
        const recovered = recoveryMs === undefined ? "never" : seconds(recoveryMs);
        write(`${name.padEnd(18)} ${seconds(ms).padStart(7)} ${recovered.padStart(10)}  ${describe(latency)}`);
        for (const client of clients) write(`    ${client.clientId.padEnd(10)} ${describe(client.latency)}`);
      }
      const verdict = breaches.length === 0 ? "no breach" : `${breaches.length} breaches`;
      write(`\n${verdict}; --seed ${seed} repeats the faults`);
      for (const { check, text } of breaches) write(`- ${check}: ${text}`);
      return breaches.length;
    },
  };
}
