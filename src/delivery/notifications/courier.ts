import { createSourceClient } from "#/delivery/labels/index.ts";
import { planResend } from "#/delivery/mail/mailer.ts";
import { oneLine } from "#/delivery/mail/note.ts";
import { openMailTransport } from "#/delivery/mail/transport.ts";
import { mailOf, slackBodyOf, webhookBodyOf } from "#/delivery/notifications/message.ts";
import * as repository from "#/delivery/notifications/repository.ts";
import { findRule, openTarget } from "#/delivery/notifications/rule.ts";
import { signatureHeaders } from "#/delivery/webhooks/sending/sender.ts";
import type { Clock } from "#/kernel/clock.ts";
import { startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { AddressPolicy } from "#/kernel/security/address-policy.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { namesOf } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, logLevelOf, scopeOf } from "#/store/db/errors.ts";

interface CourierContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  readonly policy: AddressPolicy;
  readonly mail: Config["mail"];
  /** After a restore: nothing is sent while this returns true. */
  readonly isHeld: () => boolean;
}

export interface Courier {
  wake(): void;
  stop(): Promise<void>;
}

const sendMsMax = minuteMs;
const answerMsMax = 15_000;
/** Longer than an attempt takes: after this, another worker sends the message of a dead worker. */
const leaseMs = 2 * minuteMs;
const atOnceMax = 4;
const dueMax = 1_000;
const answerMax = 300;
const stopMsMax = 2_000;

interface Attempt {
  readonly isSent: boolean;
  readonly answer: string;
}

/**
 * Sends the due messages; rules take turns, so that a dead receiver of one delays no other. An attempt that fails is
 * repeated for a day, as that of an alert mail. Message-ID and webhook-id are the same in each attempt.
 */
export function startCourier(context: CourierContext): Courier {
  const { database, clock, log, secretBox, policy } = context;
  const { smtpUrl, from } = context.mail;
  const transport = smtpUrl === undefined ? undefined : openMailTransport({ smtpUrl, from, connectionsMax: atOnceMax });
  const client = createSourceClient(policy, () => clock.now());
  const stopping = new AbortController();
  const iso = (ms: number) => new Date(ms).toISOString();

  async function post(ruleId: string, message: repository.ClaimedMessage): Promise<Attempt> {
    const rule = await findRule(database, ruleId);
    const target = rule && openTarget(secretBox, rule);
    if (target === undefined) return { isSent: false, answer: "the URL cannot be decrypted: set it again" };
    const { messageId, createdAt, content } = message;
    const isSigned = target.secret !== null;
    const body = isSigned ? webhookBodyOf(messageId, createdAt, content) : slackBodyOf(content);
    const seconds = Math.floor(clock.now() / 1_000);
    const headers = isSigned ? signatureHeaders([target.secret as string], messageId, seconds, body) : {};
    const answered = await client.request({
      method: "POST",
      url: target.url,
      headers,
      body: JSON.parse(body) as unknown,
      timeoutMs: answerMsMax,
    });
    if (answered.failure)
      return { isSent: false, answer: `${answered.failure.errorClass}: ${answered.failure.detail}` };
    const isSent = answered.status >= 200 && answered.status <= 299;
    return { isSent, answer: `${answered.status} ${answered.body.toString("utf8")}` };
  }

  async function mail({ messageId, recipient, content, createdAt }: repository.ClaimedMessage): Promise<Attempt> {
    const sent = { mail_id: messageId, address: recipient, scheduled_at: createdAt, ...mailOf(content) };
    try {
      await transport?.send(sent, AbortSignal.any([AbortSignal.timeout(sendMsMax), stopping.signal]));
      return { isSent: true, answer: "accepted" };
    } catch (error) {
      return { isSent: false, answer: String((error as Error).message ?? error) };
    }
  }

  async function sendOne(ruleId: string, message: repository.ClaimedMessage): Promise<void> {
    const { messageId, channel, attempts, createdAt } = message;
    const settle = (status: repository.MessageStatus, ms: number, answer: string) => {
      const outcome = status === "PENDING" ? "put_off" : (status.toLowerCase() as "sent" | "kept" | "failed");
      metrics.notifications.inc({ channel: channel.toLowerCase(), outcome });
      return repository.settle(database, message, { status, at: iso(ms), answer: oneLine(answer, answerMax) });
    };
    if (channel === "MAIL" && transport === undefined) {
      return settle("KEPT", clock.now(), "there is no mail server (CROSSDOCK_SMTP_URL)");
    }
    const { isSent, answer } = channel === "MAIL" ? await mail(message) : await post(ruleId, message);
    if (isSent) return settle("SENT", clock.now(), answer);
    const verdict = planResend(attempts, Date.parse(createdAt), clock.now());
    // The answer may contain an address: it is stored with the message, and must not be logged.
    log.warn({ ruleId, messageId, channel, attempts, status: verdict.status }, "a notification was not sent");
    return settle(verdict.status, verdict.status === "PENDING" ? verdict.dueAtMs : clock.now(), answer);
  }

  const turns = startFairTurns({
    name: "notifications",
    sizeMin: atOnceMax,
    sizeMax: atOnceMax,
    async find() {
      if (context.isHeld()) return new Map();
      return new Map(namesOf(await repository.listRulesWithDue(database, iso(clock.now()), dueMax)));
    },
    async work(ruleId, _work, size) {
      if (context.isHeld()) return { weight: 0, hasMore: false };
      const nowMs = clock.now();
      const claimed = await repository.claimDue(database, ruleId, iso(nowMs), iso(nowMs + leaseMs), size);
      const ends = await Promise.allSettled(claimed.map((message) => sendOne(ruleId, message)));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
      return { weight: claimed.length, hasMore: claimed.length === size };
    },
    scopeOf,
    onError(error, ruleId) {
      if (!isContention(error)) log[logLevelOf(error)]({ err: error, ruleId }, "sending notifications was interrupted");
    },
    placesMax: 2,
    paceMs: 20,
    pollMs: 2_000,
  });

  return {
    wake: () => turns.wake(),
    async stop() {
      const ended = turns.stop();
      let closed: Promise<void> | undefined;
      const close = () => {
        stopping.abort();
        closed ??= client.close();
        return closed;
      };
      const hurry = setTimeout(() => void close(), stopMsMax);
      await ended;
      clearTimeout(hurry);
      await close();
      transport?.close();
    },
  };
}
