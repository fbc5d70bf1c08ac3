import type { Tx } from "#/db/database.ts";
import { operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";
import { findActiveVersion, findVersion } from "#/modules/carriers/data/data-repository.ts";
import {
  type CompiledCarrierData,
  compileCarrierData,
  type StoredCarrierData,
} from "#/modules/carriers/decision/compile.ts";

export interface HeldSet {
  /** The client whose own set it is; `''` for the operator's default. */
  readonly owner: string;
  readonly data: CompiledCarrierData;
}

/** The sets of one database in the form in which decisions are made: each version compiled once, however many wait for it. */
export interface CarrierSets {
  /** The set that holds for a client: its own, else the operator's default; an empty one where there is neither. */
  activeFor(tx: Tx, clientId: string): Promise<HeldSet>;
}

/** A set of 50 services and 200 zones takes some megabytes. */
const keptMax = 64;

export function createCarrierSets(): CarrierSets {
  // A Map keeps its keys in order of insertion: the first is the one that was used longest ago.
  const kept = new Map<string, Promise<CompiledCarrierData>>();

  async function load(tx: Tx, owner: string, version: number): Promise<CompiledCarrierData> {
    const data = (await findVersion(tx, owner, version)) ?? nothing;
    return compileCarrierData(data, version);
  }

  return {
    async activeFor(tx, clientId) {
      const active = await findActiveVersion(tx, [clientId, operatorsDefault]);
      if (!active) return { owner: operatorsDefault, data: compileCarrierData(nothing, 0) };
      const { owner, version } = active;
      const key = `${version} ${owner}`;
      const known = kept.get(key);
      const data = known ?? load(tx, owner, version);
      kept.delete(key);
      kept.set(key, data);
      if (known === undefined) {
        // Whoever asks next tries again; who asked now hears of it.
        data.catch(() => void (kept.get(key) === data && kept.delete(key)));
        if (kept.size > keptMax) kept.delete(kept.keys().next().value as string);
      }
      return { owner, data: await data };
    },
  };
}

const nothing: StoredCarrierData = { services: [] };
