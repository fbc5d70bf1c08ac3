import { createRequire } from "node:module";
import { isAddress } from "#/delivery/mail/note.ts";
import type { ClaimedMail } from "#/delivery/mail/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { MailAddress } from "#/kernel/config/parsers.ts";

/** The state of a deployment whose alert mails reach no person. */
export const mailMissing = "alerts reach no person, because no mail server is configured";

/** In production mails must reach people; in a sandbox it suffices to show them in the console. */
export function isMailMissing(config: { readonly smtpUrl: string | undefined; readonly environment: string }): boolean {
  return config.environment === "production" && config.smtpUrl === undefined;
}

type OutgoingMail = Omit<ClaimedMail, "attempts" | "created_at">;

/** Sends mails to the mail server. */
export interface MailTransport {
  /** Throws where the server refused the mail or `signal` aborted: in the second case it may have accepted it. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface MailTransportOptions {
  /** smtp:// or smtps://, with user and password where the server requires them. */
  readonly smtpUrl: string;
  readonly from: MailAddress;
  readonly connectionsMax: number;
}

const require = createRequire(import.meta.url);
/** Loaded where a mail server is configured: the library takes 0.09 s of processor time. */
const mailLibrary = () => require("nodemailer") as typeof import("nodemailer");

const errorMax = 500;
const connectMsMax = 10_000;
const silenceMsMax = 30_000;

const limits = (msMax: number) => ({
  connectionTimeout: msMax,
  greetingTimeout: msMax,
  dnsTimeout: msMax,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * SMTP through nodemailer, over connections that stay open for a while. Addresses are objects, never text: a comma or
 * line break in a text reaches further addresses.
 */
export function openMailTransport({ smtpUrl, from, connectionsMax }: MailTransportOptions): MailTransport {
  const transport = mailLibrary().createTransport({
    pool: true,
    url: smtpUrl,
    maxConnections: connectionsMax,
    maxMessages: 100,
    idleTimeout: silenceMsMax,
    // The database holds the retry plan of a failed mail.
    maxRequeues: 0,
    ...limits(connectMsMax),
    socketTimeout: silenceMsMax,
  });
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send(mail, signal) {
      assert(isAddress(mail.address), `mail ${mail.mail_id} has no address`);
      await transport.sendMail({
        signal,
        disableFileAccess: true,
        disableUrlAccess: true,
        from: { name: from.name ?? "Crossdock", address: from.address },
        to: { name: "", address: mail.address },
        subject: mail.subject,
        text: mail.body_text,
        html: mail.body_html,
        // The same in every attempt: a worker that dies between sending a mail and recording it causes a second send.
        // The recipient's mail program can then detect the duplicate.
        messageId: `<${mail.mail_id}@${host}>`,
        date: new Date(mail.scheduled_at),
        // RFC 3834: requests no automatic answers.
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Sends one mail over its own connection, without a retry.
 * @returns why the server did not accept it within `msMax`; undefined where it did.
 */
export async function sendMailOnce(
  { smtpUrl, from }: Omit<MailTransportOptions, "connectionsMax">,
  mail: OutgoingMail,
  msMax: number,
): Promise<string | undefined> {
  const transport = openMailTransport({ smtpUrl, from, connectionsMax: 1 });
  try {
    await transport.send(mail, AbortSignal.timeout(msMax));
    return undefined;
  } catch (error) {
    return (error as Error).message.toWellFormed().replaceAll("\0", "").slice(0, errorMax);
  } finally {
    transport.close();
  }
}

/**
 * Connects to the mail server and authenticates where the address has credentials; no mail is sent.
 * @returns why the server refuses mails, without the password; undefined where it accepts them.
 */
export async function tryMailServer(smtpUrl: string, msMax: number): Promise<string | undefined> {
  const transport = mailLibrary().createTransport({
    url: smtpUrl,
    ...limits(msMax),
    socketTimeout: msMax,
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
