import { useMemo } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import styles from "../clients/clients.module.css";

type Session = components["schemas"]["UserSession"];

const noScope: readonly never[] = [];

/** The sessions of a user, each with a button that ends it. */
export function UserSessions({ userName }: { readonly userName: string }) {
  const params = useMemo(() => ({ path: { userName } }), [userName]);
  const columns = useMemo<readonly Column<Session>[]>(() => {
    const revoke = (sessionId: string) => api.POST("/user/revokeSessions/{userName}", { params, body: { sessionId } });
    return [
      { key: "startedAt", kind: "exact", header: "Signed in" },
      { key: "agentName", header: "Agent", width: 140, wraps: true, none: "–" },
      { key: "lastUsedAt", header: "Last used" },
      { key: "origin", header: "From", width: 124, none: "not kept" },
      { key: "expiresAt", header: "Ends" },
      {
        key: "actions",
        header: "Actions",
        width: 180,
        cell: ({ sessionId, isOwn, startedAt }) =>
          isOwn ? (
            "this session"
          ) : (
            <ActionButton
              verb="Revoke"
              label={`Revoke the session of ${startedAt}`}
              role="admin"
              size="xs"
              isDestructive
              title={`Revoke a session of ${userName}`}
              text="The user is signed out there at once, and may sign in again."
              run={() => revoke(sessionId)}
              done="The session has ended."
            />
          ),
      },
    ];
  }, [userName, params]);
  return (
    <div className={styles.form}>
      <div className={styles.buttons}>
        <ActionButton
          verb="Revoke all sessions"
          role="admin"
          isDestructive
          title={`Revoke all sessions of ${userName}`}
          text="The user is signed out everywhere at once, and may sign in again. To keep the user out, suspend the user."
          run={() => api.POST("/user/revokeSessions/{userName}", { params, body: {} })}
          done="All sessions have ended."
        />
      </div>
      <DataList
        id="user-sessions"
        label="Sessions"
        isPlain
        scope={noScope}
        fixed={{ of: userName }}
        columns={columns}
        fetchPage={(_, signal) => api.GET("/user/sessions/{userName}", { params, signal })}
        rowId={({ sessionId }) => sessionId}
        empty={{ why: "The user has no session." }}
        live={10_000}
      />
    </div>
  );
}
