// A carrier for tests that pack and are not about carriers: one service to wherever their orders go, for a price.
import assert from "node:assert/strict";
import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  activeCarrierData,
  createCarrierSets,
  type DeterminationContext,
  operatorsDefault,
  saveCarrierData,
} from "#/modules/carriers/index.ts";

const ids = createIds();
const change = (): Change => ({ actor: "test", origin: "test", at: new Date().toISOString(), ids });

/** A service with a price for each of these countries, whatever it weighs. */
export const serviceOf = (code: string, carrierCode: string, price: number, more: object = {}) => ({
  service: { code, carrierCode, name: `Service ${code}`, serviceLevel: "STANDARD", hazmat: true, bulky: true, ...more },
  rateCard: {
    ...{ serviceCode: code, currency: "GBP" },
    zones: ["GB", "DE", "FR", "NL", "IE", "CH", "US"].map((country) => ({ zone: "ALL", country })),
    breaks: [{ zone: "ALL", upToKg: 10_000, price }],
  },
});

export const carrierDataOf = (...made: readonly ReturnType<typeof serviceOf>[]) => ({
  services: made.map(({ service }) => service),
  rateCards: made.map(({ rateCard }) => rateCard),
});

/** Of the one service that there is where a test has not said otherwise. */
export const anyCarrier = { carrierCode: "ANY", carrierServiceCode: "ANY-1" } as const;

/** Makes a set the one that holds for its owner: the operator unless a client is named. */
export async function saveCarriers(database: Database, data: object, owner = operatorsDefault): Promise<number> {
  const saved = await database.transaction((tx) => saveCarrierData(tx, change(), { owner, data }));
  assert.ok(saved.ok, JSON.stringify(saved.ok ? "" : saved.fault));
  return saved.value.version;
}

/** The operator's default where there is none. */
export async function seedCarriers(database: Database): Promise<void> {
  if (await activeCarrierData(database, operatorsDefault)) return;
  const { carrierCode, carrierServiceCode: code } = anyCarrier;
  // However fast somebody wants it, there is one service.
  const shippingMethods = { ECONOMY: code, STANDARD: code, EXPRESS: code, NEXT_DAY: code };
  await saveCarriers(database, { ...carrierDataOf(serviceOf(code, carrierCode, 3)), mapping: { shippingMethods } });
}

export const determinationContext = (): DeterminationContext => ({
  ...{ clock: systemClock, ids, sets: createCarrierSets() },
});
