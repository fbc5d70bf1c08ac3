// Small documents of the four feeds, as a brand's system writes them. They are valid unless a test changes them.
import { escapeAttribute, escapeText } from "#/intake/xml/index.ts";

/** Content of an element: text, child elements by name, `@name` for an XML attribute, `#` for text next to those. */
export type Content = string | number | boolean | undefined | ContentParts;

export interface ContentParts {
  readonly [part: string]: Content | readonly Content[];
}

/** Elements by name. An `undefined` element is left out, a list repeats its element. */
export type Parts = ContentParts;

export function element(name: string, content: Content): string {
  if (content === undefined) return "";
  if (typeof content !== "object") return `<${name}>${escapeText(String(content))}</${name}>`;
  let attributes = "";
  let inner = "";
  for (const [part, value] of Object.entries(content)) {
    for (const child of Array.isArray(value) ? (value as readonly Content[]) : [value as Content]) {
      if (part.startsWith("@")) attributes += ` ${part.slice(1)}="${escapeAttribute(String(child))}"`;
      else if (part === "#") inner += escapeText(String(child));
      else inner += element(part, child);
    }
  }
  return `<${name}${attributes}>${inner}</${name}>`;
}

export function documentOf(root: string, parts: Parts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, parts)}\n`;
}

/** An `extendedAttributes` block. */
export function attributes(values: Readonly<Record<string, string | number>>): ContentParts {
  return { attribute: Object.entries(values).map(([name, value]) => ({ "@name": name, "#": value })) };
}

/** An amount with its currency. */
export function money(amount: string | number, unit: string): ContentParts {
  return { "@unit": unit, "#": amount };
}

/** CAT. An item needs a `sku`, which is also its default name. */
export function catalogue(
  clientId: string,
  items: readonly (string | Parts)[],
  date: string = "2026-11-02T08:00:00Z",
): string {
  const item = items.map((entry) => {
    const parts = typeof entry === "string" ? { sku: entry } : entry;
    return { name: `Item ${String(parts.sku)}`, ...parts };
  });
  return documentOf("itemMaster", { clientId, date, item });
}

/** Lines numbered from 1, by default with a quantity of one per SKU. */
export function lines(items: readonly (string | Parts)[], quantity = "qty"): Parts[] {
  return items.map((line, i) => ({
    lineNumber: i + 1,
    ...(typeof line === "string" ? { sku: line } : line),
    ...(typeof line === "string" || !(quantity in line) ? { [quantity]: 1 } : {}),
  }));
}

/** PO to DC1. */
export function purchaseOrder(
  clientId: string,
  poNumber: string,
  items: readonly (string | Parts)[],
  more: Parts = {},
): string {
  const wrapped = items.length === 0 ? undefined : { line: lines(items) };
  return documentOf("vendorOrder", { poNumber, distributionCentre: "DC1", clientId, lines: wrapped, ...more });
}

/** RMA to DC1. */
export function authorisation(
  clientId: string,
  rmaNumber: string,
  items: readonly (string | Parts)[],
  more: Parts = {},
): string {
  return documentOf("returnMerchandiseAuthorization", {
    rmaNumber,
    clientId,
    distributionCentre: "DC1",
    orderReference: undefined,
    creationTimeStamp: undefined,
    line: lines(items, "quantityReturned"),
    ...more,
  });
}

export const leeds: Parts = {
  lastName: "Khan",
  address1: "4 Mill Lane",
  city: "Leeds",
  zip: "LS1 4AP",
  country: "GB",
};

/** NO to an address in Leeds. It has no facility, so it is routed. */
export function order(clientId: string, orderId: string, items: readonly (string | Parts)[], more: Parts = {}): string {
  return documentOf("orderRequest", {
    orderId,
    clientId,
    orderDate: "2026-11-02T09:00:00+01:00",
    shipToAddress: leeds,
    lines: items.length === 0 ? undefined : { line: lines(items) },
    ...more,
  });
}

/** A CANCEL of an NO, which needs only the identifiers. */
export function cancelOrder(clientId: string, orderId: string, more: Parts = {}): string {
  return documentOf("orderRequest", { orderId, actionType: "CANCEL", clientId, ...more });
}
