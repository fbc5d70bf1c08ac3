import type { RateLimit } from "#/http/access/rate-limit.ts";
import type { ProblemCode } from "#/http/problems/problem-codes.ts";

/** The audience of an operation: that of a service with tokens, or the users of the console. */
export type Audience = Caller["kind"] | "operator";

/** The sender of a REST request, as its token states and the directory of credentials confirms. */
export interface Caller {
  readonly credentialId: string;
  readonly kind: "client" | "warehouse" | "carrier";
  /** Clients of the token; empty for a warehouse or a carrier. */
  readonly clientIds: readonly string[];
  /** Those of the clients that are suspended. */
  readonly suspendedClientIds: readonly string[];
  /** Facility of a warehouse. */
  readonly facilityCode: string | undefined;
  /** Code of a carrier. */
  readonly carrierCode?: string | undefined;
  /** The client's own limit; undefined: the deployment's. */
  readonly rateLimit: RateLimit | "off" | undefined;
}

/** Why a token is refused. */
export interface TokenFault {
  readonly code: Extract<ProblemCode, `token-${string}`>;
  readonly detail: string;
}
