import { ActionIcon, Button, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconX } from "../../parts/icons.tsx";
import { optionsOf } from "../../parts/options.ts";
import styles from "./carriers.module.css";
import { type ConditionRow, type ConditionRows, operators, ruleFields } from "./rule-parts.ts";

interface ConditionFieldsProps {
  readonly rows: ConditionRows;
  change(rows: ConditionRows): void;
  /** Switches to JSON, for conditions that rows cannot express. */
  asJson(): void;
}

const fieldOptions = Object.entries(ruleFields).map(([value, label]) => ({ value, label: `${label} (${value})` }));
const operatorOptions = optionsOf(operators);
const listed = ["in", "notIn", "between"];

/** The condition of a rule: one comparison per row. */
export function ConditionFields({ rows: { join, rows }, change, asJson }: ConditionFieldsProps) {
  const put = (i: number, row: Partial<ConditionRow>) =>
    change({ join, rows: rows.map((existing, at) => (at === i ? { ...existing, ...row } : existing)) });
  return (
    <fieldset className={styles.stack}>
      <legend>When</legend>
      {rows.length > 1 ? (
        <SegmentedControl
          aria-label="Comparisons that must match"
          size="xs"
          data={optionsOf({ all: "all of these match", any: "any of these matches" })}
          value={join}
          onChange={(next) => change({ join: next as "all" | "any", rows })}
        />
      ) : null}
      {rows.length === 0 ? <p>Always: no comparison.</p> : null}
      {rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else that tells it from others.
        <div key={i} className={styles.condition}>
          <Select
            label="Field"
            data={ruleFields[row.field] === undefined ? [...fieldOptions, row.field] : fieldOptions}
            value={row.field}
            searchable
            allowDeselect={false}
            onChange={(field) => put(i, { field: field ?? row.field })}
          />
          <Select
            label="Compared"
            data={operatorOptions}
            value={row.op}
            allowDeselect={false}
            onChange={(op) => put(i, { op: op ?? row.op })}
          />
          {row.op === "exists" ? (
            <span />
          ) : (
            <TextInput
              label={listed.includes(row.op) ? "Values, separated by commas" : "Value"}
              value={row.value}
              onChange={(event) => put(i, { value: event.currentTarget.value })}
            />
          )}
          <ActionIcon
            variant="default"
            size={30}
            aria-label={`Remove comparison ${i + 1}`}
            onClick={() => change({ join, rows: rows.filter((_, at) => at !== i) })}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          onClick={() => change({ join, rows: [...rows, { field: "shipment.country", op: "eq", value: "" }] })}
        >
          Add comparison
        </Button>
        <Button size="xs" variant="subtle" onClick={asJson}>
          Edit as JSON
        </Button>
      </Group>
    </fieldset>
  );
}
