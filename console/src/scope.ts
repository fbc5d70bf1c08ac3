import { createContext, useCallback, useContext, useMemo } from "react";
import { type To, useNavigate, useSearchParams } from "react-router";
import { valuesLeft } from "./parts/list/filter-values.ts";

/** Query parameters that are kept between screens. Filters and the time range belong to their screen. */
const kept = ["client", "facility"] as const;

/** The filters of the top bar on every screen: client and facility. */
export interface Scope {
  /** undefined: all that the user may see. */
  readonly clientId: string | undefined;
  /** The facility, where the filter leaves one. */
  readonly distributionCentre: string | undefined;
  /** Client and facilities as query parameters, without those that are not selected; also usable in query keys. */
  readonly query: { readonly clientId?: string; readonly distributionCentre?: string[] };
}

/** Every facility that the user may see: a filter may exclude some. */
export const FacilityCodes = createContext<readonly string[]>([]);

/** The client of a part of a page, whatever the top bar says; undefined elsewhere. */
export const ClientOfPart = createContext<string | undefined>(undefined);

/** The query parameters of the page, with the client of the part. */
export function useParamsOfPart(): URLSearchParams {
  const [params] = useSearchParams();
  const clientId = useContext(ClientOfPart);
  return useMemo(() => {
    if (clientId === undefined) return params;
    const ofPart = new URLSearchParams(params);
    ofPart.set("client", clientId);
    return ofPart;
  }, [params, clientId]);
}

export function useScope(): Scope {
  const params = useParamsOfPart();
  const clientId = params.get("client") ?? undefined;
  const facilities = params.get("facility") ?? "";
  const known = useContext(FacilityCodes);
  return useMemo(() => {
    const codes = valuesLeft(facilities, known);
    return {
      clientId,
      distributionCentre: codes?.length === 1 ? codes[0] : undefined,
      query: { ...(clientId ? { clientId } : {}), ...(codes ? { distributionCentre: [...codes] } : {}) },
    };
  }, [clientId, facilities, known]);
}

/** Changes query parameters of the URL in place; null removes one. */
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

/** A path of the console with the filters of the top bar added to its query. Parameters in the path take precedence. */
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

/** Navigates to a path of the console and keeps the filters of the top bar. `Go` does the same for links. */
export function useGo(): (to: string) => void {
  const params = useParamsOfPart();
  const navigate = useNavigate();
  return useCallback((to) => void navigate(withScope(to, params)), [navigate, params]);
}
