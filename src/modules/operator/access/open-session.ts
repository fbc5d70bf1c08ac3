import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import { makeSessionId, sessionHash } from "#/modules/operator/access/cookie.ts";
import { sessionMsMax } from "#/modules/operator/access/domain.ts";
import * as sessions from "#/modules/operator/access/session-repository.ts";
import * as users from "#/modules/operator/access/user-repository.ts";
import { type User, userOf } from "#/modules/operator/access/users.ts";

export interface SignedIn {
  readonly user: User;
  readonly sessionId: string;
  readonly endsAt: string;
}

/** The session of a user who has proved who it is. @param by for the audit log: `password`, or the issuer. */
export function openSession(
  tx: Transaction,
  clock: Clock,
  change: Change,
  { row, by }: { readonly row: users.UserProofRow; readonly by: string },
): SignedIn {
  const user = { ...userOf(row), lastSignInAt: change.at };
  const sessionId = makeSessionId();
  const endsAt = new Date(clock.now() + sessionMsMax).toISOString();
  sessions.deleteEnded(tx, change.at);
  sessions.insertSession(tx, {
    ...{ sha256: sessionHash(sessionId), userName: user.userName, accessVersion: row.access_version },
    ...{ at: change.at, endsAt, origin: change.origin },
  });
  users.noteSignIn(tx, user.userName, change.at);
  const entry = { action: "sign-in", objectType: "user", objectId: user.userName, detail: { by } };
  recordAudit(tx, platformClient, { ...change, actor: `user:${user.userName}` }, entry);
  return { user, sessionId, endsAt };
}
