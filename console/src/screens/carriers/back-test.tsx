import { Button, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useClients, useTimezone } from "../../directory.ts";
import { StackedBars } from "../../parts/charts/stacked-bars.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Problem } from "../../parts/loading/problem.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Figure } from "../../parts/page/figure.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { RangePicker } from "../../parts/range-picker.tsx";
import { rangeOf, type TimeRange } from "../../time-range.ts";
import type { CarrierData } from "./carrier-data.ts";
import styles from "./carriers.module.css";
import { useDraft } from "./draft/draft.tsx";

type Result = AnswerOf<"/client/carrier/simulate", "post">;

const presets = ["24h", "7d", "30d", "90d"] as const;
const movesShown = 12;

interface Question {
  readonly clientId: string;
  readonly range: TimeRange;
  /** "the draft", "version 3". */
  readonly under: string;
  readonly draft: CarrierData;
}

/** Repeats the decisions of past days with the draft, and shows the difference in costs and transit times. */
export function BackTest() {
  const timezone = useTimezone();
  const clients = useClients();
  const { owner } = useDraft();
  const candidates = useCandidates();
  const [chosenClient, setChosenClient] = useState<string>();
  const [chosenUnder, setChosenUnder] = useState<string | null>(null);
  const [range, setRange] = useState(() => rangeOf(null, "30d"));
  const clientId = owner ?? chosenClient ?? clients[0]?.clientId;
  const candidate = candidates.find(({ under }) => under === chosenUnder) ?? candidates[0];
  const run = useMutation({
    mutationFn: async (question: Question) => {
      const { from = "", to = "" } = question.range.window(timezone);
      const params = { query: { clientId: question.clientId } };
      const body = { from, to, draft: question.draft };
      return { question, result: await api.POST("/client/carrier/simulate", { params, body }) };
    },
  });
  const start = () => {
    if (clientId !== undefined) run.mutate({ clientId, range, ...candidate });
  };
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        {owner === undefined ? (
          <Select
            label="Decisions of client"
            size="xs"
            searchable
            allowDeselect={false}
            data={clients.map((client) => client.clientId)}
            value={clientId ?? null}
            onChange={(value) => setChosenClient(value ?? undefined)}
          />
        ) : null}
        {candidates.length > 1 ? (
          <Select
            label="Under"
            size="xs"
            allowDeselect={false}
            data={candidates.map(({ under }) => under)}
            value={candidate.under}
            onChange={setChosenUnder}
          />
        ) : null}
        <RangePicker
          label="Decided"
          range={range}
          presets={presets}
          isBounded
          choose={(key) => setRange(rangeOf(key, "30d"))}
        />
        <Button size="xs" loading={run.isPending} disabled={clientId === undefined} onClick={start}>
          Run under {candidate.under}
        </Button>
      </div>
      {run.error ? (
        <Problem error={run.error} what="The back-test" retry={start} />
      ) : run.data ? (
        <Answered {...run.data} />
      ) : (
        <Empty
          why={`Recalculates every decision of ${clientId ?? "a client"} in these days, each as of its time, and compares it with the original decision.`}
        />
      )}
    </div>
  );
}

interface Candidate {
  readonly under: string;
  readonly draft: CarrierData;
}

/** Data sets for the back-test. The last edited one comes first, so that a change of the client loses no draft. */
function useCandidates(): readonly [Candidate, ...Candidate[]] {
  const { data, isChanged, held, operatorDraft } = useDraft();
  const candidate = { under: isChanged ? "the draft" : `version ${held?.version ?? 0}`, draft: data };
  if (operatorDraft === undefined) return [candidate];
  const kept = { under: "the operator's draft", draft: operatorDraft };
  return isChanged ? [candidate, kept] : [kept, candidate];
}

interface AnsweredProps {
  readonly question: Question;
  readonly result: Result;
}

function Answered({ question: { clientId, range, under }, result }: AnsweredProps) {
  const timezone = useTimezone();
  const what = `Decisions of ${clientId} under ${under}: ${range.label(timezone)}`;
  return (
    <section className={styles.stack} aria-label={what}>
      <p className={styles.what}>{what}</p>
      <Comparison result={result} />
    </section>
  );
}

const signed = (value: number, digits: number) =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toLocaleString("en-GB", { maximumFractionDigits: digits, minimumFractionDigits: digits })}`;

const comparedOf = (compared: number, decisions: number) =>
  compared === decisions ? "all compared" : `${compared} of ${decisions} compared`;

type Zone = Result["zones"][number];

const zoneColumns: readonly Column<Zone>[] = [
  { key: "zone", header: "Zone", width: 160, none: "no zone" },
  { key: "before", kind: "number", header: "Before", of: ({ cost }) => costText(cost, cost.before.toFixed(2)) },
  { key: "after", kind: "number", header: "After", of: ({ cost }) => costText(cost, cost.after.toFixed(2)) },
  { key: "change", kind: "number", header: "Difference", of: ({ cost }) => costText(cost, signed(cost.difference, 2)) },
  { key: "days", kind: "number", header: "Days", of: ({ days }) => costText(days, signed(days.difference, 0)) },
];

/** Empty where no decision has both values. */
const costText = ({ compared }: Zone["cost"] | Zone["days"], text: string) => (compared === 0 ? "" : text);

function Comparison({ result }: { readonly result: Result }) {
  const { total, currency, zones, services, isComplete, continueFrom } = result;
  if (total.decisions === 0) return <Empty why="No decisions were made in these days." />;
  const { cost, days } = total;
  return (
    <div className={styles.stack}>
      {isComplete ? null : (
        <Notice tone="waiting" title="Incomplete result">
          There are more decisions than one answer holds: it ends at {continueFrom}. Choose fewer days.
        </Notice>
      )}
      <div className={styles.three}>
        <Figure
          label="Decisions compared"
          value={total.decisions.toLocaleString("en-GB")}
          hint={`${total.changed} would use another service, ${total.nobodyFits} would have no carrier`}
        />
        <Figure
          label="Cost"
          value={cost.compared === 0 ? "not known" : `${signed(cost.difference, 2)} ${currency}`}
          hint={
            cost.compared === 0
              ? "no decision has both an old and a new price"
              : `${cost.before.toFixed(2)} before, ${cost.after.toFixed(2)} after; ${comparedOf(cost.compared, total.decisions)}`
          }
          tone={cost.difference > 0 ? "waiting" : undefined}
        />
        <Figure
          label="Days until delivery"
          value={days.compared === 0 ? "not known" : `${signed(days.difference / days.compared, 2)} d`}
          hint={
            days.compared === 0
              ? "no decision has both an old and a new delivery day"
              : `a parcel, on average; ${comparedOf(days.compared, total.decisions)}`
          }
          tone={days.difference > 0 ? "waiting" : undefined}
        />
      </div>
      <Section title="By zone" note="How many decisions stay the same, change their service, or have no carrier.">
        <StackedBars
          label="Decisions by zone"
          unit="decisions"
          series={[
            { name: "unchanged", tone: "ended" },
            { name: "another service", tone: "moving" },
            { name: "no carrier fits", tone: "failed" },
          ]}
          bars={zones.map(({ zone, unchanged, changed, nobodyFits }) => ({
            name: zone ?? "no zone",
            values: [unchanged, changed, nobodyFits],
          }))}
        />
        <StaticList
          id="back-test-zones"
          label="Cost by zone"
          columns={zoneColumns}
          rows={zones}
          rowId={({ zone }) => zone ?? ""}
          empty={{ why: "No zone has a decision." }}
        />
      </Section>
      <Section title="Changes of service" note="The most frequent first.">
        {services.length === 0 ? (
          <Empty why="No decision would change its service." />
        ) : (
          <StackedBars
            label="Changes of service"
            unit="decisions"
            series={[{ name: "decisions", tone: "moving" }]}
            bars={services.slice(0, movesShown).map(({ before, after, decisions }) => ({
              name: `${before ?? "no carrier"} → ${after ?? "no carrier"}`,
              values: [decisions],
            }))}
          />
        )}
      </Section>
    </div>
  );
}
