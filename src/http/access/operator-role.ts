/** What a console user may do: look; daily work as well; everything. Each may do what those before it may. */
export const operatorRoles = ["viewer", "operator", "admin"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What is missing of a sign-in: a second factor that the user has, or one that the user has to enrol. */
export type PendingStep = "FACTOR" | "ENROLMENT";
export type SignInStep = PendingStep | "DONE";

/** Who sends a request of the console, as the session says (contract operations.md §5). */
export interface Operator {
  readonly userName: string;
  readonly role: OperatorRole;
  /** Clients and facilities that the user is limited to; null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  readonly step: SignInStep;
  /** When the user last proved who it is, by a password or a factor; ISO 8601 UTC. */
  readonly provedAt: string;
}
