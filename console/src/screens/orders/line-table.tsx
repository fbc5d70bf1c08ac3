import type { ReactNode } from "react";
import { linkTo } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import styles from "./orders.module.css";

interface LineTableProps {
  /** Headings after those of line and SKU; numbers are at the right. */
  readonly heads: readonly { readonly label: string; readonly isNumber?: boolean }[];
  readonly children: ReactNode;
}

/** A table with a row for each line of an order, or for its part in a parcel. */
export function LineTable({ heads, children }: LineTableProps) {
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <thead>
          <tr>
            {[{ label: "Line" }, { label: "SKU" }, ...heads].map(({ label, isNumber = false }) => (
              <th key={label} scope="col" data-align={isNumber ? "right" : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface SkuCellProps {
  readonly clientId: string;
  readonly sku: string;
  /** Name of the product; undefined while loading and for an unknown one, null where the catalogue has none. */
  readonly name: string | null | undefined;
  readonly children?: ReactNode;
}

/** The product of a line, by its SKU and its name. */
export function SkuCell({ clientId, sku, name, children }: SkuCellProps) {
  return (
    <td className={styles.sku}>
      <Id text={sku} to={linkTo("sku", clientId, sku)} />
      <span className={styles.detail}>{name}</span>
      {children}
    </td>
  );
}
