// Outbound feeds of the brands: one fetches at once, one late, one by SFTP.

import { outboundTypes, setChannels } from "#/delivery/outbound/index.ts";
import * as outbound from "#/delivery/outbound/repository.ts";
import type { DemoWorld } from "#/demo/world.ts";
import { assert } from "#/kernel/assert.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { hourMs } from "#/kernel/values/durations.ts";

/** FJORD fetches its files over SFTP. */
export async function openChannels(world: DemoWorld, secretBox: SecretBox): Promise<void> {
  const change = {
    actor: "user:anna",
    origin: "console",
    at: new Date(world.clock.now()).toISOString(),
    ids: world.ids,
  };
  const pushContext = { secretBox, world: { allowsPlainHttp: true, refusalOfUrl: () => undefined } };
  await world.database.transaction(async (tx) => {
    const request = { types: outboundTypes, isHttp: false, isSftp: true, push: undefined };
    const set = await setChannels(tx.of("FJORD", change), request, pushContext);
    assert(set.ok, "the demo's ways of outbound feeds are set");
  });
}

/** Age in hours of the newest document that each client has fetched. LUMEN has not fetched since the day before. */
const takenHours = { DEMO: 2, LUMEN: 28 } as const;
const documentsMax = 1_000;

export async function takeOutbound(world: DemoWorld): Promise<void> {
  const { database, beganMs } = world;
  for (const [clientId, hours] of Object.entries(takenHours)) {
    const beforeMs = beganMs - hours * hourMs;
    const waiting = await outbound.listPending(database.of(clientId), 0, undefined, documentsMax);
    const taken = waiting.filter(({ created_at }) => Date.parse(created_at) < beforeMs);
    await database.transaction(async (tx) => {
      await Promise.all(
        taken.map(({ message_id, created_at }) => {
          const at = new Date(Date.parse(created_at) + 600_000).toISOString();
          return outbound.acknowledge(tx.of(clientId), message_id, at);
        }),
      );
    });
  }
}
