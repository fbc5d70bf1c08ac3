// Alert mails, for the workload of plans.test.ts.

import { listClientsWithDueMails } from "#/delivery/mail/mail.cross-client.ts";
import { noteIncident } from "#/delivery/mail/notes.ts";
import { claimDueMails, keepDueMails, purgeMails, settleMail } from "#/delivery/mail/repository.ts";
import { listDueIncidents } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { stepIncident } from "#/delivery/webhooks/lanes/incident.ts";
import { countWaiting, findFailing, lockIncident, updateIncident } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

/** Reports two incidents, the second in the mail of the first, and sends the mail; keeps one of a third. */
export async function runMails(database: Database, clientId: string): Promise<void> {
  const nowMs = Date.now();
  const iso = (ms: number) => new Date(ms).toISOString();
  const tell = async (webhookId: string, atMs: number) => {
    const subject = { webhookId, topicName: "order:*", url: "https://example.com" };
    const step = stepIncident(undefined, { kind: "FAILURE", opens: true }, atMs);
    const change = { actor: "test", origin: "test", at: iso(atMs), ids };
    await database.transaction((tx) =>
      noteIncident(tx.of(clientId, change), { ...subject, emailList: ["ops@example.com"] }, step, { waiting: 1 }),
    );
  };
  const webhookId = ids.next(nowMs);
  await tell(webhookId, nowMs - 20 * minuteMs);
  await tell(ids.next(nowMs), nowMs - 20 * minuteMs);
  const dueMost = iso(nowMs + 240 * minuteMs);
  await listClientsWithDueMails(database, iso(nowMs), dueMost, 100);
  await listClientsWithDueMails(database, iso(nowMs), dueMost, 1);
  const due = { at: iso(nowMs), dueMost, leaseUntil: iso(nowMs + minuteMs) };
  for (const { mail_id: mailId, attempts } of await claimDueMails(database.of(clientId), due, 10))
    await settleMail(database.of(clientId), { mailId, attempts, status: "SENT", at: iso(nowMs), lastError: null });
  await tell(ids.next(nowMs), nowMs);
  await keepDueMails(database.of(clientId), iso(nowMs + minuteMs), dueMost);
  await purgeMails(database.of(clientId), idBoundary(nowMs - 90 * 24 * 60 * minuteMs));
  await listDueIncidents(database, iso(nowMs), iso(nowMs + 1), 100);
  await database.transaction(async (tx) => {
    await lockIncident(tx.of(clientId), webhookId);
    updateIncident(tx.of(clientId), webhookId, undefined, undefined);
    await countWaiting(tx.of(clientId), webhookId);
    await findFailing(tx.of(clientId), webhookId);
  });
}
