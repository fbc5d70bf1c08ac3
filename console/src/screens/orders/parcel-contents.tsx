import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { qtyText } from "../../parts/qty.tsx";
import styles from "./orders.module.css";
import type { Parcel } from "./parcel-parts.tsx";

/** The most SKUs of one request. */
const skusMax = 1_000;

/** The products in a parcel, by line and lot. */
export function ParcelContents({ clientId, parcel }: { readonly clientId: string; readonly parcel: Parcel }) {
  const { contents, orderId } = parcel;
  const skus = [...new Set(contents.map(({ sku }) => sku))].slice(0, skusMax);
  const items = useData(
    ["items", clientId, skus],
    (signal) => unwrap(api.POST("/client/findItemBySkuList", { body: { clientId, skus }, signal })),
    { isReady: skus.length > 0 },
  );
  const itemOf = new Map(items.data?.items.map((item) => [item.sku, item]));
  if (contents.length === 0) {
    const lines = <Go to={linkTo("order", clientId, orderId)}>Lines of the order</Go>;
    return <Empty why="The warehouse reported no contents of this parcel." action={lines} />;
  }
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">SKU</th>
            <th scope="col" data-align="right">
              Quantity
            </th>
            <th scope="col">Lot</th>
            <th scope="col">Expires</th>
            <th scope="col">Serial numbers</th>
          </tr>
        </thead>
        <tbody>
          {contents.map(({ lineNumber, sku, qty, batchRef, expiryDate, serials }) => (
            <tr key={[lineNumber, sku, batchRef, expiryDate, serials[0]].join(" ")}>
              <td>{lineNumber}</td>
              <td className={styles.sku}>
                <Id text={sku} to={linkTo("sku", clientId, sku)} />
                <span className={styles.detail}>{itemOf.get(sku)?.name}</span>
              </td>
              <td data-align="right">
                {qtyText(qty)} {itemOf.get(sku)?.stockUom}
              </td>
              <td>{batchRef ?? "–"}</td>
              <td className={styles.left}>{expiryDate ?? "–"}</td>
              <td>{serials.length === 0 ? "–" : serials.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
