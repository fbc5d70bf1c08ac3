import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NewRequest } from "#/http/request-log/repository.ts";
import type { Exchange } from "#/http/server/exchange.ts";
import { labelsOf, readingMethods } from "#/http/server/exchange-telemetry.ts";
import type { RequestLogLevel } from "#/kernel/config/variables.ts";
import { redacted } from "#/kernel/telemetry/log.ts";
import { maskCardNumber } from "#/kernel/values/card-number.ts";
import { facilityTenant } from "#/store/db/facility-tenant.ts";

/** A request for the log, before it is known whether its client allows bodies. */
export interface Entry {
  readonly clientId: string;
  readonly row: NewRequest;
  /** An upper estimate of its memory. */
  readonly bytes: number;
}

/** The beginning of a body that is kept. Bodies of the REST services have some hundred bytes, at most 1 MiB. */
const bodyBytesMax = 16 * 1024;
const pathCharsMax = 1_024;
const queryCharsMax = 2_048;
const textCharsMax = 1_000;
const faultsMax = 50;
/** The size of an entry besides its texts. */
const entryBytes = 600;

/** Bodies with the secrets of a receiver: its headers, and credentials in its address. */
const secretRoutes = /^\/v1\/webhookService\//;
/** Parameters that name the owner or a type, and no object. */
const noObjects: ReadonlySet<string> = new Set(["clientId", "type", "token"]);

/** The log's entry for a request that is over; undefined if the log does not have it. */
export function entryOf(
  exchange: Exchange,
  raw: IncomingMessage,
  res: ServerResponse,
  level: RequestLogLevel,
): Entry | undefined {
  if (level === "off") return undefined;
  const clientId = clientOf(exchange);
  if (clientId === undefined) return undefined;
  const { request, problem, about, bodyText } = exchange;
  const isAnswered = exchange.rawStatus !== undefined || res.headersSent;
  const status = isAnswered ? (exchange.rawStatus ?? res.statusCode) : undefined;
  const isFailed = status === undefined || status >= 400 || about.outcome === "rejected";
  const method = raw.method ?? "";
  // A list that is polled every second would fill the log with the same line.
  if (!isFailed && (exchange.isPolled || level === "failures" || (level === "writes" && readingMethods.has(method)))) {
    return undefined;
  }
  const url = raw.url ?? "";
  const queryAt = url.indexOf("?");
  const path = redactPath(cleaned(queryAt === -1 ? url : url.slice(0, queryAt), pathCharsMax));
  const query = queryAt === -1 ? undefined : redactQuery(cleaned(url.slice(queryAt + 1), queryCharsMax));
  const detail = problem && cleaned(problem.detail, textCharsMax);
  const faults = problem?.errors?.slice(0, faultsMax).map(({ pointer, message }) => ({
    pointer: cleaned(pointer, textCharsMax),
    message: cleaned(message, textCharsMax),
  }));
  const hasBody = isFailed && bodyText !== undefined && !secretRoutes.test(exchange.route ?? "");
  // A refused document in JSON may have a card number in its payments (contract operations.md §5).
  const body = hasBody ? maskCardNumber(redactBody(beginningOf(bodyText))).slice(0, bodyBytesMax) : undefined;
  const faultBytes = faults?.reduce((sum, fault) => sum + fault.pointer.length + fault.message.length, 0) ?? 0;
  return {
    clientId,
    bytes: entryBytes + path.length + (query?.length ?? 0) + (detail?.length ?? 0) + faultBytes + (body?.length ?? 0),
    row: {
      request_id: exchange.token,
      method,
      route: exchange.route === undefined ? null : labelsOf(exchange.route).route,
      path,
      query: query === "" ? null : query,
      status,
      duration_ms: Math.round(performance.now() - exchange.startedMs),
      credential_id: exchange.caller?.credentialId ?? exchange.feedKey?.credentialId,
      address: request?.ip,
      object_id: objectOf(exchange),
      feed_type: about.feedType,
      outcome: about.outcome,
      is_failed: isFailed,
      problem_code: problem?.code,
      problem_detail: detail,
      faults: faults?.length ? faults : null,
      body,
      body_bytes: body === undefined ? null : Buffer.byteLength(bodyText as string),
    },
  };
}

/**
 * The client of the request, also where the request was refused before it was certain which client it concerns: that of
 * the feed key, or the only one of the token. Of a warehouse the tenant of its facility, because a report may concern
 * several clients. Users of the console are in the audit log.
 */
function clientOf({ operator, clientId, caller, feedKey }: Exchange): string | undefined {
  if (operator) return undefined;
  if (clientId !== undefined || feedKey !== undefined) return clientId ?? feedKey?.clientId;
  if (caller?.facilityCode !== undefined) return facilityTenant(caller.facilityCode);
  return caller?.kind === "client" && caller.clientIds.length === 1 ? caller.clientIds[0] : undefined;
}

/** The first id in the path, such as the order's for a line of it. */
function objectOf({ about, feedKey, request }: Exchange): string | undefined {
  if (feedKey) return about.objectId && cleaned(about.objectId, textCharsMax);
  const params = Object.entries((request?.params ?? {}) as Record<string, unknown>);
  const found = params.find(([name]) => !noObjects.has(name))?.[1];
  return typeof found === "string" ? cleaned(found, textCharsMax) : undefined;
}

/** A copy that does not keep the whole body in memory, as a part of the string itself does. */
function beginningOf(text: string): string {
  return cleaned(Buffer.from(text.slice(0, bodyBytesMax)).toString(), bodyBytesMax);
}

/** A text that PostgreSQL stores: it has no NUL and no half of a surrogate pair. */
function cleaned(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed().replaceAll("\0", "\uFFFD");
}

// Secrets that a sender puts into an address or a body do not reach the request log. Names decide, after they are decoded.

/** Parts of folded names: `X-Api-Key`, `apikey`, `client_secret`, `accessToken`. */
const secretPart = /key|secret|token|passw|passphrase|authorization|credential|signature|cookie|jwt|bearer|cardnumber/;
const secretNames: ReadonlySet<string> = new Set(["auth", "pass", "pwd", "pin", "sig", "sid", "session", "sessionid"]);

function isSecret(name: string): boolean {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return secretPart.test(folded) || secretNames.has(folded);
}

/** An address in a parameter is encoded once more, and one in that again. */
const decodingsMax = 4;

/** Where percent codes are not valid, what is left of them. */
function decoded(text: string): string {
  let plain = text.replaceAll("+", " ");
  for (let i = 0; i < decodingsMax && plain.includes("%"); i++) {
    const next = plain.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
    );
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Whether a value has parameters, as an address does, and one of them has the name of a secret. */
function holdsSecret(value: string): boolean {
  return decoded(value)
    .split(/[?&;#]/)
    .some((part) => part.includes("=") && isSecret(part.slice(0, part.indexOf("="))));
}

/** The text after the question mark; parameters are separated by `&` or `;`. */
export function redactQuery(query: string): string {
  return query
    .split(/([&;])/)
    .map((part) => {
      const at = part.indexOf("=");
      // An encoded `=` belongs to the name for this server, and is one for another.
      if (at === -1) return holdsSecret(part) ? redacted : part;
      const [name, value] = [part.slice(0, at), part.slice(at + 1)];
      return isSecret(decoded(name)) || holdsSecret(value) ? `${name}=${redacted}` : part;
    })
    .join("");
}

/** A path may have parameters after a semicolon. */
export function redactPath(path: string): string {
  const at = path.search(/;|%3b/i);
  if (at === -1) return path;
  return path.slice(0, at) + redactQuery(path.slice(at));
}

/**
 * JSON with the values of secret fields replaced, at any depth. The text may be cut at its end, or not be JSON: what looks
 * like a field is one. Linear in the text.
 */
export function redactBody(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '"') {
      at++;
      continue;
    }
    const end = endOfString(text, at);
    const name = unescaped(text.slice(at + 1, end - 1));
    at = end;
    const colon = skipBlanks(text, end);
    if (text[colon] !== ":" || !isSecret(name)) continue;
    const value = skipBlanks(text, colon + 1);
    kept.push(text.slice(from, value), JSON.stringify(redacted));
    at = endOfValue(text, value);
    from = at;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] as string)) at++;
  return at;
}

/** The place after the closing quotation mark of the string that begins here. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(text.length, at + 1);
}

function endOfValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const sign = text[at] as string;
    if (sign === '"') at = endOfString(text, at);
    else if ((sign === "," || sign === "}" || sign === "]") && depth === 0) return at;
    else {
      if (sign === "{" || sign === "[") depth++;
      if (sign === "}" || sign === "]") depth--;
      at++;
    }
    if (depth === 0 && (sign === '"' || sign === "}" || sign === "]")) return at;
  }
  return at;
}

/** A name may have escapes, such as `\u0070assword`. */
function unescaped(name: string): string {
  return name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
