import { SegmentedControl, Stack } from "@mantine/core";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { AnswerOf } from "../../answer-of.ts";
import { useAnswer } from "../../data.ts";
import { Lines } from "../../parts/charts/lines.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { useSetParams } from "../../scope.ts";
import { everyPeriod } from "./attempt-periods.ts";
import type { Webhook } from "./webhook-data.ts";

type Rates = AnswerOf<"/webhook/attemptRates/{webhookId}">;

const spans = [
  { value: "1", label: "Day" },
  { value: "7", label: "Week" },
  { value: "30", label: "Month" },
];
const usual = "7";

/** How often the receiver accepted, and how long it took, over a day, a week or a month. */
export function AttemptRates({ webhook: { clientId, webhookId } }: { readonly webhook: Webhook }) {
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const chosen = params.get("days") ?? usual;
  const days = spans.some(({ value }) => value === chosen) ? chosen : usual;
  const rates = useAnswer(
    "/webhook/attemptRates/{webhookId}",
    { path: { webhookId }, query: { clientId, days: Number(days) } },
    { live: 30_000 },
  );
  return (
    <Stack gap="md" align="stretch">
      <SegmentedControl
        aria-label="Time"
        size="xs"
        data={spans}
        value={days}
        onChange={(value) => setParams({ days: value === usual ? null : value })}
        style={{ alignSelf: "flex-start" }}
      />
      <Loaded query={rates} what="The attempts" height={480}>
        {(data) => <Charts rates={data} />}
      </Loaded>
    </Stack>
  );
}

/** "99.9 %": rounded down, so that 100 % means all. */
const shareText = (share: number) => `${(Math.floor(share * 1000) / 10).toLocaleString("en-GB")} %`;

function Charts({ rates }: { readonly rates: Rates }) {
  const { items, periodSeconds, isCut } = rates;
  const { at, accepted, latency, success } = useMemo(() => {
    const periods = everyPeriod({ items, periodSeconds }, Date.now());
    const attempts = items.reduce((sum, period) => sum + period.attempts, 0);
    const succeeded = items.reduce((sum, period) => sum + period.succeeded, 0);
    return {
      at: periods.map((period) => period.at),
      accepted: [
        { name: "Accepted", tone: "moving" as const, values: periods.map((period) => period.succeeded) },
        {
          name: "Failed",
          tone: "failed" as const,
          values: periods.map((period) => period.attempts - period.succeeded),
        },
      ],
      latency: [
        { name: "Median", values: periods.map(({ medianMs }) => medianMs) },
        { name: "95 of 100", values: periods.map(({ p95Ms }) => p95Ms) },
      ],
      success: attempts === 0 ? "" : `${shareText(succeeded / attempts)} of ${attempts} attempts succeeded.`,
    };
  }, [items, periodSeconds]);
  if (items.length === 0) return <Empty why="No attempts in this time." />;
  const note = `${success}${isCut ? " The newest 1,000 deliveries are counted." : ""}`;
  return (
    <>
      <Section title="Attempts" note={note}>
        <Lines label="Attempts, accepted and failed" unit="attempts" at={at} series={accepted} />
      </Section>
      <Section title="Latency" note="From the start of an attempt to its end, in milliseconds.">
        <Lines label="Latency of attempts, median and 95 of 100" unit="ms" at={at} series={latency} />
      </Section>
    </>
  );
}
