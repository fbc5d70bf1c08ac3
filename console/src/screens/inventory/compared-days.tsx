import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { productPath } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { keyOfEnds } from "../../time-range.ts";
import { dayAfter } from "./days.ts";

type Row = components["schemas"]["StockComparisonRow"];
type Query = NonNullable<operations["compareStock"]["parameters"]["query"]>;

interface ComparedDaysProps {
  readonly clientId: string;
  readonly facility: string;
  /** `YYYY-MM-DD`, the earlier day. */
  readonly from: string;
  readonly to: string;
}

/** The statement of a product between the ends of the two days. */
const statementPath = ({ clientId, facility, from, to }: ComparedDaysProps, sku: string) =>
  `${productPath(clientId, sku, facility)}&days=${keyOfEnds(dayAfter(from), to)}`;

const columnsOf = (days: ComparedDaysProps): readonly Column<Row>[] => {
  const { from, to } = days;
  return [
    {
      key: "sku",
      header: "SKU",
      width: 190,
      cell: ({ sku }) => <Id text={sku} to={productPath(days.clientId, sku, days.facility)} />,
    },
    { key: "name", header: "Product", width: 196, wraps: true, cell: ({ name }) => name ?? "–" },
    {
      key: "onHandBefore",
      header: `On hand ${from}`,
      width: 184,
      align: "right",
      cell: ({ before }) => <Qty value={before.onHand} />,
      text: ({ before }) => String(before.onHand),
    },
    {
      key: "onHandAfter",
      header: `On hand ${to}`,
      width: 184,
      align: "right",
      cell: ({ after }) => <Qty value={after.onHand} />,
      text: ({ after }) => String(after.onHand),
    },
    {
      key: "onHandChange",
      header: "Difference",
      width: 106,
      align: "right",
      cell: ({ onHandChange }) => (
        <strong>
          <Qty value={onHandChange} isSigned />
        </strong>
      ),
    },
    {
      key: "availableBefore",
      header: `Available ${from}`,
      width: 176,
      align: "right",
      isHiddenAtFirst: true,
      cell: ({ before }) => <Qty value={before.available} />,
      text: ({ before }) => String(before.available),
    },
    {
      key: "availableAfter",
      header: `Available ${to}`,
      width: 176,
      align: "right",
      isHiddenAtFirst: true,
      cell: ({ after }) => <Qty value={after.available} />,
      text: ({ after }) => String(after.available),
    },
    {
      key: "availableChange",
      header: "Available, difference",
      width: 176,
      align: "right",
      cell: ({ availableChange }) => <Qty value={availableChange} isSigned />,
    },
    { key: "uom", header: "Unit", width: 70, isHiddenAtFirst: true, cell: ({ uom }) => uom },
    {
      key: "statement",
      header: "Movements",
      width: 106,
      cell: ({ sku }) => <Go to={statementPath(days, sku)}>Statement</Go>,
      text: ({ sku }) => `${location.origin}/console${statementPath(days, sku)}`,
    },
  ];
};

const filters: readonly Filter[] = [{ key: "isAll", label: "Unchanged too", kind: "switch" }];

/** The stock of two days side by side: the products whose quantity on hand or available differs, or all. */
export function ComparedDays(props: ComparedDaysProps) {
  const { clientId, facility, from, to } = props;
  return (
    <DataList
      id="stock-compare"
      label={`Stock of ${from} and ${to}`}
      scope={[]}
      fixed={{ clientId, distributionCentre: facility, from, to }}
      columns={columnsOf(props)}
      filters={filters}
      fetchPage={(query: Query, signal) => unwrap(api.GET("/stock/compare", { params: { query }, signal }))}
      rowId={({ sku }) => sku}
      empty={{ why: "The stock is the same at the ends of both days." }}
    />
  );
}
