import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { request } from "../api.ts";
import { PageSkeleton } from "../parts/skeletons.tsx";
import { type SignedOut, sessionKey } from "../session.tsx";

export const signOutPath = "/sign-out";
/** From the menu only: a link from elsewhere ends nobody's session. */
export const isMeant = { isMeant: true };

/**
 * Ends the session here and on the server, and forgets everything that was read. A page of its own, so that the screen that is
 * left can ask first.
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
    void request("/session/delete", { method: "DELETE" })
      // A session that is gone is what was wanted.
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
