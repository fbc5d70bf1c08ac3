import { UnstyledButton } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { allowedValues } from "../../parts/list/filter-values.ts";
import type { Filter } from "../../parts/list/list-types.ts";
import { useSetParams } from "../../scope.ts";
import { countMax, type ExceptionType, exceptionTypes, typeWords } from "./exception-words.ts";
import styles from "./exceptions.module.css";

export const countText = (count: number): string => `${count.toLocaleString("en-GB")}${count >= countMax ? "+" : ""}`;

export const typeFilter: Filter = {
  key: "type",
  label: "Type",
  kind: "several",
  isSetByLink: true,
  options: exceptionTypes.map((value) => ({ value, label: typeWords[value].label })),
};

/** The figure "Older than a day". */
export const dayMinutes = 1_440;

type Summary = components["schemas"]["ExceptionSummary"];

interface StripProps {
  /** Of all exceptions, with their figures; undefined while unknown. */
  readonly all: Summary | undefined;
  /** For all filters except the type. */
  readonly shown: Summary | undefined;
}

/** One strip of figures: whose the exceptions are, and of which type. Each filters the list, and takes its filter back. */
export function Strip(strip: StripProps) {
  return (
    <div className={styles.strip}>
      <States {...strip} />
      <Types {...strip} />
    </div>
  );
}

function States({ all }: StripProps) {
  const [params] = useSearchParams();
  const set = useSetParams();
  const figures = all?.figures;
  const states = [
    { label: "Mine", count: figures?.mine, key: "owner", value: "me", tone: undefined },
    { label: "Unassigned", count: figures?.unassigned, key: "owner", value: "none", tone: undefined },
    { label: "Snoozed", count: figures?.snoozed, key: "isSnoozed", value: "true", tone: undefined },
    {
      label: "Older than a day",
      count: figures?.olderThanDay,
      key: "minAgeMinutes",
      value: `${dayMinutes}`,
      tone: "failed",
    },
  ] as const;
  const isChosen = ({ key, value }: (typeof states)[number]) => params.get(key) === value;
  // With all of them the demo's strip has three lines in 1440 pixels.
  const shown = states.filter((state) => state.count !== 0 || isChosen(state));
  return (
    <ul className={styles.chips} aria-label="Figures">
      <li>
        <UnstyledButton
          className={styles.chip}
          aria-pressed={!states.some(isChosen)}
          onClick={() => set({ owner: null, isSnoozed: null, minAgeMinutes: null })}
        >
          Open
          <Count count={all?.total} />
        </UnstyledButton>
      </li>
      {shown.map((state) => (
        <li key={state.label}>
          <UnstyledButton
            className={styles.chip}
            data-tone={state.count ? state.tone : undefined}
            aria-pressed={isChosen(state)}
            onClick={() => set({ [state.key]: isChosen(state) ? null : state.value })}
          >
            {state.label}
            <Count count={state.count} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

const Count = ({ count }: { readonly count: number | undefined }) => (
  <span className={styles.count}>{count === undefined ? "–" : countText(count)}</span>
);

/** Failed ones before waiting ones, and of these the type with the most exceptions first. */
function typeOrder(counts: ReadonlyMap<ExceptionType, number>) {
  const isFailed = (type: ExceptionType) => Number(typeWords[type].tone === "failed");
  return (left: ExceptionType, right: ExceptionType) =>
    isFailed(right) - isFailed(left) || (counts.get(right) ?? 0) - (counts.get(left) ?? 0);
}

function Types({ shown: summary }: StripProps) {
  const [params] = useSearchParams();
  const set = useSetParams();
  const chosen = new Set(
    allowedValues(typeFilter, params.get("type") ?? "")
      .split(",")
      .filter(Boolean),
  );
  const counts = new Map(summary?.types.map(({ type, count }) => [type, count]));
  const types = exceptionTypes
    .filter((type) => (counts.get(type) ?? 0) > 0 || chosen.has(type))
    .toSorted(typeOrder(counts));
  const toggle = (type: ExceptionType) => {
    const next = new Set(chosen);
    if (!next.delete(type)) next.add(type);
    set({ type: exceptionTypes.filter((exceptionType) => next.has(exceptionType)).join(",") || null });
  };
  if (types.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Types">
      {types.map((type) => (
        <li key={type}>
          <UnstyledButton
            className={styles.chip}
            data-tone={typeWords[type].tone}
            aria-pressed={chosen.has(type)}
            onClick={() => toggle(type)}
          >
            {typeWords[type].label}
            <Count count={counts.get(type) ?? 0} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
