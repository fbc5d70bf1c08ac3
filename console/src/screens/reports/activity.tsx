import { NativeSelect } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import type { AnswerOf } from "../../answer-of.ts";
import { useAnswer } from "../../data.ts";
import { useTimezone } from "../../directory.ts";
import { pathWith } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useScope, useSetParams } from "../../scope.ts";
import { rangeParam } from "../../screen-ranges.ts";
import { useSession } from "../../session.tsx";
import { dayIn, keyOfEnds } from "../../time-range.ts";
import { numberText, PrintButton, Uncomputed } from "./report-parts.tsx";
import styles from "./reports.module.css";

type Figure = components["schemas"]["BilledFigure"];
type Measure = Figure["measure"];

interface Words {
  readonly name: string;
  /** In the table of clients. */
  readonly short?: string;
}

const words: Readonly<Record<Measure, Words>> = {
  ORDERS_RECEIVED: { name: "Orders received", short: "Orders" },
  LINES_RECEIVED: { name: "Lines received" },
  UNITS_RECEIVED: { name: "Units ordered" },
  ORDERS_CANCELLED: { name: "Orders cancelled", short: "Cancelled" },
  ORDERS_DESPATCHED: { name: "Orders despatched", short: "Despatched" },
  LINES_DESPATCHED: { name: "Lines despatched", short: "Lines" },
  UNITS_DESPATCHED: { name: "Units despatched", short: "Units" },
  PARCELS: { name: "Parcels" },
  PAPERS: { name: "Papers" },
  RECEIPTS: { name: "Goods receipts", short: "Receipts" },
  RECEIPT_LINES: { name: "Lines of receipts" },
  RECEIPT_UNITS: { name: "Units received", short: "Units in" },
  RETURNS: { name: "Returns" },
  RETURN_UNITS: { name: "Units returned", short: "Units back" },
  WORK_ORDERS: { name: "Work orders", short: "Assembled" },
  WORK_ORDER_UNITS: { name: "Units assembled" },
  STORAGE_UNITS: { name: "Storage, units × days", short: "Unit days" },
};

/** Measure whose days are shown. */
const measureParam = "measure";

/** `2026-11` as the first and last day. */
function daysOf(month: string): readonly [string, string] {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return [`${month}-01`, new Date(next.getTime() - 1).toISOString().slice(0, 10)];
}

/** The list behind a figure: of orders, or of the days on which it was booked. */
function listOf(
  {
    clientId,
    distributionCentre,
    measure,
  }: Pick<Figure, "clientId" | "measure"> & { readonly distributionCentre?: string | undefined },
  month: string,
): string {
  const days = keyOfEnds(...daysOf(month));
  const scope = { client: clientId, facility: distributionCentre };
  switch (measure) {
    case "ORDERS_RECEIVED":
    case "LINES_RECEIVED":
    case "UNITS_RECEIVED":
      return pathWith("/orders", { ...scope, [rangeParam]: days });
    case "ORDERS_CANCELLED":
      return pathWith("/orders", { ...scope, status: "CANCELLED", [rangeParam]: days });
    case "ORDERS_DESPATCHED":
    case "LINES_DESPATCHED":
    case "UNITS_DESPATCHED":
    case "PARCELS":
    case "PAPERS":
      return pathWith("/orders", { ...scope, despatched: days });
    default:
      // Lists of purchase orders, returns and work orders have their receipt and their state, and not what was booked.
      return pathWith("/reports", { ...scope, tab: "activity", month, [measureParam]: measure });
  }
}

const kindOf = ({ measure, key, carrierCode, carrierServiceCode }: Omit<Figure, "clientId">): string => {
  if (measure === "PARCELS") return [carrierCode ?? "no carrier", carrierServiceCode ?? ""].join(" ").trim();
  return key === null ? "" : measure === "STORAGE_UNITS" ? key : wordOf(key);
};

const figureColumns = (month: string): readonly Column<Figure>[] => [
  {
    key: "measure",
    header: "What",
    width: 220,
    of: ({ measure }) => words[measure].name,
    to: (row) => listOf(row, month),
  },
  { key: "kind", header: "Kind", width: 220, of: kindOf, none: "" },
  { key: "distributionCentre" },
  { key: "quantity", kind: "quantity", header: "Quantity" },
];

interface ClientRow {
  readonly clientId: string;
  sum(measure: Measure): number;
}

/** The columns of the table of clients. */
const summed: readonly Measure[] = [
  "ORDERS_RECEIVED",
  "ORDERS_CANCELLED",
  "ORDERS_DESPATCHED",
  "LINES_DESPATCHED",
  "UNITS_DESPATCHED",
  "PARCELS",
  "PAPERS",
  "RECEIPTS",
  "RECEIPT_UNITS",
  "RETURNS",
  "RETURN_UNITS",
  "WORK_ORDERS",
  "STORAGE_UNITS",
];

/** A figure of a client, with the list behind it. */
function Sum({ row, measure, month }: { readonly row: ClientRow; readonly measure: Measure; readonly month: string }) {
  const sum = row.sum(measure);
  return sum === 0 ? (
    numberText(sum)
  ) : (
    <Go to={listOf({ clientId: row.clientId, measure }, month)}>{numberText(sum)}</Go>
  );
}

const clientColumns = (month: string, rowTo: (row: ClientRow) => string): readonly Column<ClientRow>[] => [
  { key: "clientId", kind: "id", header: "Client", to: rowTo },
  ...summed.map(
    (measure): Column<ClientRow> => ({
      key: measure,
      kind: "number",
      header: words[measure].short ?? words[measure].name,
      exported: words[measure].name,
      width: 92,
      isHiddenAtFirst: measure === "ORDERS_CANCELLED" || measure === "WORK_ORDERS",
      cell: (row) => <Sum row={row} measure={measure} month={month} />,
      text: (row) => String(row.sum(measure)),
    }),
  ),
];

const monthsShown = 24;

/** This month and those before it. */
function monthsUntil(today: string): string[] {
  const [year, month] = today.split("-").map(Number) as [number, number];
  return Array.from({ length: monthsShown }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - i, 1)).toISOString().slice(0, 7),
  );
}

const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** The activity of a month: a row for each client, or each figure of the client in the top bar. */
export function Activity() {
  const timezone = useTimezone();
  const { clientId, distributionCentre, query } = useScope();
  const { facilityCodes } = useSession();
  const isOfSeveral =
    distributionCentre === undefined && (query.distributionCentre !== undefined || (facilityCodes?.length ?? 0) > 1);
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const months = monthsUntil(dayIn(Date.now(), timezone));
  const named = params.get("month");
  const month = named !== null && /^\d{4}-\d\d$/.test(named) ? named : (months[0] as string);
  const measure = measureOf(params.get(measureParam));
  const report = useAnswer("/report/activity", { query: { ...query, month } }, { live: 30_000 });
  const rowTo = (row: ClientRow) => pathWith("/reports", { tab: "activity", month, client: row.clientId });
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <NativeSelect
          aria-label="Month"
          size="xs"
          data={(months.includes(month) ? months : [month, ...months]).map((value) => ({
            value,
            label: monthName(value),
          }))}
          value={month}
          onChange={(event) => setParams({ month: event.currentTarget.value })}
        />
        <PrintButton />
      </div>
      <Uncomputed count={report.data?.uncomputed} />
      <Loaded query={report} what="The activity" height={420}>
        {({ items }) =>
          clientId !== undefined && measure !== undefined ? (
            isOfSeveral ? (
              <PlaceFirst what="The days of a figure are those of one facility, or of all." />
            ) : (
              <Days clientId={clientId} month={month} measure={measure} />
            )
          ) : clientId === undefined ? (
            <StaticList
              id="activity-clients"
              hasBar
              label={`Activity by client, ${monthName(month)}`}
              columns={clientColumns(month, rowTo)}
              rows={rowsOf(items)}
              rowId={(row) => row.clientId}
              rowTo={rowTo}
              height={5_000}
              empty={{ why: "Nothing was done for any client in this month." }}
            />
          ) : (
            <StaticList
              id="activity"
              hasBar
              label={`Activity of ${clientId}, ${monthName(month)}`}
              columns={figureColumns(month)}
              // At first the answer for all clients is still there.
              rows={items.filter((figure) => figure.clientId === clientId)}
              rowId={(row) => [row.distributionCentre, row.measure, kindOf(row)].join(" ")}
              height={5_000}
              empty={{ why: `Nothing was done for ${clientId} in this month.` }}
            />
          )
        }
      </Loaded>
    </div>
  );
}

const measureOf = (name: string | null): Measure | undefined =>
  name !== null && Object.hasOwn(words, name) ? (name as Measure) : undefined;

type DayFigure = AnswerOf<"/client/activity/get">["items"][number];

/** Only storage has a list for each day: the stock at its end. */
const stockOf =
  (clientId: string) =>
  ({ day, distributionCentre }: DayFigure) =>
    pathWith("/inventory", { client: clientId, facility: distributionCentre, tab: "snapshots", date: day ?? "" });

const dayColumns = ({ clientId, measure }: DaysProps): readonly Column<DayFigure>[] => [
  {
    key: "day",
    header: "Day",
    width: 140,
    of: ({ day }) => day ?? "",
    ...(measure === "STORAGE_UNITS" ? { to: stockOf(clientId) } : {}),
  },
  { key: "distributionCentre" },
  { key: "kind", header: "Kind", width: 220, of: kindOf, none: "" },
  { key: "quantity", kind: "quantity", header: "Quantity" },
];

interface DaysProps {
  readonly clientId: string;
  readonly month: string;
  readonly measure: Measure;
}

/** The days of a figure of a client, which add up to it. A day of storage leads to the stock at its end. */
function Days(props: DaysProps) {
  const { clientId, month, measure } = props;
  const { distributionCentre } = useScope();
  const place = distributionCentre === undefined ? {} : { distributionCentre };
  const days = useAnswer("/client/activity/get", { query: { clientId, month, by: "DAY", ...place } }, { live: 30_000 });
  const { name } = words[measure];
  return (
    <Loaded query={days} what="The days" height={420}>
      {({ items }) => {
        const rows = items
          .filter((figure) => figure.measure === measure)
          .toSorted((left, right) => ((left.day ?? "") < (right.day ?? "") ? -1 : 1));
        const sum = rows.reduce((total, { quantity }) => total + quantity, 0);
        return (
          <>
            <p className={styles.row}>
              <span>
                {name} of {clientId}: <strong>{numberText(sum)}</strong>
              </span>
              <Go to={pathWith("/reports", { tab: "activity", month, client: clientId, facility: distributionCentre })}>
                All figures
              </Go>
            </p>
            <StaticList
              id="activity-days"
              hasBar
              label={`${name} by day, ${monthName(month)}`}
              columns={dayColumns(props)}
              rows={rows}
              rowId={(row) => [row.day, row.distributionCentre, kindOf(row)].join(" ")}
              height={5_000}
              empty={{ why: `None for ${clientId} in this month.` }}
            />
          </>
        );
      }}
    </Loaded>
  );
}

function rowsOf(items: readonly Figure[]): ClientRow[] {
  return [...Map.groupBy(items, ({ clientId }) => clientId)]
    .map(([clientId, figures]) => ({
      clientId,
      sum: (measure: Measure) =>
        figures.reduce((sum, figure) => sum + (figure.measure === measure ? figure.quantity : 0), 0),
    }))
    .toSorted((left, right) => (left.clientId < right.clientId ? -1 : 1));
}
