import type { IncidentStep, MailKind } from "#/delivery/webhooks/lanes/incident.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { parseMailAddress } from "#/kernel/config/parsers.ts";

/** The subscription that an alert concerns, and the recipients. */
export interface AlertSubject {
  /** Default WEBHOOK. For OUTBOUND, `topicName` is the type of the feed, and `emailList` is empty. */
  readonly kind?: Subscription["kind"];
  readonly webhookId: string;
  readonly topicName: string;
  readonly additionalTopicNames?: readonly string[];
  readonly url: string;
  readonly emailList: readonly string[];
}

/** The state of a failing subscription at the moment of a note. All moments ISO 8601 UTC. */
export interface IncidentFacts {
  /** `timeout`, `status`, …: how the last failed attempt ended. */
  readonly lastErrorClass?: string | undefined;
  /** A text that may begin with the class; contains nothing of the request or the answer. */
  readonly lastError?: string | undefined;
  readonly since?: string | undefined;
  /** Events that wait to be delivered; undefined where they were not counted. */
  readonly waiting?: number | undefined;
  readonly nextTryAt?: string | undefined;
  /** When the subscription is disabled if the failures continue. */
  readonly disablesAt?: string | undefined;
}

/** One entry of a mail, as it was when it happened. Lines without line breaks, moments ISO 8601 UTC. */
export interface Note {
  readonly kind: MailKind;
  readonly at: string;
  readonly webhookId: string;
  /** The topics of the subscription: `order:*, parcel:load and 4 more`. */
  readonly topicName: string;
  /** The push of an outbound feed, whose type is `topicName`. */
  readonly isFeed?: true | undefined;
  /** Without query, user and fragment: those may contain secrets of the receiver. */
  readonly url: string;
  readonly errorClass?: string | undefined;
  readonly error?: string | undefined;
  readonly since?: string | undefined;
  readonly waiting?: number | undefined;
  readonly nextTryAt?: string | undefined;
  readonly disablesAt?: string | undefined;
}

const lineMax = 200;

/** Notes by their keys: an address is notified once of each key. */
export function notesOf(
  at: string,
  subject: AlertSubject,
  { state, mails }: IncidentStep,
  facts: IncidentFacts,
): Record<string, Note> {
  if (state === undefined) return {};
  const { lastErrorClass, lastError, since, waiting, nextTryAt, disablesAt } = facts;
  const note = {
    at,
    webhookId: subject.webhookId,
    topicName: oneLine(topicWords(subject)),
    isFeed: subject.kind === "OUTBOUND" ? (true as const) : undefined,
    url: bareUrl(subject.url),
    errorClass: lastErrorClass && oneLine(lastErrorClass),
    error: lastError && oneLine(lastError),
    since,
    waiting,
  };
  return Object.fromEntries(
    mails.map((kind) => {
      // A disabled or recovered subscription has no next attempt.
      const next = kind === "DISABLED" || kind === "RECOVERED" ? {} : { nextTryAt, disablesAt };
      return [`${subject.webhookId} ${state.openedAtMs} ${kind}`, { kind, ...note, ...next }];
    }),
  );
}

const shownTopicsMax = 3;

function topicWords({ topicName, additionalTopicNames = [] }: AlertSubject): string {
  const names = [topicName, ...additionalTopicNames];
  const more = names.length - shownTopicsMax;
  return names.slice(0, shownTopicsMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * The addresses of a list without duplicates, validated again: an address with a comma or a line break reaches further
 * recipients. Invalid addresses are left out.
 */
export function addressesOf(emailList: readonly string[]): string[] {
  return [...new Set(emailList.flatMap((text) => (isAddress(text) ? text : [])))];
}

export function isAddress(text: string): boolean {
  const parsed = parseMailAddress(text);
  // No invisible characters, and no address that a mail server refuses anyway (RFC 5321 §4.5.3.1.3).
  return parsed.ok && parsed.value.address === text && text.length <= 254 && !/[\p{C}\p{Z}]/u.test(text);
}

/** Foreign text as one line of visible characters: line breaks and the like become blanks. */
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
