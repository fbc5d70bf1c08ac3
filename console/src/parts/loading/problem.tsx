import { Button } from "@mantine/core";
import { useContext } from "react";
import { useLocation } from "react-router";
import { ApiProblem } from "../../api.ts";
import { Go } from "../go.tsx";
import { Area } from "./area.ts";
import styles from "./problem.module.css";

interface ProblemProps {
  readonly error: unknown;
  /** Content that failed to load: "The orders". */
  readonly what?: string;
  readonly retry?: () => void;
}

/** An error with its meaning, and a retry button, or a link on where the object does not exist. */
export function Problem({ error, what = "This part", retry }: ProblemProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  return (
    <div className={styles.problem} role="alert">
      <p className={styles.title}>
        {what} cannot be shown: {(problem?.title ?? "the console failed").replace(/^./, (c) => c.toLowerCase())}
      </p>
      <p className={styles.detail}>{problem?.detail ?? messageOf(error)}</p>
      <ProblemErrors problem={problem} />
      {problem?.status === 404 ? <WayOn /> : null}
      {problem?.correlationToken ? (
        <p className={styles.token}>
          Correlation token <code>{problem.correlationToken}</code>
        </p>
      ) : null}
      {retry && problem?.status !== 404 ? (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}

/** From an object that does not exist to the list of its kind: another try has the same answer. */
function WayOn() {
  const area = useContext(Area);
  const { pathname } = useLocation();
  return (
    <>
      <p className={styles.detail}>
        The address is <code>{decodeURI(pathname)}</code>. It may be incomplete, or the object belongs to another
        client.
      </p>
      {area === undefined ? null : <Go to={`/${area.path}`}>Back to {area.label.toLowerCase()}</Go>}
    </>
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
