// The second step of a sign-in, and the proof that changes of factors require.
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { FactorName } from "#/console-api/access/domain.ts";
import * as factors from "#/console-api/access/factors/factor-repository.ts";
import { type RelyingParty, signCountOf } from "#/console-api/access/factors/passkeys.ts";
import { recoveryCodeHash } from "#/console-api/access/factors/recovery-codes.ts";
import { stepOfCode } from "#/console-api/access/factors/totp.ts";
import { countRefusal } from "#/console-api/access/refusal-repository.ts";
import { takeChallenge } from "#/console-api/access/sign-in/session-repository.ts";
import { triesOfNetwork, triesOfUser } from "#/console-api/access/sign-in/sign-in.ts";
import type { RateLimiter, Take } from "#/http/access/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

export interface SecondFactorContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly secretBox: SecretBox;
  /** The owner of the passkeys; undefined where passkeys are impossible. */
  relyingParty(): RelyingParty | undefined;
}

/** Exactly one of the fields is set, as received. */
export interface GivenFactor {
  readonly code?: string;
  readonly recoveryCode?: string;
  /** The answer of the browser to the challenge of the session. */
  readonly passkey?: Readonly<Record<string, unknown>>;
}

export interface Prover {
  readonly userName: string;
  /** Source address of the request. */
  readonly address: string;
  /** Hash of the session that has the challenge. */
  readonly sha256: Buffer;
}

export type FactorRefusal =
  | { readonly kind: "throttled"; readonly take: Take }
  | { readonly kind: "wrong"; readonly field: keyof GivenFactor; readonly detail: string };

export interface SecondFactor {
  prove(prover: Prover, factor: GivenFactor, change: Change): Promise<Result<FactorName, FactorRefusal>>;
}

/**
 * Maximum number of wrong codes in a row, after which no code of this secret is accepted. Of a million codes three are
 * right at a time, so this number of guesses finds one with a probability of 0.03 %.
 */
export const wrongCodesMax = 100;

const wrongCode = "is not the current code, or was used before";
const closedCode = `is not accepted after ${wrongCodesMax} wrong ones; use a recovery code or a passkey, or ask an administrator to reset the factors`;
const wrongPasskey = "is not a passkey of the user, or does not answer the challenge";
const wrongRecoveryCode = "is not one of the recovery codes, or was used before";

export function createSecondFactor(context: SecondFactorContext): SecondFactor {
  const { database, clock, limiter, secretBox } = context;

  /**
   * The attempts of a user count over all networks. Only a caller that knows the password gets here, so no stranger can
   * use them up.
   */
  function throttled({ userName, address }: Prover): Take | undefined {
    const takes = [
      limiter.take(logInKey("sign-in network", networkOf(address)), triesOfNetwork),
      limiter.take(logInKey("second factor", userName), triesOfUser),
    ];
    return takes.find(({ isAllowed }) => !isAllowed);
  }

  /** Why the code is refused; undefined where it is accepted. */
  function faultOfCode(userName: string, code: string, change: Change): Promise<string | undefined> {
    return database.transaction(async (tx) => {
      const row = await factors.lockTotp(tx, userName);
      if (!row) return wrongCode;
      if (row.wrongCodes >= wrongCodesMax) return closedCode;
      const secret = secretBox.open(row.secretSealed, factors.totpContext(row.factorId));
      if (secret === undefined) throw new Error("neither master key decrypts the secret of a second factor");
      const at = { nowMs: clock.now(), lastStep: row.step };
      const step = stepOfCode(Buffer.from(secret, "base64"), code, at);
      if (step === undefined) factors.noteWrongCode(tx, row.factorId);
      else factors.noteRightCode(tx, row.factorId, step, change.at);
      return step === undefined ? wrongCode : undefined;
    });
  }

  function faultOfRecoveryCode(userName: string, code: string, change: Change): Promise<string | undefined> {
    return database.transaction(async (tx) => {
      const sha256 = recoveryCodeHash(userName, code);
      if (!(await factors.useRecoveryCode(tx, userName, sha256, change.at))) return wrongRecoveryCode;
      factors.forgetWrongCodes(tx, userName);
      const left = await factors.countRecoveryCodes(tx, userName);
      recordAudit(tx.of(platformClient, change), {
        action: "use-recovery-code",
        objectType: "user",
        objectId: userName,
        detail: { left },
      });
      return undefined;
    });
  }

  async function faultOfPasskey(
    { userName, sha256 }: Prover,
    answer: NonNullable<GivenFactor["passkey"]>,
    change: Change,
  ): Promise<string | undefined> {
    const party = context.relyingParty();
    const challenge = await takeChallenge(database, sha256, change.at);
    const response = answer as unknown as AuthenticationResponseJSON;
    if (!party || challenge === undefined || typeof response.id !== "string") return wrongPasskey;
    return database.transaction(async (tx) => {
      const stored = await factors.lockPasskey(tx, userName, response.id);
      const signCount = stored && (await signCountOf(party, challenge, { passkey: stored, response }));
      if (!stored || signCount === undefined) return wrongPasskey;
      factors.notePasskeyUse(tx, stored.factorId, signCount, change.at);
      factors.forgetWrongCodes(tx, userName);
      return undefined;
    });
  }

  return {
    async prove(prover, { code, recoveryCode = "", passkey }, change) {
      const take = throttled(prover);
      if (take) return refused({ kind: "throttled", take });
      const { userName } = prover;
      const [name, field, fault] =
        passkey !== undefined
          ? (["PASSKEY", "passkey", await faultOfPasskey(prover, passkey, change)] as const)
          : code !== undefined
            ? (["TOTP", "code", await faultOfCode(userName, code, change)] as const)
            : (["RECOVERY_CODE", "recoveryCode", await faultOfRecoveryCode(userName, recoveryCode, change)] as const);
      if (fault === undefined) return ok(name);
      await countRefusal(database, { userName, reason: "SECOND_FACTOR", at: change.at, origin: change.origin });
      return refused({ kind: "wrong", field, detail: fault });
    },
  };
}
