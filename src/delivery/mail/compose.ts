import { type Note, oneLine } from "#/delivery/mail/note.ts";
import type { MailKind } from "#/delivery/webhooks/lanes/incident.ts";
import { escapeAttribute as escapeHtml } from "#/intake/xml/escape.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

export interface ComposedMail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail that is too long to read is useless; the list of webhooks shows everything. */
const sectionsMax = 50;
const subjectMax = 140;
const replayMarginMs = hourMs;

const verdicts: Readonly<Record<MailKind, string>> = {
  OPENED: "is failing",
  STILL_24H: "has been failing for 24 hours",
  STILL_72H: "has been failing for 72 hours",
  DISABLES_SOON: "will soon be disabled",
  DISABLED: "was disabled",
  RECOVERED: "has recovered",
};

/** Messages that wait for the receiver: events of a webhook, documents of a feed that is pushed. */
function explanationOf({ kind, isFeed }: Note): string {
  const [things, are, target] = isFeed ? ["Documents", "pushed", "push"] : ["Events", "sent", "webhook"];
  switch (kind) {
    case "OPENED":
      return `${things} wait, and are ${are} in order as soon as the receiver answers with HTTP 200.`;
    case "STILL_24H":
    case "STILL_72H":
      return `${things} still wait. They are retried for eight days.`;
    case "DISABLES_SOON":
      return `If all attempts fail until then, the ${target} is disabled and waiting ${isFeed ? "documents" : "deliveries"} are given up.`;
    case "DISABLED":
      return isFeed
        ? "Nothing more is pushed. Waiting documents were given up, and can be sent again when the push is active; later documents are stored, and not pushed."
        : "Nothing more is sent to it. Waiting deliveries were given up, and can be replayed when the webhook is active again.";
    case "RECOVERED":
      return "There was no failure for ten minutes. Deliveries that were given up meanwhile are not sent automatically: see below.";
  }
}

/**
 * An alert mail about incidents of the webhooks and pushed outbound feeds of a client, or of the webhooks of a facility
 * (webhooks.md §2, Alert mail): depends only on its notes. No payload, no header values.
 */
export function composeMail(clientId: string, notes: readonly Note[]): ComposedMail {
  const inOrder = notes.toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  const shown = inOrder.slice(0, sectionsMax);
  const leftOut = inOrder.length - shown.length;
  const title = titleOf(inOrder);
  const more = leftOut > 0 ? [`${leftOut} more are in the list of webhooks.`] : [];
  const replay = replayLines(clientId, inOrder);
  const text = [
    `Crossdock alert for ${ownerOf(clientId)}`,
    ...shown.map((note) =>
      [headingOf(note), explanationOf(note), ...rowsOf(note).map(([name, value]) => `  ${name}: ${value}`)].join("\n"),
    ),
    ...more,
    ["How to replay", ...replay.map(([what, how]) => `  ${what}:\n    ${how}`)].join("\n"),
  ].join("\n\n");
  return {
    subject: oneLine(`[Crossdock] ${facilityOfTenant(clientId) ?? clientId}: ${title}`, subjectMax),
    text: `${text}\n`,
    html: htmlOf(clientId, shown, more, replay),
  };
}

/** The client, or the facility whose warehouse has the webhook. */
function ownerOf(tenantId: string): string {
  const facilityCode = facilityOfTenant(tenantId);
  return facilityCode === undefined ? `client ${oneLine(tenantId)}` : `facility ${oneLine(facilityCode)}`;
}

const headingOf = ({ isFeed, topicName, kind }: Note) =>
  `${isFeed ? "Push of outbound feed" : "Webhook"} ${topicName} ${verdicts[kind]}`;

/** For one webhook its final state; for several the number of webhooks in each state. */
function titleOf(notes: readonly Note[]): string {
  const lastByWebhook = new Map(notes.map((note) => [note.webhookId, note]));
  const last = [...lastByWebhook.values()];
  const [only] = last;
  if (last.length === 1 && only) {
    const heading = headingOf(only);
    return heading.charAt(0).toLowerCase() + heading.slice(1);
  }
  const count = (...kinds: readonly MailKind[]) => last.filter(({ kind }) => kinds.includes(kind)).length;
  const counts = [
    [count("OPENED", "STILL_24H", "STILL_72H", "DISABLES_SOON"), "failing"],
    [count("DISABLED"), "disabled"],
    [count("RECOVERED"), "recovered"],
  ] as const;
  const parts = counts.flatMap(([number, what]) => (number > 0 ? `${number} ${what}` : []));
  const feeds = last.filter(({ isFeed }) => isFeed).length;
  const what = feeds === 0 ? "webhooks" : feeds === last.length ? "outbound feeds" : "webhooks and outbound feeds";
  return `${last.length} ${what}: ${parts.join(", ")}`;
}

function rowsOf(note: Note): readonly (readonly [name: string, value: string])[] {
  const { errorClass, error, since, waiting, nextTryAt, disablesAt } = note;
  return [
    [note.isFeed ? "Push" : "Webhook", note.webhookId],
    ["URL", note.url],
    ...row("Last error", errorLine(errorClass, error)),
    ...row("Failing since", since && readable(since)),
    ...row(
      note.isFeed ? "Documents waiting" : "Events waiting",
      waiting === undefined ? undefined : `${waiting} at ${readable(note.at)}`,
    ),
    ...row("Next attempt", nextTryAt && readable(nextTryAt)),
    ...row("Disabled", disablesAt && `${readable(disablesAt)}, if all attempts fail until then`),
  ];
}

/** Puts the class first, unless the text already begins with it. */
function errorLine(errorClass: string | undefined, error: string | undefined): string | undefined {
  if (errorClass === undefined || error?.startsWith(errorClass)) return error;
  return error === undefined ? errorClass : `${errorClass}: ${error}`;
}

const row = (name: string, value: string | undefined) => (value === undefined ? [] : [[name, value] as const]);

/** `2026-11-20T10:00:00.000Z` as `2026-11-20 10:00:00 UTC`. */
const readable = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

type Replay = readonly (readonly [what: string, how: string])[];

function replayLines(clientId: string, notes: readonly Note[]): Replay {
  const webhooks = notes.filter(({ isFeed }) => !isFeed);
  return [
    ...(webhooks.length > 0 ? webhookReplay(clientId, webhooks) : []),
    ...(webhooks.length < notes.length ? feedReplay(clientId) : []),
    ["On the command line", `crossdock webhook replay DELIVERY_ID --client ${oneLine(clientId)}`],
  ];
}

function webhookReplay(tenantId: string, notes: readonly Note[]): Replay {
  const ids = new Set(notes.map(({ webhookId }) => webhookId));
  const webhookId = ids.size === 1 ? [...ids][0] : "{webhookId}";
  // An event happened before its first attempt failed.
  const firstMs = Math.min(...notes.map((note) => Date.parse(note.since ?? note.at)));
  const since = new Date(firstMs - replayMarginMs).toISOString();
  const isOfFacility = facilityOfTenant(tenantId) !== undefined;
  const service = `/v1/${isOfFacility ? "warehouseService" : "webhookService"}/webhook`;
  return [
    ["All failed deliveries", `POST ${service}/recover/${webhookId} {"since":"${since}","onlyFailed":true}`],
    ["See each delivery", `GET ${service}/deliveries/${webhookId}`],
    ["One delivery", `POST ${service}/redeliver/{deliveryId}`],
  ];
}

/** The Webhook service does not know pushed feeds: their documents are resent as documents. */
function feedReplay(clientId: string): Replay {
  const client = oneLine(clientId);
  return [
    ["One document, with X-API-KEY", `POST /feeds/${client}/outbound/{messageId}/resend`],
    ["See the undelivered documents", `crossdock outbound show ${client}`],
  ];
}

/** One column, no pictures, and the colours of the reader's light or dark mode. */
function htmlOf(clientId: string, notes: readonly Note[], more: readonly string[], replay: Replay): string {
  const sections = notes.map((note) => {
    const rows = rowsOf(note).map(
      ([name, value]) =>
        `<tr><th scope="row" align="left" valign="top">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
    );
    return `<h2>${escapeHtml(headingOf(note))}</h2>
<p>${escapeHtml(explanationOf(note))}</p>
<table role="presentation" cellpadding="4" cellspacing="0">${rows.join("")}</table>`;
  });
  const calls = replay.map(([what, how]) => `<li>${escapeHtml(what)}:<br><code>${escapeHtml(how)}</code></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark"><title>Crossdock alert</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 sans-serif;max-width:46em}h1{font-size:18px}h2{font-size:16px}
td,code{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{background:#16181d;color:#e8e8e8}}</style></head>
<body><h1>Crossdock alert for ${escapeHtml(ownerOf(clientId))}</h1>
${[...sections, ...more.map((line) => `<p>${escapeHtml(line)}</p>`)].join("\n")}
<h2>How to replay</h2><ul>${calls.join("")}</ul></body></html>
`;
}
