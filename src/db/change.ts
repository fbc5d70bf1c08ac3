import type { Ids } from "#/kernel/values/ids.ts";

/** The author, origin and time of a change: passed down from the entry point to every writer of the audit log. */
export interface Change {
  /** `cli:root`, `user:anna`, `client:ACME`. */
  readonly actor: string;
  /** The machine or address that the change came from. */
  readonly origin: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly ids: Ids;
}
