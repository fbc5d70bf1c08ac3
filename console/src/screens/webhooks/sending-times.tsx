import { Time, useNow } from "../../parts/time.tsx";

interface SendingTimeProps {
  /** ISO 8601; null: none. */
  readonly at: string | null;
  readonly timezone?: string | undefined;
}

/** Time of the last successful delivery. For a failing or paused webhook it matters more than its creation time. */
export function LastDelivered({ at, timezone }: SendingTimeProps) {
  if (at === null) return <span>never delivered</span>;
  return (
    <span>
      last delivered <Time at={at} timezone={timezone} />
    </span>
  );
}

/** Time of the next attempt. A time in the past does not mean that an attempt was made. */
export function NextAttempt({ at, timezone }: SendingTimeProps) {
  const now = useNow();
  return at !== null && Date.parse(at) <= now ? <span>due now</span> : <Time at={at} timezone={timezone} />;
}
