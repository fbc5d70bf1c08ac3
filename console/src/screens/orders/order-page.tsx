import { Group } from "@mantine/core";
import { useParams } from "react-router";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import type { Fact } from "../../parts/page/facts.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { addressFacts } from "./address-facts.ts";
import { customsFacts } from "./customs-facts.ts";
import { OrderActions } from "./order-actions.tsx";
import { AddressText, amountText } from "./order-address.tsx";
import { OrderStateBadge, TimeLeft } from "./order-columns.tsx";
import { OrderDecisions } from "./order-decisions.tsx";
import { OrderDocuments } from "./order-documents.tsx";
import { type OrderExplanation, OrderSummary } from "./order-explanation.tsx";
import { OrderFeeds } from "./order-feeds.tsx";
import { OrderLines } from "./order-lines.tsx";
import { ReturnLinks, useReturns } from "./order-returns.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { explanationsOf, hasLeft, type ListedOrder, type Order } from "./order-words.ts";
import styles from "./orders.module.css";
import { OrderParcels, Tracking } from "./parcels/order-parcels.tsx";

/** One order: what it waits for, the available actions, its history, and its related objects. */
export function OrderPage() {
  const { clientId = "", orderId = "" } = useParams();
  const found = useData(
    ["order", clientId, orderId],
    async (signal) => {
      const params = { path: { orderId }, query: { clientId } };
      const [order, row, explanation] = await Promise.all([
        api.GET("/client/order/get/{orderId}", { params, signal }),
        api.GET("/order/list", { params: { query: { clientId, text: orderId, limit: 50 } }, signal }),
        api.GET("/client/order/explain/{orderId}", { params, signal }),
      ]);
      return { order, explanation, row: row.items.find((item) => item.orderId === orderId) };
    },
    { live: 10_000 },
  );
  return (
    <Loaded query={found} what="The order" height={480}>
      {({ order, row, explanation }) => <Whole order={order} row={row} explanation={explanation} />}
    </Loaded>
  );
}

interface OrderProps {
  readonly order: Order;
  /** The order's row in the list; undefined only while the list lags. */
  readonly row: ListedOrder | undefined;
}

function Whole({ order, row, explanation }: OrderProps & { readonly explanation: OrderExplanation }) {
  const { orderId, olpns, lines } = order;
  const isCancelRequested = row?.isCancelRequested ?? false;
  return (
    <DetailPage
      what="Order"
      id={orderId}
      clientId={order.clientId}
      back={{ to: "/orders", label: "Orders" }}
      state={<OrderStateBadge status={order.status} isCancelRequested={isCancelRequested} />}
      age={
        <>
          <Age since={row?.statusSince ?? order.receivedAt} />{" "}
          {isCancelRequested ? `in ${wordOf(order.status).toLowerCase()}` : "in this state"}
        </>
      }
      actions={<OrderActions order={order} isCancelRequested={isCancelRequested} />}
      notice={
        <OrderSummary order={order} explanation={explanation}>
          <Explained order={order} isCancelRequested={isCancelRequested} />
        </OrderSummary>
      }
      facts={[...useFacts({ order, row }), ...customsFacts(explanation.customs), ...addressFacts(explanation.address)]}
      timeline={<OrderTimeline order={order} />}
      isTimelineLast
      tabs={[
        {
          key: "lines",
          label: "Lines",
          count: lines.length,
          content: <OrderLines order={order} explained={explanation.lines} />,
        },
        { key: "parcels", label: "Parcels", count: olpns.length, content: <OrderParcels order={order} /> },
        { key: "documents", label: "Documents", content: <OrderDocuments order={order} /> },
        { key: "carrier", label: "Carrier decision", content: <OrderDecisions order={order} /> },
        { key: "feeds", label: "Raw feeds", content: <OrderFeeds order={order} /> },
      ]}
    />
  );
}

/** Explains what the order waits for. */
function Explained({ order, isCancelRequested }: { readonly order: Order; readonly isCancelRequested: boolean }) {
  const all = explanationsOf(order, isCancelRequested);
  if (all.length === 0) return null;
  return (
    <ul className={styles.causes} aria-label="Reasons why the order waits">
      {all.map(({ tone, title, text, since }) => (
        <li key={title} className={styles.cause} data-tone={tone}>
          <strong>{title}</strong>
          <span>{text}</span>
          {since === undefined ? null : (
            <span className={styles.since}>
              for <Age since={since} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function useFacts({ order, row }: OrderProps): Fact[] {
  const returns = useReturns(order);
  const { clientId, distributionCentre: facility } = order;
  const others = order.distributionCentres.slice(1);
  const shipping = [order.shippingMethod, order.carrierCode].filter(Boolean).join(" · ") || "as determined";
  return [
    clientFact(clientId),
    facilityFact(facility),
    { name: "Split with", value: others.length > 0 && others.join(", ") },
    { name: "Reference", value: order.externalOrderReference && <Id text={order.externalOrderReference} /> },
    {
      name: "Leaves by",
      value: order.despatchBy && (
        <>
          <Time at={order.despatchBy} facility={facility} isExact />{" "}
          {row === undefined || hasLeft(row) ? null : (
            <span className={styles.left}>
              · <TimeLeft order={row} />
            </span>
          )}
        </>
      ),
    },
    { name: "Not before", value: order.shipAfter && <Time at={order.shipAfter} facility={facility} isExact /> },
    { name: "Ship by", value: order.shipBy && <Time at={order.shipBy} facility={facility} isExact /> },
    { name: "Deliver by", value: order.deliverBy && <Time at={order.deliverBy} facility={facility} isExact /> },
    { name: "Shipping", value: `${shipping}${order.shipPartial ? ", split shipment allowed" : ""}` },
    { name: "Tracking", value: order.olpns.length > 0 && <Tracking order={order} /> },
    { name: "Priority", value: order.priority },
    { name: "Returns", value: returns.length > 0 && <ReturnLinks returns={returns} /> },
    { name: "Ships to", value: order.shipToAddress && <AddressText address={order.shipToAddress} /> },
    {
      name: "Personal data",
      value: order.personalDataErasedAt && (
        <>
          erased <Time at={order.personalDataErasedAt} facility={facility} isExact />
        </>
      ),
    },
    { name: "Value", value: order.totalPrice && amountText(order.totalPrice) },
    { name: "Ordered", value: <Time at={order.orderDate} facility={facility} isExact /> },
    { name: "Received", value: <Time at={order.receivedAt} facility={facility} isExact /> },
    {
      name: "First feed",
      value: (
        // The gap holds also where the two wrap: targets of clicks are 24 pixels apart.
        <Group gap={8}>
          <Go to={linkTo("feed", "", order.feedToken)}>Order {order.orderId}</Go>
          <Id text={order.feedToken} length={12} isSmall />
        </Group>
      ),
    },
  ];
}
