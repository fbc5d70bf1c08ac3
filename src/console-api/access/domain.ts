import { type OperatorRole, operatorRoles } from "#/http/access/operator-role.ts";
import { isGuessable } from "#/kernel/security/guessable-passwords.ts";

/** The roles of a console user: everything, daily work, read only. */
export const userRoles = ["admin", "operator", "viewer"] as const satisfies readonly OperatorRole[];
export type UserRole = OperatorRole;

export function isUserRole(text: string): text is UserRole {
  return (userRoles as readonly string[]).includes(text);
}

/** Each role includes the preceding ones. */
export function mayActAs(role: UserRole, least: UserRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
}

export function isUserName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text);
}

/** Maximum lifetime of a session after the sign-in. */
export const sessionMsMax = 12 * 3_600_000;
/** A session ends when it is unused for this long. */
export const idleMsMax = 2 * 3_600_000;

/** Time limit of the second step of a sign-in. */
export const factorStepMsMax = 5 * 60_000;
/** Time for the installation of an authenticator app. */
export const enrolmentStepMsMax = 15 * 60_000;
export const stepDetails = {
  FACTOR: "The sign-in is not complete: prove the second factor.",
  ENROLMENT: "The sign-in is not complete: the role requires a second factor; enrol one.",
} as const;

/** Maximum age of a proof of identity, for operations that require one. */
export const proofMsMax = 10 * 60_000;

/** Limits of a password that its user has chosen. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 256;

/** Shorter names occur in too many words. */
const nameLengthMin = 4;

/** Why a chosen password is refused; undefined where it is accepted. Only length matters (NIST SP 800-63B §3.1.1). */
export function faultOfPassword(password: string, userName: string): string | undefined {
  if (password.length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`;
  if (holds(password, userName)) return "must not contain the user name";
  if (holds(password, "crossdock")) return "must not contain the name of the product";
  if (new Set(password).size < 5) return "must have at least five different characters";
  return isGuessable(password)
    ? "must not be a common password, or consist of three or fewer of them; use four words or more"
    : undefined;
}

/** @param names identifiers and names of clients, only of those that the user may know. */
export function faultOfClientNames(password: string, names: readonly string[]): string | undefined {
  const held = names.find((name) => holds(password, name));
  return held === undefined ? undefined : `must not contain the name of a client: ${held}`;
}

/** Ignores blanks and symbols between the letters. */
function holds(password: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  return plain(name).length >= nameLengthMin && plain(password).includes(plain(name));
}
