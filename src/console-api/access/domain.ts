import { type OperatorRole, operatorRoles } from "#/http/access/operator-role.ts";
import { isGuessable } from "#/kernel/security/guessable-passwords.ts";

/** What a console user may do: everything, daily work, look. */
export const userRoles = ["admin", "operator", "viewer"] as const satisfies readonly OperatorRole[];
export type UserRole = OperatorRole;

export function isUserRole(text: string): text is UserRole {
  return (userRoles as readonly string[]).includes(text);
}

/** Each role may do what those before it may. */
export function mayActAs(role: UserRole, least: UserRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
}

export function isUserName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text);
}

/** A session ends so long after the sign-in, whatever happens. */
export const sessionMsMax = 12 * 3_600_000;
/** A session ends when it was not used for so long. */
export const idleMsMax = 2 * 3_600_000;

/** How long the second step of a sign-in is waited for. */
export const factorStepMsMax = 5 * 60_000;
/** As long as it takes to install an authenticator app. */
export const enrolmentStepMsMax = 15 * 60_000;
export const stepDetails = {
  FACTOR: "The sign-in is not complete: prove the second factor.",
  ENROLMENT: "The sign-in is not complete: the role takes a second factor; enrol one.",
} as const;

/** What takes a proof takes one that is no older. */
export const proofMsMax = 10 * 60_000;

/** Of a password that its user has chosen. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 256;

/** Shorter names stand in too many words. */
const nameLengthMin = 4;

/** Why a chosen password is not taken; undefined where it is. Length is what counts (NIST SP 800-63B §3.1.1). */
export function faultOfPassword(password: string, userName: string): string | undefined {
  if (password.length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`;
  if (holds(password, userName)) return "must not hold the user name";
  if (holds(password, "crossdock")) return "must not hold the name of the product";
  if (new Set(password).size < 5) return "must have at least five different characters";
  return isGuessable(password)
    ? "must not be a common password, or consist of three or fewer of them; take four words or more"
    : undefined;
}

/** @param names identifiers and names of clients, of those alone that the user may know of. */
export function faultOfClientNames(password: string, names: readonly string[]): string | undefined {
  const held = names.find((name) => holds(password, name));
  return held === undefined ? undefined : `must not hold the name of a client: ${held}`;
}

/** Whatever blanks and signs stand between the letters. */
function holds(password: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  return plain(name).length >= nameLengthMin && plain(password).includes(plain(name));
}
