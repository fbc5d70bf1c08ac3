import type { DocumentFilter } from "#/console-api/feeds/conditions-repository.ts";
import type { FeedListQuery } from "#/console-api/feeds/contract.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { acceptedStates } from "#/intake/feeds/states.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";

/**
 * The longest time between the creation of the token, when a request begins, and the receipt, when its body is
 * complete.
 */
const bodyMsMax = minuteMs;

/** The filter of a list request. */
export function filterOf(query: FeedListQuery): DocumentFilter {
  const { outcome, receivedFrom, receivedTo } = query;
  // Each state once: the states that few documents have are read one by one.
  const state = query.state === undefined ? undefined : [...new Set(query.state)];
  const ofOutcome = outcome === "REJECTED" ? (["REJECTED", "PARKED"] as const) : acceptedStates;
  const states = outcome === undefined ? state : ofOutcome;
  const from = receivedFrom === undefined ? undefined : momentOf(receivedFrom);
  const to = receivedTo === undefined ? undefined : momentOf(receivedTo);
  const token = boundsOf(query.token);
  const later = from === undefined ? undefined : idBoundary(Date.parse(from) - bodyMsMax);
  const earlier = to === undefined ? undefined : idBoundary(Date.parse(to) + bodyMsMax);
  return {
    feedTypes: query.type,
    channels: query.channel,
    states: state === undefined ? states : states?.filter((candidate) => state.includes(candidate)),
    isOverdue: query.isOverdue === "1",
    errorCode: query.errorCode,
    objectPrefix: query.objectId,
    tokenFrom: [token?.from, later]
      .filter((candidate) => candidate !== undefined)
      .sort()
      .at(-1),
    tokenTo: [token?.to, earlier].filter((candidate) => candidate !== undefined).sort()[0],
    receivedFrom: from,
    receivedTo: to,
  };
}

const momentOf = (text: string) => readDateTime(text) ?? text;

/** The tokens with this prefix: a prefix of a token is a time range. */
function boundsOf(text: string | undefined): { readonly from: string; readonly to: string } | undefined {
  const digits = text
    ?.toLowerCase()
    .replace(/[^0-9a-f]/g, "")
    .slice(0, 32);
  if (digits === undefined) return undefined;
  const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { from: uuid(digits.padEnd(32, "0")), to: uuid(digits.padEnd(32, "f")) };
}
