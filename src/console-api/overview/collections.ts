import type { Collections } from "#/console-api/overview/flow/cut-off.ts";
import { activeCarrierData, operatorsDefault } from "#/modules/carriers/index.ts";
import type { Tx } from "#/store/db/database.ts";

/** The collection times of carriers, from the operator's carrier data; a client's own set is ignored. */
export async function readCollections(tx: Tx): Promise<Collections> {
  const active = await activeCarrierData(tx.of(operatorsDefault));
  const times = new Map<string, string>();
  for (const { carrierCode, cutOff } of active?.data.services ?? []) {
    for (const [facilityCode, time] of Object.entries(cutOff ?? {})) {
      const key = `${carrierCode} ${facilityCode}`;
      const known = times.get(key);
      if (known === undefined || time < known) times.set(key, time);
    }
  }
  return times;
}
