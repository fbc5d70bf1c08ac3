import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { request } from "../api.ts";
import { sessionKey } from "../session.tsx";

/** Ends the session here and on the server, and forgets everything that was read. */
export function useSignOut(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return () => {
    void request("/session/delete", { method: "DELETE" })
      // A session that is gone is what was wanted.
      .catch(() => undefined)
      .then(() => {
        void navigate("/sign-in", { replace: true });
        queries.clear();
        queries.setQueryData(sessionKey, null);
      });
  };
}
