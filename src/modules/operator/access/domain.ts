import { type OperatorRole, operatorRoles } from "#/http/operator-role.ts";

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

/** Of a password that its user has chosen. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 256;

/** Why a chosen password is not taken; undefined where it is. Length is what counts (NIST SP 800-63B §3.1.1). */
export function faultOfPassword(password: string, userName: string): string | undefined {
  if (password.length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`;
  if (password.toLowerCase().includes(userName.toLowerCase()) && userName.length > 3)
    return "must not hold the user name";
  return new Set(password).size < 5 ? "must have at least five different characters" : undefined;
}
