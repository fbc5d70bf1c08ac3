// The rules of a subscription's content (webhooks.md §1): pure, each fault with its pointer.

import { type Topic, topics, topicsNamed } from "#/delivery/webhooks/events/topics.ts";
import { type HeaderValues, maskedValue } from "#/delivery/webhooks/subscriptions/secrets.ts";
import { parseMailAddress } from "#/kernel/config/parsers.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/** Fan-out compares each event with each topic of each of a client's subscriptions. */
export const additionalTopicsMax = 49;
export const urlLengthMax = 2048;
export const emailsMax = 20;
export const emailLengthMax = 254;
export const headersMax = 20;
export const headerNameLengthMax = 64;
export const headerValueLengthMax = 2048;
/** Names and values of all custom headers together: receivers refuse larger ones. */
export const headersBytesMax = 8 * 1024;

/** The parts of a create or a patch that are validated without the database. */
export interface SubscriptionShape {
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly emailList?: readonly string[] | null | undefined;
  readonly customHeaders?: Readonly<Record<string, string | null>> | null | undefined;
}

/** Faults of the text itself: a 400. */
export function faultsOfShape({ url, contentType, emailList, customHeaders }: SubscriptionShape): RequestFault[] {
  const faults: RequestFault[] = [];
  const add = (pointer: string, message: string | undefined) => {
    if (message !== undefined) faults.push({ pointer, message });
  };
  if (url !== undefined) add("#/url", faultOfUrl(url));
  if (contentType !== undefined && !isContentType(contentType)) {
    add("#/contentType", "must be a JSON type, such as application/json, or text/*");
  }
  emailList?.forEach((address, i) => {
    add(`#/emailList/${i}`, faultOfAddress(address, emailList.indexOf(address) < i));
  });
  faults.push(...faultsOfHeaders(customHeaders ?? {}));
  return faults;
}

function faultOfUrl(text: string): string | undefined {
  // The parser drops blanks and line breaks silently.
  if (/[\s\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return "must be a URL that begins with https:// or http://";
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not have credentials; send them in customHeaders";
  if (url.href.length > urlLengthMax) return `is longer than ${urlLengthMax} characters when it is encoded`;
  return url.port === "0" ? "must not have port 0" : undefined;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = `\\s*;\\s*${token}=(?:${token}|"[ !#-\\[\\]-~]*")`;
const contentTypePattern = new RegExp(
  `^(?:application/json|${token}/${token}\\+json|text/${token})(?:${parameter})*$`,
  "i",
);

function isContentType(text: string): boolean {
  return contentTypePattern.test(text);
}

function faultOfAddress(text: string, isRepeated: boolean): string | undefined {
  const parsed = parseMailAddress(text);
  const isBare = parsed.ok && parsed.value.address === text;
  if (!isBare || /[\p{Cc}\\()[\]]/u.test(text)) {
    return "must be a mail address such as ops@example.com";
  }
  return isRepeated ? "stands twice" : undefined;
}

/** Headers that the connection (RFC 9110 §7.6.1), the address, the body or the signature determines. */
const reservedNames = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", "host"],
]);
const reservedPrefixes = ["proxy-", "content-", "webhook-", "crossdock-"];

function faultsOfHeaders(headers: Readonly<Record<string, string | null>>): RequestFault[] {
  const faults: RequestFault[] = [];
  const entries = Object.entries(headers);
  if (entries.length > headersMax) {
    faults.push({ pointer: "#/customHeaders", message: `must not have more than ${headersMax} headers` });
  }
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const fault = faultOfName(name, seen) ?? (value === null ? undefined : faultOfValue(value));
    if (fault !== undefined) faults.push({ pointer: pointerOf(name), message: fault });
  }
  if (bytesOf(headers) > headersBytesMax) faults.push({ pointer: "#/customHeaders", message: tooLarge });
  return faults;
}

const tooLarge = `must not be larger than ${headersBytesMax} bytes in all`;

const bytesOf = (headers: Readonly<Record<string, string | null>>) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0);

const pointerOf = (name: string) => `#/customHeaders/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

function faultOfName(name: string, seen: Set<string>): string | undefined {
  if (name.length > headerNameLengthMax || !new RegExp(`^${token}$`).test(name)) {
    return `is not a header name of at most ${headerNameLengthMax} characters`;
  }
  const lower = name.toLowerCase();
  if (reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return "is set by Crossdock, or by the connection";
  }
  if (seen.has(lower)) return "is present twice: names of headers ignore case";
  seen.add(lower);
  return undefined;
}

function faultOfValue(value: string): string | undefined {
  if (value.length > headerValueLengthMax) return `must not be longer than ${headerValueLengthMax} characters`;
  if (!/^[\t\x20-\x7e]*$/.test(value)) return "must be printable ASCII, without line breaks";
  return value === value.trim() ? undefined : "must not begin or end with a blank";
}

/**
 * The headers after a merge patch (RFC 7396): null removes one, `"***"` keeps the stored value. Header names are
 * case-insensitive. A fault where `"***"` names a header that does not exist.
 */
export function mergeHeaders(
  before: HeaderValues,
  patch: Readonly<Record<string, string | null>> | null,
): { readonly headers: HeaderValues; readonly faults: readonly RequestFault[] } {
  if (patch === null) return { headers: {}, faults: [] };
  const merged = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const faults: RequestFault[] = [];
  for (const [name, value] of Object.entries(patch)) {
    const lower = name.toLowerCase();
    const stored = merged.get(lower);
    if (value === null) merged.delete(lower);
    else if (value !== maskedValue) merged.set(lower, { name, value });
    else if (stored) merged.set(lower, { name, value: stored.value });
    else faults.push({ pointer: pointerOf(name), message: `is "${maskedValue}", but no value of it is stored` });
  }
  const headers = Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
  if (merged.size > headersMax) {
    faults.push({ pointer: "#/customHeaders", message: `must not have more than ${headersMax} headers` });
  }
  if (bytesOf(headers) > headersBytesMax) faults.push({ pointer: "#/customHeaders", message: tooLarge });
  return { headers, faults };
}

/** Decides whether the named objects exist. */
export interface SubscriptionWorld {
  /** The facilities that the client may use. */
  readonly facilities: readonly string[];
  /** A facility's webhooks are for tasks of this facility. */
  readonly ofFacility?: { readonly facilityCode: string; readonly topics: readonly Topic[] } | undefined;
  /** Plain http is for testing. */
  readonly allowsPlainHttp: boolean;
  /** Why this address is blocked; undefined where it is permitted. */
  refusalOfUrl(url: URL): string | undefined;
}

/** Faults of names that do not exist and of blocked addresses: a 422. Only for a well-formed shape. */
export function faultsOfWorld(
  request: {
    readonly topicName?: string;
    readonly additionalTopicNames?: readonly string[] | null;
    readonly facilityCode?: string;
    readonly url?: string;
  },
  { facilities, ofFacility, allowsPlainHttp, refusalOfUrl }: SubscriptionWorld,
): RequestFault[] {
  const faults: RequestFault[] = [];
  const add = (pointer: string, message: string) => faults.push({ pointer, message });
  const { topicName, facilityCode } = request;
  const known = ofFacility?.topics ?? topics;
  const checkTopic = (pointer: string, name: string) => {
    if (topicsNamed(name, known).length > 0) return;
    const service = ofFacility ? "warehouseService" : "webhookService";
    const remedy = meant(name, namesOf(known)) ?? `/v1/${service}/webhook/topics lists them`;
    add(pointer, `'${name}' is not a topic or a group of topics; ${remedy}`);
  };
  if (topicName !== undefined) checkTopic("#/topicName", topicName);
  request.additionalTopicNames?.forEach((name, i) => {
    checkTopic(`#/additionalTopicNames/${i}`, name);
  });
  if (facilityCode !== undefined && ofFacility && facilityCode !== ofFacility.facilityCode) {
    add("#/facilityCode", `must be ${ofFacility.facilityCode}: the webhook belongs to the warehouse of this facility`);
  } else if (facilityCode !== undefined && !ofFacility && facilityCode !== "*" && !facilities.includes(facilityCode)) {
    const remedy = meant(facilityCode, facilities) ?? "/v1/facilityService/facility/list lists them";
    add("#/facilityCode", `'${facilityCode}' is not a facility of the client; ${remedy}`);
  }
  if (request.url !== undefined) {
    const url = new URL(request.url);
    if (url.protocol === "http:" && !allowsPlainHttp) add("#/url", "must begin with https:// in this environment");
    const refusal = refusalOfUrl(url);
    if (refusal !== undefined) {
      add(
        "#/url",
        `names ${url.hostname}, to which nothing is sent: ${refusal}; use an address that is reachable from the internet`,
      );
    }
  }
  return faults;
}

const groupOf = (topicName: string) => topicName.replace(/:.*/, ":*");
const namesOf = (known: readonly Topic[]) => [
  ...new Set(known.flatMap(({ topicName }) => [topicName, groupOf(topicName)])),
];

function meant(text: string, names: readonly string[]): string | undefined {
  const nearest = nearestName(text, names);
  return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}
