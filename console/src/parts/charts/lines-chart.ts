import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { dayMs } from "../../durations.ts";
import { dateFormat } from "../../time-display.ts";
import { plainColour, type Series, seriesColours } from "./chart-colours.ts";

interface LinesChart {
  readonly unit: string;
  readonly at: readonly number[];
  readonly series: readonly (Series & { readonly values: readonly (number | null)[] })[];
  readonly height: number;
  readonly zone: string;
  readonly isDark: boolean;
  /** @param series index of the line nearest to the pointer */
  pick(ms: number, series: number): void;
}

/** Draws into the element, follows its width, and returns a function that removes the chart. */
export function drawLines(element: HTMLElement, chart: LinesChart): () => void {
  const { unit, at, series, height, zone } = chart;
  const text = plainColour("var(--mantine-color-dimmed)");
  const line = plainColour("var(--line)");
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: "12px system-ui",
  };
  const tip = document.createElement("div");
  tip.className = "chart-tip";
  tip.hidden = true;
  const isByDay = (at[1] ?? 0) - (at[0] ?? 0) >= dayMs;
  const exact = dateFormat(zone, isByDay ? "day" : "minutes");

  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      ms: 1,
      tzDate: (ms) => uPlot.tzDate(new Date(ms), zone),
      legend: { show: false },
      cursor: { y: false, points: { size: 6 } },
      axes: [
        { ...axis, values: timeLabels, size: 32 },
        { ...axis, label: unit, labelFont: "12px system-ui", labelSize: 20, labelGap: 0, size: 52 },
      ],
      scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] } },
      series: [
        {},
        ...series.map((entry, i) => ({
          label: entry.name,
          stroke: plainColour(seriesColours(entry, i)),
          width: 1.75,
          points: { show: false },
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx, left = 0 } }) => {
            tip.hidden = idx === null || idx === undefined || left < 0;
            if (idx === null || idx === undefined || tip.hidden) return;
            const lines = series.map(({ name, values }) => `${name}: ${values[idx] ?? "–"} ${unit}`);
            tip.textContent = [exact.format(new Date(at[idx] as number)), ...lines].join("\n");
            const isRight = left > element.clientWidth / 2;
            tip.style.left = isRight ? "" : `${left + 68}px`;
            tip.style.right = isRight ? `${element.clientWidth - left - 40}px` : "";
          },
        ],
      },
    },
    [at as number[], ...series.map(({ values }) => values as (number | null)[])],
    element,
  );
  element.append(tip);
  const click = () => {
    const { idx } = plot.cursor;
    const ms = idx === null || idx === undefined ? undefined : at[idx];
    if (ms !== undefined) chart.pick(ms, nearest(idx as number));
  };
  plot.over.addEventListener("click", click);
  const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  watcher.observe(element);
  return () => {
    watcher.disconnect();
    plot.destroy();
    tip.remove();
  };

  /** The line nearest to the pointer at this time; of several at one place, the first. */
  function nearest(idx: number): number {
    const { top = 0 } = plot.cursor;
    const away = series.map(({ values }) => {
      const value = values[idx] ?? null;
      return value === null ? Number.POSITIVE_INFINITY : Math.abs(plot.valToPos(value, "y") - top);
    });
    return away.indexOf(Math.min(...away));
  }

  function timeLabels(_plot: uPlot, splits: number[], _axis: number, _space: number, step: number): string[] {
    const isDays = step >= dayMs;
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      ...(isDays ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit" }),
    });
    return splits.map((ms) => format.format(new Date(ms)));
  }
}
