import { useCallback, useMemo } from "react";
import { type To, useNavigate, useSearchParams } from "react-router";

/** Parts of the query that belong to the top bar: kept from screen to screen, unlike the filters of a list. */
const kept = ["client", "facility", "range"] as const;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface TimeRange {
  /** As it stands in the URL: `24h`, or two ISO 8601 times with `..` between them. */
  readonly key: string;
  readonly label: string;
  /** ISO 8601; reckoned when it is called, because "the last hour" moves. Query keys hold `key`, not these. */
  window(): { readonly from: string; readonly to: string };
}

export const rangeKeys = ["1h", "6h", "24h", "7d", "30d"] as const;
const rangeDefault = "24h";

const rangeHours: Readonly<Record<string, readonly [hours: number, label: string]>> = {
  "1h": [1, "Last hour"],
  "6h": [6, "Last 6 hours"],
  "24h": [24, "Last 24 hours"],
  "7d": [7 * 24, "Last 7 days"],
  "30d": [30 * 24, "Last 30 days"],
};

/** The range of a key; what is unreadable is the last 24 hours. */
export function rangeOf(key: string): TimeRange {
  const [from = "", to = ""] = key.split("..");
  if (!Number.isNaN(Date.parse(from)) && !Number.isNaN(Date.parse(to))) {
    const label = `${from.slice(0, 16).replace("T", " ")} to ${to.slice(0, 16).replace("T", " ")}`;
    return { key, label, window: () => ({ from, to }) };
  }
  const known = rangeHours[key] ? key : rangeDefault;
  const [hours, label] = rangeHours[known] as readonly [number, string];
  return {
    key: known,
    label,
    window() {
      const to = Math.ceil(Date.now() / minuteMs) * minuteMs;
      return { from: new Date(to - hours * hourMs).toISOString(), to: new Date(to).toISOString() };
    },
  };
}

/** What the top bar says: which client, which facility, which time. */
export interface Scope {
  /** undefined: all that the user may see. */
  readonly clientId: string | undefined;
  readonly distributionCentre: string | undefined;
  readonly range: TimeRange;
  /** Client and facility as query parameters, without those that are not chosen; good for query keys as well. */
  readonly query: { readonly clientId?: string; readonly distributionCentre?: string };
}

export function useScope(): Scope {
  const [params] = useSearchParams();
  const clientId = params.get("client") ?? undefined;
  const distributionCentre = params.get("facility") ?? undefined;
  const rangeKey = params.get("range") ?? rangeDefault;
  return useMemo(
    () => ({
      clientId,
      distributionCentre,
      range: rangeOf(rangeKey),
      query: { ...(clientId ? { clientId } : {}), ...(distributionCentre ? { distributionCentre } : {}) },
    }),
    [clientId, distributionCentre, rangeKey],
  );
}

/** Changes parts of the URL's query in place; null takes one away. */
export function useSetParams(): (changes: Readonly<Record<string, string | null>>) => void {
  const [, setParams] = useSearchParams();
  return useCallback(
    (changes) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === "") after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
}

/** A path of the console with what the top bar says added to its query; what the path says itself stays. */
export function withScope(to: string, params: URLSearchParams): To {
  const [path = "", search = ""] = to.split("?");
  const query = new URLSearchParams(search);
  for (const name of kept) {
    const value = params.get(name);
    if (value !== null && !query.has(name)) query.set(name, value);
  }
  const text = query.toString();
  return { pathname: path, search: text === "" ? "" : `?${text}` };
}

/** Goes to a path of the console, keeping what the top bar says. Links do the same by themselves (`Go`). */
export function useGo(): (to: string) => void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  return useCallback((to) => void navigate(withScope(to, params)), [navigate, params]);
}
