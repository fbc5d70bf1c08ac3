import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from "react";
import styles from "../page/detail-page.module.css";

type Tell = (verb: string, whyNot: string | undefined) => void;

const TellReason = createContext<Tell | undefined>(undefined);

/** The actions of a page, and below them the reasons why some are unavailable, because a disabled button hides its tooltip on touch screens. */
export function ActionsWithReasons({ children }: { readonly children: ReactNode }) {
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map());
  const tell = useCallback<Tell>((verb, whyNot) => {
    setReasons((before) => {
      if (before.get(verb) === whyNot) return before;
      const after = new Map(before);
      if (whyNot === undefined) after.delete(verb);
      else after.set(verb, whyNot);
      return after;
    });
  }, []);
  const verbsByReason = [...Map.groupBy(reasons, ([, whyNot]) => whyNot)];
  return (
    <TellReason value={tell}>
      <div className={styles.actionsAndReasons}>
        <div className={styles.actions}>{children}</div>
        {verbsByReason.map(([whyNot, entries]) => (
          <p key={whyNot} className={styles.reason}>
            {entries.map(([verb]) => verb).join(", ")}: {whyNot}
          </p>
        ))}
      </div>
    </TellReason>
  );
}

/** Shows the reason of an unavailable action below the actions of its page. */
export function useReason(verb: string, whyNot: string | undefined): void {
  const tell = useContext(TellReason);
  useLayoutEffect(() => {
    tell?.(verb, whyNot);
    return () => tell?.(verb, undefined);
  }, [tell, verb, whyNot]);
}
