import { ActionIcon, Tooltip } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { notifyDone, notifyFailed } from "../actions/notify.ts";
import { saveCsv } from "../csv/csv.ts";
import { IconDownload } from "../icons.tsx";
import type { ListColumn } from "./columns.tsx";
import styles from "./data-list.module.css";
import { LayoutChoice } from "./layout-choice.tsx";
import type { ListData } from "./list-data.ts";
import { exportRowsMax } from "./list-data.ts";
import { ListFilters } from "./list-filters.tsx";
import type { ListLayout, SetLayout } from "./list-layout.ts";
import type { ColumnSet, Filter, ListTotal } from "./list-types.ts";
import { SavedViews } from "./saved-views.tsx";

interface ListBarProps<Row> {
  readonly id: string;
  /** All columns, in the order of the layout. */
  readonly columns: readonly ListColumn<Row>[];
  readonly shown: readonly ListColumn<Row>[];
  readonly layout: ListLayout;
  readonly setLayout: SetLayout;
  readonly initial: ListLayout;
  readonly sets: readonly ColumnSet[];
  readonly data: ListData<Row>;
  readonly filters: readonly Filter[];
  readonly actions: ReactNode;
}

/** Bar above a list: filters on the left; row count, saved views, export and columns on the right. */
export function ListBar<Row>({
  id,
  columns,
  shown,
  layout,
  setLayout,
  initial,
  sets,
  data,
  filters,
  actions,
}: ListBarProps<Row>) {
  const { rows, isComplete, total } = data;
  return (
    <div className={styles.bar}>
      <ListFilters filters={filters} />
      <div className={styles.tools}>
        <span className={styles.count} role="status">
          {data.isWaiting ? "" : countOf(rows.length, isComplete ? undefined : (total ?? unknownTotal))}
        </span>
        <SavedViews screen={id} filters={filters} />
        <ExportButton id={id} shown={shown} data={data} />
        <LayoutChoice columns={columns} layout={layout} setLayout={setLayout} initial={initial} sets={sets} />
        {actions}
      </div>
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
  readonly shown: readonly ListColumn<Row>[];
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
