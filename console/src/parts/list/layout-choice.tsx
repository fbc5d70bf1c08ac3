import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Stack, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconColumns } from "../icons.tsx";
import { optionsOf } from "../options.ts";
import type { ListColumn } from "./columns.tsx";
import styles from "./layout-choice.module.css";
import { type Density, isMovable, type ListLayout, moveColumn, type SetLayout } from "./list-layout.ts";
import type { ColumnSet } from "./list-types.ts";

interface LayoutChoiceProps<Row> {
  /** All columns, in the order of the layout. */
  readonly columns: readonly ListColumn<Row>[];
  readonly layout: ListLayout;
  readonly setLayout: SetLayout;
  readonly initial: ListLayout;
  readonly sets: readonly ColumnSet[];
}

/** Which columns a list has, in which order, and how high its rows are. */
export function LayoutChoice<Row>({ columns, layout, setLayout, initial, sets }: LayoutChoiceProps<Row>) {
  const keys = columns.map(({ key }) => key);
  const move = (key: string, at: string | undefined) =>
    at !== undefined && setLayout((before) => ({ ...before, order: moveColumn(keys, key, at) }));
  const show = (chosen: readonly string[]) =>
    setLayout((before) => ({
      ...before,
      visibility: Object.fromEntries(keys.map((key, i) => [key, i === 0 || chosen.includes(key)])),
    }));
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Tooltip label="Columns">
          <ActionIcon variant="default" size={30} aria-label="Choose columns">
            <IconColumns size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Height of rows"
            data={optionsOf({ comfortable: "Comfortable", compact: "Compact" })}
            value={layout.density}
            onChange={(density) => setLayout((before) => ({ ...before, density: density as Density }))}
          />
          {sets.length === 0 ? null : (
            <Group gap="xs">
              {sets.map(({ name, keys: chosen }) => (
                <Button key={name} variant="default" size="compact-sm" onClick={() => show(chosen)}>
                  {name}
                </Button>
              ))}
            </Group>
          )}
          <div className={styles.columns}>
            {columns.map((column, i) => {
              const { key, header } = column;
              const canMove = isMovable(columns, column);
              return (
                <div key={key} className={styles.column}>
                  <Checkbox
                    size="sm"
                    label={header}
                    checked={layout.visibility[key] !== false}
                    disabled={!canMove}
                    onChange={(event) => {
                      const isOn = event.currentTarget.checked;
                      setLayout((before) => ({ ...before, visibility: { ...before.visibility, [key]: isOn } }));
                    }}
                  />
                  <span className={styles.spring} />
                  {canMove ? (
                    <>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={`Move ${header} up`}
                        // Not `disabled`, which would take the focus away at the end.
                        {...(i === 1 ? { "data-disabled": true } : {})}
                        onClick={() => i > 1 && move(key, keys[i - 1])}
                      >
                        <IconChevronUp size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={28}
                        aria-label={`Move ${header} down`}
                        {...(i === columns.length - 1 ? { "data-disabled": true } : {})}
                        onClick={() => move(key, keys[i + 1])}
                      >
                        <IconChevronDown size={16} />
                      </ActionIcon>
                    </>
                  ) : null}
                </div>
              );
            })}
          </div>
          <Button variant="subtle" size="compact-sm" onClick={() => setLayout(() => initial)}>
            Reset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
