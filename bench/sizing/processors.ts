import { readdirSync, readFileSync } from "node:fs";

/** Processor time that a process, its children, and those of them that have ended took, in seconds. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => fieldsOf(name)[1] === String(pid));
  return [String(pid), ...children].reduce((sum, name) => sum + ticksOf(fieldsOf(name)), 0) / 100;
}

/** What follows the name of the program: the state, the parent, …; nothing of a process that has just ended. */
function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** Its own time, and that of children it has waited for. */
function ticksOf(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
