import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { Progress } from "../../parts/actions/progress.tsx";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { withLists } from "../../parts/list/filter-values.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { Qty } from "../../parts/qty.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";

type Return = components["schemas"]["ReturnSummary"];
type Query = NonNullable<operations["listReturns"]["parameters"]["query"]>;

const returnPath = ({ clientId, rmaNumber }: Return) => linkTo("return", clientId, rmaNumber);

function OrderOf({ clientId, orderId, orderReference }: Return) {
  if (orderId === null) return <span>{orderReference ?? "none named"}</span>;
  return <Go to={linkTo("order", clientId, orderId)}>{orderId}</Go>;
}

const columns: readonly Column<Return>[] = [
  { key: "rmaNumber", header: "RMA", width: 150, cell: (row) => <Id text={row.rmaNumber} to={returnPath(row)} /> },
  { key: "clientId", header: "Client", width: 78, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "status", header: "State", width: 136, cell: ({ status }) => <StateBadge kind="return" state={status} /> },
  {
    key: "orderId",
    header: "Order",
    width: 150,
    cell: (row) => <OrderOf {...row} />,
    text: ({ orderId }) => orderId ?? "",
  },
  { key: "lines", header: "Lines", width: 70, align: "right", cell: ({ lines }) => lines },
  {
    key: "qtyExpected",
    header: "Expected",
    width: 96,
    align: "right",
    cell: ({ qtyExpected }) => <Qty value={qtyExpected} />,
  },
  {
    key: "qtyReceived",
    header: "Came back",
    width: 160,
    cell: ({ qtyExpected, qtyReceived }) => <Progress done={qtyReceived} of={qtyExpected} />,
    text: ({ qtyReceived }) => String(qtyReceived),
  },
  {
    key: "discrepancies",
    header: "Discrepancies",
    width: 126,
    cell: ({ discrepancies, lines }) =>
      discrepancies === 0 ? "none" : <ToneBadge tone="waiting" text={`${discrepancies} of ${lines} lines`} />,
    text: ({ discrepancies }) => String(discrepancies),
  },
  {
    key: "receivedAt",
    header: "Authorised",
    width: 124,
    sort: "receivedAt",
    cell: ({ receivedAt, distributionCentre }) => <Time at={receivedAt} facility={distributionCentre} />,
  },
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
