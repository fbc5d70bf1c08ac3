import type { IncidentStep, MailKind } from "#/delivery/webhooks/incidents/incident.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { parseMailAddress } from "#/kernel/config/parsers.ts";

/** What of a subscription an alert is about, and to whom it goes. */
export interface AlertSubject {
  /** WEBHOOK where it is left out. Of OUTBOUND, `topicName` is the type of the feed, and no address stands here. */
  readonly kind?: Subscription["kind"];
  readonly clientId: string;
  readonly webhookId: string;
  readonly topicName: string;
  readonly url: string;
  readonly emailList: readonly string[];
}

/** How it stands with a failing subscription at the moment of a note. All moments ISO 8601 UTC. */
export interface IncidentFacts {
  /** `timeout`, `status`, …: how the last failed try ended. */
  readonly lastErrorClass?: string | undefined;
  /** In words, which may begin with the class; without anything of what was sent or answered. */
  readonly lastError?: string | undefined;
  readonly since?: string | undefined;
  /** Events that wait to be delivered; undefined where nobody counted. */
  readonly waiting?: number | undefined;
  readonly nextTryAt?: string | undefined;
  /** When the subscription is disabled if nothing but failures comes. */
  readonly disablesAt?: string | undefined;
}

/** One thing that a mail tells: kept as it was when it happened. Lines without line breaks, moments ISO 8601 UTC. */
export interface Note {
  readonly kind: MailKind;
  readonly at: string;
  readonly webhookId: string;
  readonly topicName: string;
  /** It is the push of an outbound feed, of which `topicName` is the type. */
  readonly isFeed?: true;
  /** Without query, user and fragment: those may hold what only the receiver is to know. */
  readonly url: string;
  readonly errorClass?: string;
  readonly error?: string;
  readonly since?: string;
  readonly waiting?: number;
  readonly nextTryAt?: string;
  readonly disablesAt?: string;
}

const lineMax = 200;

/** By their keys: of each key an address is told once. */
export function notesOf(
  at: string,
  subject: AlertSubject,
  { state, mails }: IncidentStep,
  facts: IncidentFacts,
): Record<string, Note> {
  if (state === undefined) return {};
  return Object.fromEntries(
    mails.map((kind) => [
      `${subject.webhookId} ${state.openedAtMs} ${kind}`,
      {
        ...{ kind, at, webhookId: subject.webhookId },
        topicName: oneLine(subject.topicName),
        ...(subject.kind === "OUTBOUND" ? { isFeed: true as const } : {}),
        url: bareUrl(subject.url),
        ...(facts.lastErrorClass === undefined ? {} : { errorClass: oneLine(facts.lastErrorClass) }),
        ...(facts.lastError === undefined ? {} : { error: oneLine(facts.lastError) }),
        ...(facts.since === undefined ? {} : { since: facts.since }),
        ...(facts.waiting === undefined ? {} : { waiting: facts.waiting }),
        // What is disabled or delivered is not tried again.
        ...(facts.nextTryAt === undefined || kind === "DISABLED" || kind === "RECOVERED"
          ? {}
          : { nextTryAt: facts.nextTryAt }),
        ...(facts.disablesAt === undefined || kind === "DISABLED" || kind === "RECOVERED"
          ? {}
          : { disablesAt: facts.disablesAt }),
      },
    ]),
  );
}

/**
 * The addresses of a list, each once, judged again: one with a comma or a line break would reach others than the list
 * says. What is no address is left out, as nobody can be told.
 */
export function addressesOf(emailList: readonly string[]): string[] {
  return [...new Set(emailList.flatMap((text) => (isAddress(text) ? text : [])))];
}

export function isAddress(text: string): boolean {
  const parsed = parseMailAddress(text);
  // Nor characters that no eye sees, nor what a mail server would refuse anyway (RFC 5321 §4.5.3.1.3).
  return parsed.ok && parsed.value.address === text && text.length <= 254 && !/[\p{C}\p{Z}]/u.test(text);
}

/** A stranger's words as one line of visible characters: line breaks and such become blanks. */
export function oneLine(text: string, charactersMax = lineMax): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const characters = [...line];
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax - 1).join("")}…`;
}

function bareUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? "" : oneLine(url.origin + url.pathname);
}
