import type { components } from "#operator";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";
import { stateFilter } from "../../../parts/list/state-filter.ts";
import { useScope } from "../../../scope.ts";
import { CreateTransferButton } from "./create-transfer-button.tsx";

type Row = components["schemas"]["TransferSummary"];

const columns: readonly Column<Row>[] = [
  {
    key: "transferId",
    kind: "id",
    header: "Transfer",
    to: ({ clientId, transferId }) => linkTo("transfer", clientId, transferId),
  },
  { key: "clientId" },
  { key: "distributionCentre", kind: "text", header: "From facility" },
  { key: "toFacility", header: "To facility" },
  { key: "status", states: "transfer" },
  { key: "lines" },
  { key: "qtyShipped", kind: "progress", header: "Shipped", total: ({ qtyOrdered }) => qtyOrdered },
  { key: "qtyReceived", kind: "progress", header: "Received", total: ({ qtyShipped }) => qtyShipped },
  { key: "shippedAt", kind: "moment", header: "Left" },
  { key: "receivedAt", header: "Created", sort: "receivedAt" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.TransferStatus, "several")];

/** Transfers over all clients, by the facility that ships. */
export function Transfers() {
  const { clientId } = useScope();
  return (
    <>
      {clientId === undefined ? null : <CreateTransferButton clientId={clientId} />}
      <DataList
        id="transfers"
        label="Transfers"
        columns={columns}
        filters={filters}
        sort="-receivedAt"
        fetchPage={pagesOf("/transfer/list", "status")}
        empty={{ why: "No transfers. Choose a client to create one, or use transfer/create of the Inventory service." }}
        live={10_000}
      />
    </>
  );
}
