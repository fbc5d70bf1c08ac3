import { UnstyledButton } from "@mantine/core";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { allowedValues } from "../../parts/list/filter-values.ts";
import type { Filter } from "../../parts/list/list-types.ts";
import { useSetParams } from "../../scope.ts";
import { type ExceptionType, exceptionTypes, typeWords } from "./exception-words.ts";
import styles from "./exceptions.module.css";

/** Upper limit of a count. */
export const countMax = 1_000;
export const countText = (count: number): string => `${count.toLocaleString("en-GB")}${count >= countMax ? "+" : ""}`;

export const typeFilter: Filter = {
  key: "type",
  label: "Type",
  kind: "several",
  options: exceptionTypes.map((value) => ({ value, label: typeWords[value].label })),
};

interface TypeChipsProps {
  /** undefined while unknown. */
  readonly summary: components["schemas"]["ExceptionSummary"] | undefined;
}

/** The types of the open exceptions with their counts. Selected types filter the list. */
export function TypeChips({ summary }: TypeChipsProps) {
  const [params] = useSearchParams();
  const set = useSetParams();
  const chosen = new Set(
    allowedValues(typeFilter, params.get("type") ?? "")
      .split(",")
      .filter(Boolean),
  );
  const counts = new Map(summary?.types.map(({ type, count }) => [type, count]));
  const shown = exceptionTypes.filter((type) => (counts.get(type) ?? 0) > 0 || chosen.has(type));
  const toggle = (type: ExceptionType) => {
    const next = new Set(chosen);
    if (!next.delete(type)) next.add(type);
    set({ type: exceptionTypes.filter((exceptionType) => next.has(exceptionType)).join(",") || null });
  };
  if (shown.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Types">
      <li>
        <UnstyledButton className={styles.chip} aria-pressed={chosen.size === 0} onClick={() => set({ type: null })}>
          All types
        </UnstyledButton>
      </li>
      {shown.map((type) => (
        <li key={type}>
          <UnstyledButton
            className={styles.chip}
            data-tone={typeWords[type].tone}
            aria-pressed={chosen.has(type)}
            onClick={() => toggle(type)}
          >
            {typeWords[type].label}
            <span className={styles.count}>{countText(counts.get(type) ?? 0)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
