import {
  type ActionType,
  checkFacility,
  checkLimit,
  checkLineNumbers,
  checkPathSegments,
  checkRequired,
  linePath,
  orderLinesMax,
  readAction,
  readRevision,
} from "#/intake/feeds/intake/checks.ts";
import type { Checked, FeedClient } from "#/intake/feeds/intake/definition.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { isCurrency } from "#/kernel/values/amount.ts";
import { findCardNumber } from "#/kernel/values/card-number.ts";
import { faultOfCountry } from "#/kernel/values/country.ts";
import { parseEori, parseIossNumber, parseReasonForExport, parseVatNumber } from "#/kernel/values/customs-numbers.ts";
import {
  type AttributeValues,
  attributeOf,
  formOfAttribute,
  hasFlag,
  isFlag,
  isTrue,
} from "#/kernel/values/extended-attributes.ts";
import { paperLanguageOfTag, paperLanguages } from "#/kernel/values/paper-languages.ts";
import { parseQuantity } from "#/kernel/values/quantity.ts";
import { defaultStockPool, faultOfPool } from "#/kernel/values/stock-pools.ts";
import type { QuantityLine } from "#/modules/catalogue/index.ts";
import { type AddressFault, checkAddresses, checkPlace } from "#/modules/orders/intake/check-address.ts";
import type { AddressElement, LineElement, OrderRequest } from "#/modules/orders/intake/contract.ts";

/** An order after validation; its properties keep the JSON names of the feed. */
export interface OrderMessage {
  readonly orderId: string;
  readonly action: ActionType;
  readonly revision: number | undefined;
  /** Undefined for CANCEL. */
  readonly content: OrderContent | undefined;
}

export interface OrderContent {
  readonly externalOrderReference: string | undefined;
  readonly catalogId: string | undefined;
  readonly doNotShip: boolean;
  readonly origin: string | undefined;
  readonly language: string | undefined;
  readonly orderDate: string | undefined;
  readonly shippingMethod: string | undefined;
  readonly currency: string | undefined;
  readonly shippingCost: string | undefined;
  readonly subtotal: string | undefined;
  readonly totalPrice: string | undefined;
  readonly taxes: OrderRequest["taxes"];
  readonly billToAddress: AddressElement | undefined;
  readonly shipToAddress: AddressElement | undefined;
  /** The faults of the addresses. */
  readonly addressFaults: readonly AddressFault[];
  readonly payments: OrderRequest["payments"];
  /** As sent; undefined requests routing. */
  readonly distributionCentre: string | undefined;
  readonly carrierCode: string | undefined;
  /** The order must not leave before it; ISO 8601 UTC, like the next two. */
  readonly shipAfter?: string | undefined;
  readonly shipBy?: string | undefined;
  readonly deliverBy?: string | undefined;
  readonly extendedAttributes: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly shipPartial: boolean;
  readonly lines: readonly OrderLine[];
}

export interface OrderLine extends QuantityLine {
  readonly lineNumber: number;
  readonly stockPool: string;
  readonly lineTotal: string | undefined;
  readonly unitNetPrice: string | undefined;
  readonly extendedUnitNetPrice: string | undefined;
  readonly unitGrossPrice: string | undefined;
  readonly taxes: LineElement["taxes"];
  readonly extendedAttributes: Readonly<Record<string, string>>;
}

const priorityDefault = 5;
/** Of an order with shipBy. */
const priorityOfDated = 4;

export function faultOfNoFacility({ clientId }: FeedClient): Finding {
  return finding("FACILITY", `no facility is open to client ${clientId}`);
}

/** Checks everything in an NO that needs no database: required fields, addresses, money, lines, payments. */
export function checkOrder(raw: OrderRequest, client: FeedClient): Checked<OrderMessage> {
  const orderId = raw.orderId as string;
  const action = readAction(raw.actionType);
  const { revision, faults: revisionFaults } = readRevision(raw.extendedAttributes);
  const faults: Finding[] = [...revisionFaults];
  // An order that was accepted before must still accept changes and a cancellation.
  if (action === "NEW") faults.push(...checkPathSegments({ orderId }));
  const warnings: Finding[] = [];
  const isWithheld = checkPayments(raw, faults);
  if (action === "CANCEL") {
    return { message: { orderId, action, revision, content: undefined }, faults, warnings, isWithheld };
  }
  const attributes = Object.fromEntries(raw.extendedAttributes ?? []);
  const elements = raw.lines ?? [];
  faults.push(
    ...checkRequired({
      orderDate: raw.orderDate !== undefined,
      shipToAddress: raw.shipToAddress?.country !== undefined,
      "lines/line": elements.length > 0,
    }),
    ...checkLimit(elements.length, orderLinesMax, "lines"),
    ...checkFacility(raw.distributionCentre, client.facilities, client.clientId),
  );
  if (raw.distributionCentre === undefined && client.facilities.length === 0) {
    faults.push(faultOfNoFacility(client));
  }
  const lines = elements
    .slice(0, orderLinesMax)
    .map((line, i) => readLine(line, linePath("lines/", i, elements.length)));
  faults.push(
    ...checkLineNumbers(lines.map(({ lineNumber, path }) => ({ lineNumber, path: path.slice(0, -"/qty".length) }))),
  );
  for (const { stockPool, path } of lines) {
    const fault = faultOfPool(client.settings, stockPool);
    if (fault !== undefined) faults.push(finding("VALUE", `${path.slice(0, -"/qty".length)}/stockPool: ${fault}`));
  }
  warnings.push(...checkCustoms(attributes), ...checkEffects(raw, attributes));
  const { currency, faults: currencyFaults } = checkCurrencies(raw);
  faults.push(...currencyFaults);
  const addresses = {
    billToAddress: readAddress(raw.billToAddress, "billToAddress", "bill-to", orderId, faults),
    shipToAddress: readAddress(raw.shipToAddress, "shipToAddress", "ship-to", orderId, faults),
  };
  const addressFaults = checkAddresses(addresses, client.settings);
  for (const { outcome, path, message } of addressFaults)
    (outcome === "REFUSE" ? faults : warnings).push(finding("ADDRESS", `Order ${orderId}: ${path}: ${message}`));
  const dates = readDates(raw, faults);
  const content: OrderContent = {
    externalOrderReference: raw.externalOrderReference,
    catalogId: raw.catalogId,
    doNotShip: isTrue(raw.doNotShip),
    origin: raw.origin,
    language: raw.language,
    orderDate: raw.orderDate,
    shippingMethod: raw.shippingMethod,
    currency,
    shippingCost: raw.shippingCost?.amount,
    subtotal: raw.subtotal?.amount,
    totalPrice: raw.totalPrice?.amount,
    taxes: raw.taxes,
    ...addresses,
    addressFaults,
    payments: raw.payments,
    distributionCentre: raw.distributionCentre,
    carrierCode: raw.carrierCode,
    ...dates,
    extendedAttributes: attributes,
    priority: readPriority(
      attributeOf(attributes, "Priority"),
      dates.shipBy === undefined ? priorityDefault : priorityOfDated,
      warnings,
    ),
    shipPartial: hasFlag(attributes, "ShipPartial"),
    lines,
  };
  return { message: { orderId, action, revision, content }, faults, warnings, isWithheld };
}

/** Adds a fault for each tender that contains a card number. The fault shows only its last four digits. */
function checkPayments(raw: OrderRequest, faults: Finding[]): boolean {
  let hasCardNumber = false;
  const payments = raw.payments ?? [];
  payments.forEach((payment, i) => {
    for (const [value, part] of [
      [payment.tender, "tender"],
      [payment.type, "@type"],
    ] as const) {
      const card = value === undefined ? undefined : findCardNumber(value);
      if (card === undefined) continue;
      hasCardNumber = true;
      const path = payments.length === 1 ? "payments/payment" : `payments/payment[${i + 1}]`;
      faults.push(finding("VALUE", `${path}/${part}: a card number ending in ${card.slice(-4)} must not be sent`));
    }
  });
  return hasCardNumber;
}

function readAddress(
  address: AddressElement | undefined,
  path: string,
  words: string,
  orderId: string,
  faults: Finding[],
): AddressElement | undefined {
  // An empty element counts as absent; the XSD requires the country of an element with content.
  if (address?.country === undefined) return undefined;
  const place = checkPlace(address.country, address.zip);
  if (place.ok) return { ...address, country: place.country };
  if (place.field === "country") {
    faults.push(finding("COUNTRY", `${path}/country: ${faultOfCountry(address.country)}`));
    return address;
  }
  const message = `${words} postcode '${address.zip ?? ""}' is not valid for country ${place.country}`;
  faults.push(finding("POSTCODE", `Order ${orderId}: ${message}; allowed formats: ${place.formats.join(", ")}`));
  return { ...address, country: place.country };
}

function readPriority(text: string | undefined, otherwise: number, warnings: Finding[]): number {
  if (text === undefined || text.trim() === "") return otherwise;
  if (/^[1-9]$/.test(text.trim())) return Number(text);
  warnings.push(finding("PRIORITY", `Priority '${text}' is not 1 to 9; ${otherwise} is taken`));
  return otherwise;
}

/** The dates of the order. It cannot leave, or be delivered, before it may leave. */
function readDates(
  raw: Pick<OrderRequest, "shipAfter" | "shipBy" | "deliverBy">,
  faults: Finding[],
): Pick<OrderContent, "shipAfter" | "shipBy" | "deliverBy"> {
  const read = (text: string | undefined) => (text === undefined ? undefined : new Date(text).toISOString());
  const [shipAfter, shipBy, deliverBy] = [read(raw.shipAfter), read(raw.shipBy), read(raw.deliverBy)];
  for (const [name, date] of [
    ["shipBy", shipBy],
    ["deliverBy", deliverBy],
  ] as const) {
    if (shipAfter !== undefined && date !== undefined && date < shipAfter)
      faults.push(finding("VALUE", `${name}: ${date} is before shipAfter ${shipAfter}`));
  }
  return { shipAfter, shipBy, deliverBy };
}

const customsAttributes = {
  ReasonForExport: parseReasonForExport,
  IossNumber: parseIossNumber,
  ImporterEori: parseEori,
  ImporterVatNumber: parseVatNumber,
} as const;

/** Warns of customs values of another form: the invoice is printed without them. */
function checkCustoms(attributes: AttributeValues): Finding[] {
  return Object.entries(customsAttributes).flatMap(([name, parse]) => {
    const text = attributeOf(attributes, name as keyof typeof customsAttributes);
    if (text === undefined || text.trim() === "") return [];
    const parsed = parse(text);
    return parsed.ok
      ? []
      : finding("VALUE", `${name} '${text}': ${parsed.fault}; the commercial invoice leaves it out`);
  });
}

/** Warns of values that have no effect, because they are none of those that the attribute can have. */
function checkEffects(raw: OrderRequest, attributes: AttributeValues): Finding[] {
  const warnings = checkFlags(raw.extendedAttributes, "order", "");
  const language = attributeOf(attributes, "PackingSlipLanguage");
  if (language && paperLanguageOfTag(language) === undefined) {
    const why = `'${language}' is no language of the packing slip: ${paperLanguages.join(", ")}`;
    warnings.push(
      finding("VALUE", `${attributePath("", "PackingSlipLanguage")}: ${why}; the order's language is taken`),
    );
  }
  const lines = raw.lines ?? [];
  lines.forEach((line, i) => {
    warnings.push(...checkFlags(line.extendedAttributes, "orderLine", `${linePath("lines/", i, lines.length)}/`));
  });
  return warnings;
}

function checkFlags(
  attributes: LineElement["extendedAttributes"],
  carrier: "order" | "orderLine",
  path: string,
): Finding[] {
  return (attributes ?? []).flatMap(([name, value]) => {
    if (value === "" || isFlag(value) || formOfAttribute(name, carrier) !== "flag") return [];
    const why = `'${value}' is not a flag: true, false, 1 or 0`;
    return finding("VALUE", `${attributePath(path, name)}: ${why}; the attribute has no effect`);
  });
}

const attributePath = (path: string, name: string) => `${path}extendedAttributes/attribute[@name='${name}']`;

function readLine(line: LineElement, path: string): OrderLine {
  return {
    path: `${path}/qty`,
    lineNumber: Number(line.lineNumber),
    sku: line.sku as string,
    feedQty: parseQuantity((line.qty as string).trim()) as number,
    feedUom: line.qtyUom,
    qty: 0,
    uom: "",
    stockPool: line.stockPool ?? defaultStockPool,
    lineTotal: line.lineTotal?.amount,
    unitNetPrice: line.unitNetPrice?.amount,
    extendedUnitNetPrice: line.extendedUnitNetPrice?.amount,
    unitGrossPrice: line.unitGrossPrice?.amount,
    taxes: line.taxes,
    extendedAttributes: Object.fromEntries(line.extendedAttributes ?? []),
  };
}

interface Unit {
  readonly path: string;
  readonly code: string;
}

/** An order has one currency: every `unit` is the same ISO 4217 code. The first valid one is the order's currency. */
function checkCurrencies(raw: OrderRequest): {
  readonly currency: string | undefined;
  readonly faults: Finding[];
} {
  const units = [...unitsOf(raw)];
  const currency = units.find(({ code }) => isCurrency(code))?.code;
  const faults = units.flatMap(({ path, code }) => {
    if (!isCurrency(code)) return [finding("VALUE", `${path}/@unit: '${code}' is not a currency code of ISO 4217`)];
    if (code !== currency)
      return [finding("VALUE", `${path}/@unit: '${code}' differs from '${currency}', the currency of the order`)];
    return [];
  });
  return { currency, faults };
}

function* unitsOf(raw: OrderRequest): Generator<Unit> {
  for (const name of ["shippingCost", "subtotal", "totalPrice", "taxes"] as const) {
    const code = raw[name]?.unit;
    if (code !== undefined) yield { path: name, code };
  }
  const lines = raw.lines ?? [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    for (const name of ["lineTotal", "taxes", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice"] as const) {
      const code = line?.[name]?.unit;
      if (code !== undefined) yield { path: `lines/line${lines.length === 1 ? "" : `[${i + 1}]`}/${name}`, code };
    }
  }
}
