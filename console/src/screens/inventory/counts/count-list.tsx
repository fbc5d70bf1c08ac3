import type { components, operations } from "#operator";
import { api, unwrap } from "../../../api.ts";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { Go } from "../../../parts/go.tsx";
import { Id } from "../../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";
import { wordOf } from "../../../parts/tones.ts";
import { scopeText } from "./count-words.ts";

type Row = components["schemas"]["CountSummary"];
type Query = operations["listCounts"]["parameters"]["query"];

const pathOf = ({ clientId, countId }: Row) => linkTo("count", clientId, countId);

const columns: readonly Column<Row>[] = [
  {
    key: "what",
    header: "Count of",
    width: 220,
    wraps: true,
    cell: (row) => <Go to={pathOf(row)}>{scopeText(row)}</Go>,
    text: scopeText,
  },
  { key: "clientId", header: "Client", width: 80, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "status", header: "Status", width: 116, cell: ({ status }) => <StateBadge kind="count" state={status} /> },
  { key: "lines", header: "Lots", width: 70, align: "right", cell: ({ lines }) => lines },
  { key: "waiting", header: "Waiting", width: 94, align: "right", cell: ({ waiting }) => waiting },
  { key: "cause", header: "Cause", width: 110, cell: ({ cause }) => wordOf(cause) },
  {
    key: "requestedAt",
    header: "Requested",
    width: 116,
    cell: ({ requestedAt, distributionCentre }) => <Time at={requestedAt} facility={distributionCentre} />,
  },
  {
    key: "reportedAt",
    header: "Counted",
    width: 116,
    cell: ({ reportedAt, distributionCentre }) =>
      reportedAt === null ? "–" : <Time at={reportedAt} facility={distributionCentre} />,
    text: ({ reportedAt }) => reportedAt ?? "",
  },
  { key: "countId", header: "Id", width: 136, cell: ({ countId }) => <Id text={countId} length={12} isSmall /> },
];

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "Status",
    kind: "select" as const,
    options: enumerations.CountStatus.map((value) => ({ value, label: wordOf(value) })),
  },
];

/** Counts that operators and rules have requested, the newest first. */
export function Counts() {
  return (
    <DataList
      id="counts"
      label="Counts"
      columns={columns}
      filters={filters}
      fetchPage={(query: NonNullable<Query>, signal) => unwrap(api.GET("/count/list", { params: { query }, signal }))}
      rowId={({ clientId, countId }) => `${clientId} ${countId}`}
      rowTo={pathOf}
      empty={{ why: "No count was requested. The page of a product has the button Count." }}
      live={10_000}
    />
  );
}
