import { createTransport } from "nodemailer";
import { isAddress } from "#/delivery/mail/note.ts";
import type { ClaimedMail } from "#/delivery/mail/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { MailAddress } from "#/kernel/config/parsers.ts";

/** Hands mails to the mail server. */
export interface MailTransport {
  /** Throws when the server did not take it, or `signal` said to stop: then it may have been taken or not. */
  send(mail: ClaimedMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface MailTransportOptions {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  readonly smtpUrl: string;
  readonly from: MailAddress;
  readonly connectionsMax: number;
}

const connectMsMax = 10_000;
const silenceMsMax = 30_000;

/**
 * SMTP through nodemailer, over connections that are kept for a while. Addresses are given as objects, never as text: a
 * comma or line break in a text would reach further addresses.
 */
export function openMailTransport({ smtpUrl, from, connectionsMax }: MailTransportOptions): MailTransport {
  const transport = createTransport({
    ...{ pool: true, url: smtpUrl, maxConnections: connectionsMax, maxMessages: 100, idleTimeout: silenceMsMax },
    // A mail that failed has a plan of its own, in the store.
    maxRequeues: 0,
    ...{ connectionTimeout: connectMsMax, greetingTimeout: connectMsMax, dnsTimeout: connectMsMax },
    socketTimeout: silenceMsMax,
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send(mail, signal) {
      assert(isAddress(mail.address), `mail ${mail.mail_id} has no address`);
      await transport.sendMail({
        ...{ signal, disableFileAccess: true, disableUrlAccess: true },
        from: { name: from.name ?? "Crossdock", address: from.address },
        to: { name: "", address: mail.address },
        subject: mail.subject,
        text: mail.body_text,
        html: mail.body_html,
        // The same on every try: who died between sending a mail and noting it sends it again, and the reader's mail
        // program can see that it is the same one.
        messageId: `<${mail.mail_id}@${host}>`,
        date: new Date(mail.planned_at),
        // RFC 3834: no automatic answers, please.
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Greets the mail server and signs in where the address says with what; no mail is sent.
 * @returns why it would take none, without the password; undefined where all is well.
 */
export async function tryMailServer(smtpUrl: string, msMax: number): Promise<string | undefined> {
  const transport = createTransport({
    url: smtpUrl,
    ...{ connectionTimeout: msMax, greetingTimeout: msMax, dnsTimeout: msMax, socketTimeout: msMax },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${code === undefined ? "" : `${code}: `}${message}`;
  } finally {
    transport.close();
  }
}
