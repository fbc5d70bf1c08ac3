import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { queries } from "../../queries.ts";
import { notifyDone, notifyFailed } from "./notify.ts";
import styles from "./undo.module.css";

/** An action that cannot be taken back begins after this time. */
const graceMs = 5_000;
/** The effect of an action can be taken back for this time. */
const undoMs = 10_000;

/** The offers that are shown, by the ids of their notices; the newest is last. */
const offers = new Map<string, () => void>();
/** Actions that wait for the end of their grace. */
const waiting = new Set<() => Promise<void>>();
let count = 0;

interface LateAction {
  /** "The webhook is paused in 5 seconds." */
  readonly message: string;
  /** Success message. */
  readonly done: string;
  /** Title of a failure: "The webhook was not paused". */
  readonly failed: string;
  run(): Promise<unknown>;
}

/** Runs an action after five seconds, unless the user takes it back. */
export function afterGrace({ message, done, failed, run }: LateAction): void {
  const act = async () => {
    stop();
    try {
      await run();
      notifyDone(done);
    } catch (error) {
      notifyFailed(failed, error);
    }
    await queries.invalidateQueries();
  };
  const stop = () => {
    clearTimeout(timer);
    waiting.delete(act);
    close();
  };
  const close = offer(message, graceMs, () => {
    stop();
    notifyDone("Nothing was changed.");
  });
  const timer = setTimeout(() => void act(), graceMs);
  waiting.add(act);
}

/** Reports success, and offers to take the effect back. */
export function notifyUndoable(message: string, undo: () => Promise<unknown>): void {
  const close = offer(message, undoMs, () => {
    close();
    void undo()
      .then(() => notifyDone("The change was taken back."))
      .catch((error: unknown) => notifyFailed("The change was not taken back", error))
      .then(() => queries.invalidateQueries());
  });
  setTimeout(close, undoMs);
}

/** Takes back the newest action whose notice is still shown. */
export function undoNewest(): void {
  [...offers.values()].at(-1)?.();
}

/** Runs what waits, because the page or the session ends. */
export async function endGrace(): Promise<void> {
  await Promise.all([...waiting].map((act) => act()));
}

addEventListener("pagehide", () => void endGrace());

/** Shows a notice with the button Undo. @returns closes it */
function offer(message: string, shownMs: number, undo: () => void): () => void {
  count += 1;
  const id = `undo-${count}`;
  offers.set(id, undo);
  notifications.show({
    id,
    message: (
      <span className={styles.offer}>
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={undo}>
          Undo
        </Button>
        <span className={styles.time} style={{ animationDuration: `${shownMs}ms` }} />
      </span>
    ),
    autoClose: false,
    withCloseButton: false,
  });
  return () => {
    offers.delete(id);
    notifications.hide(id);
  };
}
