import { useCallback, useMemo } from "react";
import { type To, useNavigate, useSearchParams } from "react-router";

/** Parts of the query that are kept from screen to screen. Filters and the time range belong to their screen. */
const kept = ["client", "facility"] as const;

/** What the top bar says on every screen: which client, which facility. */
export interface Scope {
  /** undefined: all that the user may see. */
  readonly clientId: string | undefined;
  readonly distributionCentre: string | undefined;
  /** Client and facility as query parameters, without those that are not chosen; good for query keys as well. */
  readonly query: { readonly clientId?: string; readonly distributionCentre?: string };
}

export function useScope(): Scope {
  const [params] = useSearchParams();
  const clientId = params.get("client") ?? undefined;
  const distributionCentre = params.get("facility") ?? undefined;
  return useMemo(
    () => ({
      clientId,
      distributionCentre,
      query: { ...(clientId ? { clientId } : {}), ...(distributionCentre ? { distributionCentre } : {}) },
    }),
    [clientId, distributionCentre],
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
