/** A message and its form in each channel. All are made from the stored content, so that each attempt sends the same. */

import { oneLine } from "#/delivery/mail/note.ts";
import type { Condition } from "#/delivery/notifications/plan.ts";
import { escapeAttribute as escapeHtml } from "#/intake/xml/escape.ts";

/** A longer message is not read; the console has the rest. */
export const itemsMax = 20;

export interface MessageItem {
  readonly kind: string;
  readonly clientId: string;
  readonly facilityCode: string | null;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly count: number;
  readonly isMore: boolean;
  readonly title: string;
  readonly summary: string;
  readonly url: string;
}

export interface MessageContent {
  readonly ruleName: string;
  readonly items: readonly MessageItem[];
  /** Conditions beyond the items. */
  readonly more: number;
  /** The exceptions in the console. */
  readonly url: string;
}

/** @param consoleUrl of the platform, without `/console` */
export function contentOf(
  ruleName: string,
  conditions: readonly (Condition & { readonly since: string })[],
  consoleUrl: string,
): MessageContent {
  return {
    ruleName,
    items: conditions.slice(0, itemsMax).map(({ key: _, isSevere: _severe, path, title, summary, ...rest }) => ({
      ...rest,
      title: oneLine(title),
      summary: oneLine(summary, 500),
      url: `${consoleUrl}/console${path}`,
    })),
    more: Math.max(0, conditions.length - itemsMax),
    url: `${consoleUrl}/console/exceptions`,
  };
}

export function titleOf({ items, more, ruleName }: MessageContent): string {
  const [first] = items;
  if (first === undefined) return `${ruleName}: test message`;
  const others = items.length + more - 1;
  return oneLine(others === 0 ? first.title : `${first.title}, and ${others} more`, 140);
}

/** `2026-11-20 10:00 UTC` */
const readable = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const linesOf = (content: MessageContent) => [
  ...content.items.map(({ title, summary, since, url }) => ({
    title,
    text: `${summary} Since ${readable(since)}.`,
    url,
  })),
  ...(content.items.length === 0
    ? [{ title: "Test message", text: "The rule reaches this recipient.", url: content.url }]
    : []),
  ...(content.more > 0 ? [{ title: `${content.more} more`, text: "The console shows all.", url: content.url }] : []),
];

export function mailOf(content: MessageContent) {
  const lines = linesOf(content);
  const rows = lines.map(
    ({ title, text, url }) =>
      `<h2>${escapeHtml(title)}</h2>\n<p>${escapeHtml(text)}<br><a href="${escapeHtml(url)}">Show it in the console</a></p>`,
  );
  const why = `Rule: ${oneLine(content.ruleName)}`;
  return {
    subject: `[Crossdock] ${titleOf(content)}`,
    body_text: `${[...lines.map(({ title, text, url }) => `${title}\n${text}\n${url}`), why].join("\n\n")}\n`,
    body_html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Crossdock</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 sans-serif;max-width:46em}h2{font-size:16px}</style></head>
<body>${rows.join("\n")}
<p>${escapeHtml(why)}</p></body></html>
`,
  };
}

export const slackBodyOf = (content: MessageContent): string => {
  // The three characters that have a meaning in its messages.
  const plain = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const lines = linesOf(content).map(({ title, text, url }) => `*${plain(title)}*\n${plain(text)}\n${url}`);
  return JSON.stringify({ text: [...lines, `_${plain(content.ruleName)}_`].join("\n\n") });
};

export const webhookBodyOf = (messageId: string, createdAt: string, content: MessageContent): string =>
  JSON.stringify({ id: messageId, type: "notification", createdAt, title: titleOf(content), ...content });
