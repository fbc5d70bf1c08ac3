import { type ReactNode, useEffect } from "react";
import styles from "./screen.module.css";

interface ScreenProps {
  readonly title: string;
  /** One line, computed from the data: how things are here now; on a form, how it is used. Without either, nothing. */
  readonly lead?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** At most five `Figure`s. */
  readonly figures?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of the navigation: its title, how things are, the leading figures, then the table or chart to work with. */
export function Screen({ title, lead, actions, figures, children }: ScreenProps) {
  usePageTitle(title);
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <div>
          <h1 className={styles.title}>{title}</h1>
          {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
      {figures === undefined ? null : <div className={styles.figures}>{figures}</div>}
      {children}
    </div>
  );
}

/** What the browser's tab says. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Crossdock`;
  }, [title]);
}

interface SectionProps {
  readonly title: string;
  /** What the numbers mean, in a line. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A framed part of a screen with a title of its own: a chart, a table beside others. */
export function Section({ title, note, actions, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <div>
          <h2 className={styles.sectionTitle}>{title}</h2>
          {note === undefined ? null : <p className={styles.note}>{note}</p>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
