import { readdirSync, readFileSync } from "node:fs";

/** Processor time in seconds of a process, its children, and those of its children that have ended. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = all.filter((name) => fieldsOf(name)[1] === String(pid));
  return [String(pid), ...children].reduce((sum, name) => sum + ticksOf(fieldsOf(name)), 0) / 100;
}

/** The fields after the program's name: the state, the parent, …; empty for a process that has just ended. */
function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** The process's own time, and that of children it has waited for. */
function ticksOf(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
