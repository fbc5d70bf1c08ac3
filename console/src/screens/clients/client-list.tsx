import { Button } from "@mantine/core";
import { useMemo } from "react";
import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { useTimezone } from "../../directory.ts";
import { linkTo, pathWith } from "../../links.ts";
import { orderGroups } from "../../order-filters.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { useGo } from "../../scope.ts";
import { rangeParam } from "../../screen-ranges.ts";
import { useIsDeveloper, useMay } from "../../session.tsx";
import { keyOfEnds, rangeOf } from "../../time-range.ts";
import { countMax } from "../exceptions/exception-words.ts";

type Client = components["schemas"]["ClientSummary"];

const pathOf = ({ clientId }: Client) => linkTo("client", clientId, clientId);

type Figures = components["schemas"]["ClientPerformance"];

/** Orders wait for stock for at most 30 days by default, so older ones are hardly open. */
const figureDays = "90d";

interface ClientCount {
  readonly key: string;
  readonly header: string;
  readonly exported?: string;
  /** Undefined until it is known. */
  countOf(clientId: string): number | undefined;
  /** There may be more. */
  readonly isMore?: boolean | undefined;
  readonly to: readonly [path: string, query: Readonly<Record<string, string>>];
}

/** A number with the list that it counts. */
function figure({ countOf, isMore = false, to: [path, query], ...column }: ClientCount): Column<Client> {
  return {
    ...column,
    kind: "number",
    width: 84,
    cell({ clientId }) {
      const count = countOf(clientId);
      const text = count === undefined ? "–" : `${count.toLocaleString("en-GB")}${isMore ? "+" : ""}`;
      return count || isMore ? <Go to={pathWith(path, { client: clientId, ...query })}>{text}</Go> : text;
    },
    text: ({ clientId }) => String(countOf(clientId) ?? ""),
  };
}

function onTime(figures: ReadonlyMap<string, Figures>, clientId: string): string | undefined {
  const { inTime = 0, late = 0, overdue = 0 } = figures.get(clientId) ?? {};
  const due = inTime + late + overdue;
  return due === 0 ? undefined : `${(Math.floor((1000 * inTime) / due) / 10).toFixed(1)} %`;
}

interface Found {
  /** The days of the figures as a range, whose ends are days as well. */
  readonly days: string;
  readonly figures: ReadonlyMap<string, Figures>;
  /** Undefined until they are known. */
  readonly exceptions: ReadonlyMap<string, number> | undefined;
  /** A type has more exceptions than are counted, of whichever client. */
  readonly hasMoreExceptions: boolean | undefined;
}

const columnsWith = ({ days, figures, exceptions, hasMoreExceptions }: Found): readonly Column<Client>[] => [
  { key: "clientId", kind: "id", header: "Client", to: pathOf },
  { key: "name", header: "Name", width: 200 },
  { key: "status", states: "client" },
  figure({
    key: "open",
    header: "Open",
    exported: "Open, orders of 90 days",
    countOf(clientId) {
      const found = figures.get(clientId);
      return found && found.open + found.overdue;
    },
    to: ["/orders", { status: orderGroups.open, [rangeParam]: days }],
  }),
  figure({
    key: "late",
    header: "Late",
    exported: "Late, orders of 90 days",
    countOf: (clientId) => figures.get(clientId)?.overdue,
    to: ["/orders", { isLate: "true", [rangeParam]: days }],
  }),
  figure({
    key: "exceptions",
    header: "Exceptions",
    countOf: (clientId) => exceptions && (exceptions.get(clientId) ?? 0),
    isMore: hasMoreExceptions,
    to: ["/exceptions", {}],
  }),
  {
    key: "onTime",
    kind: "number",
    header: "On time",
    exported: "On time, orders of 90 days",
    width: 96,
    of: ({ clientId }) => onTime(figures, clientId),
  },
  {
    key: "facilities",
    header: "Facilities, in routing order",
    width: 180,
    of: ({ facilities }) => facilities.join(", "),
    none: "none",
  },
  { key: "updatedAt", header: "Changed" },
  { key: "createdAt", header: "Created" },
];

const filters: readonly Filter[] = [
  { key: "text", label: "Client or name", kind: "text", placeholder: "Part of the client or the name" },
  {
    key: "status",
    label: "State",
    kind: "select" as const,
    options: optionsOf({ ACTIVE: "Active", SUSPENDED: "Suspended" }),
  },
];

/** The clients that the user may see. */
export function ClientList() {
  const { from = "", to = "" } = rangeOf(figureDays, figureDays).days(useTimezone());
  const isReady = !useIsDeveloper();
  const { data } = useAnswer("/report/performance", { query: { from, to, by: "month" } }, { isReady });
  const { data: exceptions } = useAnswer("/exception/summary", { query: { hasClients: true } }, { isReady });
  const columns = useMemo(
    () =>
      columnsWith({
        days: keyOfEnds(from, to),
        figures: new Map(data?.clients.map((figures) => [figures.clientId, figures])),
        exceptions: exceptions && new Map(exceptions.clients?.map(({ clientId, count }) => [clientId, count])),
        hasMoreExceptions: exceptions?.types.some(({ count }) => count >= countMax),
      }),
    [data, exceptions, from, to],
  );
  return (
    <Screen title="Clients" actions={<AddClient />}>
      <DataList
        id="clients"
        label="Clients"
        columns={columns}
        filters={filters}
        scope={[]}
        fetchPage={pagesOf("/clientDirectory/list")}
        empty={{ why: "No client yet.", action: <AddClient /> }}
      />
    </Screen>
  );
}

function AddClient() {
  const go = useGo();
  if (!useMay("admin")) return null;
  return (
    <Button size="xs" onClick={() => go("/clients/new")}>
      Add client
    </Button>
  );
}
