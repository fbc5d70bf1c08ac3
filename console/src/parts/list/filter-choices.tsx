import { Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldOption } from "../fields.tsx";
import { Form } from "../form.tsx";
import { optionsOf } from "../options.ts";
import styles from "./filter-choices.module.css";
import { type FilterValues, filterValuesOf, textOfValues } from "./filter-values.ts";
import type { Filter } from "./list-types.ts";

interface FilterChoicesProps {
  readonly filter: Filter;
  /** As in the URL. */
  readonly value: string;
  choose(value: string): void;
}

const useNoOptions = (): readonly FieldOption[] => [];

/** With more options than these, a text finds some of them. */
const optionsSeen = 15;

/** Any number of values, which rows have or do not have. Each choice applies at once. */
export function FilterChoices({ filter, value, choose }: FilterChoicesProps) {
  const { label, groups = [], takesOthers = false, isNeverNegated = false, placeholder } = filter;
  const useOptions = filter.useOptions ?? useNoOptions;
  const readOptions = useOptions();
  // The URL follows a moment later, and has no place for a negation without values.
  const [chosen, setChosen] = useState<FilterValues>(() => filterValuesOf(value));
  // Values that were entered remain as options while the choices are open.
  const [entered, setEntered] = useState(chosen.values);
  const [text, setText] = useState("");
  const { isNegated, values } = chosen;
  const take = (next: FilterValues) => {
    setChosen(next);
    choose(textOfValues(next));
  };
  const options = withEntered([...(filter.options ?? []), ...readOptions], entered);
  const found = options.filter((option) => option.label.toLowerCase().includes(text.trim().toLowerCase()));
  const enter = () => {
    // A comma separates values in the URL.
    const codes = text.split(",").flatMap((code) => code.trim().replace(/^!+/, "") || []);
    const known = takesOthers ? codes : found.length === 1 ? found.map((option) => option.value) : [];
    if (known.length === 0) return;
    setEntered([...entered, ...known]);
    setText("");
    take({ isNegated, values: [...new Set([...values, ...known])] });
  };
  return (
    <Stack gap="xs">
      {isNeverNegated ? null : (
        <SegmentedControl
          size="xs"
          aria-label={`${label}: is or is not`}
          data={optionsOf({ is: "is one of", not: "is none of" })}
          value={isNegated ? "not" : "is"}
          onChange={(next) => take({ isNegated: next === "not", values })}
        />
      )}
      {takesOthers || options.length > optionsSeen ? (
        <Form submit={enter}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={takesOthers ? label : `Find in ${label}`}
              {...(placeholder === undefined ? {} : { placeholder })}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              data-autofocus
            />
            {takesOthers ? (
              <Button type="submit" flex="0 0 auto">
                Add
              </Button>
            ) : null}
          </Group>
        </Form>
      ) : null}
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
          {(takesOthers ? options : found).map((option) => (
            <Checkbox
              key={option.value}
              size="sm"
              value={option.value}
              label={option.label}
              // A negation of all values would match no row.
              disabled={
                !takesOthers && isNegated && values.length === options.length - 1 && !values.includes(option.value)
              }
            />
          ))}
        </div>
      </Checkbox.Group>
    </Stack>
  );
}

const withEntered = (options: readonly FieldOption[], entered: readonly string[]): readonly FieldOption[] => [
  ...options,
  ...[...new Set(entered)]
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value })),
];
