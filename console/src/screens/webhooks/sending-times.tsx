import { Time, useNow } from "../../parts/time.tsx";

interface SendingTimeProps {
  /** ISO 8601; null: there is none. */
  readonly at: string | null;
  readonly timezone?: string | undefined;
}

/** Since when nothing has arrived: of a webhook that fails or stands still this counts, not when it was made or set. */
export function LastDelivered({ at, timezone }: SendingTimeProps) {
  if (at === null) return <span>never delivered</span>;
  return (
    <span>
      last delivered <Time at={at} timezone={timezone} />
    </span>
  );
}

/** When a delivery is tried next. A moment that has gone by is no try that was made. */
export function NextTry({ at, timezone }: SendingTimeProps) {
  const now = useNow();
  return at !== null && Date.parse(at) <= now ? <span>due now</span> : <Time at={at} timezone={timezone} />;
}
