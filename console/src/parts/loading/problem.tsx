import { Button } from "@mantine/core";
import { ApiProblem } from "../../api.ts";
import styles from "./problem.module.css";

interface ProblemProps {
  readonly error: unknown;
  /** Content that failed to load: "The orders". */
  readonly what?: string;
  readonly retry?: () => void;
}

/** An error with its meaning, and a retry button. */
export function Problem({ error, what = "This part", retry }: ProblemProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  return (
    <div className={styles.problem} role="alert">
      <p className={styles.title}>
        {what} cannot be shown: {(problem?.title ?? "the console failed").replace(/^./, (c) => c.toLowerCase())}
      </p>
      <p className={styles.detail}>{problem?.detail ?? messageOf(error)}</p>
      <ProblemErrors problem={problem} />
      {problem?.correlationToken ? (
        <p className={styles.token}>
          Correlation token <code>{problem.correlationToken}</code>
        </p>
      ) : null}
      {retry ? (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function ProblemErrors({ problem }: { readonly problem: ApiProblem | undefined }) {
  if (!problem || problem.errors.length === 0) return null;
  return (
    <ul className={styles.errors}>
      {problem.errors.map(({ pointer, message }) => (
        <li key={pointer + message}>
          {pointer === "" ? null : <code>{pointer}</code>} {message}
        </li>
      ))}
    </ul>
  );
}

/** A rejection as one sentence, for a notification or below a form. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return messageOf(error);
  const faults = error.errors.map(({ message }) => message).join(" ");
  const token = error.correlationToken && error.status >= 500 ? ` (correlation token ${error.correlationToken})` : "";
  return `${error.detail || error.title}${faults && faults !== error.detail ? ` ${faults}` : ""}${token}`;
}
