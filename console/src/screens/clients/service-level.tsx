import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { useTimezone } from "../../directory.ts";
import { hourMs } from "../../durations.ts";
import { linkTo } from "../../links.ts";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { optionsOf } from "../../parts/options.ts";
import { CountFigure, Figure } from "../../parts/page/figure.tsx";
import { FigureRow, Section } from "../../parts/page/screen.tsx";
import { RangePicker } from "../../parts/range-picker.tsx";
import { duration } from "../../parts/time.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import { rangeOf } from "../../time-range.ts";
import { inWords } from "../orders/order-words.ts";
import { Uncomputed } from "../reports/report-parts.tsx";

type Report = components["schemas"]["ServiceLevelReport"];
type Period = Report["items"][number];
type LateOrder = Report["lateOrders"][number];
type Counts = Report["total"];
type By = "day" | "week" | "month";

const presets = ["today", "yesterday", "last-week", "7d", "30d", "90d"] as const;
const headings: Readonly<Record<By, string>> = { day: "Received on", week: "Week from", month: "Month from" };
const isBy = (text: string | null): text is By => text !== null && Object.hasOwn(headings, text);

/** Share of the orders that left by their despatch time, of those that had to; undefined if none had to. */
function shareOf({ inTime, late, overdue }: Counts): string | undefined {
  const due = inTime + late + overdue;
  // Rounded down: 100 % means every order.
  return due === 0 ? undefined : `${(Math.floor((1000 * inTime) / due) / 10).toFixed(1)} %`;
}

const number = (value: number) => value.toLocaleString("en-GB");
const hoursOf = (seconds: number | null) => (seconds === null ? "" : (seconds / 3600).toFixed(1));
const timeOf = (seconds: number | null) => (seconds === null ? "–" : duration(seconds * 1000));

const columnsBy = (by: By): readonly Column<Period>[] => [
  { key: "day", header: headings[by], width: 130 },
  { key: "received", kind: "count", header: "Orders" },
  { key: "inTime", kind: "count", header: "In time" },
  { key: "late", kind: "count", header: "Late" },
  { key: "overdue", kind: "count", header: "Overdue" },
  { key: "share", kind: "number", header: "Share in time", of: shareOf },
  { key: "open", kind: "count", header: "Open" },
  { key: "cancelled", kind: "count", header: "Cancelled" },
  { key: "untimed", kind: "count", header: "No despatch time", isHiddenAtFirst: true },
  {
    key: "despatchSeconds",
    kind: "number",
    header: "To despatch",
    exported: "Hours from receipt to despatch, median",
    cell: ({ despatchSeconds }) => timeOf(despatchSeconds),
    text: ({ despatchSeconds }) => hoursOf(despatchSeconds),
  },
  {
    key: "deliverySeconds",
    kind: "number",
    header: "To delivery",
    exported: "Hours from receipt to delivery, median",
    cell: ({ deliverySeconds }) => timeOf(deliverySeconds),
    text: ({ deliverySeconds }) => hoursOf(deliverySeconds),
  },
];

const causes: Readonly<Record<LateOrder["cause"], string>> = {
  HELD: "on hold",
  NO_STOCK: "waited for stock",
  WAREHOUSE: "in the warehouse",
};

function delayMs({ despatchBy, leftAt }: LateOrder): number {
  return (leftAt === null ? Date.now() : Date.parse(leftAt)) - Date.parse(despatchBy);
}

const lateColumnsOf = (clientId: string): readonly Column<LateOrder>[] => [
  { key: "orderId", kind: "id", header: "Order", to: ({ orderId }) => linkTo("order", clientId, orderId) },
  { key: "distributionCentre" },
  { key: "status", states: "order" },
  { key: "despatchBy", kind: "moment", header: "Despatch by" },
  { key: "leftAt", header: "Left", none: "not yet" },
  {
    key: "delay",
    header: "Late by",
    exported: "Hours after the despatch time",
    width: 110,
    cell: (row) => duration(delayMs(row)),
    text: (row) => (delayMs(row) / hourMs).toFixed(1),
  },
  { key: "cause", header: "Cause", width: 196, of: ({ cause }) => causes[cause] },
  {
    key: "statusReason",
    header: "Reason",
    width: 240,
    wraps: true,
    cell: ({ statusReason }) => (statusReason === null ? "–" : inWords(statusReason)),
  },
];

/** The orders of a client against their despatch times, by day, week or month of receipt, and those that were late. */
export function ServiceLevel({ clientId }: { readonly clientId: string }) {
  const timezone = useTimezone();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const { distributionCentre } = useScope().query;
  const range = rangeOf(params.get("received"), "30d");
  const named = params.get("by");
  const by = isBy(named) ? named : "week";
  const { from = "", to = "" } = range.days(timezone);
  const report = useAnswer("/overview/serviceLevel", {
    query: { clientId, from, to, by, ...(distributionCentre ? { distributionCentre } : {}) },
  });
  return (
    <Stack gap="md">
      <Group gap="md">
        <RangePicker
          label="Received"
          range={range}
          presets={presets}
          isBounded
          choose={(key) => setParams({ received: key })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Periods"
          data={optionsOf({ day: "By day", week: "By week", month: "By month" })}
          value={by}
          onChange={(value) => setParams({ by: value })}
        />
      </Group>
      <Uncomputed count={report.data?.uncomputed} />
      <Loaded query={report} what="The service level" height={420}>
        {(loaded) => <Whole report={loaded} by={by} rangeText={range.label(timezone)} />}
      </Loaded>
    </Stack>
  );
}

interface WholeProps {
  readonly report: Report;
  readonly by: By;
  readonly rangeText: string;
}

function Whole({ report: { clientId, total, items, lateOrders }, by, rangeText }: WholeProps) {
  const lateTotal = total.late + total.overdue;
  return (
    <>
      <FigureRow>
        <Figure label="Left in time" value={shareOf(total) ?? "–"} hint={`${number(total.inTime)} orders`} />
        <CountFigure label="Left late" count={total.late} tone="waiting" hint="after their despatch time" />
        <CountFigure label="Overdue" count={total.overdue} tone="failed" hint="have not left" />
        <CountFigure label="Open" count={total.open} hint="not due yet" />
        <Figure label="Cancelled" value={number(total.cancelled)} hint={`of ${number(total.received)} received`} />
      </FigureRow>
      <Section
        title={`Service level by ${by}`}
        note={`Orders received: ${rangeText}. An order has left with its last parcel.`}
      >
        <StaticList
          id="service-level"
          hasBar
          label={`Service level of ${clientId} by ${by}`}
          columns={columnsBy(by)}
          rows={items.toReversed()}
          rowId={({ day }) => day}
          height={400}
          empty={{ why: "No order was received in this time." }}
        />
      </Section>
      <Section
        title="Late orders"
        note={
          lateTotal > lateOrders.length
            ? `The last ${number(lateOrders.length)} of ${number(lateTotal)}: choose fewer days for the others.`
            : "Orders that left after their despatch time, or have not left."
        }
      >
        <StaticList
          id="late-orders"
          hasBar
          label={`Late orders of ${clientId}`}
          columns={lateColumnsOf(clientId)}
          rows={lateOrders}
          rowId={({ orderId }) => orderId}
          rowTo={({ orderId }) => linkTo("order", clientId, orderId)}
          height={400}
          empty={{ why: "No order was late." }}
        />
      </Section>
    </>
  );
}
