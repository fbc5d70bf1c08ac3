import type { Tx } from "#/db/database.ts";
import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { resolveCarrierCode } from "#/modules/carriers/decision/compile.ts";

/** A service as papers and links name it. */
export interface KnownService {
  readonly code: string;
  readonly carrierCode: string;
  readonly name: string;
  /** Where the carrier shows a parcel of its tracking number; undefined where the data does not say. */
  trackingUrlOf(trackingNumber: string): string | undefined;
}

/** What the carrier data that hold for a client say of carriers and services which somebody has named. */
export interface KnownServices {
  /** Is there a set of data at all, the client's or the operator's? */
  readonly isEmpty: boolean;
  /** The carrier that a code or an alias means; one that the data does not know is taken as given. */
  carrierOf(carrierCode: string): string;
  find(serviceCode: string): KnownService | undefined;
}

const placeholder = "{trackingNumber}";

export async function findKnownServices(tx: Tx, sets: CarrierSets, clientId: string): Promise<KnownServices> {
  const { data } = await sets.activeFor(tx, clientId);
  return {
    isEmpty: data.services.length === 0,
    carrierOf: (carrierCode) => resolveCarrierCode(data, carrierCode),
    find(serviceCode) {
      const service = data.services.find(({ code }) => code === serviceCode);
      if (!service) return undefined;
      const { code, carrierCode, name, trackingUrl } = service;
      return {
        ...{ code, carrierCode, name },
        trackingUrlOf: (trackingNumber) => trackingUrl?.replaceAll(placeholder, encodeURIComponent(trackingNumber)),
      };
    },
  };
}
