import { Button, Table, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf } from "../../answer-of.ts";
import { api, unwrap } from "../../api.ts";
import { Empty } from "../../parts/empty.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Section } from "../../parts/screen.tsx";
import { StackedBars } from "../../parts/stacked-bars.tsx";
import { useScope } from "../../scope.ts";
import styles from "./carriers.module.css";
import { useDraft } from "./draft.tsx";

type Result = AnswerOf<"/client/carrier/simulate", "post">;

const dayMs = 86_400_000;
const movesShown = 12;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

/** Runs the decisions of past days again under the draft, and shows what it would have cost, and how long it would have taken. */
export function BackTest() {
  const { data, isChanged, held } = useDraft();
  const { clientId } = useScope();
  const [from, setFrom] = useState(() => dayOf(30));
  const [to, setTo] = useState(() => dayOf(-1));
  const run = useMutation({
    mutationFn: (client: string) =>
      unwrap(
        api.POST("/client/carrier/simulate", {
          params: { query: { clientId: client } },
          body: { from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z`, draft: data },
        }),
      ),
  });
  if (clientId === undefined)
    return <Empty why="A back-test is of the decisions of one client. Choose it at the top of the page." />;
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <TextInput
          type="date"
          label="Decisions from"
          value={from}
          max={to}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To before"
          value={to}
          min={from}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button size="xs" loading={run.isPending} disabled={from >= to} onClick={() => run.mutate(clientId)}>
          Run under {isChanged ? "the draft" : `version ${held?.version ?? 0}`}
        </Button>
      </div>
      {run.error ? <Problem error={run.error} what="The back-test" retry={() => run.mutate(clientId)} /> : null}
      {run.data ? (
        <Comparison result={run.data} />
      ) : run.error ? null : (
        <Empty
          why={`Every decision of ${clientId} in these days is made again, each at its own moment, and compared with what was decided.`}
        />
      )}
    </div>
  );
}

const signed = (value: number, digits: number) =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toLocaleString("en-GB", { maximumFractionDigits: digits, minimumFractionDigits: digits })}`;

function Comparison({ result }: { readonly result: Result }) {
  const { total, currency, zones, services, isComplete, continueFrom } = result;
  if (total.decisions === 0) return <Empty why="Nothing was decided in these days." />;
  const { cost, days } = total;
  const daysEach = days.compared === 0 ? 0 : days.difference / days.compared;
  return (
    <div className={styles.stack}>
      {isComplete ? null : (
        <Notice tone="waiting" title="Not all of it">
          There are more decisions than fit in one answer: it ends at {continueFrom}. Choose fewer days.
        </Notice>
      )}
      <div className={styles.three}>
        <Figure
          label="Decisions compared"
          value={total.decisions.toLocaleString("en-GB")}
          hint={`${total.changed} would go another way`}
        />
        <Figure
          label="Cost"
          value={`${signed(cost.difference, 2)} ${currency}`}
          hint={`${cost.before.toFixed(2)} before, ${cost.after.toFixed(2)} after`}
          {...(cost.difference > 0 ? { tone: "waiting" as const } : {})}
        />
        <Figure
          label="Days until delivery"
          value={`${signed(daysEach, 2)} d`}
          hint="a parcel, on average"
          {...(daysEach > 0 ? { tone: "waiting" as const } : {})}
        />
      </div>
      <Section title="By zone" note="How many decisions stay as they were, go another way, or fit nobody any more.">
        <StackedBars
          label="Decisions by zone"
          unit="decisions"
          series={[
            { name: "unchanged", tone: "ended" },
            { name: "another service", tone: "moving" },
            { name: "nobody fits", tone: "failed" },
          ]}
          bars={zones.map(({ zone, unchanged, changed, nobodyFits }) => ({
            name: zone ?? "no zone",
            values: [unchanged, changed, nobodyFits],
          }))}
        />
        <Table aria-label="Cost by zone">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Zone</Table.Th>
              {["Before", "After", "Difference", "Days"].map((name) => (
                <Table.Th key={name} ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {zones.map((it) => (
              <Table.Tr key={it.zone ?? ""}>
                <Table.Td>{it.zone ?? "no zone"}</Table.Td>
                <Table.Td ta="right">{it.cost.before.toFixed(2)}</Table.Td>
                <Table.Td ta="right">{it.cost.after.toFixed(2)}</Table.Td>
                <Table.Td ta="right">{signed(it.cost.difference, 2)}</Table.Td>
                <Table.Td ta="right">{signed(it.days.difference, 0)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
              name: `${before ?? "nobody"} → ${after ?? "nobody"}`,
              values: [decisions],
            }))}
          />
        )}
      </Section>
    </div>
  );
}
