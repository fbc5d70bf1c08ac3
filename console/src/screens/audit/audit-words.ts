import { linkTo, type ObjectKind } from "../../links.ts";
import { wordOf } from "../../parts/tones.ts";

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
  transfer: "transfer",
  unidentifiedReceipt: "unidentifiedReceipt",
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
  const words = objectType
    .replaceAll(/([A-Z])/g, " $1")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const actorKinds = "user|client|warehouse|carrier|cli";
const actorCode = new RegExp(`^(${actorKinds}):(.+)$`);
const actorWords = new RegExp(`^(${actorKinds}) +(.+)$`, "i");

/** `warehouse:DC1` in words: "Warehouse DC1". */
export const actorText = (actor: string): string =>
  actor.replace(actorCode, (_all, kind: string, name: string) =>
    kind === "cli" ? `Command line, ${name}` : `${typeWord(kind)} ${name}`,
  );

/** The code of an actor in words: "Warehouse DC1" is `warehouse:DC1`; a code is its own. */
export const actorOf = (words: string): string =>
  words
    .trim()
    .replace(/^command line, */i, "cli ")
    .replace(actorWords, (_all, kind: string, name: string) => `${kind.toLowerCase()}:${name}`);

/** The code of its words: "Carrier event" is `carrierEvent`; a code is its own. */
export function codeOf(words: string): string {
  const code = words.trim().replaceAll(/\s+(\S)/g, (_all, letter: string) => letter.toUpperCase());
  return code.charAt(0).toLowerCase() + code.slice(1);
}

const valueMax = 80;
/** Fields whose values are codes of states. */
const stateFields: ReadonlySet<string> = new Set(["from", "to", "status"]);
const stateCode = /^[A-Z][A-Z_]+$/;

/** The details of an entry in one line: `Packed → Despatched, order id: WEB-1`. */
export function detailText({ from, to, ...others }: Readonly<Record<string, unknown>>): string {
  const [before, after] = [valueText("from", from), valueText("to", to)];
  const change = to === undefined ? [] : [from === undefined ? after : `${before} → ${after}`];
  const rest = Object.entries(others).map(
    ([name, value]) => `${typeWord(name).toLowerCase()}: ${valueText(name, value)}`,
  );
  return [...change, ...rest].join(", ");
}

function valueText(name: string, value: unknown): string {
  const text = value === undefined ? "" : shortened(value);
  return stateFields.has(name) && stateCode.test(text) ? wordOf(text) : text;
}

function shortened(value: unknown): string {
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.map(String).join(" ") : JSON.stringify(value);
  return text.length > valueMax ? `${text.slice(0, valueMax - 1)}…` : text;
}
