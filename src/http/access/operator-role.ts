/** The roles of a console user: read; daily work as well; everything. Each role includes the preceding ones. */
export const operatorRoles = ["viewer", "operator", "admin"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The pending step of a sign-in: a second factor that the user has, or one that the user must enrol. */
export type PendingStep = "FACTOR" | "ENROLMENT";
export type SignInStep = PendingStep | "DONE";

/** The user of a console request, as the session states (contract operations.md §5). */
export interface Operator {
  readonly userName: string;
  readonly role: OperatorRole;
  /** Clients and facilities that the user is limited to; null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  readonly step: SignInStep;
  /** When the user last proved their identity, by a password or a factor; ISO 8601 UTC. */
  readonly authenticatedAt: string;
}
