import { useItems } from "../../../items.ts";
import { linkTo } from "../../../links.ts";
import { Go } from "../../../parts/go.tsx";
import { Empty } from "../../../parts/loading/empty.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import { LineTable, SkuCell } from "../line-table.tsx";
import styles from "../orders.module.css";
import type { Parcel } from "./parcel-parts.tsx";

/** The products in a parcel, by line and lot. */
export function ParcelContents({ clientId, parcel }: { readonly clientId: string; readonly parcel: Parcel }) {
  const { contents, orderId } = parcel;
  const items = useItems(clientId, contents);
  if (contents.length === 0) {
    const lines = <Go to={linkTo("order", clientId, orderId)}>Lines of the order</Go>;
    return <Empty why="The warehouse reported no contents of this parcel." action={lines} />;
  }
  return (
    <LineTable
      heads={[
        { label: "Quantity", isNumber: true },
        { label: "Lot" },
        { label: "Expires" },
        { label: "Serial numbers" },
      ]}
    >
      {contents.map(({ lineNumber, sku, qty, batchRef, expiryDate, serials }) => (
        <tr key={[lineNumber, sku, batchRef, expiryDate, serials[0]].join(" ")}>
          <td>{lineNumber}</td>
          <SkuCell clientId={clientId} sku={sku} name={items.get(sku)?.name} />
          <td data-align="right">
            {qtyText(qty)} {items.get(sku)?.stockUom}
          </td>
          <td>{batchRef ?? "–"}</td>
          <td className={styles.left}>{expiryDate ?? "–"}</td>
          <td>{serials.length === 0 ? "–" : serials.join(", ")}</td>
        </tr>
      ))}
    </LineTable>
  );
}
