import { useAnswer } from "../../../data.ts";
import { linkTo } from "../../../links.ts";
import { moneyText } from "../../../parts/decision.tsx";
import { Go } from "../../../parts/go.tsx";
import { Id } from "../../../parts/id.tsx";
import { Empty } from "../../../parts/loading/empty.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { DetailPage } from "../../../parts/page/detail-page.tsx";
import type { Fact } from "../../../parts/page/facts.tsx";
import { pageOf } from "../../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../../parts/page/place-facts.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";
import { OrderDocuments } from "../order-documents.tsx";
import styles from "../orders.module.css";
import { ParcelContents } from "./parcel-contents.tsx";
import { measuresOf, type Parcel, ParcelTimeline } from "./parcel-parts.tsx";

interface ParcelProps {
  readonly clientId: string;
  readonly parcel: Parcel;
}

/** One parcel: its carrier, its contents, its papers and its events. */
export const ParcelPage = pageOf(
  "/client/olpn/get/{olpnId}",
  { what: "The parcel", live: 10_000 },
  (parcel, { clientId = "" }) => <Whole clientId={clientId} parcel={parcel} />,
);

function Whole({ clientId, parcel }: ParcelProps) {
  const { olpnId, orderId, distributionCentre, contents, events } = parcel;
  const last = events.at(-1);
  return (
    <DetailPage
      what="Parcel"
      id={olpnId}
      clientId={clientId}
      back={{ to: `${linkTo("order", clientId, orderId)}?tab=parcels`, label: `Parcels of order ${orderId}` }}
      state={<StateBadge kind="parcel" state={parcel.status} />}
      age={
        last && (
          <>
            last event <Time at={last.at} facility={distributionCentre} />
          </>
        )
      }
      facts={factsOf({ clientId, parcel })}
      timeline={<Trace clientId={clientId} parcel={parcel} />}
      tabs={[
        {
          key: "contents",
          label: "Contents",
          count: contents.length,
          content: <ParcelContents clientId={clientId} parcel={parcel} />,
        },
        {
          key: "documents",
          label: "Documents",
          content: <OrderDocuments order={{ clientId, orderId, distributionCentre }} olpnId={olpnId} />,
        },
      ]}
    />
  );
}

function factsOf({ clientId, parcel }: ParcelProps): Fact[] {
  const { orderId, distributionCentre, decisionId } = parcel;
  const { carrier, tracking, weight, size } = measuresOf(parcel);
  return [
    clientFact(clientId),
    { name: "Order", value: <Id text={orderId} to={linkTo("order", clientId, orderId)} /> },
    facilityFact(distributionCentre),
    carrier,
    tracking,
    {
      name: "Price",
      value:
        decisionId === null ? (
          "not known: the warehouse named the service"
        ) : (
          <Price clientId={clientId} decisionId={decisionId} />
        ),
    },
    weight,
    size,
  ];
}

/** Cost of the parcel by its carrier decision, with the page of it. */
function Price({ clientId, decisionId }: { readonly clientId: string; readonly decisionId: string }) {
  const decision = useAnswer("/client/carrier/decision/{decisionId}", { path: { decisionId }, query: { clientId } });
  return (
    <Loaded query={decision} what="The carrier decision" height={20}>
      {({ chosen }) => (
        <>
          {chosen?.price ? moneyText(chosen.price.total) : "no price"}{" "}
          <Go to={linkTo("decision", clientId, decisionId)}>Carrier decision</Go>
        </>
      )}
    </Loaded>
  );
}

/** The highest code that the platform raises itself. */
const ownCodesMax = 100;

function Trace({ clientId, parcel }: ParcelProps) {
  const isReported = parcel.events.some(({ code }) => code > ownCodesMax);
  return (
    <div className={styles.parcels}>
      <ParcelTimeline parcel={parcel} />
      {isReported || parcel.status === "VOIDED" ? null : (
        <Empty
          why="The carrier has reported nothing yet. Its events appear here after the parcel has left."
          action={<Go to={linkTo("order", clientId, parcel.orderId)}>What the order waits for</Go>}
        />
      )}
    </div>
  );
}
