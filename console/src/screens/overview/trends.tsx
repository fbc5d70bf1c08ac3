import { type ReactNode, useMemo } from "react";
import { dayMs } from "../../durations.ts";
import { Lines } from "../../parts/charts/lines.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { duration } from "../../parts/time.tsx";
import { useGo } from "../../scope.ts";
import { type Trends as OrderTrends, useTrends } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

/** Orders received, despatched and delivered on each of the last 30 days, and how long they took. */
export function Trends() {
  const trends = useTrends();
  return (
    <Section title="Orders per day" note={trends.data === undefined ? "\u00a0" : noteOf(trends.data)}>
      <Loaded query={trends} what="The trends" height={250}>
        {(data) => <DayChart trends={data} />}
      </Loaded>
    </Section>
  );
}

function noteOf({ items }: OrderTrends): ReactNode {
  const [today, ...before] = items.toReversed();
  const received = before.reduce((sum, day) => sum + day.received, 0) / Math.max(before.length, 1);
  const usual = Math.round(received).toLocaleString("en-GB");
  return (
    <>
      {today === undefined ? null : (
        <>
          <Go to={linksOf.day("received", today.day)}>{today.received.toLocaleString("en-GB")} received today</Go>;{" "}
        </>
      )}
      {usual} a day on average before.
    </>
  );
}

/** Noon, so that the day is the same in every time zone of the chart. */
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);
const dayOf = (noonMs: number) => new Date(noonMs).toISOString().slice(0, 10);

function DayChart({ trends }: { readonly trends: OrderTrends }) {
  const { at, series } = useMemo(
    () => ({
      at: trends.items.map(({ day }) => noonOf(day)),
      series: [
        { name: "Received", values: trends.items.map(({ received }) => received) },
        { name: "Despatched", values: trends.items.map(({ despatched }) => despatched) },
        { name: "Delivered", values: trends.items.map(({ delivered }) => delivered) },
      ],
    }),
    [trends],
  );
  const go = useGo();
  return (
    <Lines
      label="Orders received, despatched and delivered per day"
      unit="orders/day"
      at={at}
      series={series}
      onPick={(ms, place) => go(linksOf.day(dayLists[place] ?? "received", dayOf(ms)))}
    />
  );
}

/** Lists in the order of the lines. */
const dayLists = ["received", "despatched", "delivered"] as const;

/** Median time from receipt to delivery, by day of delivery. */
export function LeadTimes() {
  const trends = useTrends();
  return (
    <Section title="Lead time" note={trends.data === undefined ? "\u00a0" : leadNoteOf(trends.data)}>
      <Loaded query={trends} what="The lead times" height={250}>
        {(data) => <LeadChart trends={data} />}
      </Loaded>
    </Section>
  );
}

function leadNoteOf({ items }: OrderTrends): string {
  const last = items.findLast(({ leadTimeSeconds }) => leadTimeSeconds !== null);
  if (last?.leadTimeSeconds == null) return "Median time from receipt to delivery.";
  return `Median time from receipt to delivery: lately ${duration(last.leadTimeSeconds * 1000)}.`;
}

function LeadChart({ trends }: { readonly trends: OrderTrends }) {
  // Days without deliveries, such as Sundays, have no lead time. The line skips them.
  const { at, series } = useMemo(() => {
    const known = trends.items.flatMap(({ day, leadTimeSeconds }) =>
      leadTimeSeconds === null ? [] : [{ at: noonOf(day), days: Math.round((leadTimeSeconds * 10_000) / dayMs) / 10 }],
    );
    return {
      at: known.map((day) => day.at),
      series: [{ name: "Receipt to delivery, median", values: known.map(({ days }) => days) }],
    };
  }, [trends]);
  const go = useGo();
  return (
    <Lines
      label="Days from receipt to delivery, median, by day"
      unit="days"
      at={at}
      series={series}
      onPick={(ms) => go(linksOf.day("delivered", dayOf(ms)))}
    />
  );
}
