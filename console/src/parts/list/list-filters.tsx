import { Button, Group, Popover, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useTimezone } from "../../directory.ts";
import { useSetParams } from "../../scope.ts";
import { rangeOf } from "../../time-range.ts";
import { Form } from "../form.tsx";
import { IconX } from "../icons.tsx";
import { RangeChoices } from "../range-picker.tsx";
import { FilterChoices } from "./filter-choices.tsx";
import { wordOfValues } from "./filter-values.ts";
import styles from "./list-filters.module.css";
import type { Filter } from "./list-types.ts";

/** The filters of a list as chips. Their values are in the URL. */
export function ListFilters({ filters }: { readonly filters: readonly Filter[] }) {
  const [params] = useSearchParams();
  const shown = filters.filter(
    ({ key, range, isSetByLink = false }) => !range?.isInTopBar && (!isSetByLink || params.get(key)),
  );
  if (shown.length === 0) return null;
  return (
    <div className={styles.filters}>
      {shown.map((filter) => (
        <Chip key={filter.key} filter={filter} />
      ))}
    </div>
  );
}

function Chip({ filter }: { readonly filter: Filter }) {
  const { key, label, kind = filter.options ? "select" : "text", options = [], range } = filter;
  const timezone = useTimezone();
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const [isOpen, setOpen] = useState(false);
  const value = params.get(key) ?? "";
  const choose = (next: string) => setParams({ [key]: next === "" ? null : next });
  const set = (next: string) => {
    choose(next);
    setOpen(false);
  };
  const word = range
    ? rangeOf(value, "any").label(timezone)
    : kind === "several"
      ? wordOfValues(filter, value)
      : (options.find((option) => option.value === value)?.label ?? value);
  if (kind === "switch") {
    const isOn = value === "true";
    return (
      <button
        type="button"
        className={styles.chip}
        data-set={isOn}
        aria-pressed={isOn}
        onClick={() => set(isOn ? "" : "true")}
      >
        {label}
      </button>
    );
  }
  return (
    <span className={styles.chip} data-set={value !== ""}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        trapFocus
        returnFocus
        position="bottom-start"
        width={range ? 300 : 260}
      >
        <Popover.Target>
          <button type="button" className={styles.name} onClick={() => setOpen(!isOpen)}>
            {label}
            {value === "" ? null : <span className={styles.value}> {word}</span>}
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          {range ? (
            <RangeChoices
              range={rangeOf(value, "any")}
              presets={range.presets}
              hasTimes={range.unit === "moment"}
              isBounded={range.isBounded ?? false}
              choose={set}
            />
          ) : kind === "several" ? (
            <FilterChoices filter={filter} value={value} choose={choose} />
          ) : kind === "select" ? (
            <Select
              label={label}
              data={[...options]}
              value={value === "" ? null : value}
              onChange={(next) => set(next ?? "")}
              searchable={options.length > 8}
              comboboxProps={{ withinPortal: false }}
              placeholder="Any"
              data-autofocus
            />
          ) : (
            <TextFilter filter={filter} value={value} set={set} />
          )}
        </Popover.Dropdown>
      </Popover>
      {value === "" ? null : (
        <button type="button" className={styles.clear} aria-label={`Clear filter ${label}`} onClick={() => set("")}>
          <IconX size={12} />
        </button>
      )}
    </span>
  );
}

interface TextFilterProps {
  readonly filter: Filter;
  readonly value: string;
  set(value: string): void;
}

function TextFilter({ filter, value, set }: TextFilterProps) {
  const isOption = filter.options?.some((option) => option.value === value) ?? false;
  const [text, setText] = useState(isOption ? "" : value);
  return (
    <Form submit={() => set(text.trim())}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={filter.label}
          {...(filter.placeholder === undefined ? {} : { placeholder: filter.placeholder })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">Apply</Button>
      </Group>
      {filter.options?.map((option) => (
        <Button key={option.value} variant="default" size="compact-sm" mt="xs" onClick={() => set(option.value)}>
          {filter.label} {option.label}
        </Button>
      ))}
    </Form>
  );
}
