import type { Found } from "#operator";
import { type ObjectKind, wayTo } from "../links.ts";
import type { StateKind } from "../parts/tones.ts";
import { screens } from "../screens.tsx";

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
  readonly way: ObjectKind;
  readonly state?: StateKind;
}

const kinds: Readonly<Record<Found["kind"], Kind>> = {
  ORDER: { word: "Order", way: "order", state: "order" },
  PARCEL: { word: "Parcel", way: "parcel", state: "parcel" },
  FEED: { word: "Feed", way: "feed", state: "feed" },
  ITEM: { word: "SKU", way: "sku" },
  PURCHASE_ORDER: { word: "Purchase order", way: "purchaseOrder", state: "purchaseOrder" },
  RETURN: { word: "Return", way: "return", state: "return" },
  WORK_ORDER: { word: "Work order", way: "workOrder", state: "workOrder" },
  DELIVERY: { word: "Delivery", way: "delivery", state: "delivery" },
  OUTBOUND: { word: "Outbound", way: "outbound", state: "outbound" },
  CLIENT: { word: "Client", way: "client", state: "client" },
  FACILITY: { word: "Facility", way: "facility", state: "facility" },
};

export function hitsOf(found: readonly Found[]): readonly Hit[] {
  return found.map(({ kind: code, clientId, id, parentId, label, state }) => {
    const { word, way, state: kind } = kinds[code];
    const hit = {
      ...{ key: `${code} ${clientId} ${id} ${parentId}`, word, text: id },
      label: [way === "client" ? "" : clientId, label === id ? "" : label].filter(Boolean).join(" · "),
      to: wayTo(way, clientId ?? "", id, parentId ?? ""),
    };
    return state === null || kind === undefined ? hit : { ...hit, badge: { kind, state } };
  });
}

/** Screens whose name matches the text. */
export function screenHits(text: string): readonly Hit[] {
  const wanted = text.toLowerCase();
  return screens
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ path, label, key }) => ({ key: path, word: "Screen", text: label, label: `g ${key}`, to: `/${path}` }));
}
