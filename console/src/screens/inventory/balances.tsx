import type { components } from "#operator";
import { productPath } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import styles from "./inventory.module.css";
import { expiredOf, onHoldOf } from "./unsellable-words.ts";

type Level = components["schemas"]["StockLevel"];

interface BalancesProps {
  readonly levels: readonly Level[];
  /** The facility whose statement is shown. */
  readonly at: string | undefined;
}

const columnsOf = (at: string | undefined): readonly Column<Level>[] => [
  {
    key: "distributionCentre",
    cell: ({ clientId, sku, distributionCentre }) => (
      <span aria-current={distributionCentre === at || undefined}>
        <Go to={productPath(clientId, sku, distributionCentre)}>{distributionCentre}</Go>
      </span>
    ),
  },
  { key: "onHand", kind: "quantity", header: "On hand" },
  { key: "allocated", kind: "quantity", header: "Allocated" },
  { key: "onHold", kind: "quantity", header: "On hold", of: onHoldOf },
  { key: "expired", kind: "quantity", header: "Expired", of: expiredOf },
  { key: "damaged", kind: "quantity", header: "Damaged" },
  { key: "unsellable", kind: "quantity", header: "Unsellable" },
  {
    key: "available",
    kind: "quantity",
    header: "Available",
    cell: ({ available }) => (
      <strong>
        <Qty value={available} isWanted />
      </strong>
    ),
  },
];

/** Stock of a product in each facility, with the parts of each total. */
export function Balances({ levels, at }: BalancesProps) {
  return (
    <div>
      <h2 className={styles.title}>Stock by facility</h2>
      <StaticList
        id="balances"
        label="Balances"
        columns={columnsOf(at)}
        rows={levels}
        rowId={({ distributionCentre }) => distributionCentre}
        empty={{ why: "No stock in any facility." }}
      />
    </div>
  );
}
