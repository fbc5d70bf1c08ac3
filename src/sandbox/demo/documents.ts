// The documents of the demo's brands, as their systems write them.

import { escapeAttribute, escapeText } from "#/intake/xml/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { DemoItem } from "#/sandbox/demo/goods.ts";
import type { HistoryAddress } from "#/sandbox/history/addresses.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Child elements by name, in order. An undefined field is left out. */
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

function fields(values: Fields, indent: string): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${indent}<${name}>${escapeText(String(value))}</${name}>\n`],
    )
    .join("");
}

function attributes(values: Fields, indent: string): string {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${indent}  <attribute name="${escapeAttribute(name)}">${escapeText(String(value))}</attribute>\n`],
  );
  if (lines.length === 0) return "";
  return `${indent}<extendedAttributes>\n${lines.join("")}${indent}</extendedAttributes>\n`;
}

function componentsXml(components: DemoItem["components"] = []): string {
  if (components.length === 0) return "";
  const parts = components.map(([sku, qty]) => `      <component><sku>${sku}</sku><qty>${qty}</qty></component>\n`);
  return `    <components>\n${parts.join("")}    </components>\n`;
}

const dayAfter = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

export function catalogueXml(clientId: string, date: string, goods: readonly DemoItem[]): string {
  const items = goods.map(
    (item) =>
      `  <item>\n${fields(
        {
          sku: item.sku,
          eanCode: item.ean,
          name: item.name,
          weight: item.weight,
          weightUomCode: "GRM",
          height: item.sides[2],
          length: item.sides[0],
          width: item.sides[1],
          dimensionsUomCode: "MM",
          productType: item.type,
          countryOfOrigin: item.origin,
          captureBatchRef: item.lots !== undefined,
        },
        "    ",
      )}${attributes(
        {
          IsHazmat: item.isHazmat,
          ...item.dangerousGoods,
          IsBulkyFlag: item.isBulky,
          ProductCategory: item.category,
          CaptureSerial: item.hasSerials,
          CaptureExpiry: item.lots && true,
          MinShelfLifeDays: item.minShelfLifeDays,
          LowStockThreshold: item.lowStock,
          HsCode: item.hsCode,
          ManufacturerProductId: item.makerId,
          AvailableFrom: item.availableInDays && dayAfter(date, item.availableInDays),
        },
        "    ",
      )}${componentsXml(item.components)}  </item>\n`,
  );
  return `${declaration}<itemMaster>\n  <clientId>${clientId}</clientId>\n  <date>${date}</date>\n${items.join("")}</itemMaster>\n`;
}

export interface OrderDocument {
  readonly orderId: string;
  readonly clientId: string;
  readonly actionType?: string;
  readonly reference?: string | undefined;
  readonly doNotShip?: boolean | undefined;
  readonly language?: string | undefined;
  /** ISO 8601 */
  readonly orderDate?: string;
  readonly shippingMethod?: string | undefined;
  readonly currency?: string;
  readonly address?: HistoryAddress;
  readonly facilityCode?: string | undefined;
  readonly carrierCode?: string | undefined;
  readonly attributes?: Fields | undefined;
  /** The price of a piece in pence. */
  readonly lines?: readonly { readonly sku: string; readonly qty: number | string; readonly price?: number }[];
}

const decimal = (pence: number) => (pence / 100).toFixed(2);

export function orderXml(order: OrderDocument): string {
  const { address, lines = [], currency = "GBP" } = order;
  const money = (name: string, pence: number) => `      <${name} unit="${currency}">${decimal(pence)}</${name}>\n`;
  const lineXml = lines.map(
    ({ sku, qty, price }, i) =>
      `    <line>\n${fields({ lineNumber: i + 1, sku, qty }, "      ")}${
        price === undefined ? "" : `${money("lineTotal", price * Number(qty))}${money("unitNetPrice", price)}`
      }    </line>\n`,
  );
  const head = {
    orderId: order.orderId,
    actionType: order.actionType,
    clientId: order.clientId,
    externalOrderReference: order.reference,
    doNotShip: order.doNotShip,
    origin: address && "WEBSHOP",
    language: order.language,
    orderDate: order.orderDate,
    shippingMethod: order.shippingMethod,
  };
  return [
    `${declaration}<orderRequest>\n${fields(head, "  ")}`,
    address ? `  <shipToAddress>\n${fields({ ...address }, "    ")}  </shipToAddress>\n` : "",
    lines.length > 0 ? `  <lines>\n${lineXml.join("")}  </lines>\n` : "",
    fields({ distributionCentre: order.facilityCode, carrierCode: order.carrierCode }, "  "),
    attributes(order.attributes ?? {}, "  "),
    "</orderRequest>\n",
  ].join("");
}

/** Lines as text: `TEE-L 2, SOCKS-3 1`, with a reason after the quantity where the document has one. */
export function linesOf(text: string): readonly (readonly [sku: string, qty: number, reason: string])[] {
  return text.split(", ").map((line) => {
    const [sku = "", qty, reason = ""] = line.split(" ");
    return [sku, Number(qty), reason];
  });
}

export interface PurchaseDocument {
  readonly clientId: string;
  readonly poNumber: string;
  readonly vendorOrderId?: string;
  readonly facilityCode: string;
  readonly lines: string;
  /** YYYY-MM-DD */
  readonly expectedDate?: string | undefined;
  /** The SSCC of a carton for each line. */
  readonly cartons?: readonly string[];
}

export function purchaseXml(document: PurchaseDocument): string {
  const { clientId, poNumber, vendorOrderId, facilityCode, lines, expectedDate, cartons = [] } = document;
  const lineXml = linesOf(lines).map(
    ([sku, qty], i) => `    <line>\n${fields({ lineNumber: i + 1, sku, qty }, "      ")}    </line>\n`,
  );
  const head = { vendorOrderId, poNumber, distributionCentre: facilityCode, clientId, expectedDate };
  const cartonXml = linesOf(lines).map(([sku, qty], i) => {
    const content = `      <lines>\n        <line>\n${fields({ sku, qty }, "          ")}        </line>\n      </lines>\n`;
    return `    <carton>\n${fields({ sscc: cartons[i] }, "      ")}${content}    </carton>\n`;
  });
  const announced = cartons.length === 0 ? "" : `  <cartons>\n${cartonXml.join("")}  </cartons>\n`;
  return `${declaration}<vendorOrder>\n${fields(head, "  ")}  <lines>\n${lineXml.join("")}  </lines>\n${announced}</vendorOrder>\n`;
}

export interface ReturnDocument {
  readonly clientId: string;
  readonly rmaNumber: string;
  readonly facilityCode: string;
  readonly orderId?: string | undefined;
  readonly lines: string;
}

export function returnXml({ clientId, rmaNumber, facilityCode, orderId, lines }: ReturnDocument): string {
  const lineXml = linesOf(lines).map(
    ([sku, qty, reason], i) =>
      `  <line>\n${fields({ lineNumber: i + 1, sku, returnReasonCode: reason, quantityReturned: qty }, "    ")}  </line>\n`,
  );
  const head = { rmaNumber, clientId, distributionCentre: facilityCode, orderReference: orderId };
  return `${declaration}<returnMerchandiseAuthorization>\n${fields(head, "  ")}${lineXml.join("")}</returnMerchandiseAuthorization>\n`;
}
