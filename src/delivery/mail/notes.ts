import { composeMail } from "#/delivery/mail/compose.ts";
import { type AlertSubject, addressesOf, type IncidentFacts, notesOf } from "#/delivery/mail/note.ts";
import * as repository from "#/delivery/mail/repository.ts";
import type { IncidentState, IncidentStep } from "#/delivery/webhooks/lanes/incident.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { showClient } from "#/modules/clients/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/**
 * Incidents seldom occur alone: the first mail waits this long for further notes, and still goes out within a minute.
 */
const gatherMs = 30_000;
/** The minimum time between two mails to one address. */
const quietMs = 10 * minuteMs;

/** For an outbound feed, the client's present setting: a change applies to the next alert. */
async function emailListOf(tx: UnitOfWork, { kind, emailList }: AlertSubject): Promise<readonly string[]> {
  if (kind !== "OUTBOUND") return emailList;
  const client = await showClient(tx);
  return client.ok ? client.value.settings.outboundEmailList : [];
}

/**
 * Writes the notes of an incident's step for each address of the subscription, in the transaction of the step. Notes to
 * one address within ten minutes share a mail, and no address is notified twice of the same note. Mails of different
 * clients are never merged, whatever their addresses.
 */
export async function noteIncident(
  tx: UnitOfWork,
  subject: AlertSubject,
  step: IncidentStep,
  facts: IncidentFacts,
): Promise<void> {
  const { at, ids } = tx.change;
  const notes = notesOf(at, subject, step, facts);
  const keys = Object.keys(notes);
  if (keys.length === 0) return;
  const addresses = addressesOf(await emailListOf(tx, subject));
  if (addresses.length === 0) return;
  const atMs = Date.parse(at);
  await repository.lockClient(tx);
  const since = Math.min((step.state as IncidentState).openedAtMs - 1, atMs - quietMs);
  const planned = await repository.listPlanned(tx, addresses, new Date(since).toISOString());
  const begun: repository.NewMail[] = [];
  for (const address of addresses) {
    const mails = planned.filter((mail) => mail.address === address);
    const unmailed = keys.filter((key) => !mails.some((mail) => key in mail.notes));
    if (unmailed.length === 0) continue;
    const open = mails.findLast(({ is_open }) => is_open);
    const all = {
      ...open?.notes,
      ...Object.fromEntries(unmailed.map((key) => [key, notes[key] as (typeof notes)[string]])),
    };
    const composed = { ...composeMail(tx.clientId, Object.values(all)), notes: all };
    if (open) {
      repository.changeMail(tx, open.mail_id, composed);
      continue;
    }
    const lastMs = Math.max(...mails.map(({ scheduled_at }) => Date.parse(scheduled_at)));
    const scheduledAtMs = Math.max(atMs + gatherMs, lastMs + quietMs);
    begun.push({ ...composed, mailId: ids.next(atMs), address, scheduledAt: new Date(scheduledAtMs).toISOString() });
  }
  if (begun.length > 0) repository.insertMails(tx, at, begun);
}
