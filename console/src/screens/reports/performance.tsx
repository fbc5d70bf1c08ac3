import { SegmentedControl } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { useTimezone } from "../../directory.ts";
import { linkTo, pathWith } from "../../links.ts";
import { Lines } from "../../parts/charts/lines.tsx";
import { StackedBars } from "../../parts/charts/stacked-bars.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { optionsOf } from "../../parts/options.ts";
import { Figure } from "../../parts/page/figure.tsx";
import { FigureRow, Section } from "../../parts/page/screen.tsx";
import { RangePicker } from "../../parts/range-picker.tsx";
import { duration } from "../../parts/time.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import { rangeOf } from "../../time-range.ts";
import { numberText, PrintButton, shareText, Uncomputed } from "./report-parts.tsx";
import styles from "./reports.module.css";

type Report = components["schemas"]["PerformanceReport"];
type Figures = Report["total"];
type Period = Report["periods"][number];
type Client = Report["clients"][number];
type By = "day" | "week" | "month";

/** Height in pixels of a table that does not scroll: all its rows are printed. */
const sheet = 5_000;

const presets = ["last-week", "7d", "30d", "90d"] as const;
const headings: Readonly<Record<By, string>> = { day: "Day", week: "Week from", month: "Month from" };
const isBy = (text: string | null): text is By => text !== null && Object.hasOwn(headings, text);

/** Orders that had to leave. */
const due = ({ inTime, late, overdue }: Figures) => inTime + late + overdue;
const onTime = (figures: Figures) => shareText(figures.inTime, due(figures));
const fillRate = ({ linesInFull, linesLeft }: Figures) => shareText(linesInFull, linesLeft);
const timeText = (seconds: number | null) => (seconds === null ? "–" : duration(seconds * 1000));
const hoursText = (seconds: number | null) => (seconds === null ? "" : (seconds / 3600).toFixed(1));

const money = (amount: number) =>
  amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Each currency by itself: nothing is converted. */
const costText = ({ costs }: Figures) =>
  costs.map(({ currency, amount }) => `${money(amount)} ${currency}`).join(" + ");
const priced = ({ costs }: Figures) => costs.reduce((sum, { parcels }) => sum + parcels, 0);

function time<Row extends Figures>(
  key: string,
  header: string,
  exported: string,
  of: (row: Row) => number | null,
): Column<Row> {
  return {
    key,
    kind: "number",
    header,
    width: 118,
    exported,
    cell: (row) => timeText(of(row)),
    text: (row) => hoursText(of(row)),
  };
}

const columns = <Row extends Figures>(): readonly Column<Row>[] => [
  { key: "onTime", kind: "number", header: "On time", width: 100, of: onTime },
  { key: "received", kind: "count", header: "Orders", of: ({ received }) => received },
  { key: "late", kind: "count", header: "Late", of: ({ late }) => late },
  { key: "overdue", kind: "count", header: "Overdue", of: ({ overdue }) => overdue },
  { key: "open", kind: "count", header: "Open", isHiddenAtFirst: true, of: ({ open }) => open },
  { key: "cancelled", kind: "count", header: "Cancelled", isHiddenAtFirst: true, of: ({ cancelled }) => cancelled },
  time("despatch", "To despatch", "Hours to despatch, median", ({ despatchTimes }) => despatchTimes.median),
  time("despatch90", "90 % in", "Hours to despatch, 90 per cent", ({ despatchTimes }) => despatchTimes.p90),
  {
    ...time<Row>("despatch95", "95 % in", "Hours to despatch, 95 per cent", ({ despatchTimes }) => despatchTimes.p95),
    isHiddenAtFirst: true,
  },
  time("delivery", "To delivery", "Hours to delivery, median", ({ deliveryTimes }) => deliveryTimes.median),
  { key: "fill", kind: "number", header: "Lines in full", of: fillRate },
  { key: "parcels", kind: "count", header: "Parcels", isHiddenAtFirst: true, of: ({ parcels }) => parcels },
  { key: "cost", kind: "number", header: "Cost", width: 220, of: costText },
  {
    key: "returned",
    kind: "number",
    header: "Units returned",
    isHiddenAtFirst: true,
    of: ({ unitsReturned }) => unitsReturned,
  },
  {
    key: "rejected",
    kind: "count",
    header: "Rejected",
    isHiddenAtFirst: true,
    of: ({ feedsRejected }) => feedsRejected,
  },
];

/** On-time share, cycle times, fill rate, cost, returns and rejected documents, over all clients or of one. */
export function PerformanceTab() {
  const timezone = useTimezone();
  const { query } = useScope();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const range = rangeOf(params.get("days"), "30d");
  const named = params.get("by");
  const by = isBy(named) ? named : "week";
  const { from = "", to = "" } = range.days(timezone);
  const report = useAnswer("/report/performance", { query: { ...query, from, to, by } }, { live: 30_000 });
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <RangePicker
          label="Days"
          range={range}
          presets={presets}
          isBounded
          choose={(key) => setParams({ days: key })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Periods"
          data={optionsOf({ day: "By day", week: "By week", month: "By month" })}
          value={by}
          onChange={(value) => setParams({ by: value })}
        />
        <PrintButton />
      </div>
      <Uncomputed count={report.data?.uncomputed} />
      <Loaded query={report} what="The performance" height={480}>
        {(loaded) =>
          loaded.periods.length === 0 ? (
            <Empty why="Nothing was done in these days. Choose others." />
          ) : (
            <Whole report={loaded} by={by} days={`${from} to ${to}`} />
          )
        }
      </Loaded>
    </div>
  );
}

interface WholeProps {
  readonly report: Report;
  readonly by: By;
  readonly days: string;
}

function Whole({ report: { total, periods, clients }, by, days }: WholeProps) {
  const unpriced = total.parcels - priced(total);
  return (
    <>
      <FigureRow>
        <Figure
          label="On time"
          value={onTime(total) ?? "–"}
          hint={`${numberText(total.inTime)} of ${numberText(due(total))} orders`}
        />
        <Figure
          label="To despatch, half in"
          value={timeText(total.despatchTimes.median)}
          hint={`90 % in ${timeText(total.despatchTimes.p90)}, 95 % in ${timeText(total.despatchTimes.p95)}`}
        />
        <Figure
          label="Lines in full"
          value={fillRate(total) ?? "–"}
          hint={`${numberText(total.linesInFull)} of ${numberText(total.linesLeft)} lines`}
        />
        <Figure
          label="Parcel cost"
          value={total.costs.length === 0 ? "not known" : costText(total)}
          hint={
            unpriced === 0
              ? `${numberText(total.parcels)} parcels`
              : `${numberText(unpriced)} of ${numberText(total.parcels)} parcels have no price`
          }
        />
        <Figure
          label="Returned"
          value={shareText(total.unitsReturned, total.unitsDespatched) ?? "–"}
          hint={`${numberText(total.unitsReturned)} units; ${numberText(total.feedsRejected)} of ${numberText(total.feeds)} documents rejected`}
        />
      </FigureRow>
      <div className={styles.halves}>
        <Section title={`On time by ${by}`} note={`Orders received ${days}, of those that had to leave.`}>
          <Lines
            label={`Share of orders on time by ${by}`}
            unit="% on time"
            at={periods.map(({ day }) => Date.parse(`${day}T12:00:00Z`))}
            series={[
              {
                name: "on time",
                values: periods.map((period) =>
                  due(period) === 0 ? null : Math.floor((1000 * period.inTime) / due(period)) / 10,
                ),
              },
            ]}
          />
        </Section>
        <Section title="Orders by client" note="Those that had to leave.">
          <StackedBars
            label="Orders on time, late and overdue by client"
            unit="orders"
            series={[{ name: "on time" }, { name: "late" }, { name: "overdue" }]}
            bars={clients.map((client) => ({
              name: client.clientId,
              values: [client.inTime, client.late, client.overdue],
              to: clientReport(client),
            }))}
          />
        </Section>
      </div>
      <Section
        title="By client"
        note={`${days}: orders by their receipt, parcels, returns and documents by their own day. Costs of different currencies are not added.`}
      >
        <StaticList
          id="performance-clients"
          hasBar
          label="Performance by client"
          columns={[{ key: "clientId", kind: "id", header: "Client", to: clientReport }, ...columns<Client>()]}
          rows={clients}
          rowId={({ clientId }) => clientId}
          rowTo={clientReport}
          height={sheet}
          empty={{ why: "Nothing was done in these days." }}
        />
      </Section>
      <Section title={`By ${by}`}>
        <StaticList
          id="performance-periods"
          hasBar
          label={`Performance by ${by}`}
          columns={[{ key: "day", header: headings[by], width: 124 }, ...columns<Period>()]}
          rows={periods.toReversed()}
          rowId={({ day }) => day}
          height={sheet}
          empty={{ why: "Nothing was done in these days." }}
        />
      </Section>
    </>
  );
}

/** The service level of the client, with its late orders. */
const clientReport = ({ clientId }: Pick<Client, "clientId">) =>
  pathWith(linkTo("client", "", clientId), { tab: "service-level" });
