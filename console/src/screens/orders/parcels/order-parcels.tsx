import { useAnswer } from "../../../data.ts";
import { linkTo } from "../../../links.ts";
import { Go } from "../../../parts/go.tsx";
import { Id } from "../../../parts/id.tsx";
import { Empty } from "../../../parts/loading/empty.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { Facts } from "../../../parts/page/facts.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import type { Order } from "../order-words.ts";
import styles from "../orders.module.css";
import { measuresOf, type Parcel, ParcelTimeline, TrackingNumber } from "./parcel-parts.tsx";

const parcelsMax = 100;

/** The parcels of an order. All components share one request. */
function useParcels({ clientId, orderId, olpns }: Order) {
  return useAnswer(
    "/client/olpn/list/{orderId}",
    { path: { orderId }, query: { clientId, limit: parcelsMax } },
    { live: 10_000, isReady: olpns.length > 0 },
  );
}

/** Parcels named beside the other facts of an order. The tab has all of them. */
const trackedMax = 3;

/** Carrier and tracking number of each parcel, with the carrier's page where it has one. */
export function Tracking({ order }: { readonly order: Order }) {
  const items = useParcels(order).data?.items ?? [];
  const tracked = items.filter(({ trackingNumber }) => trackingNumber !== null);
  if (tracked.length === 0) return "–";
  return (
    <ul className={styles.tracking}>
      {tracked.slice(0, trackedMax).map((parcel) => (
        <li key={parcel.olpnId}>
          {parcel.carrierCode} <TrackingNumber parcel={parcel} />
        </li>
      ))}
      {tracked.length > trackedMax ? (
        <li>
          <Go to={`${linkTo("order", order.clientId, order.orderId)}?tab=parcels`}>
            {`and ${tracked.length - trackedMax} more parcels`}
          </Go>
        </li>
      ) : null}
    </ul>
  );
}

/** The parcels of an order with their carrier events. */
export function OrderParcels({ order }: { readonly order: Order }) {
  const parcels = useParcels(order);
  if (order.olpns.length === 0)
    return <Empty why="Nothing is packed yet: parcels appear here when the warehouse reports them." />;
  return (
    <Loaded query={parcels} what="The parcels">
      {({ items }) =>
        items.length === 0 ? (
          <Empty why="Nothing is packed yet: parcels appear here when the warehouse reports them." />
        ) : (
          <div className={styles.parcels}>
            {items.map((parcel) => (
              <ParcelBox key={parcel.olpnId} clientId={order.clientId} parcel={parcel} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function ParcelBox({ clientId, parcel }: { readonly clientId: string; readonly parcel: Parcel }) {
  const { olpnId } = parcel;
  return (
    <section className={styles.parcel} aria-label={`Parcel ${olpnId}`}>
      <h3 className={styles.parcelHead}>
        <Id text={olpnId} to={linkTo("parcel", clientId, olpnId)} />
        <StateBadge kind="parcel" state={parcel.status} />
      </h3>
      <div className={styles.columns}>
        <Facts
          facts={[
            ...Object.values(measuresOf(parcel)),
            {
              name: "Contents",
              value: parcel.contents
                .map(({ sku, qty, batchRef }) => `${qtyText(qty)} of ${sku}${batchRef ? `, lot ${batchRef}` : ""}`)
                .join("; "),
            },
          ]}
        />
        <ParcelTimeline parcel={parcel} />
      </div>
    </section>
  );
}
