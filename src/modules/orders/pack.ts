import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { canonicalDimensionUnit, canonicalWeightUnit } from "#/kernel/measure.ts";
import { ok, refused } from "#/kernel/result.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { conflict, type Refusal, unprocessable } from "#/modules/facilities/index.ts";
import {
  findSerials,
  listReservations,
  listSerialsInStock,
  openBook,
  writeReservations,
  writeSerials,
} from "#/modules/inventory/index.ts";
import { moved, type Order, stateOf } from "#/modules/orders/aggregate.ts";
import { lockOrders } from "#/modules/orders/aggregate-repository.ts";
import {
  type FloorResult,
  inUtc,
  orderAnswer,
  refusalOfCancelled,
  refusalOfHeld,
  refusalOfOrder,
  reservationBook,
  withLine,
} from "#/modules/orders/floor.ts";
import { planContents } from "#/modules/orders/pack-contents.ts";
import type { PackReport } from "#/modules/orders/pack-report.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import {
  findParcelOwners,
  insertParcelKeys,
  isSscc,
  listParcels,
  type ParcelContent,
  type ParcelFacts,
  parcelEvent,
  recordPacked,
  type SsccMint,
} from "#/modules/parcels/index.ts";

/** Parcels made of what was picked for an order (lifecycle.md §1, §5). Answers their numbers and carriers. */
export async function reportPack(
  tx: Transaction,
  change: Change,
  clientId: string,
  facilityCode: string,
  body: PackReport,
  ssccs: SsccMint,
): Promise<FloorResult> {
  const { orderId } = body;
  await openBook(tx, clientId, facilityCode, change.at);
  const [order] = await lockOrders(tx, clientId, [orderId]);
  const refusal = refusalOfOrder(order, orderId, facilityCode);
  if (refusal || !order) return refused(refusal as Refusal);
  const forbidden = refusalOfCancelled(order) ?? refusalOfHeld(order, "pack") ?? refusalOfShape(order, body);
  if (forbidden) return refused(forbidden);
  const skus = order.lines.map(({ sku }) => sku);
  const [held, rules, parcels, used] = await Promise.all([
    listReservations(tx, clientId, "ORDER", [orderId]),
    findItemRules(tx, clientId, skus),
    listParcels(tx, clientId, [orderId]),
    findParcelOwners(
      tx,
      "OLPN",
      body.olpns.flatMap(({ olpnId }) => olpnId ?? []),
    ),
  ]);
  const [other] = used;
  if (other) return refused(conflict(`OLPN ${other.key} is in use already; each parcel has a number of its own.`));
  const places = await findSerials(tx, clientId, serialsOf(order, body));
  const taken = places.some(({ ownerId }) => ownerId === undefined)
    ? await listSerialsInStock(tx, clientId, facilityCode, [...new Set(places.map(({ sku }) => sku))])
    : [];
  const ours = taken.filter(({ ownerType, ownerId }) => ownerType === "ORDER" && ownerId === orderId);
  const reservations = reservationBook(held);
  const packed = planContents({ order, reservations, rules, places, taken: ours, parcels }, body.olpns);
  if (!packed.ok) return packed;
  const minted = await mint(tx, ssccs, body.olpns.filter(({ olpnId }) => olpnId === undefined).length);
  const made = makeParcels(order, change.at, body, packed.value.contents, minted);

  const after = afterPack(order, made);
  writeReservations(tx, clientId, reservations.changed());
  writeSerials(tx, clientId, change.at, packed.value.exchanged);
  recordPacked(tx, change, clientId, made);
  insertParcelKeys(
    tx,
    clientId,
    made.flatMap(({ olpnId, trackingNumber = olpnId }) => [
      { kind: "OLPN" as const, key: olpnId, olpnId },
      { kind: "TRACKING" as const, key: trackingNumber, olpnId },
    ]),
  );
  const all = [...parcels, ...made];
  const isPacked = order.status !== "PACKED" && stateOf(after).state === "PACKED";
  const drafts = await settleOrders(tx, change, clientId, [
    {
      order: after,
      before: order,
      action: "pack",
      parcels: all,
      milestones: isPacked ? [{ code: 60 }, { code: 75 }] : [],
    },
  ]);
  const olpns = made.map(({ olpnId, carrierCode, carrierServiceCode, trackingNumber }) => ({
    olpnId,
    carrierCode: carrierCode ?? null,
    carrierServiceCode: carrierServiceCode ?? null,
    trackingNumber: trackingNumber ?? null,
    documents: [],
  }));
  return ok({
    answer: { ...orderAnswer(after, all), olpns },
    drafts: [...made.map((parcel) => parcelEvent("parcel:packed", parcel)), ...drafts],
  });
}

/** What is wrong with the report itself, whatever was picked. */
function refusalOfShape(order: Order, { olpns }: PackReport): Refusal | undefined {
  const seen = new Set<string>();
  for (const [i, olpn] of olpns.entries()) {
    const { olpnId, weight, weightUomCode, length, width, height, dimensionsUomCode, contents } = olpn;
    const name = `OLPN ${olpnId ?? `${i + 1} of the report`}`;
    if (olpnId !== undefined && !isSscc(olpnId)) {
      return unprocessable(`${name} is no SSCC-18: it has 18 digits, the last of them a check digit.`);
    }
    if (olpnId !== undefined && seen.has(olpnId)) return conflict(`${name} stands there twice.`);
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
    const unknown = contents.find(({ lineNumber }) => !order.lines.some((line) => line.lineNumber === lineNumber));
    if (unknown) return unprocessable(`Order ${order.orderId} has no line ${unknown.lineNumber}.`);
  }
  return undefined;
}

function serialsOf(order: Order, { olpns }: PackReport): { sku: string; serial: string }[] {
  const skuOf = new Map(order.lines.map(({ lineNumber, sku }) => [lineNumber, sku]));
  return olpns
    .flatMap(({ contents }) => contents)
    .flatMap(({ lineNumber, serials = [] }) => serials.map((serial) => ({ sku: skuOf.get(lineNumber) ?? "", serial })));
}

/** New numbers; those that a warehouse has given a parcel of its own accord are passed over. */
async function mint(tx: Transaction, ssccs: SsccMint, count: number): Promise<string[]> {
  const minted: string[] = [];
  while (minted.length < count) {
    const taken = await ssccs.take(count - minted.length);
    const used = new Set((await findParcelOwners(tx, "OLPN", taken)).map(({ key }) => key));
    minted.push(...taken.filter((sscc) => !used.has(sscc)));
  }
  return minted;
}

function makeParcels(
  order: Order,
  at: string,
  { olpns, occurredAt }: PackReport,
  contents: readonly (readonly ParcelContent[])[],
  minted: string[],
): ParcelFacts[] {
  return olpns.map((olpn, i): ParcelFacts => {
    const olpnId = olpn.olpnId ?? (minted.shift() as string);
    const sides = olpn.length !== undefined || olpn.width !== undefined || olpn.height !== undefined;
    return {
      olpnId,
      orderId: order.orderId,
      facilityCode: order.distributionCentre,
      status: "PACKED",
      statusAt: undefined,
      isDelivered: false,
      isReturning: false,
      carrierCode: olpn.carrierCode ?? order.carrierCode,
      carrierServiceCode: olpn.carrierServiceCode,
      trackingNumber: olpn.trackingNumber ?? olpnId,
      trackingUrl: undefined,
      isOwnTrackingNumber: olpn.trackingNumber === undefined,
      weight: olpn.weight,
      weightUomCode: canonicalWeightUnit(olpn.weightUomCode) as string,
      length: olpn.length,
      width: olpn.width,
      height: olpn.height,
      dimensionsUomCode: sides ? canonicalDimensionUnit(olpn.dimensionsUomCode ?? "") : undefined,
      contents: contents[i] ?? [],
      loadId: undefined,
      packedAt: inUtc(occurredAt ?? at),
      loadedAt: undefined,
      despatchedAt: undefined,
      version: 1,
    };
  });
}

function afterPack(order: Order, made: readonly ParcelFacts[]): Order {
  return made
    .flatMap(({ contents }) => contents)
    .reduce<Order>(
      (whole, { lineNumber, qty }) => withLine(whole, lineNumber, (line) => moved(line, "picked", "packed", qty)),
      order,
    );
}
