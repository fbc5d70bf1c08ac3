import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { Screen } from "../../parts/page/screen.tsx";

type Return = components["schemas"]["ReturnSummary"];

const returnPath = ({ clientId, rmaNumber }: Return) => linkTo("return", clientId, rmaNumber);

function OrderOf({ clientId, orderId, orderReference }: Return) {
  if (orderId === null) return <span>{orderReference ?? "none named"}</span>;
  return <Go to={linkTo("order", clientId, orderId)}>{orderId}</Go>;
}

const columns: readonly Column<Return>[] = [
  { key: "rmaNumber", kind: "id", header: "RMA", to: returnPath },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "return" },
  { key: "orderId", kind: "id", header: "Order", cell: (row) => <OrderOf {...row} /> },
  { key: "lines" },
  { key: "qtyExpected", kind: "quantity", header: "Expected" },
  { key: "qtyReceived", kind: "progress", header: "Came back", total: ({ qtyExpected }) => qtyExpected },
  { key: "discrepancies" },
  { key: "receivedAt", header: "Authorised", sort: "receivedAt" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.RmaStatus, "several")];

/** Returns over all clients. */
export function Returns() {
  return (
    <Screen title="Returns">
      <DataList
        id="returns"
        label="Returns"
        columns={columns}
        filters={filters}
        sort="-receivedAt"
        fetchPage={pagesOf("/return/list", "status")}
        empty={{ why: "No returns yet. Clients authorise them by RMA feeds." }}
        live={10_000}
      />
    </Screen>
  );
}
