import type { FeedClient, FeedSettings } from "#/intake/feeds/intake/definition.ts";
import type { Database } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

const at = "2026-01-01T00:00:00Z";

/** Inserts a client with its rows, for tests below the level of onboarding. */
export async function insertClient(
  database: Database,
  options: { clientId?: string; facilities?: readonly string[]; settings?: Partial<FeedSettings> } = {},
): Promise<FeedClient> {
  const { clientId = "DEMO", facilities = ["DC1", "DC2"] } = options;
  await database.transaction(async (tx) => {
    tx.send(sql`insert into tenant (client_id) values (${clientId})`);
    tx.send(sql`insert into outbox_lane (client_id) values (${clientId})`);
    tx.send(
      sql`insert into client (client_id, name, status, created_at, updated_at) values (${clientId}, 'Test', 'ACTIVE', ${at}, ${at})`,
    );
    facilities.forEach((code, i) => {
      tx.send(sql`insert into facility (facility_code, name, country, timezone, created_at)
        values (${code}, ${code}, 'GB', 'Europe/London', ${at}) on conflict do nothing`);
      tx.send(
        sql`insert into client_facility (client_id, facility_code, position) values (${clientId}, ${code}, ${i})`,
      );
    });
  });
  return {
    clientId,
    status: "ACTIVE",
    facilities,
    settings: {
      rejectedFeedStatus: 200,
      parkUnknownSkus: false,
      identicalResend: "REJECT",
      feedDeadlineMinutes: 15,
      catMode: "REPLACE",
      customsDestinations: [],
      stockPools: [],
      namelessAddress: "REFUSE",
      doubtfulAddress: "WARN",
      addressCheck: "OFF",
      holdRules: [],
      routingRule: "ORDER",
      splitOrders: false,
      backorder: "WAIT",
      availablePools: "*",
      ...options.settings,
    },
  };
}
