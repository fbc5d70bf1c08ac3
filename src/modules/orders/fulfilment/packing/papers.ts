// The papers for the parcels of a pack: a slip and a label each, and the papers that customs require. Pure.

import type { Parser } from "#/kernel/config/parsers.ts";
import type { WeightUnit } from "#/kernel/telemetry/measure.ts";
import { normaliseAmount } from "#/kernel/values/amount.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { parseEori, parseIossNumber, parseReasonForExport, parseVatNumber } from "#/kernel/values/customs-numbers.ts";
import { customsGoodsOf } from "#/kernel/values/customs-rules.ts";
import { dangerousGoodsOf, dangerousGoodsText } from "#/kernel/values/dangerous-goods.ts";
import {
  type AttributeValues,
  attributeOf,
  type ExtendedAttributeName,
  hasFlag,
} from "#/kernel/values/extended-attributes.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import type { StoredItem } from "#/modules/catalogue/index.ts";
import type { ClientSettings } from "#/modules/clients/index.ts";
import {
  type CommercialInvoice,
  type CustomsDeclaration,
  cn22LinesMax,
  crossesCustomsBorder,
  isInUnion,
  type PackingSlip,
  type PaperOrder,
  type Party,
  paperLanguageOf,
  type ShippingLabel,
  valueOfGoods,
  weightInKilograms,
} from "#/modules/documents/index.ts";
import type { Facility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import { ownSource, type PurchaseOrderOfLabel } from "#/modules/labels/index.ts";
import type { ParcelCarrier } from "#/modules/orders/fulfilment/packing/carriers.ts";
import { amountOf, type StockedLine, unitValueOf } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import { labelValues } from "#/modules/orders/fulfilment/packing/label-values.ts";
import type { OrderMatter } from "#/modules/orders/fulfilment/packing/shipment.ts";
import type { AddressElement } from "#/modules/orders/intake/contract.ts";
import type { Order, OrderLine } from "#/modules/orders/order.ts";
import type { StoredOrder } from "#/modules/orders/rest/repository.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";

/** The client that owns the goods, as the papers show it. */
export interface Seller {
  readonly name: string;
  readonly customs: Pick<ClientSettings, "reasonForExport" | "exporterEori" | "exporterVatNumber" | "iossNumber"> &
    Partial<Pick<ClientSettings, "useCorrectedAddress">>;
}

export interface PackMatter extends OrderMatter {
  /** The order with its quantities after the pack. */
  readonly after: Order;
  readonly facility: Facility;
  readonly seller: Seller;
  /** The number of existing parcels of the order that are not voided. */
  readonly piecesBefore: number;
}

export interface MadeParcel {
  readonly parcel: ParcelFacts;
  readonly carrier: ParcelCarrier;
}

/** The papers in listing order, parcel by parcel. */
export function papersOf(matter: PackMatter, made: readonly MadeParcel[]): PaperOrder[] {
  const { order, after, piecesBefore } = matter;
  const isWhole = after.lines.every((line) => toFollow(line) === 0);
  const pieces = isWhole ? piecesBefore + made.length : undefined;
  const hasCustoms = crossesBorder(matter);
  return made.flatMap((madeParcel, i): PaperOrder[] => {
    const { olpnId } = madeParcel.parcel;
    const of = { orderId: order.orderId, olpnId };
    const place: Piece = { piece: piecesBefore + i + 1, pieces };
    const label = labelOf(matter, madeParcel, place);
    const labels: PaperOrder[] = isLabelBought(madeParcel)
      ? []
      : [
          { ...of, type: "SHIPPING_LABEL", form: "pdf", label },
          { ...of, type: "SHIPPING_LABEL", form: "zpl", label },
        ];
    return [
      { ...of, type: "PACKING_SLIP", slip: slipOf(matter, madeParcel, place) },
      ...labels,
      ...(hasCustoms ? customsPapersOf(madeParcel, invoiceOf(matter, madeParcel, place)) : []),
    ];
  });
}

/** A parcel with a number of its carrier has its label already. */
function isLabelBought({ parcel, carrier }: MadeParcel): boolean {
  return parcel.isGeneratedTrackingNumber && (carrier.service?.labelSources.length ?? 0) > 0;
}

/** The purchases of the labels that their services buy, with what the sources need. */
export function purchasesOf(matter: PackMatter, made: readonly MadeParcel[]): PurchaseOrderOfLabel[] {
  const isWhole = matter.after.lines.every((line) => toFollow(line) === 0);
  const pieces = isWhole ? matter.piecesBefore + made.length : undefined;
  return made.flatMap((madeParcel, i): PurchaseOrderOfLabel[] => {
    if (!isLabelBought(madeParcel)) return [];
    const { parcel, carrier } = madeParcel;
    const place: Piece = { piece: matter.piecesBefore + i + 1, pieces };
    const sources = carrier.service?.labelSources ?? [];
    const label = labelOf(matter, madeParcel, place);
    return [
      {
        orderId: parcel.orderId,
        olpnId: parcel.olpnId,
        facilityCode: parcel.facilityCode,
        carrierCode: carrier.carrierCode,
        serviceCode: carrier.serviceCode as string,
        sources,
        request: {
          values: labelValues(parcel, invoiceOf(matter, madeParcel, place), crossesBorder(matter)),
          ...(sources.includes(ownSource) ? { ownLabel: label } : {}),
        },
      },
    ];
  });
}

interface Piece {
  /** Counted from 1. */
  readonly piece: number;
  /** Undefined while more parcels may follow. */
  readonly pieces: number | undefined;
}

/** A slip with more lines shows only the lines in its parcel and the lines still to follow. */
const slipLinesMax = 100;

function slipOf(matter: PackMatter, { parcel, carrier }: MadeParcel, place: Piece): PackingSlip {
  const { order, lines, after, facility, seller } = matter;
  const { extendedAttributes: attributes, currency } = order;
  const hasPrices = hasFlag(attributes, "PrintPricesOnPackingSlip") && currency !== null;
  const rows = new Map(lines.map((line) => [line.lineNumber, line]));
  const shown = after.lines.filter((line) => {
    if (line.buckets.cancelled === line.buckets.ordered) return false;
    const isInside = parcel.contents.some(({ lineNumber }) => lineNumber === line.lineNumber);
    return isInside || after.lines.length <= slipLinesMax || toFollow(line) > 0;
  });
  return {
    language: paperLanguageOf({ language: order.language, extendedAttributes: attributes }),
    ...momentOf(parcel, facility),
    orderId: order.orderId,
    externalOrderReference: order.externalOrderReference ?? undefined,
    orderDate: localDate(facility.timezone, Date.parse(order.orderDate)),
    seller: seller.name,
    shipFrom: senderOf(matter),
    shipTo: partyOf(order.shipToAddress),
    billTo: order.billToAddress ? partyOf(order.billToAddress) : undefined,
    parcel: {
      olpnId: parcel.olpnId,
      ...place,
      carrier: nameOf(carrier),
      trackingNumber: parcel.trackingNumber,
    },
    lines: shown.map((line) => {
      const row = rows.get(line.lineNumber);
      const kit = row?.kitSku === line.sku ? undefined : row?.kitSku;
      return slipLine(matter, parcel, line, hasPrices ? row : undefined, kit);
    }),
    prices: hasPrices ? pricesOf(order, currency) : undefined,
    giftMessage: attributeOf(attributes, "GiftMessage"),
  };
}

/** Quantity that is in no parcel yet. */
function toFollow({ buckets: { ordered, cancelled, packed, despatched } }: OrderLine): number {
  return ordered - cancelled - packed - despatched;
}

function slipLine(
  { items }: PackMatter,
  { contents }: ParcelFacts,
  line: OrderLine,
  priced: StockedLine | undefined,
  kit: string | undefined,
): PackingSlip["lines"][number] {
  const { lineNumber, sku, uom, buckets } = line;
  const inside = contents.filter((content) => content.lineNumber === lineNumber);
  // The price applies to the ordered unit. If the stock unit differs, the slip shows no unit price.
  const goods = dangerousGoodsOf(items.get(sku)?.extendedAttributes);
  const isSameUnit = priced !== undefined && Number(priced.qty) === Number(priced.qtyOrdered);
  const name = items.get(sku)?.name;
  return {
    lineNumber: lineNumberOf(lineNumber),
    sku,
    name: kit === undefined ? name : `${items.get(kit)?.name ?? kit}: ${name ?? sku}`,
    uom,
    ordered: buckets.ordered - buckets.cancelled,
    packed: inside.reduce((sum, { qty }) => sum + qty, 0),
    backordered: toFollow(line),
    dangerousGoods: (goods && dangerousGoodsText(goods)) || undefined,
    batchRefs: [...new Set(inside.flatMap(({ batchRef }) => (batchRef === "" ? [] : batchRef)))],
    serials: inside.flatMap(({ serials }) => serials),
    unitPrice: isSameUnit ? (amountOf(priced.unitGrossPrice) ?? amountOf(priced.unitNetPrice)) : undefined,
    lineTotal: priced && amountOf(priced.lineTotal),
  };
}

function pricesOf(order: StoredOrder, currency: string): PackingSlip["prices"] {
  const taxes = order.taxes?.amount?.trim();
  return {
    currency,
    subtotal: amountOf(order.subtotal),
    shippingCost: amountOf(order.shippingCost),
    taxes: taxes === undefined ? undefined : normaliseAmount(taxes),
    totalPrice: amountOf(order.totalPrice),
  };
}

/** The UN numbers in a parcel, and whether all its dangerous goods are limited quantities. */
function dangerousGoodsIn({ items }: PackMatter, { contents }: ParcelFacts): string | undefined {
  const goods = contents.flatMap(({ sku }) => dangerousGoodsOf(items.get(sku)?.extendedAttributes) ?? []);
  if (goods.length === 0) return undefined;
  const numbers = [...new Set(goods.flatMap(({ unNumber }) => unNumber ?? []))].sort();
  const isLimited = goods.every(({ isLimitedQuantity }) => isLimitedQuantity);
  return [...numbers, ...(isLimited ? ["LTD QTY"] : [])].join(" ") || undefined;
}

function labelOf(matter: PackMatter, { parcel, carrier }: MadeParcel, place: Piece): ShippingLabel {
  const { order, facility } = matter;
  return {
    ...momentOf(parcel, facility),
    olpnId: parcel.olpnId,
    orderId: order.orderId,
    externalOrderReference: order.externalOrderReference ?? undefined,
    shipFrom: senderOf(matter),
    shipTo: partyOf(order.shipToAddress),
    carrier: carrier.carrierCode,
    service: carrier.service?.name ?? carrier.serviceCode,
    trackingNumber: parcel.trackingNumber ?? parcel.olpnId,
    isGeneratedTrackingNumber: parcel.isGeneratedTrackingNumber,
    weight: weightOf(parcel),
    dangerousGoods: dangerousGoodsIn(matter, parcel),
    ...place,
  };
}

function crossesBorder({ order, facility }: PackMatter): boolean {
  const { country, zip } = destinationOf(order);
  return (
    country !== undefined && crossesCustomsBorder(facility.country, facility.settings.zip ?? undefined, country, zip)
  );
}

function destinationOf({ shipToAddress: { country, zip } }: StoredOrder) {
  return { country: country === undefined ? undefined : toAlpha2(country), zip };
}

/** A heavier item is a parcel of the parcel post, which takes no CN 22 (UPU Convention, letter post up to 2 kg). */
const cn22KilogramsMax = 2;

/**
 * By post a CN22 goes in place of the invoice if value, weight and number of lines allow it, and a CN23 beside the invoice
 * otherwise; goods without a value get a CN23. No other carrier takes these forms.
 */
function customsPapersOf({ parcel, carrier }: MadeParcel, invoice: CommercialInvoice): PaperOrder[] {
  const { orderId, invoiceNumber, lines, currency, date } = invoice;
  const of = { orderId, olpnId: parcel.olpnId };
  const ofInvoice: PaperOrder = { ...of, type: "COMMERCIAL_INVOICE", invoice };
  const post = carrier.service?.post;
  if (post === undefined) return [ofInvoice];
  const declaration: CustomsDeclaration = {
    madeAt: invoice.madeAt,
    date,
    orderId,
    itemNumber: parcel.trackingNumber ?? parcel.olpnId,
    operator: nameOf(carrier),
    sender: invoice.exporter,
    addressee: invoice.consignee,
    importerNumbers: invoice.importer.customsNumbers,
    lines,
    currency,
    reasonForExport: invoice.reasonForExport,
    grossWeight: weightOf(parcel),
  };
  const value = valueOfGoods(lines, currency);
  const isSmall = lines.length <= cn22LinesMax && weightInKilograms(declaration.grossWeight) <= cn22KilogramsMax;
  if (isSmall && value !== undefined && post.isBelowCn22Limit(value, currency, date)) {
    return [
      { ...of, type: "CN22", form: "pdf", declaration },
      { ...of, type: "CN22", form: "zpl", declaration },
    ];
  }
  return [ofInvoice, { ...of, type: "CN23", declaration: { ...declaration, invoiceNumber } }];
}

/** The ISO 4217 code for no currency: an order without amounts has no currency. */
const noCurrency = "XXX";

/** Each parcel has its own invoice, so that a later or voided parcel leaves the other invoices unchanged. */
function invoiceOf(matter: PackMatter, { parcel, carrier }: MadeParcel, { piece }: Piece): CommercialInvoice {
  const { order, lines, items, facility, seller } = matter;
  const { extendedAttributes: attributes } = order;
  const consignee = partyOf(order.shipToAddress);
  const { reasonForExport, exporterEori, exporterVatNumber } = seller.customs;
  const toUnion = isForUnion(order);
  return {
    invoiceNumber: parcel.olpnId,
    ...momentOf(parcel, facility),
    orderId: order.orderId,
    externalOrderReference: order.externalOrderReference ?? undefined,
    exporter: {
      ...senderOf(matter),
      phone: facility.settings.phone ?? undefined,
      email: facility.settings.email ?? undefined,
      customsNumbers: customsNumbers({ EORI: exporterEori, VAT: exporterVatNumber, IOSS: iossOf(matter) }),
    },
    importer: {
      ...(order.billToAddress ? partyOf(order.billToAddress) : consignee),
      customsNumbers: customsNumbers({
        EORI: orderValue(parseEori, attributes, "ImporterEori"),
        VAT: orderValue(parseVatNumber, attributes, "ImporterVatNumber"),
      }),
    },
    consignee,
    lines: lines.flatMap((line) => {
      const inside = parcel.contents.filter(({ lineNumber }) => lineNumber === line.lineNumber);
      if (inside.length === 0) return [];
      const item = items.get(line.sku);
      const origin = toAlpha2(attributeOf(line.extendedAttributes, "CountryOfOrigin") ?? "");
      const goods = customsGoodsOf(item ?? { sku: line.sku }, line.extendedAttributes, origin);
      return {
        lineNumber: lineNumberOf(line.lineNumber),
        sku: line.sku,
        description: goods.description,
        hsCode: goods.hsCode,
        countryOfOrigin: goods.countryOfOrigin,
        ...(toUnion ? { identifiers: goods.identifiers } : {}),
        qty: inside.reduce((sum, { qty }) => sum + qty, 0),
        uom: line.uom,
        unitNetWeight: item && itemWeight(item),
        unitValue: unitValueOf(line),
      };
    }),
    currency: order.currency ?? noCurrency,
    // The shipping cost is paid once for all parcels; the invoice of the first parcel has it.
    shippingCost: piece === 1 ? amountOf(order.shippingCost) : undefined,
    incoterm: attributeOf(attributes, "IncotermName"),
    reasonForExport: orderValue(parseReasonForExport, attributes, "ReasonForExport") ?? reasonForExport,
    olpnIds: [parcel.olpnId],
    grossWeight: weightOf(parcel),
    carrier: nameOf(carrier),
    trackingNumber: parcel.trackingNumber,
  };
}

/** The value of an order's attribute; undefined where it is missing or has another form, of which the ACK has warned. */
function orderValue<Value>(
  parse: Parser<Value>,
  attributes: AttributeValues,
  name: ExtendedAttributeName,
): Value | undefined {
  const parsed = parse(attributeOf(attributes, name) ?? "");
  return parsed.ok ? parsed.value : undefined;
}

function isForUnion(order: StoredOrder): boolean {
  const { country, zip } = destinationOf(order);
  return country !== undefined && isInUnion(country, zip);
}

/** The IOSS number, for a consignment to the European Union only: no other customs office knows it. */
function iossOf({ order, seller }: PackMatter): string | undefined {
  if (!isForUnion(order)) return undefined;
  return orderValue(parseIossNumber, order.extendedAttributes, "IossNumber") ?? seller.customs.iossNumber;
}

function customsNumbers(numbers: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const texts = Object.entries(numbers).flatMap(([kind, number]) => (number === undefined ? [] : `${kind} ${number}`));
  return texts.length === 0 ? undefined : texts;
}

/** Stored units are canonical: feeds and reports are normalised on receipt. */
function weightOf({ weight, weightUomCode }: ParcelFacts) {
  return { value: weight, uom: weightUomCode as WeightUnit };
}

function itemWeight({ weight, weightUomCode: uom }: StoredItem) {
  return weight === null || uom === null ? undefined : { value: weight, uom: uom as WeightUnit };
}

function momentOf({ packedAt }: ParcelFacts, { timezone }: Facility) {
  return { madeAt: packedAt, date: localDate(timezone, Date.parse(packedAt)) };
}

function nameOf({ carrierCode, serviceCode, service }: ParcelCarrier): string {
  return [carrierCode, service?.name ?? serviceCode].filter((part) => part !== undefined).join(", ");
}

/** The client as sender, at the address of the facility. */
function senderOf({ facility, seller }: PackMatter): Party {
  const { companyName, address1, address2, city, zip, state } = facility.settings;
  return {
    companyName: seller.name,
    department: companyName === null || companyName === seller.name ? undefined : `c/o ${companyName}`,
    address1: address1 ?? undefined,
    address2: address2 ?? undefined,
    city: city ?? undefined,
    zip: zip ?? undefined,
    state: state ?? undefined,
    country: facility.country,
  };
}

function partyOf({ country, addressId: _, mobile, phone, ...address }: AddressElement): Party {
  return { ...address, phone: phone ?? mobile, country: country === undefined ? undefined : toAlpha2(country) };
}
