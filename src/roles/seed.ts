import { readFileSync } from "node:fs";
import type { Change } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import type { FeedType } from "#/feeds/definition.ts";
import type { Receiver } from "#/feeds/receiver.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import type { Ids } from "#/kernel/ids.ts";
import { activeCarrierData, operatorsDefault, saveCarrierData } from "#/modules/carriers/index.ts";
import { notifyChange, onboardClient, showClient } from "#/modules/clients/index.ts";
import { changeFacility, createFacility, findFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { demoCarrierData } from "#/roles/demo-carriers.ts";
import { keepDemoCredentials } from "#/roles/demo-credentials.ts";
import { createFeedStack } from "#/roles/feed-stack.ts";
import { demoCatalogue } from "#/roles/greeting.ts";
import { bookOpeningStock } from "#/roles/opening-stock.ts";

export interface SeedContext {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The running server's; a seed without a server makes one for itself. */
  readonly receiver?: Receiver;
}

export const demoClientId = "DEMO";

const facilities = [
  {
    ...{ facilityCode: "DC1", name: "London Gateway", country: "GB", timezone: "Europe/London" },
    settings: [
      ...["companyName=Crossdock Demo Ltd", "address1=1 Gateway Park", "city=Stanford-le-Hope", "zip=SS17 9DY"],
      ...["state=Essex", "phone=+44 1632 960100", "email=dc1@crossdock.example", "cutOffTime=17:00"],
      "operatingDays=MON-FRI",
      "holidays=2026-12-25:Christmas Day,2026-12-28:Boxing Day (substitute day),2027-01-01:New Year's Day,2027-03-26:Good Friday,2027-03-29:Easter Monday",
      "capabilities=HAZMAT,BULKY,SERIAL_CAPTURE,ASSEMBLY",
    ],
  },
  {
    ...{ facilityCode: "DC2", name: "Rotterdam Waalhaven", country: "NL", timezone: "Europe/Amsterdam" },
    settings: [
      ...["companyName=Crossdock Demo B.V.", "address1=Waalhaven Oostzijde 1", "city=Rotterdam", "zip=3087 BM"],
      ...["phone=+31 10 0000000", "email=dc2@crossdock.example", "cutOffTime=16:00", "operatingDays=MON-SAT"],
      "holidays=2026-12-25:Eerste Kerstdag,2026-12-26:Tweede Kerstdag,2027-01-01:Nieuwjaarsdag,2027-03-29:Tweede Paasdag,2027-04-27:Koningsdag",
      "capabilities=COLD_CHAIN,SERIAL_CAPTURE,ASSEMBLY",
    ],
  },
] as const;

interface DemoDocument {
  readonly type: FeedType;
  readonly bytes: Buffer;
}

/** In this order: each refers to what stands before it. The first makes known what the greeting's order asks for. */
function demoDocuments(): readonly DemoDocument[] {
  const samples = (["CAT", "PO", "NO", "RMA"] as const).map((type) => ({
    type,
    bytes: readFileSync(new URL(`../../samples/accepted/${type}.xml`, import.meta.url)),
  }));
  return [{ type: "CAT", bytes: Buffer.from(demoCatalogue(demoClientId)) }, ...samples];
}

/** Two facilities, the client DEMO with opening stock, and documents of each feed; does nothing where DEMO exists. */
export async function seedDemo(context: SeedContext): Promise<void> {
  const { config, database, clock, ids } = context;
  if ((await showClient(database, demoClientId)).ok) return;
  const change: Change = { actor: "seed", origin: "local", at: new Date(clock.now()).toISOString(), ids };
  const seed = async (tx: Transaction) => {
    for (const { settings, ...facility } of facilities) {
      if (await findFacility(tx, facility.facilityCode)) continue;
      // Refused when another node, which starts at the same time, has made it meanwhile.
      const created = await createFacility(tx, change, facility);
      const read = readFacilitySettings(settings);
      assert(read.ok, "the settings of the demo's facilities can be read");
      if (created.ok) await changeFacility(tx, change, facility.facilityCode, { settings: read.value });
    }
    const facilityCodes = facilities.map(({ facilityCode }) => facilityCode);
    const onboarded = await onboardClient(tx, change, {
      clientId: demoClientId,
      name: "Demo brand",
      facilities: facilityCodes,
      environment: config.environment,
    });
    if (onboarded.ok) await seedCarriers(tx, change);
    if (onboarded.ok) await bookOpeningStock(tx, change, demoClientId, facilityCodes);
    // Before the commit: killed between the two, the next start would have a client whose credentials nobody knows.
    if (onboarded.ok) keepDemoCredentials(config.dataDir, onboarded.value);
    return onboarded;
  };
  // The nodes that come second wait for the first one's transaction.
  const onboarded = await database.transaction(seed, { lockTimeoutMs: 20_000, statementTimeoutMs: 20_000 });
  if (!onboarded.ok) return;
  await notifyChange(database);
  await sendDocuments(context);
}

async function seedCarriers(tx: Transaction, change: Change): Promise<void> {
  if (await activeCarrierData(tx, operatorsDefault)) return;
  const saved = await saveCarrierData(tx, change, {
    ...{ owner: operatorsDefault, data: demoCarrierData, note: "Invented carriers of the demo" },
  });
  assert(saved.ok, "the demo carriers are as they must be");
}

async function sendDocuments(context: SeedContext): Promise<void> {
  const { database, clock, ids } = context;
  const own = context.receiver ? undefined : await createFeedStack({ database, clock, ids });
  const receiver = context.receiver ?? own?.receiver;
  const client = await showClient(database, demoClientId);
  assert(receiver && client.ok, "the demo client was just made");
  try {
    for (const { type, bytes } of demoDocuments()) {
      const receipt = await receiver.receive({
        client: client.value,
        type,
        channel: "CLI",
        bytes,
        contentType: "application/xml",
        charset: undefined,
        idempotencyKey: undefined,
        token: ids.next(clock.now()),
      });
      assert(receipt.kind === "judged" && receipt.isAccepted, `the demo's ${type} is accepted`);
    }
  } finally {
    await own?.close();
  }
}
