import type { Found } from "#operator";
import { linkTo, type ObjectKind, pathWith } from "../links.ts";
import { type StateKind, wordOf } from "../parts/tones.ts";
import type { ScreenEntry } from "../screens.tsx";
import type { OrderSearch } from "./order-search.ts";

/** A row of the results. */
export interface Hit {
  readonly key: string;
  readonly word: string;
  readonly text: string;
  readonly label: string;
  readonly badge?: { readonly kind: StateKind; readonly state: string };
  readonly to: string;
}

interface Kind {
  readonly word: string;
  readonly linkKind: ObjectKind | "serial";
  readonly state?: StateKind;
}

const kinds: Readonly<Record<Found["kind"], Kind>> = {
  ORDER: { word: "Order", linkKind: "order", state: "order" },
  PARCEL: { word: "Parcel", linkKind: "parcel", state: "parcel" },
  FEED: { word: "Feed", linkKind: "feed", state: "feed" },
  ITEM: { word: "SKU", linkKind: "sku" },
  LOT: { word: "Lot", linkKind: "lot" },
  SERIAL: { word: "Serial", linkKind: "serial" },
  PURCHASE_ORDER: { word: "Purchase order", linkKind: "purchaseOrder", state: "purchaseOrder" },
  RETURN: { word: "Return", linkKind: "return", state: "return" },
  WORK_ORDER: { word: "Work order", linkKind: "workOrder", state: "workOrder" },
  TRANSFER: { word: "Transfer", linkKind: "transfer", state: "transfer" },
  DELIVERY: { word: "Delivery", linkKind: "delivery", state: "delivery" },
  OUTBOUND: { word: "Outbound", linkKind: "outbound", state: "outbound" },
  CLIENT: { word: "Client", linkKind: "client", state: "client" },
  FACILITY: { word: "Facility", linkKind: "facility", state: "facility" },
};

/** A lot leads to the lots of its product, a serial number to the parcels of its order, or else to its product. */
function pathOf({ kind, clientId, id, parentId, label }: Found): string {
  const client = clientId ?? "";
  const { linkKind } = kinds[kind];
  if (linkKind === "lot") return pathWith(linkTo("sku", client, parentId ?? ""), { tab: "lots", batchRef: id });
  if (linkKind !== "serial") return linkTo(linkKind, client, id, parentId ?? "");
  return parentId === null ? linkTo("sku", client, label) : `${linkTo("order", client, parentId)}?tab=parcels`;
}

export function hitsOf(all: readonly Found[]): readonly Hit[] {
  return all.map((found) => {
    const { kind: code, clientId, id, parentId, label, state } = found;
    const { word, linkKind, state: kind } = kinds[code];
    const hit = {
      key: `${code} ${clientId} ${id} ${parentId}`,
      word,
      text: id,
      label: [
        linkKind === "client" ? "" : clientId,
        label === id ? "" : label,
        linkKind === "serial" && state !== null ? wordOf(state).toLowerCase() : "",
        linkKind === "serial" && parentId !== null ? `order ${parentId}` : "",
      ]
        .filter(Boolean)
        .join(" · "),
      to: pathOf(found),
    };
    return state === null || kind === undefined ? hit : { ...hit, badge: { kind, state } };
  });
}

/** The list of orders that a search with fields asks for; none while a part of it cannot be read. */
export function fieldHits({ to, faults }: OrderSearch, text: string): readonly Hit[] {
  return faults.length > 0 ? [] : [{ key: "fields", word: "Orders", text, label: "", to }];
}

/** Screens whose name matches the text. */
export function screenHits(screens: readonly ScreenEntry[], text: string): readonly Hit[] {
  const wanted = text.toLowerCase();
  return screens
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ path, label, key }) => ({ key: path, word: "Screen", text: label, label: `g ${key}`, to: `/${path}` }));
}
