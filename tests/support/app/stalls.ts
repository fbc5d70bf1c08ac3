// A step of the event loop that takes long delays every other request: the file of the test fails. The log of the server
// under test names the route, or the background work, of each step of over 200 ms of processor time. Work without a name
// is not seen, nor is work of the first use in `asideOfSteps`.
import assert from "node:assert/strict";
import { watchLoop } from "#/kernel/telemetry/loop-watch.ts";
import { atEnd } from "./at-end.ts";

/** Where the last long step of a route of this process ended. */
const stacks = new Map<string, string>();

/** The longest step of each route that the log names. @param log lines of JSON */
export function stallsIn(log: string): readonly string[] {
  const longest = new Map<string, number>();
  for (const line of log.split("\n")) {
    if (!line.includes('"msg":"one step of the event loop')) continue;
    const { route, durationMs } = JSON.parse(line) as { readonly route: string; readonly durationMs: number };
    longest.set(route, Math.max(longest.get(route) ?? 0, durationMs));
  }
  return [...longest].map(([route, ms]) => `${route} took ${ms} ms of processor time in one step${endOf(route)}`);
}

/** The lines of the program in the stack after the step: the statement, or the answer, that follows it. */
function endOf(route: string): string {
  const [, ...places] = stacks.get(route)?.match(/\/src\/\S+:\d+:\d+/g) ?? [];
  return places.length === 0 ? "" : `, which ends at ${places.join(" < ")}`;
}

let isLeftToFile = false;

/** For a file that drives requests to their bounds, and judges their steps itself. */
export function leaveStallsToFile(): void {
  isLeftToFile = true;
}

/** Fails the file if a server that writes this log had such a step. `node --cpu-prof FILE` shows where. */
export function refuseStalls(log: () => string): void {
  const unwatch = watchLoop(({ route, stack }) => {
    if (route !== undefined && stack !== undefined) stacks.set(route, stack);
  });
  atEnd(() => {
    unwatch();
    assert.deepEqual(isLeftToFile ? [] : stallsIn(log()), []);
  });
}
