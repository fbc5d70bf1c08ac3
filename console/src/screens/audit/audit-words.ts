import { linkTo, type ObjectKind } from "../../links.ts";

const kinds: Readonly<Record<string, ObjectKind>> = {
  order: "order",
  parcel: "parcel",
  olpn: "parcel",
  feed: "feed",
  sku: "sku",
  count: "count",
  item: "sku",
  purchaseOrder: "purchaseOrder",
  return: "return",
  workOrder: "workOrder",
  webhook: "webhook",
  client: "client",
  facility: "facility",
  user: "user",
};

/** Kinds of objects that belong to no client. */
const platformKinds: readonly ObjectKind[] = ["client", "facility", "user"];

/** The page of the changed object; undefined if there is none. */
export function linkToObject(objectType: string, clientId: string | null, objectId: string): string | undefined {
  const kind = kinds[objectType];
  if (kind === undefined) return undefined;
  if (clientId === null && !platformKinds.includes(kind)) return undefined;
  return linkTo(kind, clientId ?? "", objectId);
}

/** `purchaseOrder` in plain words: "Purchase order". */
export function typeWord(objectType: string): string {
  const words = objectType.replaceAll(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The code of its words: "Carrier event" is `carrierEvent`; a code is its own. */
export function codeOf(words: string): string {
  const code = words.trim().replaceAll(/\s+(\S)/g, (_all, letter: string) => letter.toUpperCase());
  return code.charAt(0).toLowerCase() + code.slice(1);
}

const valueMax = 80;

/** The details of an entry in one line: `PACKED → DESPATCHED, order id: WEB-1`. */
export function detailText({ from, to, ...others }: Readonly<Record<string, unknown>>): string {
  const change = to === undefined ? [] : [from === undefined ? shortened(to) : `${shortened(from)} → ${shortened(to)}`];
  const rest = Object.entries(others).map(([name, value]) => `${typeWord(name).toLowerCase()}: ${shortened(value)}`);
  return [...change, ...rest].join(", ");
}

function shortened(value: unknown): string {
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.map(String).join(" ") : JSON.stringify(value);
  return text.length > valueMax ? `${text.slice(0, valueMax - 1)}…` : text;
}
