import { Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import type { components } from "#operator";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { withScope } from "../../scope.ts";
import { rangeParam } from "../../screen-ranges.ts";
import { type RequestOwner, useRequestOwner } from "./request-owner.ts";

type LoggedRequest = components["schemas"]["LoggedRequest"];

/** The answer of a request as a coloured word: its status, and that a document was rejected though the status is 200. */
export function ResultBadge({ status, isFailed, outcome }: Pick<LoggedRequest, "status" | "isFailed" | "outcome">) {
  const text = status === null ? "No answer" : outcome === "rejected" ? `${status} rejected` : String(status);
  return <ToneBadge tone={isFailed ? "failed" : "done"} text={text} />;
}

const problemOf = ({ problemTitle, problemCode, outcome }: LoggedRequest) =>
  problemTitle ?? problemCode ?? (outcome === "rejected" ? "The document was rejected" : "");

function columnsOf(owner: RequestOwner): readonly Column<LoggedRequest>[] {
  return [
    {
      key: "path",
      header: "Request",
      width: 410,
      of: ({ method, path }) => `${method} ${path}`,
      to: (row) => pathOf(owner, row),
    },
    { key: "at", kind: "moment", header: "When" },
    {
      key: "status",
      header: "Answer",
      width: 126,
      cell: (row) => <ResultBadge {...row} />,
      text: ({ status }) => (status === null ? "" : String(status)),
    },
    { key: "problem", header: "Problem", width: 260, wraps: true, of: problemOf },
    { key: "durationMs", kind: "number", header: "Duration, ms" },
    { key: "requestId", kind: "token", header: "Token" },
  ];
}

const pathOf = ({ path }: RequestOwner, { requestId }: LoggedRequest) => `${path}/requests/${requestId}`;

const filters: readonly Filter[] = [
  {
    key: "result",
    label: "Answer",
    kind: "select",
    options: optionsOf({ failed: "Failed", "2xx": "2xx", "3xx": "3xx", "4xx": "4xx", "5xx": "5xx" }),
  },
  {
    key: "method",
    label: "Method",
    kind: "select",
    options: ["GET", "POST", "PUT", "PATCH", "DELETE"].map((value) => ({ value, label: value })),
  },
  { key: "path", label: "Path", placeholder: "/order/ or WEB-100045" },
  { key: "token", label: "Token or trace", placeholder: "X-Correlation-Token" },
  {
    key: rangeParam,
    label: "When",
    range: {
      from: "from",
      to: "to",
      unit: "moment",
      presets: ["1h", "6h", "24h", "today", "yesterday", "7d", "30d"],
    },
  },
];

const noScope = [] as const;

/** The requests over HTTP of a client, or of the warehouse of a facility. */
export function RequestList() {
  const owner = useRequestOwner();
  const { clientId, facilityCode, code, path } = owner;
  const [params] = useSearchParams();
  return (
    <Screen
      title={`Requests of ${code}`}
      lead={
        facilityCode === undefined
          ? "HTTP requests of the client and of warehouses for it, newest first."
          : "HTTP requests of the warehouse of the facility, newest first."
      }
      actions={
        <Button component={Link} to={withScope(path, params)} variant="default" size="xs">
          {facilityCode === undefined ? "Client" : "Facility"} {code}
        </Button>
      }
    >
      <DataList
        id="requests"
        label="Requests"
        columns={columnsOf(owner)}
        filters={filters}
        scope={noScope}
        fixed={{ clientId }}
        fetchPage={pagesOf("/request/list")}
        empty={{
          why: "No requests over HTTP in the log, which is kept for two to six weeks. CROSSDOCK_REQUEST_LOG may limit it.",
        }}
        live={10_000}
      />
    </Screen>
  );
}
