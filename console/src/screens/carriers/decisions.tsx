import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { PlaceFirst } from "../../parts/page/place-first.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useScope } from "../../scope.ts";

type Decision = components["schemas"]["CarrierDecisionSummary"];

/** The name that people use for a decision: the order or the parcel for which it was made. */
const nameOf = ({ orderId, olpnId, country }: Decision) => orderId ?? olpnId ?? `Shipment to ${country}`;

const columns: readonly Column<Decision>[] = [
  {
    key: "name",
    header: "Decision",
    width: 180,
    of: nameOf,
    to: (row) => linkTo("decision", row.clientId, row.decisionId),
  },
  { key: "decidedAt", header: "Decided" },
  { key: "purpose", kind: "word", header: "For" },
  { key: "distributionCentre" },
  { key: "country", header: "To" },
  {
    key: "carrierCode",
    header: "Chosen",
    width: 200,
    cell: ({ carrierCode, serviceCode }) =>
      carrierCode === null ? <ToneBadge tone="failed" text="No carrier fits" /> : `${carrierCode} ${serviceCode ?? ""}`,
    text: ({ carrierCode, serviceCode }) => `${carrierCode ?? ""} ${serviceCode ?? ""}`.trim(),
  },
  { key: "olpnId", header: "Parcel", width: 180, isHiddenAtFirst: true },
  {
    key: "orderId",
    kind: "id",
    header: "Order",
    cell: ({ clientId, orderId }) =>
      orderId === null ? "none" : <Go to={linkTo("order", clientId, orderId)}>Open order</Go>,
  },
  { key: "dataVersion", kind: "number", header: "Version" },
  { key: "decisionId", kind: "token" },
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
        return api.GET("/carrierDecision/list", { params: { query: { clientId, limit, ...more } }, signal });
      }}
      empty={{ why: "No decisions for this client yet. A carrier is determined when a parcel is packed." }}
    />
  );
}
