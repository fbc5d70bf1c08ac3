import type { components } from "#operator";
import { productPath } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Qty } from "../../parts/qty.tsx";
import { keyOfEnds } from "../../time-range.ts";
import { dayAfter } from "./days.ts";

type Row = components["schemas"]["StockComparisonRow"];

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
    { key: "sku", to: ({ sku }) => productPath(days.clientId, sku, days.facility) },
    { key: "name", kind: "product" },
    { key: "onHandBefore", kind: "quantity", header: `On hand ${from}`, of: ({ before }) => before.onHand },
    { key: "onHandAfter", kind: "quantity", header: `On hand ${to}`, of: ({ after }) => after.onHand },
    {
      key: "onHandChange",
      kind: "change",
      header: "Difference",
      cell: ({ onHandChange }) => (
        <strong>
          <Qty value={onHandChange} isSigned />
        </strong>
      ),
    },
    {
      key: "availableBefore",
      kind: "quantity",
      header: `Available ${from}`,
      isHiddenAtFirst: true,
      of: ({ before }) => before.available,
    },
    {
      key: "availableAfter",
      kind: "quantity",
      header: `Available ${to}`,
      isHiddenAtFirst: true,
      of: ({ after }) => after.available,
    },
    { key: "availableChange", kind: "change", header: "Available, difference" },
    { key: "uom", isHiddenAtFirst: true },
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
      fetchPage={pagesOf("/stock/compare")}
      rowId={({ sku }) => sku}
      empty={{ why: "The stock is the same at the ends of both days." }}
    />
  );
}
