import type { Invitation } from "#/console-api/access/invitations/contract.ts";
import { oneLine, sendMailOnce } from "#/delivery/mail/index.ts";
import { escapeAttribute as escapeHtml } from "#/intake/xml/escape.ts";
import type { Config } from "#/kernel/config/config.ts";

const sendMsMax = 15_000;

interface LinkMail {
  readonly mailId: string;
  readonly invitation: Invitation;
  readonly clientName: string;
  readonly link: string;
}

/**
 * Sends the link at once, and not through the table of mails: there the link would be readable for everybody who may
 * read mails. @returns the reason where the mail server did not accept the mail; null where it did.
 */
export async function sendLink(
  mail: Config["mail"] & { readonly smtpUrl: string },
  { mailId, invitation, clientName, link }: LinkMail,
): Promise<string | null> {
  const { clientId, address, invitedBy, invitedAt, expiresAt } = invitation;
  const client = oneLine(clientName === clientId ? clientId : `${clientName} (${clientId})`);
  const until = `${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 16)} UTC`;
  const invites = `${oneLine(invitedBy)} invites you to the Crossdock console as a developer of ${client}.`;
  const explains = `The link is valid once, until ${until}. It asks for a user name and a password of your choice.`;
  const gives =
    "You see the requests, feeds, deliveries, orders and stock of this client, and manage its keys and webhooks.";
  const ignores = "If you do not expect this mail, delete it. Without the link nothing happens.";
  const failure = await sendMailOnce(
    mail,
    {
      mail_id: mailId,
      address,
      subject: `[Crossdock] Invitation to the console for ${client}`,
      body_text: [invites, gives, `${explains}\n\n  ${link}`, `${ignores}\n`].join("\n\n"),
      body_html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Invitation</title></head>
<body><p>${escapeHtml(invites)}</p><p>${escapeHtml(gives)}</p><p>${escapeHtml(explains)}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${escapeHtml(ignores)}</p></body></html>
`,
      scheduled_at: invitedAt,
    },
    sendMsMax,
  );
  return failure ?? null;
}
