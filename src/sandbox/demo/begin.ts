import { assert } from "#/kernel/assert.ts";
import type { Config } from "#/kernel/config/config.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { activeCarrierData, operatorsDefault, saveCarrierData } from "#/modules/carriers/index.ts";
import { changeClient, type Onboarding, onboardClient, readSettings } from "#/modules/clients/index.ts";
import { changeFacility, createFacility, findFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { lotOf, type Movement, openBooks, postMovements, writeSerials } from "#/modules/inventory/index.ts";
import { ownSource } from "#/modules/labels/index.ts";
import { brands, demoClientId, workedByHand } from "#/sandbox/demo/brands.ts";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";
import type { DemoItem } from "#/sandbox/demo/goods.ts";
import { historyDays } from "#/sandbox/demo/history.ts";
import { demoSourceCode, saveDemoSource } from "#/sandbox/demo/label-carrier.ts";
import { beginStage, keepByHand } from "#/sandbox/demo/repository.ts";
import { openingSerials } from "#/sandbox/simulator/serial-book.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction, UnitOfWork } from "#/store/db/database.ts";

const facilities = [
  {
    facilityCode: "DC1",
    name: "London Gateway",
    country: "GB",
    timezone: "Europe/London",
    settings: [
      ...["companyName=Crossdock Demo Ltd", "address1=1 Gateway Park", "city=Stanford-le-Hope", "zip=SS17 9DY"],
      ...["state=Essex", "phone=+44 1632 960100", "email=dc1@crossdock.example", "cutOffTime=17:00"],
      "operatingDays=MON-FRI",
      "holidays=2026-12-25:Christmas Day,2026-12-28:Boxing Day (substitute day),2027-01-01:New Year's Day,2027-03-26:Good Friday,2027-03-29:Easter Monday",
      "capabilities=HAZMAT,BULKY,SERIAL_CAPTURE,ASSEMBLY",
    ],
  },
  {
    facilityCode: "DC2",
    name: "Rotterdam Waalhaven",
    country: "NL",
    timezone: "Europe/Amsterdam",
    settings: [
      ...["companyName=Crossdock Demo B.V.", "address1=Waalhaven Oostzijde 1", "city=Rotterdam", "zip=3087 BM"],
      ...["phone=+31 10 0000000", "email=dc2@crossdock.example", "cutOffTime=16:00", "operatingDays=MON-SAT"],
      "holidays=2026-12-25:Eerste Kerstdag,2026-12-26:Tweede Kerstdag,2027-01-01:Nieuwjaarsdag,2027-03-29:Tweede Paasdag,2027-04-27:Koningsdag",
      "capabilities=COLD_CHAIN,SERIAL_CAPTURE,ASSEMBLY",
    ],
  },
] as const;

export const beginning = "begin";

/** The service whose labels the demo buys from its stand-in of a carrier. */
const boughtService = "KEX-AIR";

/**
 * Creates facilities, brands with their credentials, carriers and opening stock, dated some weeks ago, in one
 * transaction.
 *
 * @param change dated at that time.
 * @param beganAt now, ISO 8601 UTC; all times of the demo are relative to it.
 * @returns the credentials of DEMO; undefined if the demo was begun before, or its client already exists.
 */
export async function beginDemo(
  tx: Transaction,
  change: Change,
  { beganAt, environment }: { readonly beganAt: string; readonly environment: Config["environment"] },
): Promise<Onboarding | undefined> {
  // Concurrent nodes wait here for the first node's transaction.
  if (!(await beginStage(tx, beginning, beganAt))) return undefined;
  for (const facility of facilities) await makeFacility(tx, change, facility);
  let onboarding: Onboarding | undefined;
  for (const brand of brands) {
    const { clientId, name, facilities: open, settings, goods } = brand;
    const onboarded = await onboardClient(tx, change, { clientId, name, facilities: open, environment });
    assert(onboarded.ok || clientId !== demoClientId, "client DEMO is there, and the demo is not");
    if (!onboarded.ok) continue;
    if (clientId === demoClientId) onboarding = onboarded.value;
    const read = readSettings(settings);
    assert(read.ok, `the settings of ${clientId} can be read`);
    if (settings.length > 0) await changeClient(tx.of(clientId, change), { settings: read.value });
    const lots = [...goods.flatMap(lotsOf), ...(clientId === demoClientId ? sampleLots : [])];
    await bookOpeningStock(tx.of(clientId, change), open, lots);
  }
  if (!(await activeCarrierData(tx.of(operatorsDefault)))) {
    saveDemoSource(tx, beganAt);
    const services = demoCarrierData.services.map((service) =>
      service.code === boughtService ? { ...service, labelSources: [demoSourceCode, ownSource] } : service,
    );
    const saved = await saveCarrierData(tx, change, {
      owner: operatorsDefault,
      data: { ...demoCarrierData, services },
      note: "Invented carriers of the demo",
    });
    assert(saved.ok, "the demo carriers are as they must be");
  }
  await keepByHand(tx, workedByHand, beganAt);
  return onboarding;
}

async function makeFacility(
  tx: Transaction,
  change: Change,
  { settings, ...facility }: (typeof facilities)[number],
): Promise<void> {
  if (await findFacility(tx, facility.facilityCode)) return;
  // Fails if another node created the facility concurrently.
  const created = await createFacility(tx, change, facility);
  const read = readFacilitySettings(settings);
  assert(read.ok, "the settings of the demo's facilities can be read");
  if (created.ok) await changeFacility(tx, change, facility.facilityCode, { settings: read.value });
}

/**
 * The expiry of lots counts from the day on which the demo is begun. Their booking is dated at its fictional beginning.
 */
function lotsOf({ sku, pieces, lots = [], hasSerials }: DemoItem): OpeningLot[] {
  const dated = lots.map(([count, days], i): OpeningLot => {
    return { sku, pieces: count, batchRef: `B-${26_100 + i}`, lastsDays: days + historyDays };
  });
  return pieces > 0 ? [{ sku, pieces, hasSerials }, ...dated] : dated;
}

interface OpeningLot {
  readonly sku: string;
  readonly pieces: number;
  readonly batchRef?: string;
  /** Shelf life in days, for goods that expire. */
  readonly lastsDays?: number;
  readonly hasSerials?: true | undefined;
}

/** The SKUs of the samples, and of the orders of the greeting and the guides. The stock suffices for hundreds of orders. */
const sampleLots: readonly OpeningLot[] = [
  { sku: "HELLO-TEE", pieces: 5_000 },
  { sku: "MUG-BLUE-330", pieces: 2_400 },
  // Two batches, to show first expired, first out.
  { sku: "OIL-OLIVE-500", pieces: 300, batchRef: "FV-2601", lastsDays: 200 },
  { sku: "OIL-OLIVE-500", pieces: 900, batchRef: "FV-2604", lastsDays: 420 },
  { sku: "LAMP-DESK-01", pieces: 300, hasSerials: true },
];

/**
 * Books the opening stock of a new demo client in each of its facilities. Called once, in the transaction that creates
 * the client.
 */
async function bookOpeningStock(
  tx: UnitOfWork,
  facilityCodes: readonly string[],
  lots: readonly OpeningLot[],
): Promise<void> {
  for (const [facilityCode, book] of await openBooks(tx, facilityCodes, tx.change.at)) {
    const movements = lots.map(({ sku, pieces, batchRef, lastsDays, hasSerials }): Movement => {
      const dayIn = (days: number) => new Date(Date.parse(tx.change.at) + days * dayMs).toISOString().slice(0, 10);
      const expiryDate = lastsDays === undefined ? undefined : dayIn(lastsDays);
      const prefix = openingSerials(facilityCode, sku);
      return {
        type: "ADJUSTMENT",
        sku,
        condition: "GOOD",
        qty: pieces * 1000,
        reason: "INITIAL",
        ...lotOf({ batchRef, expiryDate }),
        referenceType: "adjustment",
        referenceId: `OPENING-${facilityCode}`,
        ...(hasSerials ? { serials: Array.from({ length: pieces }, (_, i) => `${prefix}${i + 1}`) } : {}),
      };
    });
    postMovements(tx, book, tx.change.ids, movements);
    const places = movements.flatMap(({ serials = [], ...lot }) =>
      serials.map((serial) => ({ ...lot, serial, state: "IN_STOCK" as const, facilityCode })),
    );
    writeSerials(tx, book.at, places);
  }
}
