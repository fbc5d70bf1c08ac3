// The console's lists of webhooks, and its outbound documents and mails, for the workload of plans.test.ts.

import { findDocument, findMail, listPushesOf } from "#/console-api/outbound/document-repository.ts";
import { listWaitingOfAll } from "#/console-api/outbound/outbound.cross-client.ts";
import { readAttemptRates } from "#/console-api/webhooks/routes.ts";
import {
  listAddressesOfAll,
  listReceiversOfAll,
  listSubscriptionsOfAll,
  listUndeliveredOfAll,
} from "#/console-api/webhooks/webhooks.cross-client.ts";
import { readEvidence } from "#/delivery/certificate/evidence.ts";
import { findCertificate, storeCertificate } from "#/delivery/certificate/repository.ts";
import { listDeliveryTotals } from "#/delivery/webhooks/index.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const firstId = "00000000-0000-0000-0000-000000000000";
const ids = createIds();

/** Each list with each of its filters, over all clients and over some. */
export async function runConsoleClients(database: Database, clientId: string): Promise<void> {
  const id = ids.next(Date.now());
  const all = { clientIds: null, facilityCodes: null };
  const some = { clientIds: [clientId], facilityCodes: ["DC1"] };
  for (const scope of [all, some]) {
    const webhooks = { ...scope, status: undefined, kind: undefined, limit: 50 };
    for (const filter of [{}, { status: "ACTIVE" }, { kind: "WEBHOOK" }]) {
      const after = { clientId: "", webhookId: firstId };
      await listSubscriptionsOfAll(database, { ...webhooks, ...filter, after });
    }
    const unasked = {
      status: undefined,
      kind: undefined,
      webhookId: undefined,
      topicName: undefined,
      objectId: undefined,
    };
    const deliveries = { ...scope, ...unasked, endedSince: undefined };
    const ended = { status: "FAILED", endedSince: new Date().toISOString() };
    const filters = [
      {},
      ended,
      { status: "WAITING" },
      { status: "FAILED" },
      { kind: "WEBHOOK" },
      { webhookId: id },
      { topicName: "OS" },
      { objectId: "WEB-100045" },
    ];
    for (const filter of filters)
      await listUndeliveredOfAll(database, { ...deliveries, ...filter, before: lastId, limit: 50 });
  }
  for (const scope of [all, some]) {
    await listReceiversOfAll(database, scope, 50);
    await listWaitingOfAll(database, scope, 50);
  }
  await listAddressesOfAll(database, [clientId], [id]);
  await runCertificate(database, clientId);
  await findDocument(database.of(clientId), id);
  await listPushesOf(database.of(clientId), [id]);
  await findMail(database.of(clientId), id);
  await listDeliveryTotals(database.of(clientId), [id]);
  await readAttemptRates(database.of(clientId), id, { days: 7, nowMs: Date.now() });
}

async function runCertificate(database: Database, clientId: string): Promise<void> {
  const atMs = Date.now();
  const issuedAt = new Date(atMs).toISOString();
  await readEvidence(database.of(clientId), { sinceMs: 0, atMs });
  await database.ofClient(clientId).transaction(async (tx) => {
    storeCertificate(tx.of(clientId), {
      clientId,
      environment: "sandbox",
      issuedAt,
      evidenceFrom: issuedAt,
      isComplete: false,
      platformVersion: "1.0.0",
      interfaceVersion: "1.0.0",
      schemas: {},
      cases: [],
    });
  });
  await findCertificate(database.of(clientId));
}
