import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTimezone } from "../../directory.ts";
import { loadScript } from "../../reload.ts";
import { Empty } from "../loading/empty.tsx";
import { exactTime } from "../time.tsx";
import { type Series, seriesColours } from "./chart-colours.ts";
import styles from "./charts.module.css";

interface LinesProps {
  /** Description for screen readers: "Feeds per minute, accepted and rejected". */
  readonly label: string;
  /** Unit of the values: "feeds/min". */
  readonly unit: string;
  /** Epoch milliseconds, ascending, one per value of each series. */
  readonly at: readonly number[];
  /** At most six. null: a gap. */
  readonly series: readonly (Series & { readonly values: readonly (number | null)[] })[];
  /** Pixels. */
  readonly height?: number;
  /**
   * Called on a click at a time, in epoch milliseconds, with the index of the nearest line in `series`: opens the
   * details.
   */
  onPick?(at: number, series: number): void;
}

/** A line chart over time, with a legend that shows the exact values under the pointer. */
export function Lines(props: LinesProps) {
  const { label, unit, at, series, height = 220 } = props;
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  const zone = useTimezone();
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = box.current;
    if (!element || at.length === 0) return;
    let end = () => {};
    let isGone = false;
    void loadScript(() => import("./lines-chart.ts")).then(({ drawLines }) => {
      if (!isGone)
        end = drawLines(element, {
          unit,
          at,
          series,
          height,
          zone,
          isDark: scheme === "dark",
          pick: (ms, place) => latest.current.onPick?.(ms, place),
        });
    });
    return () => {
      isGone = true;
      end();
    };
  }, [unit, at, series, height, zone, scheme]);

  if (at.length === 0) return <Empty why="No data in this period." />;
  return (
    <figure className={styles.chart} aria-label={label}>
      <Legend series={series} />
      <div ref={box} style={{ height }} aria-hidden="true" />
      {/* A separate box, because a table is as wide as its content despite its style, and widens the page. */}
      <div className={styles.unseen}>
        <table>
          <caption>
            {label}, in {unit}: first, last, lowest and highest from{" "}
            {exactTime(new Date(at[0] ?? 0).toISOString(), zone)} to{" "}
            {exactTime(new Date(at.at(-1) ?? 0).toISOString(), zone)}
          </caption>
          <tbody>
            {series.map(({ name, values }) => {
              const known = values.filter((value) => value !== null);
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{known[0] ?? "–"}</td>
                  <td>{known.at(-1) ?? "–"}</td>
                  <td>{known.length === 0 ? "–" : Math.min(...known)}</td>
                  <td>{known.length === 0 ? "–" : Math.max(...known)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** Series names next to their colours. */
export function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className={styles.legend}>
      {series.map((entry, i) => (
        <li key={entry.name}>
          <span className={styles.swatch} style={{ background: seriesColours(entry, i) }} aria-hidden="true" />
          {entry.name}
        </li>
      ))}
    </ul>
  );
}
