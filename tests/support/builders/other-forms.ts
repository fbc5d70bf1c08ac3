// Documents of the four feeds in the published form, and the same documents as partners' serialisers write them.
import { escapeAttribute, escapeText } from "#/intake/xml/index.ts";
import type { Dice } from "./dice.ts";
import {
  attributes,
  type Content,
  type ContentParts,
  documentOf,
  leeds,
  lines,
  money,
  type Parts,
} from "./documents.ts";

export interface Sample {
  readonly type: "CAT" | "PO" | "RMA" | "NO";
  readonly root: string;
  readonly parts: Parts;
}

const two = (value: number) => String(value).padStart(2, "0");

function moment(dice: Dice): string {
  const [month, day, hour, minute] = [1 + dice.below(12), 1 + dice.below(28), dice.below(24), dice.below(60)];
  const offset = dice.one(["Z", "+01:00", "-05:00", "+05:30"]);
  return `2026-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00${offset}`;
}

/** A document in the published form, with optional parts by chance. @param id distinguishes objects of the client */
export function sampleOf(dice: Dice, clientId: string, id: string, skus: readonly string[]): Sample {
  const maybe = <Value>(value: Value) => (dice.chance(50) ? value : undefined);
  const lineCount = 1 + dice.below(3);
  const some = Array.from({ length: lineCount }, () => dice.one(skus));
  switch (dice.one(["CAT", "PO", "RMA", "NO"] as const)) {
    case "CAT": {
      const item = Array.from({ length: lineCount }, (_, i) => ({
        sku: `${id}-${i}`,
        altSku: maybe(`ALT ${id}`),
        name: `Item ${id}`,
        weight: "1.5",
        weightUomCode: dice.one(["KG", "LB"]),
        height: maybe("12"),
        dimensionsUomCode: maybe(dice.one(["CM", "IN"])),
        countryOfOrigin: maybe("GB"),
        captureBatchRef: maybe(dice.one(["true", "false"])),
        extendedAttributes: maybe(attributes({ IsHazmat: dice.one(["true", "false"]), BrandName: "Nord & Süd" })),
        gtinBarcodes: maybe({ barcode: [`${id}-a`, `${id}-b`] }),
      }));
      return { type: "CAT", root: "itemMaster", parts: { clientId, date: moment(dice), item } };
    }
    case "PO": {
      const head = {
        poNumber: id,
        distributionCentre: "DC1",
        clientId,
        actionType: maybe("NEW"),
        messageId: maybe("M 1"),
      };
      const line = lines(some.map((sku) => ({ sku, qty: 1 + dice.below(9), qtyUom: maybe("EA"), lineId: maybe("L") })));
      const parts = { ...head, lines: { line }, extendedAttributes: maybe(attributes({ SupplierCode: "S 1" })) };
      return { type: "PO", root: "vendorOrder", parts };
    }
    case "RMA": {
      const head = { rmaNumber: id, clientId, distributionCentre: "DC1", creationTimeStamp: maybe(moment(dice)) };
      const line = lines(
        some.map((sku) => ({ sku, returnReasonCode: maybe("SIZE"), qtyUom: maybe("EA"), attributeOne: maybe("a  b") })),
        "quantityReturned",
      );
      return { type: "RMA", root: "returnMerchandiseAuthorization", parts: { ...head, line } };
    }
    case "NO": {
      const head = { orderId: id, actionType: maybe("NEW"), clientId, doNotShip: maybe("true"), origin: maybe("web") };
      const prices = { totalPrice: maybe(money(dice.decimal(90, 2).toFixed(2), "GBP")) };
      const taxes = maybe({ "@unit": "GBP", "@amount": "1.5", tax: { "@type": "VAT", "#": "1.5" } });
      const line = lines(
        some.map((sku) => ({
          sku,
          qty: 1 + dice.below(9),
          unitNetPrice: maybe(money("4.25", "GBP")),
          qtyUom: maybe("EA"),
        })),
      );
      const flags = attributes({ Priority: 1 + dice.below(9), PrintPricesOnPackingSlip: "true", GiftMessage: "a\nb" });
      const parts = { ...head, orderDate: moment(dice), ...prices, taxes, shipToAddress: leeds, lines: { line } };
      return { type: "NO", root: "orderRequest", parts: { ...parts, extendedAttributes: maybe(flags) } };
    }
  }
}

export const publishedForm = ({ root, parts }: Sample): string => documentOf(root, parts);

/** Optional elements by parent, which xsi:nil leaves out. */
const optional: Readonly<Record<string, readonly string[]>> = {
  item: ["altSku", "eanCode", "imageUrl", "extendedAttributes", "gtinBarcodes"],
  vendorOrder: ["vendorOrderId", "messageId", "extendedAttributes"],
  returnMerchandiseAuthorization: ["orderReference", "creationTimeStamp"],
  orderRequest: ["externalOrderReference", "doNotShip", "taxes", "billToAddress", "payments", "shippingCost"],
  line: ["qtyUom"],
};

/** The same document in one of the forms that partners write. */
export function otherForm(dice: Dice, { root, parts }: Sample): string {
  const instance = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(dice, root, parts, instance)}\n`;
}

function elementOf(dice: Dice, name: string, content: Content, declaration = ""): string {
  if (content === undefined) return "";
  if (typeof content !== "object") return `<${name}>${textOf(dice, name, String(content))}</${name}>`;
  let declarations = declaration;
  let text = "";
  const children: string[] = [];
  for (const [part, value] of Object.entries(content as ContentParts)) {
    for (const child of Array.isArray(value) ? (value as readonly Content[]) : [value as Content]) {
      if (part.startsWith("@"))
        declarations += ` ${part.slice(1)}="${attributeValue(dice, name, part.slice(1), String(child))}"`;
      else if (part === "#") text += textOf(dice, kindOf(name, content as ContentParts), String(child));
      else if (child !== undefined) children.push(elementOf(dice, part, child));
    }
  }
  for (const absent of optional[name] ?? []) {
    const isThere = (content as ContentParts)[absent] !== undefined;
    if (!isThere && dice.chance(30)) children.push(`<${absent} xsi:nil="${dice.one(["true", "1"])}"/>`);
  }
  if (children.length > 0 && dice.chance(70)) shuffle(dice, children);
  return `<${name}${declarations}>${text}${children.join(dice.one(["", "\n\t", " "]))}</${name}>`;
}

/** Children in any order; those that repeat keep theirs among themselves. */
function shuffle(dice: Dice, children: string[]): void {
  const nameOf = (child: string) => /^<(\w+)/.exec(child)?.[1];
  const sent = [...children];
  for (let i = children.length - 1; i > 0; i--) {
    const j = dice.below(i + 1);
    [children[i], children[j]] = [children[j] as string, children[i] as string];
  }
  const queues = Map.groupBy(sent, nameOf);
  for (const [i, child] of children.entries()) children[i] = queues.get(nameOf(child))?.shift() as string;
}

/** An extended attribute is a flag by its name, another value by its element. */
const kindOf = (element: string, content: ContentParts) =>
  element === "attribute"
    ? String(content["@name"])
    : ["totalPrice", "unitNetPrice", "tax"].includes(element)
      ? "amount"
      : element;

function attributeValue(dice: Dice, element: string, name: string, value: string): string {
  const kind = name === "amount" ? "amount" : name === "unit" ? "unit" : element;
  return escapeAttribute(blank(dice) + (kind === element ? value : meant(dice, kind, value)) + blank(dice));
}

function textOf(dice: Dice, name: string, value: string): string {
  const text = meant(dice, name, value);
  const written = dice.chance(25) && !text.includes("]]>") ? `<![CDATA[${text}]]>` : escapeText(text);
  const comment = dice.chance(5) ? "<!-- c -->" : "";
  return blank(dice) + comment + written + blank(dice);
}

const blank = (dice: Dice) => dice.one(["", "", "", " ", "\n      ", "\t", "\r\n  "]);

/** Another notation of the same value. */
function meant(dice: Dice, name: string, value: string): string {
  switch (name) {
    case "date":
    case "orderDate":
    case "creationTimeStamp":
      return momentForm(dice, value);
    case "actionType":
      return dice.one([value, value.toLowerCase(), "New"]);
    case "doNotShip":
    case "captureBatchRef":
    case "IsHazmat":
    case "PrintPricesOnPackingSlip":
      return dice.one([value, value.toUpperCase(), value === "true" ? "True" : "False"]);
    case "qtyUom":
      return dice.one([value, "UNITS", "eaches", "Piece", "un"]);
    case "weightUomCode":
      return dice.one([value, `${value}s`, value.toLowerCase()]);
    case "dimensionsUomCode":
      return dice.one(value === "IN" ? ["IN", "inch", "INCHES"] : ["CM", "cmt", "centimetres"]);
    case "unit":
      return dice.one([value, value.toLowerCase(), "Gbp"]);
    case "amount":
      return dice.one([value, `${Number(value).toFixed(4)}00001`, `${Number(value).toFixed(4)}0000000`]);
    case "country":
    case "countryOfOrigin":
      return dice.one([value, value.toLowerCase()]);
    default:
      return value;
  }
}

function momentForm(dice: Dice, value: string): string {
  const [, date = "", time = "", offset = ""] = /^(.{10})T(.{5}):00(.+)$/.exec(value) ?? [];
  const bare = offset === "Z" ? "Z" : offset.replace(":", "");
  const hours = offset.endsWith(":00") ? offset.slice(0, 3) : bare;
  return dice.one([
    value,
    `${date}T${time}:00${bare}`,
    `${date}T${time}:00,000${hours}`,
    `${date}T${time}${offset}`,
    `${date} ${time}:00${hours}`,
    `${date.replaceAll("-", "")}T${time.replace(":", "")}00${bare}`,
    `${date.replaceAll("-", "")}T${time.replace(":", "")}${hours}`,
    `${date}t${time}:00.0000000000${offset.toLowerCase()}`,
  ]);
}
