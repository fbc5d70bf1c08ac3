import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";
import type { AnswerOf } from "../../answer-of.ts";
import { api, unwrap } from "../../api.ts";
import { useFacilityTimezone } from "../../directory.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import styles from "./inventory.module.css";
import { productPath } from "./levels.tsx";
import { PlaceFirst } from "./place-first.tsx";

type Row = AnswerOf<"/client/snapshot/get/{date}">["items"][number];

const dayMs = 86_400_000;

const columnsOf = (clientId: string): readonly Column<Row>[] => [
  {
    key: "sku",
    header: "SKU",
    width: 220,
    cell: ({ sku, distributionCentre }) => <Id text={sku} to={productPath(clientId, sku, distributionCentre)} />,
  },
  { key: "onHand", header: "On hand", width: 100, align: "right", cell: ({ onHand }) => <Qty value={onHand} /> },
  {
    key: "available",
    header: "Available",
    width: 100,
    align: "right",
    cell: ({ available }) => <Qty value={available} />,
  },
  {
    key: "allocated",
    header: "Allocated",
    width: 100,
    align: "right",
    cell: ({ allocated }) => <Qty value={allocated} />,
  },
  { key: "onHold", header: "On hold", width: 100, align: "right", cell: ({ onHold }) => <Qty value={onHold} /> },
  { key: "damaged", header: "Damaged", width: 100, align: "right", cell: ({ damaged }) => <Qty value={damaged} /> },
  { key: "expected", header: "Expected", width: 100, align: "right", cell: ({ expected }) => <Qty value={expected} /> },
  {
    key: "inReturn",
    header: "In return",
    width: 100,
    align: "right",
    cell: ({ inReturn }) => <Qty value={inReturn} />,
  },
  {
    key: "backordered",
    header: "Back-ordered",
    width: 126,
    align: "right",
    cell: ({ backordered }) => <Qty value={backordered} />,
  },
  { key: "uom", header: "Unit", width: 70, cell: ({ uom }) => uom },
];

/** The complete stock at the end of a day in the facility. */
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
  return (
    <div className={styles.pair}>
      <DayForm key={date} date={date} zone={zone} last={yesterday} choose={(day) => setParams({ date: day })} />
      <DataList
        id="snapshot"
        label={`Stock at the end of ${date}`}
        isPlain
        fixed={{ date }}
        columns={columnsOf(clientId)}
        fetchPage={({ cursor, limit }: { cursor?: string; limit: number }, signal) => {
          const query = { clientId, distributionCentre, limit, ...(cursor === undefined ? {} : { cursor }) };
          return unwrap(api.GET("/client/snapshot/get/{date}", { params: { path: { date }, query }, signal }));
        }}
        rowId={({ sku }) => sku}
        empty={{ why: "No stock at the end of that day." }}
      />
    </div>
  );
}

interface DayFormProps {
  readonly date: string;
  readonly last: string;
  readonly zone: string;
  choose(day: string): void;
}

/** A day is applied as a whole, because during typing the input contains years such as 0002. */
function DayForm({ date, last, zone, choose }: DayFormProps) {
  const [day, setDay] = useState(date);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    choose(day);
  };
  return (
    <form onSubmit={apply}>
      <Group gap="xs" align="flex-end">
        <TextInput
          type="date"
          label="Day"
          description={`At midnight in ${zone}`}
          value={day}
          min="2000-01-01"
          max={last}
          required
          withAsterisk={false}
          w={240}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}
