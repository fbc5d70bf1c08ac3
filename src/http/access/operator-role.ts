/**
 * The roles of a console user. A developer of a brand is limited to one client, and to the operations of
 * `isForDevelopers`. The others: read; daily work as well; everything. Each of them includes the preceding ones.
 */
export const operatorRoles = ["developer", "viewer", "operator", "admin"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The pending step of a sign-in: a second factor that the user has, or one that the user must enrol. */
export type PendingStep = "FACTOR" | "ENROLMENT";
export type SignInStep = PendingStep | "DONE";

/** A token by which an agent acts for a user, at `/mcp` only (docs/agents.md). */
export interface AgentRights {
  readonly tokenId: string;
  readonly clientId: string;
  /** Whether it may try changes without effect, in order to propose them. */
  readonly mayPropose: boolean;
}

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
  /** Where an agent acts for the user. */
  readonly agent?: AgentRights;
}
