import { Table } from "@mantine/core";
import type { components } from "#operator";
import { productPath } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Qty } from "../../parts/qty.tsx";
import styles from "./inventory.module.css";

interface BalancesProps {
  readonly levels: readonly components["schemas"]["StockLevel"][];
  /** The facility whose statement is shown. */
  readonly at: string | undefined;
}

/** Stock of a product in each facility, with the parts of each total. */
export function Balances({ levels, at }: BalancesProps) {
  if (levels.length === 0) return <Empty why="No stock in any facility." />;
  return (
    <div className={styles.scroll}>
      <h2 className={styles.title}>Stock by facility</h2>
      <Table aria-label="Balances">
        <Table.Thead>
          <Table.Tr>
            {["Facility", "On hand", "Allocated", "On hold", "Damaged", "Unsellable", "Available"].map((name, i) => (
              <Table.Th key={name} ta={i === 0 ? "left" : "right"}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {levels.map((level) => (
            <Table.Tr key={level.distributionCentre} aria-current={level.distributionCentre === at}>
              <Table.Td>
                <Go to={productPath(level.clientId, level.sku, level.distributionCentre)}>
                  {level.distributionCentre}
                </Go>
              </Table.Td>
              {[level.onHand, level.allocated, level.onHold, level.damaged, level.unsellable].map((value, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always these.
                <Table.Td key={i} ta="right">
                  <Qty value={value} />
                </Table.Td>
              ))}
              <Table.Td ta="right" fw={600}>
                <Qty value={level.available} isWanted />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
