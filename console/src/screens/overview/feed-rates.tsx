import { useMemo } from "react";
import { useTimezone } from "../../directory.ts";
import { minuteMs } from "../../durations.ts";
import { Lines } from "../../parts/charts/lines.tsx";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { useGo } from "../../scope.ts";
import { screenRanges, useScreenRange } from "../../screen-ranges.ts";
import { type FeedRates as Rates, useFeedRates } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

/** Limit of the operation. */
const minutesMax = 46_080;

const steps: Readonly<Record<number, string>> = { 60: "minute", 3600: "hour", 86400: "day" };

/** Accepted and rejected documents in the time range of the top bar. */
export function FeedRates() {
  const timezone = useTimezone();
  const range = useScreenRange(screenRanges["/overview"]);
  const { from, to } = range.window(timezone);
  const nowMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
  const endMs = to === undefined ? nowMs : Math.min(Date.parse(to), nowMs);
  const spanMs = from === undefined ? Number.POSITIVE_INFINITY : endMs - Date.parse(from);
  const minutes = Math.min(minutesMax, Math.max(1, Math.round(spanMs / minuteMs)));
  // An end in the future moves with the present.
  const rates = useFeedRates(minutes, endMs < nowMs ? to : undefined);
  return (
    <Section
      title="Feeds received"
      note={rates.data === undefined ? "\u00a0" : <Note rates={rates.data} label={range.label(timezone)} />}
    >
      <Loaded query={rates} what="The rate of feeds" height={250}>
        {(data) => <Chart rates={data} />}
      </Loaded>
    </Section>
  );
}

function Note({ rates, label }: { readonly rates: Rates; readonly label: string }) {
  const { accepted, rejected, stepSeconds, from, to } = rates;
  return (
    <>
      {label}: <Go to={linksOf.feeds(from, to, "ACCEPTED")}>{accepted.toLocaleString("en-GB")} accepted</Go>,{" "}
      <Go to={linksOf.feeds(from, to, "REJECTED")}>{rejected.toLocaleString("en-GB")} rejected</Go>; shown per{" "}
      {steps[stepSeconds]}
    </>
  );
}

function Chart({ rates }: { readonly rates: Rates }) {
  const go = useGo();
  const { at, series } = useMemo(() => linesOf(rates), [rates]);
  const word = steps[rates.stepSeconds] ?? "step";
  return (
    <Lines
      label={`Feeds per ${word}, accepted and rejected`}
      unit={`feeds/${word}`}
      at={at}
      series={series}
      onPick={(ms, place) =>
        go(linksOf.feeds(isoOf(ms), isoOf(ms + rates.stepSeconds * 1000), outcomes[place] ?? "ACCEPTED"))
      }
    />
  );
}

/** Outcomes in the order of the lines. */
const outcomes = ["ACCEPTED", "REJECTED"] as const;
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Every step from first to last, including those without documents. */
function linesOf({ from, to, stepSeconds, items }: Rates) {
  const at: number[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += stepSeconds * 1000) at.push(ms);
  const accepted = at.map(() => 0);
  const rejected = at.map(() => 0);
  const placeOf = new Map(at.map((ms, i) => [ms, i]));
  for (const item of items) {
    const i = placeOf.get(Date.parse(item.at));
    if (i === undefined) continue;
    accepted[i] = (accepted[i] ?? 0) + item.accepted;
    rejected[i] = (rejected[i] ?? 0) + item.rejected;
  }
  return {
    at,
    series: [
      { name: "Accepted", tone: "moving", values: accepted },
      { name: "Rejected", tone: "failed", values: rejected },
    ] as const,
  };
}
