import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Navigate, useLocation } from "react-router";
import { ApiProblem, request, setCsrfToken, whenSignedOut } from "./api.ts";

export type Role = "viewer" | "operator" | "admin";

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

/** Who is signed in, and what that person may see (contract operations.md §5). */
export interface Session {
  readonly userName: string;
  readonly role: Role;
  /** null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  /** Issuer of the identity provider that the user signs in by; null: by a password. */
  readonly identityProvider: string | null;
  /** null: where the console was reached. */
  readonly addresses: {
    readonly base: string | null;
    readonly feed: string | null;
    readonly auth: string | null;
    readonly sftpPort: number | null;
  };
}

/** What the sign-in page is told of a session that has ended: whether something was to be written with it. */
export interface Ended {
  readonly ended: "write" | "read";
}

/** State of the sign-in page after a sign-out: the next user may be another person. */
export interface SignedOut {
  readonly isSignedOut: true;
}

export const sessionKey = ["session"];

/** null: nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    const session = (await (await request("/session/get")).json()) as Session & { csrfToken?: string };
    setCsrfToken(session.csrfToken ?? "");
    return session;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The person who is signed in. Only below `SignedIn`, which is everywhere but on the sign-in page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("there is no session here");
  return session;
}

/** Whether the user may do what needs this role. What takes an admin concerns all facilities, so users limited to some may not. */
export function useMay(role: Role): boolean {
  const { role: own, facilityCodes } = useSession();
  return ranks[own] >= ranks[role] && (role !== "admin" || facilityCodes === null);
}

/** Whether the person is limited neither to clients nor to facilities. */
export function useHasNoLimits(): boolean {
  const { clientIds, facilityCodes } = useSession();
  return clientIds === null && facilityCodes === null;
}

/** Shows what is inside to whom is signed in; others go to the sign-in page, which leads back here. */
export function SignedIn({ children, waiting, failed }: SignedInProps) {
  const queries = useQueryClient();
  const location = useLocation();
  const { data, error, refetch } = useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });
  const hadSession = useRef(false);
  const isUndone = useRef(false);
  useEffect(() => {
    whenSignedOut((isWrite) => {
      isUndone.current ||= isWrite;
      queries.setQueryData(sessionKey, null);
    });
  }, [queries]);
  useEffect(() => {
    if (data) hadSession.current = true;
  }, [data]);
  if (data === undefined) return error ? failed(error, () => void refetch()) : waiting;
  if (data === null) {
    const back = location.pathname + location.search;
    const state: Ended | null = hadSession.current ? { ended: isUndone.current ? "write" : "read" } : null;
    return (
      <Navigate to={`/sign-in${back === "/" ? "" : `?return=${encodeURIComponent(back)}`}`} replace state={state} />
    );
  }
  return <SessionContext value={data}>{children}</SessionContext>;
}

interface SignedInProps {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly failed: (error: Error, retry: () => void) => ReactNode;
}
