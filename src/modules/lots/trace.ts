import type { Static } from "typebox";
import type { Problem } from "#/http/problems/problem.ts";
import { type Page, readPage } from "#/http/requests/paging.ts";
import { withNulls } from "#/http/routes/schema.ts";
import { assert } from "#/kernel/assert.ts";
import { type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { listSerials, noBatch, noExpiry, type SerialPlace } from "#/modules/inventory/index.ts";
import {
  entriesMax,
  type LotOrder,
  type LotQuery,
  type LotTrace,
  levelsMax,
  lotOrder,
  lotOrderCursor,
  lotParcel,
  lotsMax,
  stockMax,
  type tracedLot,
} from "#/modules/lots/contract.ts";
import type { LotKey } from "#/modules/lots/trace-repository.ts";
import * as repository from "#/modules/lots/trace-repository.ts";
import { addressSchema } from "#/modules/orders/index.ts";
import { listParcels, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

type TracedLot = Static<typeof tracedLot>;
type Use = LotTrace["uses"][number];

/** The subject of a request: a lot, or a unit by its serial number. */
export interface Subject {
  readonly sku: string;
  readonly lotNumber: string | undefined;
  readonly serialNumber: string | undefined;
}

/** A serial number names its unit, whatever lot is named beside it. */
export function subjectOf({ sku, lotNumber, serialNumber }: LotQuery): Result<Subject, Refusal> {
  if (serialNumber !== undefined) return ok({ sku, lotNumber: undefined, serialNumber });
  if (lotNumber !== undefined) return ok({ sku, lotNumber, serialNumber });
  const message = "name a lotNumber or a serialNumber";
  return refused(unprocessableFaults([{ pointer: "/query/lotNumber", message }]));
}

/** The lots of a trace, and what is known of the unit. */
interface Scope {
  readonly subject: Subject;
  /** Undefined for a lot, or where the serial number is unknown. */
  readonly unit: SerialPlace | undefined;
  readonly lots: readonly TracedLot[];
  readonly lotsTruncated: boolean;
  readonly uses: readonly Use[];
  readonly usesTruncated: boolean;
}

/** Follows a lot or unit through work orders, level by level. */
async function readScope(tx: ClientTx, subject: Subject): Promise<Scope> {
  const { sku, lotNumber, serialNumber } = subject;
  const [unit] = serialNumber === undefined ? [] : await listSerials(tx, sku, [serialNumber]);
  const lots = new Map<string, TracedLot>();
  const uses: Use[] = [];
  let lotsTruncated = false;
  let usesTruncated = false;
  const add = (lot: TracedLot): boolean => {
    const key = JSON.stringify([lot.sku, lot.lotNumber]);
    if (lots.has(key)) return false;
    if (lots.size === lotsMax) lotsTruncated = true;
    else lots.set(key, lot);
    return lots.has(key);
  };
  if (lotNumber !== undefined) add({ sku, lotNumber, level: 0, workOrderId: null });
  let latest: readonly LotKey[] = [...lots.values()];
  for (let level = 1; ; level++) {
    const found = await usesAt(level);
    if (found.length > entriesMax - uses.length) usesTruncated = true;
    uses.push(...found.slice(0, entriesMax - uses.length));
    if (found.length === 0) break;
    if (level > levelsMax) {
      lotsTruncated = true;
      break;
    }
    // A component that was reported without a finished good is in every lot of the work order.
    const open = found.filter(({ goodsLotNumber }) => goodsLotNumber === null).map(({ workOrderId }) => workOrderId);
    const made = open.length === 0 ? [] : await repository.listMade(tx, [...new Set(open)]);
    const named = found.flatMap(({ workOrderId, goodsSku, goodsLotNumber }) =>
      goodsLotNumber === null ? [] : [{ sku: goodsSku, lotNumber: goodsLotNumber, workOrderId }],
    );
    latest = [...named, ...made].filter((lot) => add({ ...lot, level }));
  }
  return { subject, unit, lots: [...lots.values()], lotsTruncated, uses, usesTruncated };

  function usesAt(level: number): Promise<Use[]> | Use[] {
    const { ownerType, ownerId } = unit ?? {};
    if (level === 1 && ownerType === "WORK_ORDER" && ownerId !== undefined) {
      return repository.listUsesOfWorkOrder(tx, { workOrderId: ownerId, sku });
    }
    return latest.length === 0 ? [] : repository.listUses(tx, latest);
  }
}

/** Everything that is known of a lot or unit, in sections with bounds. */
export async function traceLot(tx: ClientTx, subject: Subject, limit: number, asOf: string): Promise<LotTrace> {
  const scope = await readScope(tx, subject);
  const { sku, lotNumber, serialNumber } = subject;
  const { unit, lots } = scope;
  const [ofLots, receipts, returns, components, orders] = await Promise.all([
    repository.listStock(tx, lots),
    serialNumber === undefined
      ? repository.listReceipts(tx, lots)
      : repository.listReceiptsOfUnit(tx, { sku, serialNumber }),
    listReturns(tx, scope),
    lotNumber === undefined ? [] : repository.listComponents(tx, { sku, lotNumber }),
    readOrders(tx, scope, { limit }),
  ]);
  assert(orders.ok, "the first page has no cursor that could be refused");
  const stock = [...stockOf(unit), ...ofLots];
  const reservations = await repository.listReservations(tx, placesOf(ofLots));
  const sections = { stock, reservations, receipts, returns, components, uses: scope.uses, orders: orders.value.items };
  return {
    clientId: tx.clientId,
    sku,
    lotNumber: lotNumber ?? textOf(unit?.batchRef ?? noBatch),
    serialNumber: serialNumber ?? null,
    found: unit !== undefined || Object.values(sections).some(({ length }) => length > 0),
    asOf,
    lots: [...lots],
    lotsTruncated: scope.lotsTruncated,
    stock: stock.slice(0, stockMax),
    stockTruncated: stock.length > stockMax,
    reservations: reservations.slice(0, stockMax),
    reservationsTruncated: reservations.length > stockMax,
    receipts: receipts.slice(0, entriesMax),
    receiptsTruncated: receipts.length > entriesMax,
    components: components.slice(0, entriesMax),
    componentsTruncated: components.length > entriesMax,
    uses: [...scope.uses],
    usesTruncated: scope.usesTruncated,
    returns: returns.slice(0, entriesMax),
    returnsTruncated: returns.length > entriesMax,
    orders: orders.value.items,
    ordersNextCursor: orders.value.nextCursor,
  };
}

const textOf = (text: string): string | null => (text === noBatch || text === noExpiry ? null : text);

function stockOf(unit: SerialPlace | undefined): LotTrace["stock"] {
  if (unit?.state !== "IN_STOCK") return [];
  const { sku, batchRef, facilityCode, stockPool, condition, expiryDate, ownerType } = unit;
  return [
    {
      sku,
      lotNumber: textOf(batchRef),
      distributionCentre: facilityCode,
      stockPool,
      condition,
      isHeld: condition !== "GOOD",
      expiryDate: textOf(expiryDate),
      qty: 1,
      allocated: ownerType === undefined ? 0 : 1,
    },
  ];
}

/** Each facility where a lot is allocated, once. */
function placesOf(stock: Awaited<ReturnType<typeof repository.listStock>>) {
  const places = stock
    .filter(({ allocated }) => allocated > 0)
    .map(({ sku, lotNumber, distributionCentre }) => ({ sku, lotNumber, distributionCentre }));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

async function listReturns(tx: ClientTx, { subject, lots }: Scope): Promise<LotTrace["returns"]> {
  const { sku, serialNumber } = subject;
  const ofLots = repository.listReturns(tx, lots);
  if (serialNumber === undefined) return ofLots;
  return [...(await repository.listReturnsOfUnit(tx, { sku, serialNumber })), ...(await ofLots)];
}

/** A page of the orders that goods of a lot or unit left with. */
export async function listOrdersOfLot(
  tx: ClientTx,
  subject: Subject,
  page: Pick<LotQuery, "cursor" | "limit">,
): Promise<Result<Page<LotOrder>, Problem>> {
  return readOrders(tx, await readScope(tx, subject), page);
}

async function readOrders(
  tx: ClientTx,
  { subject, unit, lots }: Scope,
  page: Pick<LotQuery, "cursor" | "limit">,
): Promise<Result<Page<LotOrder>, Problem>> {
  const { sku, serialNumber } = subject;
  // The requested lot or unit has the first place, and what was made from it those after it.
  const placed = lots.map((lot, i) => ({ ...lot, place: serialNumber === undefined ? i : i + 1 }));
  return readPage(page, {
    cursors: lotOrderCursor,
    async read(after, limit) {
      const from = after ?? { lot: 0, orderId: "" };
      const ofUnit =
        serialNumber === undefined || from.lot > 0 ? [] : await listOrdersOfUnit(tx, { sku, serialNumber }, unit);
      const left = placed.filter(({ place }) => place >= from.lot);
      const afterOrder = left[0]?.place === from.lot ? from.orderId : "";
      return [
        ...ofUnit.filter(({ orderId }) => orderId > from.orderId),
        ...(await repository.listDespatched(tx, left, afterOrder, limit)),
      ];
    },
    placeOf: ({ lot, orderId }) => ({ lot, orderId }),
    async itemsOf(rows) {
      const orderIds = [...new Set(rows.map(({ orderId }) => orderId))];
      const [orders, parcels] = await Promise.all([repository.listOrders(tx, orderIds), listParcels(tx, orderIds)]);
      const orderOf = new Map(orders.map((order) => [order.orderId, order]));
      const parcelsOf = Map.groupBy(parcels, ({ orderId }) => orderId);
      return rows.map(({ lot, orderId, qty, despatchedAt }) => {
        const order = orderOf.get(orderId);
        assert(order, `goods left with order ${orderId}, which does not exist`);
        const of = placed.find(({ place }) => place === lot);
        const found = (parcelsOf.get(orderId) ?? []).flatMap((parcel) => parcelWith(parcel, of ?? subject));
        return withNulls(lotOrder, {
          ...order,
          shipToAddress: withNulls(addressSchema, order.shipToAddress ?? {}),
          sku: of?.sku ?? sku,
          lotNumber: of?.lotNumber ?? textOf(unit?.batchRef ?? noBatch),
          qty,
          despatchedAt: despatchedAt ?? found.find((parcel) => parcel.despatchedAt !== null)?.despatchedAt ?? null,
          parcels: found,
        });
      });
    },
  });
}

/** The order that has the unit, from its pick on, and those that it came back from. */
async function listOrdersOfUnit(
  tx: ClientTx,
  key: repository.UnitKey,
  unit: SerialPlace | undefined,
): Promise<repository.Despatched[]> {
  const { ownerType, ownerId } = unit ?? {};
  const returned = await repository.listReturnedOrders(tx, await repository.listReturnsOfUnit(tx, key));
  const owner = ownerType === "ORDER" && ownerId !== undefined ? [ownerId] : [];
  return [...new Set([...owner, ...returned])]
    .sort()
    .map((orderId) => ({ lot: 0, orderId, qty: 1, despatchedAt: null }));
}

/** The parcel, with its goods of the lot or its unit; none for a parcel without them. */
function parcelWith(parcel: ParcelFacts, of: Partial<Subject> & { readonly sku: string }): LotOrder["parcels"] {
  const { sku, lotNumber, serialNumber } = of;
  const goods = parcel.contents.filter(
    (content) =>
      content.sku === sku &&
      (serialNumber === undefined ? content.batchRef === lotNumber : content.serials.includes(serialNumber)),
  );
  if (goods.length === 0 || parcel.status === "VOIDED") return [];
  const qty = serialNumber === undefined ? quantityToNumber(goods.reduce((sum, content) => sum + content.qty, 0)) : 1;
  const serials = serialNumber === undefined ? goods.flatMap((content) => content.serials) : [serialNumber];
  return [withNulls(lotParcel, { ...parcel, qty, serials })];
}
