// A carrier for tests that pack but do not test carriers: one service to every destination, for a price.
import assert from "node:assert/strict";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  activeCarrierData,
  createCarrierSets,
  type DeterminationContext,
  operatorsDefault,
  saveCarrierData,
} from "#/modules/carriers/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();
const change = (): Change => ({ actor: "test", origin: "test", at: new Date().toISOString(), ids });

/** A service with a price for each of these countries, for any weight. */
export const serviceOf = (code: string, carrierCode: string, price: number, more: object = {}) => ({
  service: { code, carrierCode, name: `Service ${code}`, serviceLevel: "STANDARD", hazmat: true, bulky: true, ...more },
  rateCard: {
    serviceCode: code,
    currency: "GBP",
    zones: ["GB", "DE", "FR", "NL", "IE", "CH", "US"].map((country) => ({ zone: "ALL", country })),
    breaks: [{ zone: "ALL", upToKg: 10_000, price }],
  },
});

export const carrierDataOf = (...made: readonly ReturnType<typeof serviceOf>[]) => ({
  services: made.map(({ service }) => service),
  rateCards: made.map(({ rateCard }) => rateCard),
});

/** The only service, unless a test defines others. */
export const anyCarrier = { carrierCode: "ANY", carrierServiceCode: "ANY-1" } as const;

/** Activates a data set for its owner, by default the operator. */
export async function saveCarriers(database: Database, data: object, owner = operatorsDefault): Promise<number> {
  const saved = await database.transaction((tx) => saveCarrierData(tx, change(), { owner, data }));
  assert.ok(saved.ok, JSON.stringify(saved.ok ? "" : saved.fault));
  return saved.value.version;
}

/** Creates the operator's default data if none exists. */
export async function seedCarriers(database: Database): Promise<void> {
  if (await activeCarrierData(database.of(operatorsDefault))) return;
  const { carrierCode, carrierServiceCode: code } = anyCarrier;
  // One service for every requested speed.
  const shippingMethods = { ECONOMY: code, STANDARD: code, EXPRESS: code, NEXT_DAY: code };
  await saveCarriers(database, { ...carrierDataOf(serviceOf(code, carrierCode, 3)), mapping: { shippingMethods } });
}

export const determinationContext = (): DeterminationContext => ({
  clock: systemClock,
  ids,
  sets: createCarrierSets(),
});
