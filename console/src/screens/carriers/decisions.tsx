import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useScope } from "../../scope.ts";

type Decision = components["schemas"]["CarrierDecisionSummary"];

/** What people call a decision: the order or the parcel for which it was made. */
const nameOf = ({ orderId, olpnId, country }: Decision) => orderId ?? olpnId ?? `Shipment to ${country}`;

const columns: readonly Column<Decision>[] = [
  {
    key: "name",
    header: "Decision",
    width: 180,
    cell: (row) => <Go to={linkTo("decision", row.clientId, row.decisionId)}>{nameOf(row)}</Go>,
    text: nameOf,
  },
  {
    key: "decidedAt",
    header: "Decided",
    width: 130,
    cell: ({ decidedAt, distributionCentre }) => <Time at={decidedAt} facility={distributionCentre} />,
  },
  { key: "purpose", header: "For", width: 100, cell: ({ purpose }) => wordOf(purpose) },
  { key: "distributionCentre", header: "From", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "country", header: "To", width: 70, cell: ({ country }) => country },
  {
    key: "carrierCode",
    header: "Chosen",
    width: 200,
    cell: ({ carrierCode, serviceCode }) =>
      carrierCode === null ? <ToneBadge tone="failed" text="No carrier fits" /> : `${carrierCode} ${serviceCode ?? ""}`,
    text: ({ carrierCode, serviceCode }) => `${carrierCode ?? ""} ${serviceCode ?? ""}`.trim(),
  },
  { key: "olpnId", header: "Parcel", width: 180, isHiddenAtFirst: true, cell: ({ olpnId }) => olpnId ?? "–" },
  {
    key: "orderId",
    header: "Order",
    width: 150,
    cell: ({ clientId, orderId }) =>
      orderId === null ? "none" : <Go to={linkTo("order", clientId, orderId)}>Open order</Go>,
    text: ({ orderId }) => orderId ?? "",
  },
  { key: "dataVersion", header: "Version", width: 80, align: "right", cell: ({ dataVersion }) => dataVersion },
  {
    key: "decisionId",
    header: "Id",
    width: 120,
    cell: ({ decisionId }) => <Id text={decisionId} length={9} isSmall />,
  },
];

const filters: readonly Filter[] = [{ key: "orderId", label: "Order" }];

interface Asked {
  readonly clientId: string;
  readonly orderId?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** The decisions for a client, newest first. */
export function Decisions() {
  const { clientId } = useScope();
  if (clientId === undefined) return <PlaceFirst what="Decisions are listed by client." isClientOnly />;
  return (
    <DataList
      id="carrier-decisions"
      label="Decisions"
      columns={columns}
      filters={filters}
      scope={["clientId"]}
      fetchPage={({ cursor, limit, orderId }: Asked, signal) => {
        const more = { ...(cursor === undefined ? {} : { cursor }), ...(orderId === undefined ? {} : { orderId }) };
        return unwrap(api.GET("/carrierDecision/list", { params: { query: { clientId, limit, ...more } }, signal }));
      }}
      rowId={({ decisionId }) => decisionId}
      rowTo={({ clientId, decisionId }) => linkTo("decision", clientId, decisionId)}
      empty={{ why: "No decisions for this client yet. A carrier is determined when a parcel is packed." }}
    />
  );
}
