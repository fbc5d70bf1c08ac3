// Whether the whole suite has seen every operation succeed, and answer each error that its document names.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { listPublishedOperations } from "./published-operations.ts";

/** The file that the tests of one run write to what they were answered; the runner names it. */
export const answersVariable = "CROSSDOCK_TEST_ANSWERS";

/** What no sender brings about at will: they are made in tests of their own, on one operation each. */
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

/** Adds what this file's tests were answered to that of the run. */
export function writeNotes(): void {
  const file = process.env[answersVariable];
  if (file !== undefined && seen.size > 0) appendFileSync(file, [...seen].join(""));
}

/** What is documented and was never answered: a line an operation. */
export function listUnanswered(file: string): string[] {
  const lines = new Set(existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []);
  const answers = [...lines].map((line) => line.split(" ") as [method: string, path: string, status: string]);
  return listPublishedOperations().flatMap(({ method, path, statuses, isMounted }) => {
    if (isMounted) return [];
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    const own = new Set(answers.flatMap(([m, p, status]) => (m === method && pattern.test(p) ? status : [])));
    const missing = statuses.filter((status) => !own.has(status) && !rareStatuses.includes(status));
    return missing.length === 0 ? [] : [`${method} ${path}: ${missing.join(", ")}`];
  });
}
