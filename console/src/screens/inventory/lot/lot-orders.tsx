import type { AnswerOf } from "../../../answer-of.ts";
import { linkTo } from "../../../links.ts";
import { Go } from "../../../parts/go.tsx";
import { type Column, DataList } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";

type Order = AnswerOf<"/client/lot/orders">["items"][number];

interface LotOrdersProps {
  readonly clientId: string;
  readonly sku: string;
  readonly lotNumber: string;
}

const addressText = ({ shipToAddress }: Order): string => {
  const { companyName, firstName, lastName, address1, zip, city, country } = shipToAddress ?? {};
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return [companyName, name, address1, [zip, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
};

const columnsOf = (clientId: string): readonly Column<Order>[] => [
  { key: "orderId", kind: "id", header: "Order", to: ({ orderId }) => linkTo("order", clientId, orderId) },
  { key: "status", states: "order" },
  { key: "sku" },
  { key: "lotNumber", kind: "batch" },
  { key: "qty", kind: "quantity", header: "Quantity" },
  { key: "despatchedAt", header: "Left" },
  { key: "customer", header: "Customer", width: 240, wraps: true, of: addressText, none: "erased" },
  { key: "email", header: "Mail", width: 170, of: ({ shipToAddress }) => shipToAddress?.email },
  {
    key: "phone",
    header: "Phone",
    of: ({ shipToAddress }) => shipToAddress?.mobile ?? shipToAddress?.phone,
    isHiddenAtFirst: true,
  },
  {
    key: "parcels",
    header: "Parcels",
    width: 200,
    wraps: true,
    cell: ({ parcels }) =>
      parcels.map(({ olpnId, trackingNumber }) => (
        <div key={olpnId}>
          <Go to={linkTo("parcel", clientId, olpnId)}>{trackingNumber ?? olpnId}</Go>
        </div>
      )),
    text: ({ parcels }) =>
      parcels
        .map(({ olpnId, carrierCode, trackingNumber }) =>
          [olpnId, carrierCode, trackingNumber].filter(Boolean).join(" "),
        )
        .join("; "),
  },
  { key: "externalOrderReference", header: "Reference", isHiddenAtFirst: true },
  { key: "distributionCentre", isHiddenAtFirst: true },
];

/** The orders that goods of a lot left with, and of what was made from it; the export has all of them. */
export function LotOrders(lot: LotOrdersProps) {
  return (
    <DataList
      id="lot-orders"
      label="Orders with the lot"
      scope={[]}
      fixed={{ ...lot }}
      columns={columnsOf(lot.clientId)}
      fetchPage={pagesOf("/client/lot/orders")}
      rowId={({ orderId, sku, lotNumber }) => `${orderId} ${sku} ${lotNumber}`}
      empty={{ why: "No goods of the lot have left." }}
    />
  );
}
