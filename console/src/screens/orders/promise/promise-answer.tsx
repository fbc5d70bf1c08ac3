import { useTimezone } from "../../../directory.ts";
import { productPath } from "../../../links.ts";
import { choiceName, moneyText } from "../../../parts/decision.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Section } from "../../../parts/page/screen.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import { localText } from "../../../time-range.ts";
import { type Promised, type PromisedLine, type Shipment, sentencesOf, whyShort } from "./promise-words.ts";

/** The promise in words, its shipments, and its lines. */
export function PromiseAnswer({ promise }: { readonly promise: Promised }) {
  const today = localText(Date.now(), useTimezone(promise.distributionCentre)).slice(0, 10);
  const { tone, title, text } = sentencesOf(promise, today);
  return (
    <>
      <Notice tone={tone} title={title} isAlert>
        {text}
        {promise.warnings.length === 0 ? null : (
          <ul>
            {promise.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </Notice>
      <Section title="Shipments" note="Goods that leave together.">
        <StaticList
          id="promised-shipments"
          label="Shipments of the promise"
          columns={shipmentColumns(promise)}
          rows={promise.shipments}
          rowId={({ distributionCentre, availableOn }) => `${distributionCentre} ${availableOn}`}
          empty={{ why: "Nothing of it would leave." }}
        />
      </Section>
      <Section title="Lines" note="Stock that an order could get now, and the reason of what is missing.">
        <StaticList
          id="promised-lines"
          label="Lines of the promise"
          columns={lineColumns(promise)}
          rows={promise.lines}
          rowId={({ lineNumber }) => String(lineNumber)}
          empty={{ why: "The basket is empty." }}
        />
      </Section>
    </>
  );
}

function shipmentColumns({ lines }: Promised): readonly Column<Shipment>[] {
  const skuOf = (lineNumber: number) => lines.find((line) => line.lineNumber === lineNumber)?.sku ?? "";
  const goodsOf = (shipment: Shipment) =>
    shipment.lines.map(({ lineNumber, qty }) => `${qtyText(qty)} × ${skuOf(lineNumber)}`).join(", ");
  return [
    { key: "goods", header: "Goods", of: goodsOf, width: 150, wraps: true },
    { key: "distributionCentre" },
    { key: "despatchBy", kind: "moment", header: "Despatch by" },
    { key: "carrier", header: "Carrier service", of: ({ carrier }) => carrier && choiceName(carrier), width: 128 },
    { key: "arrives", kind: "day", header: "Arrives", of: ({ carrier }) => carrier?.estimatedDelivery },
    {
      key: "price",
      kind: "quantity",
      header: "Price",
      of: ({ carrier }) => carrier?.price?.total.amount,
      cell: ({ carrier }) => (carrier?.price ? moneyText(carrier.price.total) : "–"),
    },
    { key: "availableOn", kind: "day", header: "Goods there", none: "not known" },
  ];
}

function lineColumns(promise: Promised): readonly Column<PromisedLine>[] {
  return [
    { key: "sku", to: ({ sku }) => productPath(promise.clientId, sku, promise.distributionCentre), width: 150 },
    { key: "qty", kind: "quantity", header: "Wanted" },
    { key: "qtyShort", kind: "quantity", header: "Short" },
    { key: "availableOn", kind: "day", header: "Goods there" },
    { key: "why", header: "Why it waits", of: (line) => whyShort(promise, line), width: 210, wraps: true },
  ];
}
