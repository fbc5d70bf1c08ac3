import { Tooltip } from "@mantine/core";
import { Go } from "../go.tsx";
import { Empty } from "../loading/empty.tsx";
import { type Series, seriesColours } from "./chart-colours.ts";
import styles from "./charts.module.css";
import { Legend } from "./lines.tsx";

export interface Bar {
  /** "Kestrel", a SKU, a day. */
  readonly name: string;
  /** One per series. */
  readonly values: readonly number[];
  readonly to?: string;
}

interface StackedBarsProps {
  readonly label: string;
  readonly unit: string;
  /** Decimals of each sum; default: as many as it has, at most three. */
  readonly digits?: number;
  /** At most six. */
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  /** Whether the length of a bar shows its sum; false: all bars have equal length and show shares. */
  readonly isAbsolute?: boolean;
}

/** Compositions: a horizontal bar for each, split by series, with the numbers next to it. */
export function StackedBars({ label, unit, digits, series, bars, isAbsolute = true }: StackedBarsProps) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const format = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const longest = Math.max(...sums, 1);
  if (bars.length === 0) return <Empty why="No data to compare yet." />;
  return (
    <figure className={styles.chart} aria-label={label}>
      <Legend series={series} />
      <table className={styles.bars}>
        <caption className={styles.unseen}>
          {label}, in {unit}
        </caption>
        <thead className={styles.unseen}>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">{series.map(({ name }) => name).join(", ")}</th>
            <th scope="col">Sum in {unit}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, values, to }, i) => {
            const sum = sums[i] ?? 0;
            const whole = isAbsolute ? longest : Math.max(sum, 1);
            return (
              <tr key={name}>
                <th scope="row">{to === undefined ? name : <Go to={to}>{name}</Go>}</th>
                <td>
                  <div className={styles.bar}>
                    {values.map((value, j) => {
                      const entry = series[j];
                      if (value <= 0 || !entry) return null;
                      return (
                        <Tooltip key={entry.name} label={`${entry.name}: ${value.toLocaleString("en-GB")} ${unit}`}>
                          <span style={{ width: `${(100 * value) / whole}%`, background: seriesColours(entry, j) }}>
                            <span className={styles.unseen}>{`${entry.name}: ${value} `}</span>
                          </span>
                        </Tooltip>
                      );
                    })}
                  </div>
                </td>
                <td className={styles.sum}>{sum.toLocaleString("en-GB", format)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.unit}>{unit}</p>
    </figure>
  );
}
