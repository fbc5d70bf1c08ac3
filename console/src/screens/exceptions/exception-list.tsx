import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { components, operations } from "#operator";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { RowsChoice, rowsOf } from "../../parts/rows-choice.tsx";
import { duration } from "../../parts/time.tsx";
import { useScope } from "../../scope.ts";
import { useMay, useSession } from "../../session.tsx";
import { causeColumns, causePath } from "./cause-columns.tsx";
import type { CauseQuery } from "./cause-words.ts";
import { linkOf } from "./cure-button.tsx";
import { useOwners } from "./exception-actions.ts";
import { causeBulk, exceptionBulk } from "./exception-bulk.ts";
import { exceptionColumns } from "./exception-columns.tsx";
import { countMax } from "./exception-words.ts";
import { countText, dayMinutes, Strip, typeFilter } from "./strip.tsx";

type SummaryQuery = NonNullable<operations["summariseExceptions"]["parameters"]["query"]>;

const filters: readonly Filter[] = [
  { key: "text", label: "Contains", placeholder: "Order, SKU, parcel, reason" },
  typeFilter,
  {
    key: "owner",
    label: "Owner",
    kind: "select",
    options: optionsOf({ me: "Mine", none: "Unassigned" }),
    isSetByLink: true,
  },
  { key: "isSnoozed", label: "Snoozed", kind: "switch", isSetByLink: true },
  {
    key: "minAgeMinutes",
    label: "Older than",
    kind: "select",
    options: [
      { value: "60", label: "1 hour" },
      { value: "240", label: "4 hours" },
      { value: String(dayMinutes), label: "1 day" },
      { value: String(3 * dayMinutes), label: "3 days" },
      { value: String(7 * dayMinutes), label: "7 days" },
    ],
  },
];

/** The filters of the list that shows each exception: a link from a cause sets its id, and its name beside it. */
const eachFilters = (cause: string | null, name: string | null): readonly Filter[] =>
  cause === null
    ? filters
    : [
        ...filters,
        { key: "cause", label: "Cause", options: [{ value: cause, label: name ?? "selected" }], isSetByLink: true },
      ];

/** All open exceptions: one row for each cause, or for each exception. */
export function ExceptionList() {
  const { data: all } = useSummary({ hasFigures: true });
  const [params] = useSearchParams();
  const filtered = filtersOf(params);
  const isFiltered = Object.keys(filtered).length > 0;
  // The types count the rows for all filters except the type; without filters the figures have them.
  const { data: shown } = useSummary(isFiltered ? filtered : { hasFigures: true });
  const isEach = rowsOf(params, false) === "each";
  return (
    <Screen title="Exceptions" lead={all && openText(all)}>
      <Strip all={all} shown={shown} />
      {isEach ? <Each /> : <ByCause />}
    </Screen>
  );
}

const rowsChoice = <RowsChoice grouped="By cause" isEach={false} leaves={["cause", "of"]} />;

const nothingOpen = {
  why: "Nothing needs attention. Feeds are accepted, orders move, parcels arrive and receivers answer.",
};

function Each() {
  const { userName } = useSession();
  const mayWork = useMay("operator");
  const owners = useOwners();
  const [params] = useSearchParams();
  const [cause, name] = [params.get("cause"), params.get("of")];
  const isOfSnoozed = params.get("isSnoozed") === "true";
  const filtersOfEach = useMemo(() => eachFilters(cause, name), [cause, name]);
  const columns = useMemo(() => exceptionColumns(isOfSnoozed), [isOfSnoozed]);
  return (
    <DataList
      id="exceptions"
      label="Exceptions"
      noun="exception"
      columns={columns}
      filters={filtersOfEach}
      sort="-since"
      fetchPage={pagesOf("/exception/list")}
      countAll={(request, signal) => countOfEach(request, signal)}
      rowId={({ exceptionId }) => exceptionId}
      rowTo={linkOf}
      isAllChoosable
      bulkActions={mayWork ? exceptionBulk(userName, owners, isOfSnoozed) : []}
      empty={nothingOpen}
      actions={rowsChoice}
      live={10_000}
    />
  );
}

/** The sum of the chosen types. Exceptions of one cause have no count. */
async function countOfEach({ type, cause, ...query }: ListRequest, signal: AbortSignal) {
  if (cause !== undefined) return undefined;
  const summary = await api.GET("/exception/summary", { params: { query: query as SummaryQuery }, signal });
  const chosen = type === undefined ? summary.types.map((counted) => counted.type) : String(type).split(",");
  const counts = summary.types.filter((counted) => chosen.includes(counted.type)).map(({ count }) => count);
  return { count: counts.reduce((sum, count) => sum + count, 0), isMore: counts.some((count) => count >= countMax) };
}

function ByCause() {
  const { userName } = useSession();
  const mayWork = useMay("operator");
  const owners = useOwners();
  const { query: scope } = useScope();
  const [params] = useSearchParams();
  const query = useMemo<CauseQuery>(() => ({ ...scope, ...filtersOf(params) }), [scope, params]);
  const columns = useMemo(() => causeColumns(query), [query]);
  return (
    <DataList
      id="exception-causes"
      label="Exceptions"
      noun="exception"
      columns={columns}
      filters={filters}
      sort="severity"
      fetchPage={async ({ cursor: _, limit: __, ...request }: ListRequest, signal) => {
        const { items } = await api.GET("/exception/causes", { params: { query: request as CauseQuery }, signal });
        return { items };
      }}
      rowId={({ causeId, newest }) => causeId ?? newest.exceptionId}
      rowTo={causePath}
      bulkActions={mayWork ? causeBulk(userName, owners, query) : []}
      empty={nothingOpen}
      actions={rowsChoice}
      live={30_000}
    />
  );
}

/** "12 open exceptions; the oldest has been open for 3 d." */
function openText({ total, types }: components["schemas"]["ExceptionSummary"]): string {
  const oldest = types.flatMap((type) => type.oldest ?? []).toSorted()[0];
  if (oldest === undefined) return "No open exceptions.";
  const age = duration(Date.now() - Date.parse(oldest));
  return total === 1
    ? `1 open exception; it has been open for ${age}.`
    : `${countText(total)} open exceptions; the oldest has been open for ${age}.`;
}

function filtersOf(params: URLSearchParams): SummaryQuery {
  const [text, owner, minAgeMinutes] = ["text", "owner", "minAgeMinutes"].map((key) => params.get(key));
  return {
    ...(text ? { text } : {}),
    ...(owner ? { owner } : {}),
    ...(params.get("isSnoozed") === "true" ? { isSnoozed: true } : {}),
    ...(minAgeMinutes ? { minAgeMinutes: Number(minAgeMinutes) } : {}),
  };
}

function useSummary(query: SummaryQuery) {
  const { query: scope } = useScope();
  return useAnswer("/exception/summary", { query: { ...scope, ...query } }, { live: 10_000 });
}
