// Chooses the carrier and service of each parcel of a pack (contract carriers.md, warehouse.md).

import { conflict, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type DeterminationContext,
  type Determined,
  determine,
  type KnownService,
  type KnownServices,
} from "#/modules/carriers/index.ts";
import type { Facility } from "#/modules/facilities/index.ts";
import type { PackedOlpn } from "#/modules/orders/fulfilment/packing/report.ts";
import { type OrderMatter, type ShippedParcel, shipmentOf } from "#/modules/orders/fulfilment/packing/shipment.ts";
import type { Transaction } from "#/store/db/database.ts";

export interface ParcelCarrier {
  readonly carrierCode: string;
  /** Undefined if the carrier data do not know the named carrier's services, or if none of them fits. */
  readonly serviceCode: string | undefined;
  /** The service in the carrier data. */
  readonly service: KnownService | undefined;
  /** Undefined if the warehouse named the service. */
  readonly decisionId: string | undefined;
}

/** A parcel that the pack will create, with the carrier that the warehouse named. */
export type CarriedParcel = ShippedParcel &
  Pick<PackedOlpn, "carrierCode" | "carrierServiceCode"> & { readonly olpnId: string };

export interface Carriage {
  readonly clientId: string;
  readonly context: DeterminationContext;
  /** The client's carrier data. */
  readonly known: KnownServices;
  /** The facility of the order. */
  readonly facility: Facility;
}

export interface Carried {
  /** One per parcel, in the order of the parcels. */
  readonly carriers: readonly ParcelCarrier[];
  /** Warnings of the determination, for example a shippingMethod that is not mapped. */
  readonly warnings: readonly string[];
}

export interface Uncarried {
  readonly refusal: Refusal;
  /** No carrier takes the shipment: the order is held for this reason. Undefined if the report itself is refused. */
  readonly holdReason?: string | undefined;
}

/**
 * A service that the warehouse names is used as is. For a named carrier the determination chooses one of its services,
 * if one fits. All other parcels of the report form one shipment; its carrier is determined, among the services of the
 * order's carrier if the order names one. The transaction stores the decisions.
 */
export async function carryParcels(
  tx: Transaction,
  { clientId, context, known, facility }: Carriage,
  matter: OrderMatter,
  parcels: readonly CarriedParcel[],
): Promise<Result<Carried, Uncarried>> {
  const { orderId, carrierCode: ofOrder } = matter.order;
  const carriers = new Map<CarriedParcel, ParcelCarrier>();
  const warnings = new Set<string>();
  const named = ({ carrierCode, carrierServiceCode }: CarriedParcel) =>
    JSON.stringify([carrierCode ?? null, carrierServiceCode ?? null]);
  for (const shipment of Map.groupBy(parcels, named).values()) {
    const [{ carrierCode, carrierServiceCode, olpnId }] = shipment as [CarriedParcel];
    const requestedCarrierCode = carrierCode ?? ofOrder ?? undefined;
    const give = (serviceCode: string | undefined, chosenCarrier: string, decisionId?: string) => {
      const service = serviceCode === undefined ? undefined : known.find(serviceCode);
      for (const parcel of shipment)
        carriers.set(parcel, { carrierCode: chosenCarrier, serviceCode, service, decisionId });
    };
    if (carrierServiceCode !== undefined) {
      const chosenCarrier = carrierCode ?? known.find(carrierServiceCode)?.carrierCode ?? requestedCarrierCode;
      if (chosenCarrier === undefined) return refused({ refusal: unknownService(carrierServiceCode) });
      give(carrierServiceCode, known.carrierOf(chosenCarrier));
      continue;
    }
    const request = { ...shipmentOf(matter, shipment, facility), requestedCarrierCode };
    const read = { set: known.set, facility };
    const determined = await determine(tx, context, { clientId, request, of: { orderId, olpnId }, read });
    if (!determined.ok) return refused({ refusal: unprocessable(textOf(determined.fault)) });
    const { decision, decisionId } = determined.value;
    for (const warning of determined.value.warnings) warnings.add(warning);
    const { chosen } = decision;
    if (chosen) give(chosen.serviceCode ?? undefined, chosen.carrierCode, decisionId);
    else if (carrierCode !== undefined) give(undefined, known.carrierOf(carrierCode), decisionId);
    else return refused(uncarried(orderId, determined.value, known.isEmpty));
  }
  return ok({ carriers: parcels.map((parcel) => carriers.get(parcel) as ParcelCarrier), warnings: [...warnings] });
}

const unknownService = (code: string) =>
  unprocessable(`The carrier data do not have service ${code}: name its carrierCode, too.`);

function textOf(faults: readonly { readonly pointer: string; readonly message: string }[]): string {
  const texts = faults.map(({ pointer, message }) => `${pointer.replace(/^#\//, "")} ${message}`);
  return `The carrier cannot be determined: ${texts.join("; ")}.`;
}

function uncarried(orderId: string, { decisionId, decision }: Determined, hasNoData: boolean): Uncarried {
  const why = hasNoData
    ? "There are no carrier data, neither of the client nor of the operator, and no carrier is named."
    : decision.rejected
        .map(({ serviceCode, carrierCode, reasons }) => {
          const texts = reasons.map(({ code, text, ruleId }) => `${code}${ruleId ? ` ${ruleId}` : ""}, ${text}`);
          return `${serviceCode} of ${carrierCode}: ${texts.join("; ")}.`;
        })
        .join(" ");
  const head = `No carrier service fits order ${orderId}, decision ${decisionId}`;
  return {
    refusal: conflict(`${head}; the hold CARRIER_UNAVAILABLE is set, pack the order when it is released. ${why}`),
    holdReason: hasNoData ? "there are no carrier data" : `no carrier service fits, decision ${decisionId}`,
  };
}
