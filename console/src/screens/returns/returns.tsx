import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { withLists } from "../../parts/list/filter-values.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { wordOf } from "../../parts/tones.ts";

type Return = components["schemas"]["ReturnSummary"];
type Query = NonNullable<operations["listReturns"]["parameters"]["query"]>;

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

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "State",
    kind: "several",
    options: enumerations.RmaStatus.map((value) => ({ value, label: wordOf(value) })),
  },
];

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
        fetchPage={(request: ListRequest, signal) =>
          unwrap(api.GET("/return/list", { params: { query: withLists(request, "status") as Query }, signal }))
        }
        rowId={(row) => returnPath(row)}
        rowTo={returnPath}
        empty={{ why: "No returns yet. Clients authorise them by RMA feeds." }}
        live={10_000}
      />
    </Screen>
  );
}
