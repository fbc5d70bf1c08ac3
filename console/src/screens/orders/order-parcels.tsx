import { Anchor } from "@mantine/core";
import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Empty } from "../../parts/empty.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Timeline } from "../../parts/timeline.tsx";
import type { Tone } from "../../parts/tones.ts";
import type { Order } from "./order-words.ts";
import styles from "./orders.module.css";

type Parcel = components["schemas"]["ClientOlpn"];

const parcelsMax = 100;

/** The parcels of an order. All components share one request. */
function useParcels({ clientId, orderId, olpns }: Order) {
  return useData(
    ["order-parcels", clientId, orderId],
    (signal) => {
      const params = { path: { orderId }, query: { clientId, limit: parcelsMax } };
      return unwrap(api.GET("/client/olpn/list/{orderId}", { params, signal }));
    },
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
      {tracked.slice(0, trackedMax).map(({ olpnId, carrierCode, trackingNumber, trackingUrl }) => (
        <li key={olpnId}>
          {carrierCode}{" "}
          {trackingUrl === null ? (
            <Id text={trackingNumber ?? ""} />
          ) : (
            <Anchor href={trackingUrl} target="_blank" rel="noreferrer" inherit>
              {trackingNumber}
            </Anchor>
          )}
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
              <ParcelBox key={parcel.olpnId} parcel={parcel} facility={order.distributionCentre} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function toneOfCode(code: number): Tone {
  if (code === 200 || code === 205 || code === 210) return "done";
  if ([190, 195, 220, 230, 300, 390, 399].includes(code)) return "failed";
  return [148, 165, 170, 175, 180, 185].includes(code) ? "waiting" : "moving";
}

function ParcelBox({ parcel, facility }: { readonly parcel: Parcel; readonly facility: string }) {
  const { olpnId, weight, dimensions, trackingNumber, trackingUrl } = parcel;
  return (
    <section className={styles.parcel} id={olpnId} aria-label={`Parcel ${olpnId}`}>
      <h3 className={styles.parcelHead}>
        <Id text={olpnId} />
        <StateBadge kind="parcel" state={parcel.status} />
      </h3>
      <div className={styles.columns}>
        <Facts
          facts={[
            { name: "Carrier", value: [parcel.carrierCode, parcel.carrierServiceCode].filter(Boolean).join(" · ") },
            { name: "Tracking", value: trackingNumber && <Id text={trackingNumber} /> },
            {
              name: "Follow it",
              value: trackingUrl && (
                <Anchor href={trackingUrl} target="_blank" rel="noreferrer" inherit>
                  Tracking page of the carrier
                </Anchor>
              ),
            },
            { name: "Weight", value: `${qtyText(weight.value)} ${weight.uom}` },
            {
              name: "Size",
              value:
                dimensions &&
                `${dimensions.length ?? "–"} × ${dimensions.width ?? "–"} × ${dimensions.height ?? "–"} ${dimensions.uom}`,
            },
            {
              name: "Contents",
              value: parcel.contents
                .map(({ sku, qty, batchRef }) => `${qtyText(qty)} of ${sku}${batchRef ? `, lot ${batchRef}` : ""}`)
                .join("; "),
            },
          ]}
        />
        <Timeline
          title="Track and trace"
          facility={facility}
          events={parcel.events.map(({ at, code, name, location, text }) => ({
            at,
            code,
            tone: toneOfCode(code),
            text: [name, location, text].filter(Boolean).join(" · "),
          }))}
        />
      </div>
    </section>
  );
}
