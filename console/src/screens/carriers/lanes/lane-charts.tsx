import { StackedBars } from "../../../parts/charts/stacked-bars.tsx";
import { Section } from "../../../parts/page/screen.tsx";
import styles from "../carriers.module.css";
import { type CarrierLane, laneName, serviceName } from "./lane-rows.ts";

const barsShown = 10;
/** The chart has six colours: the last one is that of all other services. */
const servicesShown = 5;

interface LaneChartsProps {
  readonly lanes: readonly CarrierLane[];
  readonly currency: string | undefined;
}

/** The dearest lanes with the share of each service, and the time of the busiest ones. */
export function LaneCharts({ lanes, currency }: LaneChartsProps) {
  return (
    <div className={styles.halves}>
      <Section title="Cost by lane" note="The highest first, by service.">
        <CostBars lanes={lanes} currency={currency} />
      </Section>
      <Section title="Time by lane" note="From despatch to delivery, the lanes with the most parcels.">
        <TimeBars lanes={lanes} />
      </Section>
    </div>
  );
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function CostBars({ lanes, currency }: LaneChartsProps) {
  const costOf = ({ current }: CarrierLane) => current.costs.find((cost) => cost.currency === currency)?.amount ?? 0;
  const sumOf = (some: readonly CarrierLane[]) => some.reduce((sum, lane) => sum + costOf(lane), 0);
  const largest = (by: (lane: CarrierLane) => string) =>
    [...Map.groupBy(lanes.filter(costOf), by)].sort(([, left], [, right]) => sumOf(right) - sumOf(left));
  const services = largest(serviceName).map(([name]) => name);
  const named = services.length <= servicesShown + 1 ? services : services.slice(0, servicesShown);
  const hasOthers = named.length < services.length;
  return (
    <StackedBars
      label="Cost by lane and service"
      unit={currency ?? "no currency"}
      digits={2}
      series={[...named, ...(hasOthers ? ["other services"] : [])].map((name) => ({ name }))}
      bars={largest(laneName)
        .slice(0, barsShown)
        .map(([name, found]) => {
          const values = named.map((service) => rounded(sumOf(found.filter((lane) => serviceName(lane) === service))));
          const others = found.filter((lane) => !named.includes(serviceName(lane)));
          return { name, values: hasOthers ? [...values, rounded(sumOf(others))] : values };
        })}
    />
  );
}

function TimeBars({ lanes }: Pick<LaneChartsProps, "lanes">) {
  const days = (hours: number) => Math.round((hours * 10) / 24) / 10;
  return (
    <StackedBars
      label="Time by lane and service"
      unit="days"
      digits={1}
      series={[{ name: "half of the parcels" }, { name: "nine of ten" }]}
      bars={lanes
        .filter(({ current }) => current.medianHours !== null)
        .slice(0, barsShown)
        .map((lane) => {
          const [median, p90] = [days(lane.current.medianHours ?? 0), days(lane.current.p90Hours ?? 0)];
          return { name: `${laneName(lane)}, ${serviceName(lane)}`, values: [median, rounded(p90 - median)] };
        })}
    />
  );
}
