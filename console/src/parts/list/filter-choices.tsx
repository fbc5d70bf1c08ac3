import { Checkbox, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import styles from "./filter-choices.module.css";
import { type FilterValues, filterValuesOf, textOfValues } from "./filter-values.ts";
import type { Filter } from "./list-types.ts";

interface FilterChoicesProps {
  readonly filter: Filter;
  /** As in the URL. */
  readonly value: string;
  choose(value: string): void;
}

/** Any number of values, which rows have or do not have. Each choice applies at once. */
export function FilterChoices({ filter: { label, options = [], groups = [] }, value, choose }: FilterChoicesProps) {
  // The URL follows a moment later, and has no place for a negation without values.
  const [chosen, setChosen] = useState<FilterValues>(() => filterValuesOf(value));
  const { isNegated, values } = chosen;
  const take = (next: FilterValues) => {
    setChosen(next);
    choose(textOfValues(next));
  };
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={`${label}: is or is not`}
        data={[
          { value: "is", label: "is one of" },
          { value: "not", label: "is none of" },
        ]}
        value={isNegated ? "not" : "is"}
        onChange={(next) => take({ isNegated: next === "not", values })}
      />
      {groups.length === 0 ? null : (
        <div className={styles.groups}>
          {groups.map((group) => (
            <button
              key={group.value}
              type="button"
              className={styles.group}
              aria-pressed={values.join(",") === group.value}
              onClick={() => take({ isNegated, values: group.value.split(",") })}
            >
              {group.label}
            </button>
          ))}
        </div>
      )}
      <Checkbox.Group
        aria-label={label}
        value={[...values]}
        // In the order of the options, so that one choice has one address.
        onChange={(next) =>
          take({ isNegated, values: options.flatMap((option) => (next.includes(option.value) ? option.value : [])) })
        }
      >
        <div className={styles.options}>
          {options.map((option) => (
            <Checkbox
              key={option.value}
              size="sm"
              value={option.value}
              label={option.label}
              // A negation of all values would match no row.
              disabled={isNegated && values.length === options.length - 1 && !values.includes(option.value)}
            />
          ))}
        </div>
      </Checkbox.Group>
    </Stack>
  );
}
