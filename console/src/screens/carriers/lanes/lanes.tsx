import { SegmentedControl, Select } from "@mantine/core";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { AnswerOf } from "../../../answer-of.ts";
import { useAnswer } from "../../../data.ts";
import { useTimezone } from "../../../directory.ts";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Empty } from "../../../parts/loading/empty.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { optionsOf } from "../../../parts/options.ts";
import { Figure } from "../../../parts/page/figure.tsx";
import { RangePicker } from "../../../parts/range-picker.tsx";
import { useScope, useSetParams } from "../../../scope.ts";
import { rangeParam } from "../../../screen-ranges.ts";
import { rangeOf } from "../../../time-range.ts";
import { Uncomputed } from "../../reports/report-parts.tsx";
import styles from "../carriers.module.css";
import { LaneCharts } from "./lane-charts.tsx";
import { amountText, laneColumns, signedText, sortedRows } from "./lane-columns.tsx";
import { changeOf, currenciesOf, type LaneTotals, laneRowsOf, totalsOf } from "./lane-rows.ts";

type CarrierLanes = AnswerOf<"/carrierLane/summary">;

const presets = ["last-week", "7d", "30d", "90d"] as const;
const initial = "30d";

/** Cost and time of each lane, by carrier service, next to as many days before. */
export function Lanes() {
  const { query } = useScope();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const timezone = useTimezone();
  const range = rangeOf(params.get(rangeParam), initial);
  const destination = params.get("by") === "zone" ? "ZONE" : "COUNTRY";
  const { from = "", to = "" } = range.days(timezone);
  const lanes = useAnswer("/carrierLane/summary", { query: { ...query, from, to, destination } }, { live: 30_000 });
  const currencies = currenciesOf(lanes.data?.items ?? []);
  const named = params.get("currency");
  const currency = named !== null && currencies.includes(named) ? named : currencies[0];
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <RangePicker
          label="Despatched"
          range={range}
          presets={presets}
          isBounded
          choose={(key) => setParams({ [rangeParam]: key === initial ? null : key })}
        />
        <SegmentedControl
          size="xs"
          aria-label="End of a lane"
          data={optionsOf({ COUNTRY: "By country", ZONE: "By zone" })}
          value={destination}
          onChange={(value) => setParams({ by: value === "ZONE" ? "zone" : null })}
        />
        {currencies.length > 1 ? (
          <Select
            aria-label="Currency of figures and chart"
            size="xs"
            w={100}
            allowDeselect={false}
            data={currencies}
            value={currency ?? null}
            onChange={(value) => setParams({ currency: value === currencies[0] ? null : value })}
          />
        ) : null}
      </div>
      <Uncomputed count={lanes.data?.uncomputed} />
      <Loaded query={lanes} what="The lanes" height={480}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty why="No parcel left on these days, or on as many days before. Choose more." />
          ) : (
            <LanesOf data={data} currency={currency} />
          )
        }
      </Loaded>
    </div>
  );
}

interface LanesOfProps {
  readonly data: CarrierLanes;
  readonly currency: string | undefined;
}

function LanesOf({ data, currency }: LanesOfProps) {
  const rows = useMemo(() => laneRowsOf(data.items), [data]);
  const [now, before] = [totalsOf(data.items, "current", currency), totalsOf(data.items, "before", currency)];
  const against = (change: number | undefined, unit = "%") =>
    change === undefined ? "no earlier data" : `${signedText(change, unit)} against the days before`;
  const difference = now.onTime === undefined || before.onTime === undefined ? undefined : now.onTime - before.onTime;
  return (
    <>
      <div className={styles.figures}>
        <Figure
          label="Parcels"
          value={now.parcels.toLocaleString("en-GB")}
          hint={against(changeOf(now.parcels, before.parcels))}
        />
        <Figure
          label="Cost"
          value={amountText(now.amount)}
          unit={currency}
          hint={`${pricedText(now)}${against(changeOf(now.amount, before.amount))}`}
        />
        <Figure
          label="A parcel"
          value={amountText(now.perParcel)}
          unit={currency}
          hint={against(changeOf(now.perParcel, before.perParcel))}
        />
        <Figure
          label="On time"
          value={now.onTime === undefined ? "not known" : `${Math.round(now.onTime)} %`}
          hint={now.onTime === undefined ? "no parcel has a promised day" : against(difference, "points")}
        />
      </div>
      <LaneCharts lanes={data.items} currency={currency} />
      <StaticList
        id="carrier-lanes"
        hasBar
        label="Lanes"
        columns={laneColumns}
        sort="-parcels"
        rows={rows}
        sorted={sortedRows}
        rowId={({ lane, currency: of }) =>
          [lane.distributionCentre, lane.country, lane.zone, lane.carrierCode, lane.serviceCode, of].join(" ")
        }
        empty={{ why: "No parcel left on these days." }}
        height={520}
      />
    </>
  );
}

/** "356 parcels, the others have another currency or no price; ", where not all are in the currency. */
const pricedText = ({ priced, parcels }: LaneTotals): string =>
  priced === parcels ? "" : `${priced.toLocaleString("en-GB")} parcels, the others have another currency or no price; `;
