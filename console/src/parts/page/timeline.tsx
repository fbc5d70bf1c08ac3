import type { ReactNode } from "react";
import { useTimezone } from "../../directory.ts";
import { minuteMs } from "../../durations.ts";
import { dateFormat } from "../../time-display.ts";
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

/** Events of a shorter time differ by their seconds. */
const briefMs = 10 * minuteMs;

/**
 * A list of events, one per line: time, code, text, actor, and a link to the details. The time zone is in the title,
 * where the times have no seconds.
 */
export function Timeline({ events, timezone, facility, title = "Timeline" }: TimelineProps) {
  const zone = useTimezone(facility);
  const now = useNow();
  const last = events.at(-1);
  if (last === undefined) return <Empty why="No events yet." />;
  const shownZone = timezone ?? zone;
  const isBrief = Date.parse(last.at) - Date.parse(events[0]?.at ?? last.at) < briefMs;
  const format = dateFormat(shownZone, isBrief ? "seconds" : "minutes");
  return (
    <div>
      <h2 className={styles.title}>
        {title}
        {isBrief ? null : <span className={styles.zone}>{zoneName(last.at, shownZone)}</span>}
      </h2>
      <ol className={`${styles.timeline} ${isBrief ? styles.brief : ""}`}>
        {events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end, and two events may be equal.
          <li key={i} className={styles.event} data-tone={event.tone ?? "ended"}>
            <time
              className={styles.at}
              dateTime={event.at}
              title={`${exactTime(event.at, shownZone)}, ${relativeTime(event.at, now)}`}
            >
              {format.format(new Date(event.at))}
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

/** "GMT", as at that moment. */
const zoneName = (at: string, timezone: string): string | undefined =>
  dateFormat(timezone, "zoned")
    .formatToParts(new Date(at))
    .find(({ type }) => type === "timeZoneName")?.value;
