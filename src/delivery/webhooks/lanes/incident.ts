import { hourMs, minuteMs } from "#/kernel/values/durations.ts";

// When alert mails report a failing receiver (webhooks.md §2, Alert mail): each kind of mail once per incident, so at
// most six. Pure; moments are Unix milliseconds.

export type MailKind = "OPENED" | "STILL_24H" | "STILL_72H" | "DISABLES_SOON" | "DISABLED" | "RECOVERED";

export interface IncidentState {
  readonly openedAtMs: number;
  /** The success after which no attempt has failed; undefined while attempts fail. */
  readonly quietSinceMs: number | undefined;
  /** Set when the incident is closed; a failure within an hour opens the same incident again. */
  readonly closedAtMs: number | undefined;
  /** The subscription was disabled: no further attempt fails or succeeds. */
  readonly isDisabled: boolean;
  readonly mails: readonly MailKind[];
}

/** A moment that a Date can hold. */
const isMoment = (value: unknown) => typeof value === "number" && value >= 0 && value <= 8_000_000_000_000;
const isMomentOrNone = (value: unknown) => value === undefined || value === null || isMoment(value);

/**
 * Reads the stored state. An invalid value, written by hand, is ignored: a new incident begins. No event lies in the
 * future: a later moment comes from a clock that was ahead.
 */
export function readIncident(stored: unknown, nowMs: number): IncidentState | undefined {
  const state = stored as Partial<IncidentState> | null;
  if (typeof state !== "object" || state === null || !isMoment(state.openedAtMs) || !Array.isArray(state.mails)) return;
  if (!isMomentOrNone(state.quietSinceMs) || !isMomentOrNone(state.closedAtMs)) return;
  const { openedAtMs, quietSinceMs, closedAtMs } = state as IncidentState;
  return {
    ...(state as IncidentState),
    openedAtMs: Math.min(openedAtMs, nowMs),
    quietSinceMs: quietSinceMs == null ? undefined : Math.min(quietSinceMs, nowMs),
    closedAtMs: closedAtMs == null ? undefined : Math.min(closedAtMs, nowMs),
  };
}

export type IncidentEvent =
  /**
   * An attempt failed. `opens`: the breaker opened, a delivery has failed for an hour or for good, or its address is
   * blocked.
   */
  | { readonly kind: "FAILURE"; readonly opens: boolean }
  | { readonly kind: "SUCCESS" }
  | { readonly kind: "DISABLED" }
  /** Time passes. `disablesAtMs`: when the subscription is disabled if the failures continue. */
  | { readonly kind: "TICK"; readonly disablesAtMs: number | undefined };

export interface IncidentStep {
  readonly state: IncidentState | undefined;
  /** This step began a new incident. */
  readonly isNew: boolean;
  /** The mails to send now. */
  readonly mails: readonly MailKind[];
}

const quietMs = 10 * minuteMs;
const sameWithinMs = hourMs;
const warnBeforeMs = 12 * hourMs;

export const isOngoing = (
  state: IncidentState | undefined,
): state is IncidentState & { readonly closedAtMs: undefined } => state !== undefined && state.closedAtMs === undefined;

export function stepIncident(before: IncidentState | undefined, event: IncidentEvent, nowMs: number): IncidentStep {
  switch (event.kind) {
    case "FAILURE":
      return failed(before, event.opens, nowMs);
    case "SUCCESS":
      // The first success counts: later ones do not restart the quiet time.
      return isOngoing(before) && !before.isDisabled
        ? unchanged({ ...before, quietSinceMs: before.quietSinceMs ?? nowMs })
        : unchanged(before);
    case "DISABLED": {
      const state = isOngoing(before) ? before : opened(nowMs);
      return notified({ ...state, isDisabled: true, quietSinceMs: undefined }, ["DISABLED"], state !== before);
    }
    case "TICK":
      return ticked(before, event.disablesAtMs, nowMs);
  }
}

function failed(before: IncidentState | undefined, opens: boolean, nowMs: number): IncidentStep {
  if (isOngoing(before)) return unchanged({ ...before, quietSinceMs: undefined });
  const isSame = before?.closedAtMs !== undefined && nowMs - before.closedAtMs <= sameWithinMs;
  if (isSame) return unchanged({ ...before, closedAtMs: undefined, quietSinceMs: undefined });
  return opens ? notified(opened(nowMs), ["OPENED"], true) : unchanged(before);
}

function ticked(before: IncidentState | undefined, disablesAtMs: number | undefined, nowMs: number): IncidentStep {
  if (!isOngoing(before) || before.isDisabled) return unchanged(before);
  if (before.quietSinceMs !== undefined) {
    if (nowMs - before.quietSinceMs < quietMs) return unchanged(before);
    return notified({ ...before, closedAtMs: nowMs }, ["RECOVERED"], false);
  }
  const due: MailKind[] = [];
  const age = nowMs - before.openedAtMs;
  // If no worker was running to send the mail of 24 hours, the mail of 72 hours replaces it.
  if (age >= 72 * hourMs) due.push("STILL_72H");
  else if (age >= 24 * hourMs) due.push("STILL_24H");
  if (disablesAtMs !== undefined && nowMs >= disablesAtMs - warnBeforeMs) due.push("DISABLES_SOON");
  return notified(before, due, false);
}

/**
 * When time alone next changes an incident: when a TICK is due. Undefined while none is.
 *
 * @param disablesAtMs when the subscription is disabled if the failures continue (`disablesAtMs` of breaker.ts).
 */
export function nextTickAtMs(state: IncidentState | undefined, disablesAtMs: number | undefined): number | undefined {
  if (!isOngoing(state) || state.isDisabled) return undefined;
  if (state.quietSinceMs !== undefined) return state.quietSinceMs + quietMs;
  const { openedAtMs, mails } = state;
  const moments: (readonly [atMs: number | undefined, notifiedBy: readonly MailKind[]])[] = [
    [openedAtMs + 24 * hourMs, ["STILL_24H", "STILL_72H"]],
    [openedAtMs + 72 * hourMs, ["STILL_72H"]],
    [disablesAtMs === undefined ? undefined : disablesAtMs - warnBeforeMs, ["DISABLES_SOON"]],
  ];
  const due = moments.flatMap(([atMs, notifiedBy]) =>
    atMs === undefined || notifiedBy.some((kind) => mails.includes(kind)) ? [] : atMs,
  );
  return due.length === 0 ? undefined : Math.min(...due);
}

const opened = (nowMs: number): IncidentState => ({
  openedAtMs: nowMs,
  quietSinceMs: undefined,
  closedAtMs: undefined,
  isDisabled: false,
  mails: [],
});

const unchanged = (state: IncidentState | undefined): IncidentStep => ({ state, isNew: false, mails: [] });

/** Adds each kind of mail at most once. */
function notified(state: IncidentState, kinds: readonly MailKind[], isNew: boolean): IncidentStep {
  const mails = kinds.filter((kind) => !state.mails.includes(kind));
  return { state: { ...state, mails: [...state.mails, ...mails] }, isNew, mails };
}
