import { findActiveVersion, findVersion, operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";
import {
  type CompiledCarrierData,
  compileCarrierData,
  resolveCarrierCode,
  type StoredCarrierData,
} from "#/modules/carriers/decision/compile.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { amountOf } from "#/modules/carriers/decision/money.ts";
import { ownSource } from "#/modules/labels/index.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";

export interface HeldSet {
  /** The client that owns the set; `''` for the operator's default. */
  readonly owner: string;
  readonly data: CompiledCarrierData;
}

/** The compiled sets of one database: each version is compiled once, even with many concurrent callers. */
export interface CarrierSets {
  /** The active set of a client: its own, else the operator's default; an empty set if there is neither. */
  activeFor(tx: ClientTx): Promise<HeldSet>;
}

/** A set of 50 services and 200 zones takes some megabytes. */
const keptMax = 64;

export function createCarrierSets(): CarrierSets {
  // A Map keeps its keys in order of insertion: the first key is the least recently used.
  const kept = new Map<string, Promise<CompiledCarrierData>>();

  async function load(tx: Tx, owner: string, version: number): Promise<CompiledCarrierData> {
    const data = (await findVersion(tx, owner, version)) ?? nothing;
    return compileCarrierData(data, version);
  }

  return {
    async activeFor(tx) {
      const active = await findActiveVersion(tx.plain, [tx.clientId, operatorsDefault]);
      if (!active) return { owner: operatorsDefault, data: compileCarrierData(nothing, 0) };
      const { owner, version } = active;
      const key = `${version} ${owner}`;
      const known = kept.get(key);
      const data = known ?? load(tx.plain, owner, version);
      kept.delete(key);
      kept.set(key, data);
      if (known === undefined) {
        // The next caller tries again; the current callers get the error.
        data.catch(() => void (kept.get(key) === data && kept.delete(key)));
        if (kept.size > keptMax) kept.delete(kept.keys().next().value as string);
      }
      return { owner, data: await data };
    },
  };
}

const nothing: StoredCarrierData = { services: [] };

/** A service for papers and links. */
export interface KnownService {
  readonly code: string;
  readonly carrierCode: string;
  readonly name: string;
  /** The carrier's tracking page of a parcel; undefined if the data have none. */
  trackingUrlOf(trackingNumber: string): string | undefined;
  /** Where its labels are bought, in the order in which they are tried; empty: the platform prints them. */
  readonly labelSources: readonly string[];
  /** Undefined for a service that is not postal. */
  readonly post: PostalService | undefined;
}

interface PostalService {
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
      const { code, carrierCode, name, trackingUrl, labelSources, cn22ValueMax } = service;
      return {
        code,
        carrierCode,
        name,
        labelSources: labelSources[0] === ownSource ? [] : labelSources,
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
