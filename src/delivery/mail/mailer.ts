import { listClientsWithDueMails } from "#/delivery/mail/mail.cross-client.ts";
import * as repository from "#/delivery/mail/repository.ts";
import { type MailTransport, openMailTransport } from "#/delivery/mail/transport.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { MailAddress } from "#/kernel/config/parsers.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { namesOf } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, logLevelOf, scopeOf } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

export interface Mailer {
  /** Gives mails in progress a moment to end. */
  stop(): Promise<void>;
}

export interface MailerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Without a server, mails are kept, and shown in the console. */
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: MailAddress };
  /** After a restore: no mail is sent while this returns true. */
  readonly isHeld?: () => boolean;
  /** For tests. */
  readonly pollMs?: number;
  readonly sendMsMax?: number;
  readonly leaseMs?: number;
}

/** Mails are planned half a minute ahead, and must be sent within a minute of their event. */
const pollMsDefault = 5_000;
/** From the first step to the server's answer. */
const sendMsMaxDefault = minuteMs;
/** Longer than sending a mail takes: after this, another worker sends the mail of a dead worker. */
const leaseMsDefault = 120_000;
const connectionsMax = 4;
const clientsAtOnceMax = 2;
const paceMs = 20;
const mailsMax = 1_000;
const stopMsMax = 2_000;
const errorMax = 500;
const delaysMs = [1, 5, 30, 120].map((minutes) => minutes * minuteMs);
/** Then every four hours, so that each day has several attempts. */
const lastDelayMs = 4 * hourMs;
/** No mail is due later than this, unless it was planned by a clock that was ahead. */
const dueMsMost = lastDelayMs + aheadMsMax;

/**
 * Sends the due mails, each once as far as this can be known. If a worker dies between sending a mail and recording it,
 * the mail is sent again with the same Message-ID. Several workers share the work; clients take turns.
 */
export function startMailer(context: MailerContext): Mailer {
  const { database, clock, log, mail, pollMs = pollMsDefault } = context;
  const { sendMsMax = sendMsMaxDefault, leaseMs = leaseMsDefault } = context;
  const { smtpUrl, from } = mail;
  const transport = smtpUrl === undefined ? undefined : openMailTransport({ smtpUrl, from, connectionsMax });
  const stopping = new AbortController();
  const iso = (ms: number) => new Date(ms).toISOString();

  async function sendOne(to: MailTransport, clientId: string, claimed: repository.ClaimedMail): Promise<void> {
    const { mail_id: mailId, attempts } = claimed;
    const settle = (status: repository.SettledMail["status"], at: string, lastError: string | null) =>
      repository.settleMail(database.of(clientId), { mailId, attempts, status, at, lastError });
    try {
      await to.send(claimed, AbortSignal.any([AbortSignal.timeout(sendMsMax), stopping.signal]));
    } catch (error) {
      const verdict = planResend(attempts, Date.parse(claimed.scheduled_at), clock.now());
      metrics.mails.inc({ outcome: verdict.status === "FAILED" ? "failed" : "put_off" });
      // The server's answer may contain the address: it is stored with the mail, and must not be logged.
      const { code, responseCode, message } = error as { code?: unknown; responseCode?: unknown; message?: string };
      log.warn(
        { clientId, mailId, attempts, code, responseCode, status: verdict.status },
        "an alert mail was not sent",
      );
      const at = verdict.status === "FAILED" ? iso(clock.now()) : iso(verdict.dueAtMs);
      await settle(
        verdict.status,
        at,
        String(message ?? error)
          .toWellFormed()
          .replaceAll("\0", "")
          .slice(0, errorMax),
      );
      return;
    }
    metrics.mails.inc({ outcome: "sent" });
    await settle("SENT", iso(clock.now()), null);
  }

  async function sendDue(clientId: string, size: number): Promise<Batch> {
    if (context.isHeld?.()) return { weight: 0, hasMore: false };
    const view = database.of(clientId);
    const nowMs = clock.now();
    const [at, dueMost] = [iso(nowMs), iso(nowMs + dueMsMost)];
    if (transport === undefined) {
      const kept = await repository.keepDueMails(view, at, dueMost);
      metrics.mails.inc({ outcome: "kept" }, kept);
      return { weight: kept, hasMore: false };
    }
    const claimed = await repository.claimDueMails(view, { at, dueMost, leaseUntil: iso(nowMs + leaseMs) }, size);
    const ends = await Promise.allSettled(claimed.map((claimedMail) => sendOne(transport, clientId, claimedMail)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return { weight: claimed.length, hasMore: claimed.length === size };
  }

  const turns = startFairTurns({
    name: "mails",
    sizeMin: connectionsMax,
    sizeMax: connectionsMax,
    async find() {
      if (context.isHeld?.()) return new Map();
      const nowMs = clock.now();
      const clientIds = await listClientsWithDueMails(database.lookUps, iso(nowMs), iso(nowMs + dueMsMost), mailsMax);
      return new Map(namesOf(clientIds));
    },
    work: (clientId, _work, size) => sendDue(clientId, size),
    scopeOf,
    onError(error, clientId) {
      if (!isContention(error)) log[logLevelOf(error)]({ err: error, clientId }, "sending mail was interrupted");
    },
    placesMax: clientsAtOnceMax,
    paceMs,
    pollMs,
  });

  return {
    async stop() {
      const ended = turns.stop();
      const hurry = setTimeout(() => stopping.abort(), stopMsMax);
      await ended;
      clearTimeout(hurry);
      transport?.close();
    },
  };
}

const giveUpAfterMs = dayMs;

type MailVerdict =
  | { readonly status: "PENDING"; readonly dueAtMs: number }
  /** The recipient is no longer notified; the mail stays in the console. */
  | { readonly status: "FAILED" };

/** When a mail that could not be sent is retried, and when it is given up. @param attempts failed ones, with this one. */
export function planResend(attempts: number, scheduledAtMs: number, nowMs: number): MailVerdict {
  const dueAtMs = nowMs + (delaysMs[attempts - 1] ?? lastDelayMs);
  return dueAtMs - scheduledAtMs > giveUpAfterMs ? { status: "FAILED" } : { status: "PENDING", dueAtMs };
}
