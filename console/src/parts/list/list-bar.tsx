import { ActionIcon, Button, Checkbox, Popover, Stack, Tooltip } from "@mantine/core";
import { IconColumns, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { saveCsv } from "../csv.ts";
import { notifyDone, notifyFailed } from "../notify.ts";
import styles from "./data-list.module.css";
import type { ListData } from "./list-data.ts";
import { exportRowsMax } from "./list-data.ts";
import { ListFilters } from "./list-filters.tsx";
import type { Column, Filter, ListTotal } from "./list-types.ts";
import { initialOf, type SetVisibility, type Visibility } from "./list-visibility.ts";
import { SavedViews } from "./saved-views.tsx";

interface ListBarProps<Row> {
  readonly id: string;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly visibility: Visibility;
  readonly setVisibility: SetVisibility;
  readonly data: ListData<Row>;
  readonly filters: readonly Filter[];
  readonly actions: ReactNode;
}

/** Bar above a list: filters on the left; row count, saved views, export and columns on the right. */
export function ListBar<Row>({
  id,
  columns,
  shown,
  visibility,
  setVisibility,
  data,
  filters,
  actions,
}: ListBarProps<Row>) {
  const { rows, isComplete, total } = data;
  return (
    <div className={styles.bar}>
      <ListFilters filters={filters} />
      <span className={styles.spring} />
      <span className={styles.count} role="status">
        {data.isWaiting ? "" : countOf(rows.length, isComplete ? undefined : (total ?? unknownTotal))}
      </span>
      <SavedViews screen={id} filters={filters} />
      <ExportButton id={id} shown={shown} data={data} />
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
            {columns.map(({ key, header }) => (
              <Checkbox
                key={key}
                size="sm"
                label={header}
                checked={visibility[key] !== false}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked;
                  setVisibility((before) => ({ ...before, [key]: isOn }));
                }}
              />
            ))}
            <Button variant="subtle" size="compact-sm" onClick={() => setVisibility(initialOf(columns))}>
              Reset
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {actions}
    </div>
  );
}

const unknownTotal = "unknown";

/** "74 rows", "100 of 128 rows", "100 of 1,000+ rows", "100+ rows". @param total undefined: all rows are loaded */
function countOf(count: number, total: ListTotal | typeof unknownTotal | undefined): string {
  const loaded = count.toLocaleString("en-GB");
  if (total === undefined) return `${loaded} ${count === 1 ? "row" : "rows"}`;
  // Rows that were loaded meanwhile may exceed an older total.
  if (total === unknownTotal || total.count < count) return `${loaded}+ rows`;
  return `${loaded} of ${total.count.toLocaleString("en-GB")}${total.isMore ? "+" : ""} rows`;
}

interface ExportButtonProps<Row> {
  readonly id: string;
  readonly shown: readonly Column<Row>[];
  readonly data: ListData<Row>;
}

function ExportButton<Row>({ id, shown, data }: ExportButtonProps<Row>) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { rows, isCut } = await data.exportRows();
      saveCsv(`${id}.csv`, shown, rows);
      const count = rows.length.toLocaleString("en-GB");
      const rest = `There are more than ${exportRowsMax.toLocaleString("en-GB")}: narrow the filters to export the others.`;
      notifyDone(`${count} rows were saved as ${id}.csv.${isCut ? ` ${rest}` : ""}`);
    } catch (error) {
      notifyFailed("The export failed", error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Tooltip label="Export as CSV">
      <ActionIcon variant="default" size={30} aria-label="Export as CSV" loading={isBusy} onClick={() => void save()}>
        <IconDownload size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
