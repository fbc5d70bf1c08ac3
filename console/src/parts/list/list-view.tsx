import { columnOrderingFeature, columnVisibilityFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { may, useSession } from "../../session.tsx";
import { Empty } from "../loading/empty.tsx";
import { Problem } from "../loading/problem.tsx";
import { RowsSkeleton } from "../loading/skeletons.tsx";
import { type ListColumn, listColumn } from "./columns.tsx";
import styles from "./data-list.module.css";
import { ListBar } from "./list-bar.tsx";
import { ListBulk } from "./list-bulk.tsx";
import type { ListData } from "./list-data.ts";
import { initialLayout, useLayout } from "./list-layout.ts";
import { ListTable } from "./list-table.tsx";
import type { DataListProps, ListViewProps } from "./list-types.ts";

const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature });
const none: ReadonlySet<string> = new Set();

interface LoadedListProps<Row extends object> extends ListViewProps<Row> {
  readonly data: ListData<Row>;
}

/** Rows with their columns, and above them filters, or the actions on chosen rows. */
export function ListView<Row extends object>(props: LoadedListProps<Row>) {
  const { id, label, empty, isPlain = false, data } = props;
  const session = useSession();
  // Without an action there is nothing to choose rows for.
  const bulkActions = (props.bulkActions ?? []).filter(({ role = "operator" }) => may(session, role));
  const columns = useMemo(() => props.columns.map(listColumn), [props.columns]);
  const rowTo = props.rowTo ?? columns[0]?.to;
  const rowId = props.rowId ?? rowTo ?? ((row: Row) => JSON.stringify(row));
  const [layout, setLayout] = useLayout(id, columns);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(none);
  const definitions = useMemo(
    () => columns.map((column) => ({ id: column.key, header: column.header, meta: column })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: data.rows as Row[],
    getRowId: rowId,
    state: { columnVisibility: layout.visibility, columnOrder: layout.order },
  });
  const [leaves, visibleLeaves] = [table.getAllLeafColumns(), table.getVisibleLeafColumns()];
  // Rows are rendered again only if the columns are others.
  const ordered = useMemo(() => columnsOf(leaves, columns), [leaves, columns]);
  const shown = useMemo(() => columnsOf(visibleLeaves, columns), [visibleLeaves, columns]);
  const [params] = useSearchParams();
  const [all, setAll] = useState<AllRows<Row>>();
  // Rows that match other filters are not those that were chosen.
  const matching = all?.query === params.toString() ? all : undefined;
  const chosenRows = matching?.rows ?? data.rows.filter((row) => chosen.has(rowId(row)));
  const clear = () => {
    setAll(undefined);
    setChosen(none);
  };
  const chooseAll = async () => {
    const { rows, isCut } = await data.exportRows();
    setAll({ rows, isCut, query: params.toString() });
    setChosen(new Set(rows.map(rowId)));
  };
  const choose: typeof setChosen = (change) => {
    setAll(undefined);
    setChosen(change);
  };
  const canChooseAll = props.isAllChoosable === true && matching === undefined && !data.isComplete;

  return (
    <div className={styles.list}>
      {chosenRows.length > 0 ? (
        // Replaces the bar, so that the rows do not move.
        <ListBulk
          rows={chosenRows}
          isCut={matching?.isCut === true}
          actions={bulkActions}
          clear={clear}
          {...(canChooseAll ? { chooseAll } : {})}
        />
      ) : isPlain ? null : (
        <ListBar
          id={id}
          columns={ordered}
          layout={layout}
          setLayout={setLayout}
          initial={initialLayout(columns)}
          sets={props.columnSets ?? []}
          data={data}
          filters={props.filters ?? []}
          actions={props.actions}
          shown={shown}
        />
      )}
      {data.error && data.rows.length === 0 ? (
        <Problem error={data.error} what={label} retry={data.retry} />
      ) : data.isWaiting ? (
        <div className={styles.frame}>
          <RowsSkeleton />
        </div>
      ) : data.rows.length === 0 ? (
        <div className={styles.frame}>
          {data.isFiltered ? (
            <Empty why="No rows match these filters." action={<ClearFilters clear={data.clearFilters} />} />
          ) : (
            <ScopedEmpty scoped={data.scoped} clear={data.clearScope} empty={empty} />
          )}
        </div>
      ) : (
        <ListTable
          id={id}
          label={label}
          allColumns={ordered}
          layout={layout}
          setLayout={setLayout}
          rowId={rowId}
          data={data}
          columns={shown}
          noun={props.noun ?? "row"}
          {...(rowTo === undefined ? {} : { rowTo })}
          {...(props.height === undefined ? {} : { height: props.height })}
          {...(bulkActions.length === 0 ? {} : { chosen, setChosen: choose })}
        />
      )}
    </div>
  );
}

/** The rows that matched when all were chosen. */
interface AllRows<Row> {
  readonly rows: readonly Row[];
  /** There were more. */
  readonly isCut: boolean;
  /** The address at that time. */
  readonly query: string;
}

/** The columns in the order of the table's. */
function columnsOf<Row>(leaves: readonly { readonly id: string }[], columns: readonly ListColumn<Row>[]) {
  return leaves.flatMap(({ id }) => columns.find(({ key }) => key === id) ?? []);
}

interface ScopedEmptyProps {
  readonly scoped: ListData<unknown>["scoped"];
  readonly empty: DataListProps<object>["empty"];
  clear(): void;
}

/** Explains an empty list. With a client or facility filter, it says only that this filter has no rows. */
function ScopedEmpty({ scoped: { clientId, distributionCentre }, empty, clear }: ScopedEmptyProps) {
  const limits = [
    ...(clientId === undefined ? [] : [{ one: `client ${clientId}`, all: "clients" }]),
    ...(distributionCentre === undefined
      ? []
      : [{ one: `facility ${distributionCentre.join(" or ")}`, all: "facilities" }]),
  ];
  if (limits.length === 0) return <Empty {...empty} />;
  return (
    <Empty
      why={`No rows for ${limits.map(({ one }) => one).join(" in ")}.`}
      action={
        <button type="button" className={styles.plainButton} onClick={clear}>
          Show all {limits.map(({ all }) => all).join(" and ")}
        </button>
      }
    />
  );
}

function ClearFilters({ clear }: { clear(): void }) {
  return (
    <button type="button" className={styles.plainButton} onClick={clear}>
      Clear filters
    </button>
  );
}
