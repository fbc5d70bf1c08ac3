import { eventCodes, eventName, ownCodesMax } from "#/kernel/event-codes.ts";
import { notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { eventCodeOf, noteUnknownCode } from "#/modules/carriers/index.ts";
import { withDelivered } from "#/modules/orders/fulfilment/despatch.ts";
import {
  type FulfilmentResult,
  inUtc,
  orderAnswer,
  withParcels,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { lockParcels, ofOrder } from "#/modules/orders/fulfilment/load.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import {
  findParcelOwners,
  listParcelMilestones,
  listParcelsById,
  type ParcelMilestone,
  statusAfter,
  updateParcels,
} from "#/modules/parcels/index.ts";
import type { ClientTx, Tx, UnitOfWork } from "#/store/db/database.ts";

export interface CarrierEventReport {
  /** Either of the two identifies the parcel. A tracking number may belong to several parcels. */
  readonly olpnId?: string | undefined;
  readonly trackingNumber?: string | undefined;
  /** Either of the two identifies the event: a code of lifecycle.md §9 above 100, or the carrier's own code. */
  readonly eventCode?: number | undefined;
  readonly carrierEventCode?: string | undefined;
  /** ISO 8601 UTC; when it happened. */
  readonly occurredAt: string;
  readonly location?: string | undefined;
  readonly text?: string | undefined;
}

/** The source of the report: a facility reports parcels that it packed; a carrier uses its own codes. */
export interface CarrierEventSource {
  readonly facilityCode?: string | undefined;
  readonly carrierCode?: string | undefined;
}

/** The code for events that the platform has no code for (lifecycle.md §9). */
const unmapped = 399;

/** The clients that own the parcel of the report, in order; none for an unknown number. */
export async function clientsOfCarrierEvent(
  tx: Tx,
  { olpnId, trackingNumber }: Pick<CarrierEventReport, "olpnId" | "trackingNumber">,
): Promise<string[]> {
  const owners =
    olpnId !== undefined
      ? await findParcelOwners(tx, "OLPN", [olpnId])
      : await findParcelOwners(tx, "TRACKING", trackingNumber === undefined ? [] : [trackingNumber]);
  return [...new Set(owners.map(({ clientId }) => clientId))];
}

/**
 * Records a track-and-trace code of a parcel (lifecycle.md §5, §9). Each report is stored with its own time and
 * published. The table of codes determines its effect on the parcel and the order. A repeat changes nothing.
 */
export async function reportCarrierEvent(
  tx: UnitOfWork,
  source: CarrierEventSource,
  report: CarrierEventReport,
): Promise<FulfilmentResult> {
  const wrong = refusalOfShape(report);
  if (wrong) return refused(wrong);
  const body = { ...report, occurredAt: inUtc(report.occurredAt) };
  const olpnIds = await findOlpns(tx, body);
  const [parcel] = await listParcelsById(tx, olpnIds);
  const facilityCode = source.facilityCode ?? parcel?.facilityCode;
  if (!parcel || parcel.facilityCode !== facilityCode) {
    return refused(notFound(`The client has no parcel ${body.olpnId ?? body.trackingNumber}.`));
  }
  const code = await codeOf(tx.plain, [source.carrierCode, parcel.carrierCode], body);
  const locked = await lockParcels(tx, facilityCode, olpnIds);
  if (!locked.ok) return locked;
  const { orders, named, all } = locked.value;
  const known = await listParcelMilestones(
    tx,
    orders.map(({ orderId }) => orderId),
  );
  const rawCode = body.carrierEventCode ?? (code === body.eventCode ? undefined : String(body.eventCode));
  const fresh = named.filter(
    ({ olpnId }) => !known.some((parcelMilestone) => isSame(parcelMilestone, { ...body, olpnId, code, rawCode })),
  );
  const reporter = source.carrierCode ?? parcel.carrierCode;
  if (code === unmapped && body.carrierEventCode !== undefined && reporter && fresh.length > 0) {
    noteUnknownCode(tx, reporter, body.carrierEventCode, tx.change.at);
  }
  const after = fresh.map((parcelFacts) => statusAfter(parcelFacts, { code, at: body.occurredAt }));
  const moved = after.filter((parcelFacts, i) => parcelFacts !== fresh[i]);
  const parcels = withParcels(all, after);

  updateParcels(tx, tx.change.at, moved);
  const changes = orders.flatMap((order): OrderChange[] => {
    const parcelsOfOrder = ofOrder(after, order);
    if (parcelsOfOrder.length === 0) return [];
    const { occurredAt: at, location, text } = body;
    const ofThis = ofOrder(parcels, order);
    return [
      {
        order: withDelivered(order, ofThis),
        before: order,
        action: "carrierEvent",
        parcels: ofThis,
        milestones: parcelsOfOrder.map(({ olpnId }) => ({ olpnId, code, at, location, text, rawCode })),
      },
    ];
  });
  const events = await settleOrders(tx, changes);
  const ended = new Map(changes.map(({ order }) => [order.orderId, order]));
  const statusOf = new Map(
    orders.map((order) => {
      const { status } = orderAnswer(ended.get(order.orderId) ?? order, ofOrder(parcels, order));
      return [order.orderId, status] as const;
    }),
  );
  return ok({
    answer: {
      eventCode: code,
      eventName: eventName(code),
      isRepeat: fresh.length === 0,
      olpns: withParcels(named, after).map(({ olpnId, orderId, status }) => ({
        olpnId,
        status,
        orderId,
        orderStatus: statusOf.get(orderId),
      })),
    },
    events,
  });
}

function refusalOfShape(body: CarrierEventReport): Refusal | undefined {
  const { olpnId, trackingNumber, eventCode, carrierEventCode, occurredAt } = body;
  if (olpnId === undefined && trackingNumber === undefined) {
    return unprocessable("A carrier event names its parcel by olpnId or trackingNumber.");
  }
  if (eventCode === undefined && carrierEventCode === undefined) {
    return unprocessable("A carrier event names its code by eventCode or carrierEventCode.");
  }
  if (eventCode !== undefined && eventCode <= ownCodesMax) {
    const whose = `codes up to ${ownCodesMax} are raised by the platform itself`;
    return unprocessable(`eventCode ${eventCode} cannot be reported: ${whose}.`);
  }
  if (Number.isNaN(Date.parse(occurredAt))) return unprocessable(`occurredAt '${occurredAt}' is not a valid time.`);
  return undefined;
}

/** The client's parcels that the report names. The OLPN takes precedence, because it is unique. */
async function findOlpns(tx: ClientTx, { olpnId, trackingNumber }: CarrierEventReport): Promise<string[]> {
  if (olpnId !== undefined) return [olpnId];
  const owners = await findParcelOwners(tx.plain, "TRACKING", [trackingNumber as string]);
  return owners.filter((owner) => owner.clientId === tx.clientId).map((owner) => owner.olpnId);
}

async function codeOf(
  tx: Tx,
  carrierCodes: readonly (string | undefined)[],
  { eventCode, carrierEventCode }: CarrierEventReport,
): Promise<number> {
  if (eventCode !== undefined) return eventCode in eventCodes ? eventCode : unmapped;
  return (await eventCodeOf(tx, carrierCodes, carrierEventCode as string)) ?? unmapped;
}

function isSame(
  known: ParcelMilestone,
  event: { olpnId: string; code: number; occurredAt: string; rawCode: string | undefined },
): boolean {
  return (
    known.olpnId === event.olpnId &&
    known.code === event.code &&
    Date.parse(known.at) === Date.parse(event.occurredAt) &&
    // Unmapped reports are the same only if their raw codes are.
    (event.code !== unmapped || known.rawCode === (event.rawCode ?? null))
  );
}
