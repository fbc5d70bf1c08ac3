import type { ReactNode } from "react";
import { useTimezone } from "../../directory.ts";
import { Go } from "../go.tsx";
import { Empty } from "../loading/empty.tsx";
import { exactTime, relativeTime, useNow } from "../time.tsx";
import type { Tone } from "../tones.ts";
import styles from "./timeline.module.css";

export interface TimelineEvent {
  /** ISO 8601. */
  readonly at: string;
  /** Code of the catalogue, such as `50`, or a topic. */
  readonly code?: string | number | null | undefined;
  readonly text: ReactNode;
  /** Who caused it: `user:anna`, a client, the warehouse. */
  readonly actor?: string | null | undefined;
  /** The related document or delivery. */
  readonly to?: string | undefined;
  readonly tone?: Tone | undefined;
}

interface TimelineProps {
  /** Oldest first. */
  readonly events: readonly TimelineEvent[];
  readonly timezone?: string | undefined;
  readonly facility?: string | undefined;
  readonly title?: string;
}

/** A list of events, one per line: time, code, text, actor, and a link to the details. */
export function Timeline({ events, timezone, facility, title = "Timeline" }: TimelineProps) {
  const zone = useTimezone(facility);
  const now = useNow();
  if (events.length === 0) return <Empty why="No events yet." />;
  return (
    <div>
      <h2 className={styles.title}>{title}</h2>
      <ol className={styles.timeline}>
        {events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end, and two events may be equal.
          <li key={i} className={styles.event} data-tone={event.tone ?? "ended"}>
            <time className={styles.at} dateTime={event.at} title={relativeTime(event.at, now)}>
              {exactTime(event.at, timezone ?? zone)}
            </time>
            <span className={styles.text}>
              {event.code === undefined || event.code === null ? null : (
                <span className={styles.code}>{event.code}</span>
              )}
              {event.to === undefined ? event.text : <Go to={event.to}>{event.text}</Go>}
            </span>
            <span className={styles.actor}>{event.actor}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
