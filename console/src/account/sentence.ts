import { ApiProblem } from "../api.ts";
import { sentenceOf } from "../parts/loading/problem.tsx";

/** The reason of a rejected proof. @param what the typed value, e.g. "code". */
export function refusalSentence(error: unknown, what: string): string {
  if (!(error instanceof ApiProblem)) return sentenceOf(error);
  if (error.status === 429) return `There were too many attempts. Try again in ${error.retryAfter ?? 60} seconds.`;
  const [fault] = error.errors;
  return fault ? `The ${what} ${fault.message}.` : sentenceOf(error);
}
