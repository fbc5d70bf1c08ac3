// Checks that the whole suite saw every operation succeed and return each documented error.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { listPublishedOperations } from "./published-operations.ts";

/** File to which the tests of one run append the responses; the runner sets it. */
export const answersVariable = "CROSSDOCK_TEST_ANSWERS";

/** A sender cannot provoke these at will. Separate tests provoke each on one operation. */
const rareStatuses = ["429", "500", "503"];

export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

const seen = new Set<string>();

export function noteAnswer({ method, path, status }: SeenAnswer): void {
  seen.add(`${method} ${path} ${status}\n`);
}

/** Appends the responses of this file's tests to those of the run. */
export function writeNotes(): void {
  const file = process.env[answersVariable];
  if (file !== undefined && seen.size > 0) appendFileSync(file, [...seen].join(""));
}

/** Documented responses that never occurred, one line per operation. */
export function listUnanswered(file: string): string[] {
  const lines = new Set(existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []);
  const answers = [...lines].map((line) => line.split(" ") as [method: string, path: string, status: string]);
  return listPublishedOperations().flatMap(({ method, path, statuses, isMounted }) => {
    if (isMounted) return [];
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    const found = new Set(answers.flatMap(([m, p, status]) => (m === method && pattern.test(p) ? status : [])));
    const missing = statuses.filter((status) => !found.has(status) && !rareStatuses.includes(status));
    return missing.length === 0 ? [] : [`${method} ${path}: ${missing.join(", ")}`];
  });
}
