import type { operations } from "#operator";
import { request } from "../../api.ts";
import { pathWith } from "../../links.ts";
import { saveFile } from "../../parts/csv/csv.ts";
import type { Field, Values } from "../../parts/fields.tsx";

type PrintRequest = operations["printOrders"]["requestBody"]["content"]["application/json"];

type Print = Pick<PrintRequest, "types" | "format"> & { readonly label: string };

const both: Print = {
  label: "Labels and packing slips, PDF",
  types: ["SHIPPING_LABEL", "PACKING_SLIP"],
  format: "pdf",
};
const prints: Readonly<Record<string, Print>> = {
  both,
  labels: { label: "Labels, PDF", types: ["SHIPPING_LABEL"], format: "pdf" },
  slips: { label: "Packing slips, PDF", types: ["PACKING_SLIP"], format: "pdf" },
  zpl: { label: "Labels, ZPL for a label printer", types: ["SHIPPING_LABEL"], format: "zpl" },
};

export const printFields: readonly Field[] = [
  {
    name: "print",
    label: "Papers",
    kind: "select",
    isRequired: true,
    initial: "both",
    options: Object.entries(prints).map(([value, { label }]) => ({ value, label })),
  },
];

export const printText =
  "One file, in the order of the list: the papers of each parcel, parcel by parcel. It is downloaded, and nothing changes.";

/** Downloads a file with the papers of each client's orders. */
export async function printOrders(
  orders: readonly { readonly clientId: string; readonly orderId: string }[],
  { print = "both" }: Values,
): Promise<void> {
  const { types, format } = prints[print] ?? both;
  for (const [clientId, ofClient] of Map.groupBy(orders, (order) => order.clientId)) {
    const body: PrintRequest = { orderIds: ofClient.map(({ orderId }) => orderId), types, format };
    const answer = await request(pathWith("/order/print", { clientId }), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const name =
      ofClient.length === 1 ? `${clientId}-${ofClient[0]?.orderId}` : `${clientId}-${ofClient.length}-orders`;
    saveFile(`${name}.${format}`, await answer.blob());
  }
}
