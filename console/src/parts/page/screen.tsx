import { type ReactNode, useEffect } from "react";
import styles from "./screen.module.css";

interface ScreenProps {
  readonly title: string;
  /** One line: the current state, computed from the data; on a form, its use. Optional. */
  readonly lead?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** At most five `Figure`s. */
  readonly figures?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of the navigation: title, state, key figures, then the table or chart. */
export function Screen({ title, lead, actions, figures, children }: ScreenProps) {
  usePageTitle(title);
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <div className={styles.names}>
          <h1 className={styles.title}>{title}</h1>
          {lead === undefined ? null : <p className={styles.lead}>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
      {figures === undefined ? null : <FigureRow>{figures}</FigureRow>}
      {children}
    </div>
  );
}

/** At most five `Figure`s beside each other. */
export function FigureRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}

/** Title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Crossdock`;
  }, [title]);
}

interface SectionProps {
  readonly title: string;
  /** One line that explains the numbers. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A framed section of a screen with its own title: a chart, or a table next to others. */
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
