// Plans a pack report of a locked order: it reads and decides, and writes nothing but the decisions of the carriers.

import { assert } from "#/kernel/assert.ts";
import { conflict, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { canonicalDimensionUnit, canonicalWeightUnit } from "#/kernel/telemetry/measure.ts";
import { isSscc } from "#/kernel/values/gtin.ts";
import { type DeterminationContext, findKnownServices } from "#/modules/carriers/index.ts";
import { findItemRules, findItems } from "#/modules/catalogue/index.ts";
import type { PaperOrder } from "#/modules/documents/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { findSerials, listReservations, listSerialsInStock, type SerialPlace } from "#/modules/inventory/index.ts";
import type { PurchaseOrderOfLabel } from "#/modules/labels/index.ts";
import { findCorrection } from "#/modules/orders/addresses/address-check.ts";
import {
  type ReservationBook,
  refusalOfCancelled,
  refusalOfHeld,
  refusalOfLines,
  reservationBook,
  serialClaim,
  withLine,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { carryParcels, type ParcelCarrier, type Uncarried } from "#/modules/orders/fulfilment/packing/carriers.ts";
import { planContents } from "#/modules/orders/fulfilment/packing/contents.ts";
import { stockedLines } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import { papersOf, purchasesOf, type Seller } from "#/modules/orders/fulfilment/packing/papers.ts";
import type { PackedOlpn, PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
import { moved, type Order } from "#/modules/orders/order.ts";
import { findOrder, linesOfOrder } from "#/modules/orders/rest/repository.ts";
import { findParcelOwners, listParcels, type ParcelContent, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { Transaction } from "#/store/db/database.ts";

export interface PackPlan {
  /** The order with its quantities after the pack. */
  readonly after: Order;
  readonly reservations: ReservationBook;
  /** Serials that changed owner. */
  readonly exchanged: readonly SerialPlace[];
  /** The order's parcels before the pack. */
  readonly parcels: readonly ParcelFacts[];
  readonly made: readonly ParcelFacts[];
  readonly papers: readonly PaperOrder[];
  /** Labels that are bought from their carriers. */
  readonly purchases: readonly PurchaseOrderOfLabel[];
  readonly warnings: readonly string[];
}

export interface PackPlanning {
  readonly clientId: string;
  /** The facility that packs. */
  readonly facilityCode: string;
  readonly body: PackReport;
  /** When the parcels were packed, ISO 8601 UTC. */
  readonly packedAt: string;
  readonly carriers: DeterminationContext;
  readonly seller: Seller;
  /** Mints the numbers of the parcels that have none. */
  mint(): Promise<string[]>;
}

/** @param tx reads only, and stores a decision. @param order an order that the reporting facility fulfils. */
export async function planPack(
  tx: Transaction,
  { clientId, facilityCode, body, packedAt, carriers, seller, mint }: PackPlanning,
  order: Order,
): Promise<Result<PackPlan, Uncarried>> {
  const view = tx.of(clientId);
  const { orderId } = order;
  const refusal =
    refusalOfCancelled(order) ?? refusalOfHeld(order, "pack") ?? refusalOfShape(order, facilityCode, body);
  if (refusal) return refused({ refusal });
  const skus = [...new Set(order.lines.map(({ sku }) => sku))];
  const olpnIds = body.olpns.flatMap(({ olpnId }) => olpnId ?? []);
  const [held, rules, parcels, used, places, row, lines, items, facility, known] = await Promise.all([
    listReservations(view, "ORDER", [orderId]),
    findItemRules(view, skus),
    listParcels(view, [orderId]),
    findParcelOwners(tx, "OLPN", olpnIds),
    findSerials(view, serialsOf(order, body)),
    findOrder(view, orderId),
    linesOfOrder(view, orderId),
    findItems(view, [...skus, ...order.kits.map(({ sku }) => sku)]),
    findFacility(tx, facilityCode),
    findKnownServices(view, carriers.sets),
  ]);
  assert(row && facility, `order ${orderId} or its facility ${facilityCode} no longer exists`);
  const [other] = used;
  if (other) {
    return refused({ refusal: conflict(`OLPN ${other.key} is already in use; each parcel needs a separate number.`) });
  }
  for (const { sku, serial } of places) tx.claim(serialClaim(sku, serial));
  const taken = places.some(({ ownerId }) => ownerId === undefined)
    ? await listSerialsInStock(view, facilityCode, [...new Set(places.map(({ sku }) => sku))])
    : [];
  const ours = taken.filter(({ ownerType, ownerId }) => ownerType === "ORDER" && ownerId === orderId);
  const reservations = reservationBook(held);
  const packed = planContents({ order, facilityCode, reservations, rules, places, taken: ours, parcels }, body.olpns);
  if (!packed.ok) return refused({ refusal: packed.fault });

  const { contents, exchanged } = packed.value;
  const minted = await mint();
  const matter = {
    order: { ...row, distributionCentre: facilityCode },
    lines: stockedLines(lines),
    items: new Map(items.map((item) => [item.sku, item])),
  };
  const shipped = body.olpns.map((olpn, i) => ({
    olpnId: olpn.olpnId ?? (minted.shift() as string),
    contents: contents[i] ?? [],
    ...measuresOf(olpn),
    carrierCode: olpn.carrierCode,
    carrierServiceCode: olpn.carrierServiceCode,
  }));
  const carried = await carryParcels(tx, { clientId, context: carriers, known, facility }, matter, shipped);
  if (!carried.ok) return carried;
  const made = shipped.map(({ olpnId, contents, carrierCode: _c, carrierServiceCode: _s, ...measures }, i) => {
    const carrier = carried.value.carriers[i] as ParcelCarrier;
    const { trackingNumber } = body.olpns[i] as PackedOlpn;
    return {
      carrier,
      parcel: parcelOf(order, { facilityCode, olpnId, contents, measures, carrier, trackingNumber, packedAt }),
    };
  });
  const after = afterPack(
    order,
    made.flatMap(({ parcel }) => parcel.contents),
  );
  const piecesBefore = parcels.filter(({ status }) => status !== "VOIDED").length;
  const correction = seller.customs.useCorrectedAddress ? await findCorrection(view, orderId, row.shipToAddress) : {};
  const packMatter = {
    ...matter,
    order: { ...matter.order, shipToAddress: { ...row.shipToAddress, ...correction } },
    after,
    facility,
    seller,
    piecesBefore,
  };
  return ok({
    after,
    reservations,
    exchanged,
    parcels,
    papers: papersOf(packMatter, made),
    purchases: purchasesOf(packMatter, made),
    made: made.map(({ parcel }) => parcel),
    warnings: carried.value.warnings,
  });
}

function serialsOf(order: Order, { olpns }: PackReport): { sku: string; serial: string }[] {
  const skuOf = new Map(order.lines.map(({ lineNumber, sku }) => [lineNumber, sku]));
  return olpns
    .flatMap(({ contents }) => contents)
    .flatMap(({ lineNumber, serials = [] }) => serials.map((serial) => ({ sku: skuOf.get(lineNumber) ?? "", serial })));
}

type Measures = Pick<ParcelFacts, "weight" | "weightUomCode" | "length" | "width" | "height" | "dimensionsUomCode">;

/** The measures in stored units; {@link refusalOfShape} has validated them. */
function measuresOf({ weight, weightUomCode, length, width, height, dimensionsUomCode }: PackedOlpn): Measures {
  const hasSides = length !== undefined || width !== undefined || height !== undefined;
  return {
    weight,
    weightUomCode: canonicalWeightUnit(weightUomCode) as string,
    length,
    width,
    height,
    dimensionsUomCode: hasSides ? canonicalDimensionUnit(dimensionsUomCode ?? "") : undefined,
  };
}

interface NewParcel {
  readonly facilityCode: string;
  readonly olpnId: string;
  readonly contents: readonly ParcelContent[];
  readonly measures: Measures;
  readonly carrier: ParcelCarrier;
  /** The carrier's tracking number. */
  readonly trackingNumber: string | undefined;
  readonly packedAt: string;
}

function parcelOf(
  order: Order,
  { facilityCode, olpnId, contents, measures, carrier, trackingNumber, packedAt }: NewParcel,
): ParcelFacts {
  return {
    olpnId,
    orderId: order.orderId,
    facilityCode,
    ...measures,
    contents,
    packedAt,
    status: "PACKED",
    statusAt: undefined,
    isDelivered: false,
    isReturning: false,
    carrierCode: carrier.carrierCode,
    carrierServiceCode: carrier.serviceCode,
    decisionId: carrier.decisionId,
    trackingNumber: trackingNumber ?? olpnId,
    isGeneratedTrackingNumber: trackingNumber === undefined,
    // The carrier's tracking page does not know a number of ours.
    trackingUrl: trackingNumber === undefined ? undefined : carrier.service?.trackingUrlOf(trackingNumber),
    loadId: undefined,
    loadedAt: undefined,
    despatchedAt: undefined,
    version: 1,
  };
}

function afterPack(order: Order, contents: readonly ParcelContent[]): Order {
  return contents.reduce<Order>(
    (whole, { lineNumber, qty }) => withLine(whole, lineNumber, (line) => moved(line, "picked", "packed", qty)),
    order,
  );
}

/** The faults of the report itself, whatever was picked. */
function refusalOfShape(order: Order, facilityCode: string, { olpns }: PackReport): Refusal | undefined {
  const seen = new Set<string>();
  for (const [i, olpn] of olpns.entries()) {
    const { olpnId, weight, weightUomCode, length, width, height, dimensionsUomCode, contents } = olpn;
    const name = `OLPN ${olpnId ?? `${i + 1} of the report`}`;
    if (olpnId !== undefined && !isSscc(olpnId)) {
      return unprocessable(`${name} is not an SSCC-18: it has 18 digits, the last of them a check digit.`);
    }
    if (olpnId !== undefined && seen.has(olpnId)) return conflict(`${name} is present twice.`);
    if (olpnId !== undefined) seen.add(olpnId);
    if (!(weight > 0)) return unprocessable(`The weight of ${name} is ${weight}: it must be above 0.`);
    if (canonicalWeightUnit(weightUomCode) === undefined) {
      return unprocessable(`The weight of ${name} is in '${weightUomCode}'; allowed: KG, G, LB, OZ.`);
    }
    const sides = [length, width, height].filter((side) => side !== undefined);
    if (sides.some((side) => !(side > 0))) return unprocessable(`Each side of ${name} must be above 0.`);
    if (sides.length > 0 && canonicalDimensionUnit(dimensionsUomCode ?? "") === undefined) {
      return unprocessable(`The sides of ${name} are in '${dimensionsUomCode ?? ""}'; allowed: CM, MM, M, IN, FT.`);
    }
    if (contents.length === 0) return unprocessable(`${name} has no contents.`);
    const foreign = refusalOfLines(order, facilityCode, contents);
    if (foreign) return foreign;
  }
  return undefined;
}
