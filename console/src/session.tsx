import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Navigate, useLocation } from "react-router";
import { ApiProblem, request, setCsrfToken, whenSignedOut } from "./api.ts";
import { pathWith } from "./links.ts";

export type Role = "developer" | "viewer" | "operator" | "admin";

const ranks: Readonly<Record<Role, number>> = { developer: -1, viewer: 0, operator: 1, admin: 2 };

/** The signed-in user and the user's rights (contract operations.md §5). */
export interface Session {
  readonly userName: string;
  readonly role: Role;
  /** null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  /** Issuer of the user's identity provider; null: the user signs in with a password. */
  readonly identityProvider: string | null;
  /** Environment of the deployment, such as `sandbox`. */
  readonly environment: string;
  /** In production no mail server is configured. */
  readonly isMailMissing: boolean;
  /** null: the URL at which the console was opened. */
  readonly addresses: {
    readonly base: string | null;
    readonly feed: string | null;
    readonly auth: string | null;
    readonly sftpPort: number | null;
  };
}

/** State of the sign-in page after a session has ended: whether a write or a read failed. */
export interface Ended {
  readonly ended: "write" | "read";
}

/** State of the sign-in page after a sign-out: the next user may be another person. */
export interface SignedOut {
  readonly isSignedOut: true;
}

/** State of the sign-in page after an invitation was accepted: the new user. */
export interface Accepted {
  readonly accepted: string;
}

export const sessionKey = ["session"];

/** null: no user is signed in. */
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

/** The signed-in user. Available only below `SignedIn`, i.e. everywhere except the sign-in page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("there is no session here");
  return session;
}

/**
 * Whether the user has this role. Admin operations concern all facilities, so users limited to facilities may not run
 * them.
 * @param isForDevelopers whether developers of brands may run the operation too
 */
export function useMay(role: Role, isForDevelopers = false): boolean {
  return may(useSession(), role, isForDevelopers);
}

/** `useMay` for a session at hand. */
export function may({ role: userRole, facilityCodes }: Session, role: Role, isForDevelopers = false): boolean {
  if (userRole === "developer") return isForDevelopers;
  return ranks[userRole] >= ranks[role] && (role !== "admin" || facilityCodes === null);
}

/** For tabs that are closed to developers of brands. */
export const isNoDeveloper = ({ role }: Session): boolean => role !== "developer";

/** For tabs of the daily work. */
export const isWorker = ({ role }: Session): boolean => role === "operator" || role === "admin";

/** For tabs of the daily work over all facilities of a client. */
export const worksForAllFacilities = (session: Session): boolean => isWorker(session) && session.facilityCodes === null;

/** Developers of brands see what concerns the integration of their client. */
export function useIsDeveloper(): boolean {
  return useSession().role === "developer";
}

/** Whether the user is limited neither to clients nor to facilities. */
export function useHasNoLimits(): boolean {
  const { clientIds, facilityCodes } = useSession();
  return clientIds === null && facilityCodes === null;
}

/** Shows its content to signed-in users. Others go to the sign-in page, which returns here. */
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
    return <Navigate to={pathWith("/sign-in", { return: back === "/" ? undefined : back })} replace state={state} />;
  }
  return <SessionContext value={data}>{children}</SessionContext>;
}

interface SignedInProps {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly failed: (error: Error, retry: () => void) => ReactNode;
}
