import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { request } from "../api.ts";
import { endGrace } from "../parts/actions/undo.tsx";
import { PageSkeleton } from "../parts/loading/skeletons.tsx";
import { type SignedOut, sessionKey } from "../session.tsx";

export const signOutPath = "/sign-out";
/** Set by the menu only, so that a link from elsewhere ends no session. */
export const isMeant = { isMeant: true };

/**
 * Ends the session here and on the server, and clears all cached data. It is a separate page, so that the current
 * screen can first ask for confirmation.
 */
export function SignOutPage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { state } = useLocation();
  const mayEnd = (state as Partial<typeof isMeant> | null)?.isMeant === true;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!mayEnd || hasBegun.current) return;
    hasBegun.current = true;
    void endGrace()
      .then(() => request("/session/delete", { method: "DELETE" }))
      // An already ended session is fine.
      .catch(() => undefined)
      .then(() => {
        const state: SignedOut = { isSignedOut: true };
        void navigate("/sign-in", { replace: true, state });
        queries.clear();
        queries.setQueryData(sessionKey, null);
      });
  }, [mayEnd, navigate, queries]);
  return mayEnd ? <PageSkeleton /> : <Navigate to="/overview" replace />;
}
