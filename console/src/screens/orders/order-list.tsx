import { Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import type { components, operations } from "#operator";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { useCarriers } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { anyHold, noHold, orderGroups, orderStates } from "../../order-filters.ts";
import { DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { filterValuesOf, withLists } from "../../parts/list/filter-values.ts";
import { optionsOf } from "../../parts/options.ts";
import { CountFigure } from "../../parts/page/figure.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useScope, withScope } from "../../scope.ts";
import { rangeParam, screenRanges } from "../../screen-ranges.ts";
import { orderBulk } from "./order-bulk.tsx";
import { orderColumnSets, orderColumns } from "./order-columns.tsx";
import { holdOptions, type ListedOrder } from "./order-words.ts";
import { stageNames } from "./stage-names.ts";
import { urgencyText } from "./urgency-text.ts";

type Query = NonNullable<operations["listOrdersOverClients"]["parameters"]["query"]>;
type OrderFigures = components["schemas"]["OrderFigures"];
type CountQuery = NonNullable<operations["countOrdersOverClients"]["parameters"]["query"]>;

const none = "NONE";

const withoutCarrier = [{ value: none, label: "none yet" }];

const filters: readonly Filter[] = [
  { key: "text", label: "Order", placeholder: "Beginning of order or reference" },
  { key: "customer", label: "Customer", placeholder: "Name, e-mail, postcode or phone" },
  { key: "sku", label: "SKU", placeholder: "Orders that have not left" },
  {
    key: "status",
    label: "State",
    kind: "several",
    groups: [
      { value: orderGroups.open, label: "To leave" },
      { value: orderGroups.short, label: "Waiting for stock" },
      { value: orderGroups.floor, label: "With the warehouse" },
    ],
    options: orderStates.map((value) => ({ value, label: wordOf(value) })),
  },
  // The figures above the list set them.
  { key: "isAtRisk", label: "At risk", kind: "switch", isSetByLink: true },
  { key: "isLate", label: "Late", kind: "switch", isSetByLink: true },
  {
    key: "holdType",
    label: "Hold",
    kind: "select",
    options: [{ value: anyHold, label: "Any hold" }, { value: noHold, label: "No hold" }, ...holdOptions],
  },
  {
    key: "priority",
    label: "Priority",
    kind: "select",
    options: Array.from({ length: 9 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  },
  {
    key: "carrierCode",
    label: "Carrier",
    kind: "several",
    takesOthers: true,
    placeholder: "RM",
    options: withoutCarrier,
    useOptions: useCarriers,
  },
  { key: "shippingMethod", label: "Shipping" },
  { key: "lotNumber", label: "Lot" },
  { key: "serialNumber", label: "Serial" },
  {
    key: "despatched",
    label: "Despatched",
    range: {
      from: "despatchedFrom",
      to: "despatchedTo",
      unit: "day",
      presets: ["today", "yesterday", "last-week", "7d", "30d"],
    },
  },
  {
    key: rangeParam,
    label: "Received",
    range: { ...screenRanges["/orders"], from: "receivedFrom", to: "receivedTo", unit: "moment", isInTopBar: true },
  },
  {
    key: "stage",
    label: "Stage",
    kind: "select",
    isSetByLink: true,
    options: optionsOf(stageNames),
  },
  { key: "dueBy", label: "Due by", isSetByLink: true },
  { key: "dueAt", label: "Due at", isSetByLink: true },
  {
    key: "leavesWith",
    label: "Leaves with",
    kind: "several",
    isNeverNegated: true,
    takesOthers: true,
    options: withoutCarrier,
    useOptions: useCarriers,
    isSetByLink: true,
  },
  { key: "leftSince", label: "Left since", isSetByLink: true },
  { key: "receivedOn", label: "Received on", isSetByLink: true },
  { key: "deliveredOn", label: "Delivered on", isSetByLink: true },
];

/** The URL holds strings; the API takes lists, and other parameters for orders without a value or without some. */
function queryOf({ holdType, carrierCode, ...rest }: ListRequest): Query {
  const isAnyOrNone = holdType === anyHold || holdType === noHold;
  return {
    ...withLists(rest, "status", "leavesWith"),
    ...(isAnyOrNone ? { isHeld: holdType === anyHold } : { holdType }),
    ...carriersOf(typeof carrierCode === "string" ? carrierCode : ""),
  } as Query;
}

function carriersOf(text: string): Query {
  const { isNegated, values } = filterValuesOf(text);
  if (values.length === 0) return {};
  return isNegated ? { exceptCarrierCode: [...values] } : { carrierCode: [...values] };
}

export const orderPath = ({ clientId, orderId }: Pick<ListedOrder, "clientId" | "orderId">) =>
  linkTo("order", clientId, orderId);

/** Orders over all clients. */
export function OrderList() {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Orders"
      lead={<OrderState />}
      actions={
        <Button component={Link} to={withScope("/orders/promise", params)} variant="default" size="xs">
          Promise a basket
        </Button>
      }
      figures={<Figures />}
    >
      <DataList
        id="orders"
        label="Orders"
        noun="order"
        columns={orderColumns}
        columnSets={orderColumnSets}
        filters={filters}
        sort="-receivedAt"
        fetchPage={(request: ListRequest, signal) =>
          api.GET("/order/list", { params: { query: queryOf(request) }, signal })
        }
        countAll={(request, signal) =>
          api.GET("/order/count", { params: { query: queryOf(request) as CountQuery }, signal })
        }
        rowId={(row) => orderPath(row)}
        rowTo={orderPath}
        bulkActions={orderBulk}
        isAllChoosable
        empty={{ why: "No orders yet. Clients send them as NO feeds." }}
        live={10_000}
      />
    </Screen>
  );
}

const useFigures = () => {
  const { query } = useScope();
  return useAnswer("/order/figures", { query }, { live: 10_000 });
};

function Figures() {
  const { data, error } = useFigures();
  const of = (key: keyof OrderFigures) => ({
    count: data?.[key].count,
    isMore: data?.[key].isMore,
    isFailed: error !== null,
  });
  return (
    <>
      <CountFigure label="Orders to leave" {...of("toLeave")} to={`/orders?status=${orderGroups.open}`} />
      <CountFigure
        label="At risk"
        {...of("atRisk")}
        to="/orders?isAtRisk=true&sort=despatchBy"
        tone="waiting"
        hint="due within the hour"
      />
      <CountFigure
        label="Late"
        {...of("late")}
        to="/orders?isLate=true&sort=despatchBy"
        tone="failed"
        hint="past their despatch time"
      />
      <CountFigure
        label="Held"
        {...of("held")}
        to={`/orders?holdType=${anyHold}&sort=receivedAt`}
        tone="waiting"
        hint="oldest first"
      />
      <CountFigure
        label="Waiting for stock"
        {...of("waiting")}
        to={`/orders?status=${orderGroups.short}&sort=receivedAt`}
        tone="waiting"
        hint="oldest first"
      />
    </>
  );
}

/** State of the orders for the filters of the top bar. */
function OrderState() {
  const { data } = useFigures();
  // Keeps the height of the line while the numbers load.
  return data ? urgencyText(data.late.count, data.atRisk.count) : "\u00a0";
}
