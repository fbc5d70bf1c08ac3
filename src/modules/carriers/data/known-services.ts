import type { ClientTx } from "#/db/database.ts";
import type { CarrierSets, HeldSet } from "#/modules/carriers/data/carrier-sets.ts";
import { resolveCarrierCode } from "#/modules/carriers/decision/compile.ts";
import { dayOf } from "#/modules/carriers/decision/days.ts";
import { amountOf } from "#/modules/carriers/decision/money.ts";

/** A service for papers and links. */
export interface KnownService {
  readonly code: string;
  readonly carrierCode: string;
  readonly name: string;
  /** The carrier's tracking page of a parcel; undefined if the data have none. */
  trackingUrlOf(trackingNumber: string): string | undefined;
  /** Undefined for a service that is not postal. */
  readonly post: PostalService | undefined;
}

export interface PostalService {
  /**
   * Whether goods of this value may go with a CN22. False without an exchange rate for the currency of the limit.
   * @param value canonical amount @param day `YYYY-MM-DD`
   */
  isBelowCn22Limit(value: string, currency: string, day: string): boolean;
}

/** The carriers and services of a client's active carrier data, for codes that a request names. */
export interface KnownServices {
  /** True if neither the client nor the operator has a set. */
  readonly isEmpty: boolean;
  readonly set: HeldSet;
  /** The carrier of a code or an alias; an unknown code is returned unchanged. */
  carrierOf(carrierCode: string): string;
  find(serviceCode: string): KnownService | undefined;
}

const placeholder = "{trackingNumber}";

export async function findKnownServices(tx: ClientTx, sets: CarrierSets): Promise<KnownServices> {
  const set = await sets.activeFor(tx);
  const { data } = set;
  return {
    set,
    isEmpty: data.services.length === 0,
    carrierOf: (carrierCode) => resolveCarrierCode(data, carrierCode),
    find(serviceCode) {
      const service = data.services.find(({ code }) => code === serviceCode);
      if (!service) return undefined;
      const { code, carrierCode, name, trackingUrl, cn22ValueMax } = service;
      return {
        code,
        carrierCode,
        name,
        trackingUrlOf: (trackingNumber) => trackingUrl?.replaceAll(placeholder, encodeURIComponent(trackingNumber)),
        post: cn22ValueMax && {
          isBelowCn22Limit(value, currency, day) {
            const worth = data.rates.convert(
              amountOf({ amount: Number(value), currency }),
              cn22ValueMax.currency,
              dayOf(day),
            );
            return worth !== undefined && worth <= cn22ValueMax.value;
          },
        },
      };
    },
  };
}
