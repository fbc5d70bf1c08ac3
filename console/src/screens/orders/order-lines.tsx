import { Fragment } from "react";
import { api } from "../../api.ts";
import { useItems } from "../../items.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../session.tsx";
import { LineTable, SkuCell } from "./line-table.tsx";
import { type ExplainedLine, LineReasons } from "./order-explanation.tsx";
import { hasLeft, type Order, type OrderLine, quantitiesOf } from "./order-words.ts";
import styles from "./orders.module.css";
import { QuantityBar } from "./quantity-bar.tsx";

interface OrderLinesProps {
  readonly order: Order;
  /** Lines of which a part has not left. */
  readonly explained: readonly ExplainedLine[];
}

/** The lines of an order, a kit with its components, with a bar of their quantities, and the reasons of those that lack goods. */
export function OrderLines({ order, explained }: OrderLinesProps) {
  const reasonsOf = new Map(explained.filter(({ qtyShort }) => qtyShort > 0).map((line) => [line.lineNumber, line]));
  const mayChange = useMay("operator") && !hasLeft(order);
  const items = useItems(
    order.clientId,
    order.lines.flatMap((line) => [line, ...line.components]),
  );
  return (
    <LineTable
      heads={[
        { label: "State" },
        { label: "Ordered", isNumber: true },
        { label: "Where its units are" },
        { label: "Delivered", isNumber: true },
        { label: "Returned", isNumber: true },
        ...(mayChange ? [{ label: "Actions" }] : []),
      ]}
    >
      {order.lines.map((line) => (
        <Fragment key={line.lineNumber}>
          <tr>
            <td>{line.lineNumber}</td>
            <SkuCell clientId={order.clientId} sku={line.sku} name={items.get(line.sku)?.name}>
              {line.stockPool === "DEFAULT" ? null : <span className={styles.detail}>pool {line.stockPool}</span>}
              {order.distributionCentres.length === 1 ? null : (
                <span className={styles.detail}>from {line.distributionCentre}</span>
              )}
            </SkuCell>
            <td>
              <StateBadge kind="line" state={line.status} />
              {line.promisedOn === null ? null : <span className={styles.detail}>expected on {line.promisedOn}</span>}
            </td>
            <td data-align="right">
              {qtyText(line.qtyOrdered)} {line.uom}
            </td>
            <td width="40%">
              <QuantityBar quantities={quantitiesOf(line)} hasNumbers />
            </td>
            <td data-align="right">{qtyText(line.qtyDelivered)}</td>
            <td data-align="right">{qtyText(line.qtyReturned)}</td>
            {mayChange ? (
              <td>
                <LineActions order={order} line={line} />
              </td>
            ) : null}
          </tr>
          {line.components.map((component) => (
            <tr key={component.lineNumber}>
              <td />
              <SkuCell clientId={order.clientId} sku={component.sku} name={items.get(component.sku)?.name}>
                <span className={styles.detail}>
                  {qtyText(component.qtyPerKit)} {component.uom} in a kit
                </span>
              </SkuCell>
              <td />
              <td data-align="right">
                {qtyText(component.qtyOrdered)} {component.uom}
              </td>
              <td width="40%">
                <QuantityBar quantities={quantitiesOf(component)} hasNumbers />
              </td>
              <td data-align="right">{qtyText(component.qtyDelivered)}</td>
              <td data-align="right">{qtyText(component.qtyReturned)}</td>
              {mayChange ? <td /> : null}
            </tr>
          ))}
          <Reasons
            line={reasonsOf.get(line.lineNumber)}
            facility={line.distributionCentre}
            columns={mayChange ? 8 : 7}
          />
        </Fragment>
      ))}
    </LineTable>
  );
}

interface ReasonsProps {
  readonly line: ExplainedLine | undefined;
  readonly facility: string;
  readonly columns: number;
}

function Reasons({ line, facility, columns }: ReasonsProps) {
  if (line === undefined) return null;
  return (
    <tr>
      <td colSpan={columns}>
        <LineReasons line={line} facility={facility} />
      </td>
    </tr>
  );
}

function LineActions({ order, line }: { readonly order: Order; readonly line: OrderLine }) {
  const { clientId, orderId } = order;
  const { lineNumber, sku } = line;
  const params = { path: { orderId, lineNumber }, query: { clientId } };
  const left = line.qtyOrdered - line.qtyCancelled - line.qtyDespatched;
  if (left <= 0) return <span className={styles.detail}>No units of the line remain.</span>;
  return (
    <div className={styles.buttons}>
      <ActionButton
        verb="Change quantity"
        size="xs"
        title={`Change line ${lineNumber} of order ${orderId}`}
        text="A higher quantity is allocated from stock, a lower one frees stock. Possible until the warehouse has the order."
        fields={[
          {
            name: "qty",
            label: `Quantity in ${line.uom}`,
            kind: "number",
            initial: String(line.qtyOrdered),
            isRequired: true,
          },
        ]}
        run={({ qty }) =>
          api.PATCH("/client/orderLine/update/{orderId}/{lineNumber}", { params, body: { qty: Number(qty) } })
        }
        done={`Line ${lineNumber} of order ${orderId} was changed.`}
      />
      <ActionButton
        verb="Cancel line"
        size="xs"
        title={`Cancel line ${lineNumber} of order ${orderId}`}
        text={`${qtyText(left)} of ${sku} are open. The warehouse is asked to stop the units that it has started.`}
        fields={[
          { name: "qty", label: `Quantity in ${line.uom}`, kind: "number", initial: String(left), isRequired: true },
          { name: "reason", label: "Reason", isRequired: true, description: "The client is notified of the reason." },
        ]}
        run={({ qty, reason = "" }) => {
          const body = { reason, ...(Number(qty) === left ? {} : { qty: Number(qty) }) };
          return api.POST("/client/orderLine/cancel/{orderId}/{lineNumber}", { params, body });
        }}
        done={({ outcome, order: { lines } }) => {
          const name = `line ${lineNumber} of order ${orderId}`;
          if (outcome === "REQUESTED") return `The warehouse has goods of ${name}, and was asked to stop them.`;
          const isWhole = lines.find((candidate) => candidate.lineNumber === lineNumber)?.status === "CANCELLED";
          return `${isWhole ? "All" : "A part"} of ${name} is cancelled.`;
        }}
        isDestructive
      />
    </div>
  );
}
