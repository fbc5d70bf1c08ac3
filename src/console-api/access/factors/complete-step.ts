import type { FactorName } from "#/console-api/access/domain.ts";
import { lockFactorsOf } from "#/console-api/access/factors/factor-repository.ts";
import { sessionHash } from "#/console-api/access/sign-in/cookie.ts";
import { openSession, type SignedIn } from "#/console-api/access/sign-in/open-session.ts";
import { endSession } from "#/console-api/access/sign-in/session-repository.ts";
import { findUser } from "#/console-api/access/user-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction } from "#/store/db/database.ts";

export interface CompletedStep {
  readonly userName: string;
  /** Session id of the pending sign-in. */
  readonly sessionId: string;
  readonly factor: FactorName;
}

/**
 * The session of a user who has proved the second step, under a new id. Undefined where the user was suspended or got
 * another password or role meanwhile, which has ended the sign-in.
 */
export async function completeStep(
  tx: Transaction,
  clock: Clock,
  change: Change,
  { userName, sessionId, factor }: CompletedStep,
): Promise<SignedIn | undefined> {
  await lockFactorsOf(tx, userName);
  const row = await findUser(tx, userName);
  if (!row || row.isSuspended || !(await endSession(tx, userName, sessionHash(sessionId)))) return undefined;
  return openSession(tx, clock, change, { row, by: "password", factor });
}
