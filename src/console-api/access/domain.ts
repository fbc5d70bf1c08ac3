import { type OperatorRole, operatorRoles } from "#/http/access/operator-role.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";

/** The roles of a console user: everything, daily work, read only; the integration of one client. */
export const userRoles = ["admin", "operator", "viewer", "developer"] as const satisfies readonly OperatorRole[];
export type UserRole = OperatorRole;

export function isUserRole(text: string): text is UserRole {
  return (userRoles as readonly string[]).includes(text);
}

/** Each role includes the preceding ones. A developer has no operation by the role alone. */
export function mayActAs(role: UserRole, least: UserRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
}

export function isUserName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text);
}

/** Maximum lifetime of a session after the sign-in. */
export const sessionMsMax = 12 * hourMs;
/** A session ends when it is unused for this long. */
export const idleMsMax = 2 * hourMs;

/** Time limit of the second step of a sign-in. */
export const factorStepMsMax = 5 * minuteMs;
/** Time for the installation of an authenticator app. */
export const enrolmentStepMsMax = 15 * minuteMs;
export const stepDetails = {
  FACTOR: "The sign-in is not complete: prove the second factor.",
  ENROLMENT: "The sign-in is not complete: the role requires a second factor; enrol one.",
} as const;

/** The means of proof of a second step. */
export const factorNames = ["TOTP", "PASSKEY", "RECOVERY_CODE"] as const;
export type FactorName = (typeof factorNames)[number];
/** Maximum number of factors of a user, of all kinds. */
export const factorsMax = 21;

/** Maximum age of a proof of identity, for operations that require one. */
export const proofMsMax = 10 * minuteMs;
