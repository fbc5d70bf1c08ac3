import type { components } from "#operator";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";
import { stateFilter } from "../../../parts/list/state-filter.ts";
import { scopeText } from "./count-words.ts";

type Row = components["schemas"]["CountSummary"];

const pathOf = ({ clientId, countId }: Row) => linkTo("count", clientId, countId);

const columns: readonly Column<Row>[] = [
  { key: "what", header: "Count of", width: 220, wraps: true, of: scopeText, to: pathOf },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "count" },
  { key: "lines", kind: "count", header: "Lots" },
  { key: "waiting", kind: "count", header: "Waiting" },
  { key: "cause", kind: "word", header: "Cause" },
  { key: "requestedAt", header: "Requested" },
  { key: "reportedAt", header: "Counted" },
  { key: "countId", kind: "token" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.CountStatus)];

/** Counts that operators and rules have requested, the newest first. */
export function Counts() {
  return (
    <DataList
      id="counts"
      label="Counts"
      columns={columns}
      filters={filters}
      fetchPage={pagesOf("/count/list")}
      empty={{ why: "No count was requested. The page of a product has the button Count." }}
      live={10_000}
    />
  );
}
