import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { facilityTenant } from "#/db/facility-tenant.ts";
import { redactBody, redactPath, redactQuery } from "#/http/request-log/redaction.ts";
import type { NewRequest } from "#/http/request-log/repository.ts";
import type { Exchange } from "#/http/server/exchange.ts";
import { labelsOf, readingMethods } from "#/http/server/exchange-telemetry.ts";
import type { RequestLogLevel } from "#/kernel/config/variables.ts";

/** A request for the log, before it is known whether its client allows bodies. */
export interface Entry {
  readonly clientId: string;
  readonly row: NewRequest;
  /** An upper estimate of its memory. */
  readonly bytes: number;
}

/** The beginning of a body that is kept. Bodies of the REST services have some hundred bytes, at most 1 MiB. */
export const bodyBytesMax = 16 * 1024;
const pathCharsMax = 1_024;
const queryCharsMax = 2_048;
const textCharsMax = 1_000;
const faultsMax = 50;
/** What an entry takes besides its texts. */
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
  const body = hasBody ? redactBody(beginningOf(bodyText)).slice(0, bodyBytesMax) : undefined;
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
