import type { RateLimit } from "#/http/access/rate-limit.ts";
import type { ProblemCode } from "#/http/problems/problem-codes.ts";

/** Whose service an operation is of: of those with tokens, or of the users of the console. */
export type Audience = Caller["kind"] | "operator";

/** Who sends a REST request, as its token says and the directory of credentials confirms. */
export interface Caller {
  readonly credentialId: string;
  readonly kind: "client" | "warehouse" | "carrier";
  /** Clients that the token is for; empty for a warehouse or a carrier. */
  readonly clientIds: readonly string[];
  /** Those of them that are suspended. */
  readonly suspendedClientIds: readonly string[];
  /** Facility of a warehouse. */
  readonly facilityCode: string | undefined;
  /** Code of a carrier. */
  readonly carrierCode?: string | undefined;
  /** The client's own limit; undefined: the deployment's. */
  readonly rateLimit: RateLimit | "off" | undefined;
}

/** Why a token is not taken. */
export interface TokenFault {
  readonly code: Extract<ProblemCode, `token-${string}`>;
  readonly detail: string;
}
