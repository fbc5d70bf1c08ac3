import { enrolmentStepMsMax, type FactorName, factorStepMsMax, sessionMsMax } from "#/console-api/access/domain.ts";
import { makeSessionId, sessionHash } from "#/console-api/access/sign-in/cookie.ts";
import * as sessions from "#/console-api/access/sign-in/session-repository.ts";
import * as users from "#/console-api/access/user-repository.ts";
import { userOf } from "#/console-api/access/users.ts";
import type { PendingStep, SignInStep } from "#/http/access/operator-role.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";

export interface SignedIn {
  readonly user: users.User;
  readonly sessionId: string;
  readonly endsAt: string;
}

interface Proved {
  readonly row: users.UserProof;
  /** For the audit log: `password`, or the issuer. */
  readonly by: string;
  readonly factor?: FactorName;
}

/** The session of a user who has proved their identity. */
export function openSession(tx: Transaction, clock: Clock, change: Change, { row, by, factor }: Proved): SignedIn {
  const user = { ...userOf(row), lastSignInAt: change.at };
  const opened = insert(tx, clock, change, { row, step: "DONE", msMax: sessionMsMax, factor: factor ?? null });
  users.noteSignIn(tx, user.userName, change.at);
  recordAudit(tx.of(platformClient, { ...change, actor: `user:${user.userName}` }), {
    action: "sign-in",
    objectType: "user",
    objectId: user.userName,
    detail: { by, ...(factor === undefined ? {} : { factor }) },
  });
  return { user, ...opened };
}

/** A session that only allows the pending step of the sign-in. */
export function openStep(
  tx: Transaction,
  clock: Clock,
  change: Change,
  { row, step }: { readonly row: users.UserProof; readonly step: PendingStep },
): SignedIn {
  const msMax = step === "FACTOR" ? factorStepMsMax : enrolmentStepMsMax;
  return { user: userOf(row), ...insert(tx, clock, change, { row, step, msMax, factor: null }) };
}

interface Inserted {
  readonly row: users.UserProof;
  readonly step: SignInStep;
  readonly msMax: number;
  readonly factor: FactorName | null;
}

function insert(tx: Transaction, clock: Clock, change: Change, { row, step, msMax, factor }: Inserted) {
  const sessionId = makeSessionId();
  const endsAt = new Date(clock.now() + msMax).toISOString();
  sessions.deleteEnded(tx, change.at);
  sessions.insertSession(tx, {
    sha256: sessionHash(sessionId),
    userName: row.userName,
    accessVersion: row.accessVersion,
    at: change.at,
    endsAt,
    origin: change.origin,
    step,
    factor,
  });
  return { sessionId, endsAt };
}
