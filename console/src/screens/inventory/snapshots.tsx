import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useFacilityTimezone } from "../../directory.ts";
import { dayMs } from "../../durations.ts";
import { productPath } from "../../links.ts";
import { Form } from "../../parts/form.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import { ComparedDays } from "./compared-days.tsx";
import { dayAfter } from "./days.ts";
import styles from "./inventory.module.css";

type Row = AnswerOf<"/client/snapshot/get/{date}">["items"][number];

const columnsOf = (clientId: string): readonly Column<Row>[] => [
  { key: "sku", to: ({ sku, distributionCentre }) => productPath(clientId, sku, distributionCentre) },
  { key: "onHand", kind: "quantity", header: "On hand" },
  { key: "available", kind: "quantity", header: "Available" },
  { key: "allocated", kind: "quantity", header: "Allocated" },
  { key: "onHold", kind: "quantity", header: "On hold" },
  { key: "damaged", kind: "quantity", header: "Damaged" },
  { key: "expected", kind: "quantity", header: "Expected" },
  { key: "inReturn", kind: "quantity", header: "In return" },
  { key: "backordered", kind: "quantity", header: "Back-ordered" },
  { key: "uom" },
];

/** The complete stock at the end of a day in the facility, or that of two days side by side. */
export function Snapshots() {
  const { clientId, distributionCentre } = useScope();
  const zone = useFacilityTimezone(distributionCentre);
  const [params] = useSearchParams();
  const setParams = useSetParams();
  if (clientId === undefined || distributionCentre === undefined) {
    return <PlaceFirst what="A daily snapshot covers one client in one facility." />;
  }
  const yesterday = new Date(Date.now() - dayMs).toLocaleDateString("sv-SE", { timeZone: zone });
  const date = params.get("date") ?? yesterday;
  const other = params.get("with") ?? undefined;
  const [from = date, to = date] = [date, other ?? date].toSorted();
  return (
    <div className={styles.pair}>
      <DayForm
        key={`${date} ${other}`}
        date={date}
        other={other}
        zone={zone}
        last={yesterday}
        choose={(day, second) => setParams({ date: day, with: second })}
      />
      {from === to ? (
        <DayStock clientId={clientId} facility={distributionCentre} date={date} />
      ) : (
        <ComparedDays key={`${from} ${to}`} clientId={clientId} facility={distributionCentre} from={from} to={to} />
      )}
    </div>
  );
}

interface DayStockProps {
  readonly clientId: string;
  readonly facility: string;
  readonly date: string;
}

function DayStock({ clientId, facility: distributionCentre, date }: DayStockProps) {
  return (
    <DataList
      id="snapshot"
      label={`Stock at the end of ${date}`}
      scope={[]}
      fixed={{ clientId, distributionCentre, date }}
      columns={columnsOf(clientId)}
      fetchPage={({ cursor, limit }: { cursor?: string; limit: number }, signal) => {
        const query = { clientId, distributionCentre, limit, ...(cursor === undefined ? {} : { cursor }) };
        return api.GET("/client/snapshot/get/{date}", { params: { path: { date }, query }, signal });
      }}
      rowId={({ sku }) => sku}
      empty={{ why: "No stock at the end of that day." }}
    />
  );
}

/** Days before the day, for a comparison by one click. */
const earlier = [
  { days: 1, label: "the day before" },
  { days: 7, label: "a week before" },
  { days: 30, label: "30 days before" },
] as const;

interface DayFormProps {
  readonly date: string;
  /** The second day of a comparison. */
  readonly other: string | undefined;
  readonly last: string;
  readonly zone: string;
  choose(day: string, second: string | null): void;
}

/** Days are applied as a whole, because during typing the input contains years such as 0002. */
function DayForm({ date, other, last, zone, choose }: DayFormProps) {
  const [day, setDay] = useState(date);
  const [second, setSecond] = useState(other ?? "");
  const dayInput = { type: "date", min: "2000-01-01", max: last, withAsterisk: false, w: 240 } as const;
  return (
    <Form submit={() => choose(day, second === "" ? null : second)}>
      <Group gap="xs" align="flex-end">
        <TextInput
          {...dayInput}
          label="Day"
          description={`At midnight in ${zone}`}
          value={day}
          required
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <TextInput
          {...dayInput}
          label="Compare with"
          description="Empty: the day alone"
          value={second}
          onChange={(event) => setSecond(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
        {other === undefined ? (
          <Group gap={4} align="center">
            <Text span inherit c="dimmed">
              or with
            </Text>
            {earlier.map(({ days, label }) => (
              <Button key={days} variant="subtle" size="compact-sm" onClick={() => choose(date, dayAfter(date, -days))}>
                {label}
              </Button>
            ))}
          </Group>
        ) : (
          <Button variant="subtle" onClick={() => choose(date, null)}>
            {`Only ${date}`}
          </Button>
        )}
      </Group>
    </Form>
  );
}
