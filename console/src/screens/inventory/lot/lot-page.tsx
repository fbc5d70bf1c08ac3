import type { ReactNode } from "react";
import { useParams } from "react-router";
import { api } from "../../../api.ts";
import { useAnswer } from "../../../data.ts";
import { linkTo, productPath } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { Go } from "../../../parts/go.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { DetailPage } from "../../../parts/page/detail-page.tsx";
import { clientFact } from "../../../parts/page/place-facts.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import { LotOrders } from "./lot-orders.tsx";
import { Receipts, Reservations, Returns, Stock, type Trace, Uses } from "./lot-sections.tsx";

const sumOf = (rows: readonly { readonly qty: number }[]) => rows.reduce((sum, { qty }) => sum + qty, 0);

/** A lot from its receipt to the customers that got it, with a hold of what is left. */
export function LotPage() {
  const { clientId = "", sku = "", lotNumber = "" } = useParams();
  const lot = { clientId, sku, lotNumber };
  const trace = useAnswer("/client/lot/trace", { query: { ...lot, limit: 1 } }, { live: 30_000 });
  const { data } = trace;
  const rest = data?.stock.filter((row) => row.sku === sku && row.lotNumber === lotNumber) ?? [];
  const section = (content: (found: Trace) => ReactNode) => (
    <Loaded query={trace} what="The lot" height={160}>
      {content}
    </Loaded>
  );
  return (
    <DetailPage
      what="Lot"
      id={lotNumber}
      clientId={clientId}
      back={{ to: productPath(clientId, sku), label: sku }}
      notice={
        data?.found === false ? (
          <Notice tone="waiting" title="There is no such lot">
            No receipt, stock, parcel or return of {sku} has the batch {lotNumber}.
          </Notice>
        ) : undefined
      }
      actions={
        <>
          <HoldLot {...lot} change="release" />
          <HoldLot {...lot} change="hold" />
        </>
      }
      facts={[
        clientFact(clientId),
        { name: "Product", value: <Go to={productPath(clientId, sku)}>{sku}</Go> },
        { name: "In stock", value: data && qtyText(sumOf(rest)) },
        { name: "Not for sale", value: data && qtyText(sumOf(rest.filter(({ isHeld }) => isHeld))) },
        { name: "Made from it", value: data && madeWords(data, clientId) },
      ]}
      tabs={[
        { key: "orders", label: "Orders", content: <LotOrders {...lot} /> },
        { key: "stock", label: "Stock", content: section((found) => <Stock clientId={clientId} trace={found} />) },
        {
          key: "reservations",
          label: "Reserved",
          content: section((found) => <Reservations clientId={clientId} trace={found} />),
        },
        {
          key: "receipts",
          label: "Receipts",
          content: section((found) => <Receipts clientId={clientId} trace={found} />),
        },
        { key: "uses", label: "Work orders", content: section((found) => <Uses clientId={clientId} trace={found} />) },
        {
          key: "returns",
          label: "Returns",
          content: section((found) => <Returns clientId={clientId} trace={found} />),
        },
      ]}
    />
  );
}

/** Links to the lots that were made from it. */
function madeWords({ lots, lotsTruncated }: Trace, clientId: string) {
  const made = lots.filter(({ level }) => level > 0);
  if (made.length === 0) return "nothing";
  return (
    <>
      {made.map(({ sku, lotNumber }) => (
        <div key={`${sku} ${lotNumber}`}>
          <Go to={linkTo("lot", clientId, lotNumber, sku)}>
            {sku} {lotNumber}
          </Go>
        </div>
      ))}
      {lotsTruncated ? "and more" : null}
    </>
  );
}

interface LotChangeProps {
  readonly clientId: string;
  readonly sku: string;
  readonly lotNumber: string;
  readonly change: "hold" | "release";
}

function HoldLot({ change, ...lot }: LotChangeProps) {
  const isHold = change === "hold";
  const verb = isHold ? "Put on hold" : "Release";
  const text = isHold
    ? "All good stock of the lot, in every facility, can no longer be sold. Orders that have it allocated look for other stock; what is picked or packed stays with its orders. The client gets an adjustment."
    : "All stock of the lot that is on hold can be sold again, in every facility, but for what a pick did not find. The client gets an adjustment.";
  return (
    <ActionButton
      verb={verb}
      isDestructive={isHold}
      title={`${verb}: lot ${lot.lotNumber} of ${lot.sku}`}
      text={text}
      fields={[{ name: "reason", label: "Reason", isRequired: true, description: "Stored in the audit log." }]}
      run={({ reason = "" }) => api.POST(`/client/lot/${change}`, { body: { ...lot, reason } })}
      done={({ qty, qtyInHand }) =>
        `${qtyText(qty)} ${isHold ? "on hold" : "released"}${qtyInHand > 0 ? `; ${qtyText(qtyInHand)} picked or packed stay with their orders` : ""}.`
      }
    />
  );
}
