import type { ClientTx, Tx } from "#/db/database.ts";
import { operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";
import { findActiveVersion, findVersion } from "#/modules/carriers/data/data-repository.ts";
import {
  type CompiledCarrierData,
  compileCarrierData,
  type StoredCarrierData,
} from "#/modules/carriers/decision/compile.ts";

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
